package judged

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/named"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/embedding"
)

// generation is what all vectors belong to.
var generation = uuid.NewSHA1(uuid.Nil, []byte("evaluation"))

// Vectors are those that an encoder makes of a set's passages, as a worker has
// them made.
type Vectors struct {
	Encoder  *encode.Encoder // nil where Embed made them
	set      *Set
	packed   [][]byte
	question llm.Embedder // of questions, where there is no Encoder
}

// Encode makes the vectors of all passages.
func (s *Set) Encode(encoder *encode.Encoder) *Vectors {
	model := embedding.Of(encoder)
	v := &Vectors{Encoder: encoder, set: s, packed: make([][]byte, len(s.rows))}
	Each(len(s.rows), func(i int) {
		var made [][]float32
		for _, piece := range s.pieces(model, i) {
			if x, ok := encoder.Encode(piece); ok {
				made = append(made, x)
			}
		}
		v.packed[i] = vector.Pack(made)
	})
	return v
}

// pieces are the texts of a passage of which vectors are made.
func (s *Set) pieces(model embedding.Model, i int) []string {
	r := &s.rows[i]
	path := r.Path
	if s.kept == nil { // the name of a code is the first of its headings
		path = append([]string{r.Title}, path...)
	}
	return model.Cut(embedding.Part{Title: r.Title, Path: path, Heading: r.ArticleHeading, Text: r.Passage.Text})
}

// VectorRows returns them.
func (v *Vectors) VectorRows(_ context.Context, _ []uuid.UUID, yield func(postgres.VectorRow) error) error {
	for i, packed := range v.packed {
		p := v.set.rows[i].Passage
		if err := yield(postgres.VectorRow{Generation: generation, DocumentID: p.DocumentID, PassageID: p.ID, Packed: packed}); err != nil {
			return err
		}
	}
	return nil
}

// within are those of the vectors that are of passages of a part of their set.
type within struct {
	*Vectors
	part *Set
}

// VectorRows returns them: an index takes a text for incomplete that has vectors of passages
// which are not in it.
func (w *within) VectorRows(ctx context.Context, texts []uuid.UUID, yield func(postgres.VectorRow) error) error {
	return w.Vectors.VectorRows(ctx, texts, func(r postgres.VectorRow) error {
		if _, in := w.part.at[r.PassageID]; !in {
			return nil
		}
		return yield(r)
	})
}

// of returns the vector of a question.
func (v *Vectors) of(ctx context.Context, question string) ([]float32, uuid.UUID, error) {
	if v.Encoder == nil {
		made, err := v.question.Embed(ctx, []string{question})
		if err != nil {
			return nil, generation, err
		}
		return made[0], generation, nil
	}
	x, _ := v.Encoder.Encode(question)
	return x, generation, nil
}

// Open makes the searcher of the set, with the vectors of an encoder or, with nil,
// without, and with a ranking or, with nil, with that of the program.
func (s *Set) Open(ctx context.Context, v *Vectors, model *rank.Model) (*retrieve.Searcher, error) {
	lexicon := s.Lexicon
	if lexicon == nil {
		lexicon = french.NewLexicon()
	}
	options := memindex.Options{Source: s, Lexicon: lexicon, File: s.file()}
	searcher := &retrieve.Searcher{DB: s, Names: named.InMemory(s.texts()), Now: time.Now, Lexicon: lexicon, Ranking: model, All: true}
	if v != nil {
		options.Vectors, searcher.Meaning = &within{v, s}, v.of
	}
	if model != nil {
		options.Ranking = &model.Find
	}
	index, err := memindex.Open(ctx, options)
	searcher.Index = index
	return searcher, err
}

// file is where the index is kept, under the passages that it holds.
func (s *Set) file() (f memindex.File) {
	if s.Indexes == "" {
		return f
	}
	passages := sha256.New()
	for i := range s.rows {
		_, _ = passages.Write(s.rows[i].Passage.ID[:]) // never fails
	}
	f.Dir = filepath.Join(s.Indexes, hex.EncodeToString(passages.Sum(nil)[:8]))
	f.Moment = func(context.Context, int64) (time.Time, error) { return time.Unix(0, 0), nil }
	return f
}

// Ranked returns the names of the articles that were looked at, in order.
func (s *Set) Ranked(looked *retrieve.Examined) (out []string) {
	seen := make(map[uuid.UUID]bool)
	for _, h := range looked.Hits {
		if !seen[h.Article.ID] {
			seen[h.Article.ID] = true
			out = append(out, s.names[h.Article.ID])
		}
	}
	for _, h := range looked.All {
		if !seen[h.ArticleID] {
			seen[h.ArticleID] = true
			out = append(out, s.names[h.ArticleID])
		}
	}
	return out
}

// Look searches for each of some questions, on all cores, and hands what was looked
// at to take, which is called for one at a time, in order.
func Look(ctx context.Context, searcher *retrieve.Searcher, questions []retrieve.Question, take func(i int, looked *retrieve.Examined)) error {
	const together = 64 // what was looked at is large
	for from := 0; from < len(questions); from += together {
		part := questions[from:min(len(questions), from+together)]
		all, errs := make([]retrieve.Examined, len(part)), make([]error, len(part))
		Each(len(part), func(i int) { all[i], errs[i] = searcher.Examine(ctx, part[i]) })
		if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
			return errs[i]
		}
		for i := range all {
			take(from+i, &all[i])
		}
	}
	return nil
}

// Asked are the questions as the search is asked them, of the law of their date.
func Asked(questions []Question) []retrieve.Question {
	out := make([]retrieve.Question, len(questions))
	for i := range questions {
		out[i].Text = questions[i].Text
		if a := questions[i].Asked; a != nil {
			out[i].History = a.Before
			if day, err := time.Parse(time.DateOnly, a.Date); err == nil { // Ask refuses others
				out[i].Filters.Date = &day
			}
		}
	}
	return out
}

// Each does n things on all cores.
func Each(n int, do func(i int)) {
	var all sync.WaitGroup
	hands := runtime.GOMAXPROCS(0)
	for hand := range hands {
		all.Go(func() {
			for i := hand; i < n; i += hands {
				do(i)
			}
		})
	}
	all.Wait()
}
