package retrieve_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/search/memindex"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/work"
	"vigueur/internal/work/embedding"
)

// cosines is a retrieve.Sentences that returns the cosines a test has chosen.
type cosines struct {
	near          map[uuid.UUID]float32
	project       bool // the cosines after the projection are those before it, negated
	cosinesError  error
	questionError error
	hangs         bool // until the search ends
}

func (r *cosines) projected(c float32) float32 {
	if r.project {
		return -c
	}
	return float32(math.NaN())
}

func (r *cosines) Question(ctx context.Context, _ string) ([]float32, error) {
	if r.hangs {
		<-ctx.Done()
	}
	return []float32{1}, r.questionError
}

func (r *cosines) Cosines(_ context.Context, question func() []float32, passages []uuid.UUID) (map[uuid.UUID]retrieve.Cosines, error) {
	out := make(map[uuid.UUID]retrieve.Cosines)
	if question() == nil {
		return out, nil
	}
	for _, id := range passages {
		if c, ok := r.near[id]; ok {
			out[id] = retrieve.Cosines{Sentence: c, Projected: r.projected(c)}
		}
	}
	return out, r.cosinesError
}

// openMeant returns a searcher of the sample that also goes by meaning.
func openMeant(t *testing.T) *retrieve.Searcher {
	t.Helper()
	s, _, db := open(t)
	own, err := embedding.Own()
	if err != nil {
		t.Fatal(err)
	}
	runner := &embedding.VectorMaker{DB: db, Model: own, Log: slog.New(slog.DiscardHandler)}
	g, err := runner.Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := work.Run(t.Context(), runner, g.ID); err != nil {
		t.Fatal(err)
	}
	asker := &embedding.Asker{Known: &embedding.Known{VectorMaker: runner}, Question: &embedding.Question{Embedder: own}}
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: s.Lexicon, Vectors: db})
	if err != nil {
		t.Fatal(err)
	}
	return &retrieve.Searcher{DB: s.DB, Index: index, Now: s.Now, Lexicon: s.Lexicon, Meaning: asker.Of}
}

// TestSentencesOrderWhatWasRead checks that sentence vectors order the articles if the
// weights say so, and that a passage without a vector gets a rank in the middle.
func TestSentencesOrderWhatWasRead(t *testing.T) {
	t.Parallel()
	s := openMeant(t)
	plain := search(t, s, retrieve.Question{Text: notice})
	if !plain.Semantic || plain.Vectors != rank.WordVectors || len(plain.Hits) < 4 {
		t.Fatalf("by %v, %d hits", plain.Vectors, len(plain.Hits))
	}
	model := *rank.Builtin()
	model.Order.Sentences, model.Long.Sentences = rank.Weights{rank.Sentence: 1}, rank.Weights{rank.Sentence: 1}
	s.Ranking, s.All = &model, true
	all, err := s.Examine(t.Context(), retrieve.Question{Text: notice})
	if err != nil {
		t.Fatal(err)
	}
	near := make(map[uuid.UUID]float32)
	last := len(all.Hits) - 1
	for i, h := range all.Hits {
		for _, p := range h.Passages {
			near[p.ID] = float32(i) / float32(len(all.Hits))
		}
	}
	unread := all.Hits[last]
	for _, p := range unread.Passages {
		delete(near, p.ID)
	}
	r := &cosines{near: near}
	s.Sentences = r
	got, err := s.Examine(t.Context(), retrieve.Question{Text: notice})
	if err != nil || got.Vectors != rank.SentenceVectors {
		t.Fatalf("by %v, %v", got.Vectors, err)
	}
	if got.Hits[0].Article.ID != all.Hits[last-1].Article.ID || got.Hits[0].Features[rank.SentenceGap] != 0 || got.Hits[0].Features[rank.RankSentence] != 0 {
		t.Errorf("the nearest is not the first: %v", got.Hits[0].Features.ByName())
	}
	for i, h := range got.Hits {
		if h.Article.ID == unread.Article.ID && (i < 2 || i > last-2) {
			t.Errorf("the article without a vector is at %d of %d", i, last)
		}
		if h.Features[rank.Projected] != 0 || h.Features[rank.RankProjected] != 0 {
			t.Errorf("projected features without a projection: %v", h.Features.ByName())
		}
	}
}

// TestProjectionOrdersWhatWasRead checks that the cosines after the projection order the
// articles by themselves if the weights say so.
func TestProjectionOrdersWhatWasRead(t *testing.T) {
	t.Parallel()
	s := openMeant(t)
	model := *rank.Builtin()
	model.Order.Sentences, model.Long.Sentences = rank.Weights{rank.RankProjected: 1}, rank.Weights{rank.RankProjected: 1}
	s.Ranking, s.All = &model, true
	all, err := s.Examine(t.Context(), retrieve.Question{Text: notice})
	if err != nil || len(all.Hits) < 4 {
		t.Fatalf("%d hits, %v", len(all.Hits), err)
	}
	near := make(map[uuid.UUID]float32)
	for i, h := range all.Hits {
		for _, p := range h.Passages {
			near[p.ID] = float32(i) / float32(len(all.Hits))
		}
	}
	s.Sentences = &cosines{near: near, project: true}
	got, err := s.Examine(t.Context(), retrieve.Question{Text: notice})
	if err != nil || got.Vectors != rank.SentenceVectors {
		t.Fatalf("by %v, %v", got.Vectors, err)
	}
	best := got.Hits[0]
	if best.Article.ID != all.Hits[0].Article.ID || best.Features[rank.Projected] != 0 || best.Features[rank.RankProjected] != 0 {
		t.Errorf("the nearest after the projection is not the first: %v", best.Features.ByName())
	}
	if f := got.Hits[len(got.Hits)-1].Features; f[rank.RankProjected] >= 0 || f[rank.RankSentence] != 0 || f[rank.Projected] >= 0 {
		t.Errorf("the farthest after the projection, which was the nearest before it: %v", f.ByName())
	}
}

// TestSearchGoesOnWithoutSentences checks that if sentence vectors fail or are too few,
// the result is the same as without them.
func TestSearchGoesOnWithoutSentences(t *testing.T) {
	t.Parallel()
	s := openMeant(t)
	plain := search(t, s, retrieve.Question{Text: notice})
	one := map[uuid.UUID]float32{plain.Hits[1].Passage.ID: 1}
	for name, r := range map[string]*cosines{
		"no vector of the question": {questionError: errors.New("down"), near: one}, "no vectors": {}, "few vectors": {near: one}, "failing store": {cosinesError: errors.New("down"), near: one},
		"no vector in time": {hangs: true, near: one},
	} {
		with := &retrieve.Searcher{DB: s.DB, Index: s.Index, Now: s.Now, Lexicon: s.Lexicon, Meaning: s.Meaning, Sentences: r, ReadingBudget: 100 * time.Millisecond}
		got := search(t, with, retrieve.Question{Text: notice})
		if got.Vectors != rank.WordVectors || first(got) != first(plain) || len(got.Hits) != len(plain.Hits) || got.Verdict.Probability != plain.Verdict.Probability {
			t.Errorf("%s: by %v, first %s, probability %v; without %s, %v", name, got.Vectors, first(got), got.Verdict.Probability, first(plain), plain.Verdict.Probability)
		}
	}
}
