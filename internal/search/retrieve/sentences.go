package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/search/rank"
)

// Sentences compares passages with a question by a model that reads whole sentences. Its
// methods are safe for concurrent use.
type Sentences interface {
	// Question returns the vector of a question.
	Question(ctx context.Context, text string) ([]float32, error)
	// Cosines returns the cosines of the vector of a question and the vectors of
	// passages. It omits passages that have no vector yet.
	Cosines(ctx context.Context, question []float32, passages []uuid.UUID) (map[uuid.UUID]float32, error)
}

// minRead is the minimum share of the articles that must have a passage with a sentence
// vector. With fewer, the mean that the other articles get would be a guess.
const minRead = 0.5

// startEmbedding starts to embed a question and returns a function that waits for its
// vector. That function returns nil without Sentences and after an error; the search then
// uses no sentence vectors.
func (s *Searcher) startEmbedding(ctx context.Context, text string) (vector func() []float32) {
	if s.Sentences == nil {
		return func() []float32 { return nil }
	}
	made := make(chan []float32, 1)
	go func() {
		v, err := s.Sentences.Question(ctx, text)
		if err != nil {
			v = nil
		}
		made <- v
	}()
	return func() []float32 { return <-made }
}

// sentenceCosines returns for each hit the cosine of its nearest passage to the question,
// NaN if none of its passages has a vector yet. It returns nil if too few hits have one,
// or if the question has no vector.
func (s *Searcher) sentenceCosines(ctx context.Context, question []float32, hits []Hit) []float32 {
	if len(question) == 0 || len(hits) == 0 {
		return nil
	}
	var passages []uuid.UUID
	for _, h := range hits {
		for i := range h.Passages {
			passages = append(passages, h.Passages[i].ID)
		}
	}
	cosines, err := s.Sentences.Cosines(ctx, question, passages)
	if err != nil {
		return nil
	}
	out, read := make([]float32, len(hits)), 0
	for i, h := range hits {
		out[i] = float32(math.NaN())
		for k := range h.Passages {
			if c, ok := cosines[h.Passages[k].ID]; ok && !(c <= out[i]) {
				out[i] = c
			}
		}
		if out[i] == out[i] {
			read++
		}
	}
	if float64(read) < minRead*float64(len(hits)) {
		return nil
	}
	return out
}

// addSentenceFeatures sets the sentence features of the hits from their cosines. A hit
// without a cosine gets the mean of the others.
func addSentenceFeatures(hits []Hit, near []float32) {
	sum, n, best := 0.0, 0, float32(-1)
	for _, c := range near {
		if c == c {
			sum, n, best = sum+float64(c), n+1, max(best, c)
		}
	}
	order := make([]int, len(near))
	near = slices.Clone(near)
	for i, c := range near {
		if order[i] = i; c != c {
			near[i] = float32(sum / float64(n))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	for place, i := range order {
		f := &hits[i].Features
		f[rank.Sentence], f[rank.SentenceGap], f[rank.RankSentence] = near[i], near[i]-best, float32(-math.Log1p(float64(place)))
	}
}
