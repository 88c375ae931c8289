package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/search/rank"
)

// Sentences compares passages with a question by a model that reads whole sentences. Its
// methods are safe for concurrent use.
type Sentences interface {
	// Question returns the vector of a question.
	Question(ctx context.Context, text string) ([]float32, error)
	// Cosines compares the vector of a question with the vectors of passages. It omits
	// passages that have no vector yet. It reads these vectors before it calls question, which
	// waits for the vector of the question and returns nil if there is none; the result is empty
	// then.
	Cosines(ctx context.Context, question func() []float32, passages []uuid.UUID) (map[uuid.UUID]Cosines, error)
}

// Cosines are the greatest cosines of the vector of a question and the vectors of a passage or
// an article.
type Cosines struct {
	Sentence  float32
	Projected float32 // after the learned projection; NaN without one
}

// noCosines are the cosines of a passage without vectors.
var noCosines = Cosines{float32(math.NaN()), float32(math.NaN())}

// greatest returns the greater of each pair of cosines. NaN is less than every number.
func (c Cosines) greatest(o Cosines) Cosines {
	if o.Sentence > c.Sentence || c.Sentence != c.Sentence {
		c.Sentence = o.Sentence
	}
	if o.Projected > c.Projected || c.Projected != c.Projected {
		c.Projected = o.Projected
	}
	return c
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

// startCosines starts to compare the hits with the question and returns a function that waits
// for the cosines: for each hit those of its nearest passages, NaN if none of its passages has a
// vector yet. That function returns nil if too few hits have one, or if the question has no vector.
// The features of the hits may be set meanwhile.
func (s *Searcher) startCosines(ctx context.Context, question func() []float32, hits []Hit) func() []Cosines {
	if s.Sentences == nil || len(hits) == 0 {
		return func() []Cosines { return nil }
	}
	of := make([][]uuid.UUID, len(hits))
	for i := range hits {
		of[i] = hits[i].passagesWithVectors()
	}
	var out []Cosines
	wait := parallel.Go(func() { out = s.sentenceCosines(ctx, question, of) })
	return func() []Cosines {
		wait()
		return out
	}
}

// sentenceCosines returns the greatest cosines of each list of passages.
func (s *Searcher) sentenceCosines(ctx context.Context, question func() []float32, lists [][]uuid.UUID) []Cosines {
	cosines, err := s.Sentences.Cosines(ctx, question, slices.Concat(lists...))
	if err != nil {
		return nil
	}
	out, read := make([]Cosines, len(lists)), 0
	for i, passages := range lists {
		out[i] = noCosines
		for _, id := range passages {
			if c, ok := cosines[id]; ok {
				out[i] = out[i].greatest(c)
			}
		}
		if out[i].Sentence == out[i].Sentence {
			read++
		}
	}
	if float64(read) < minRead*float64(len(lists)) {
		return nil
	}
	return out
}

// addSentenceFeatures sets the sentence features of the hits from their cosines. A hit
// without a cosine gets the mean of the others.
func addSentenceFeatures(hits []Hit, near []Cosines) {
	sentence, projected := make([]float32, len(near)), make([]float32, len(near))
	for i, c := range near {
		sentence[i], projected[i] = c.Sentence, c.Projected
	}
	best := fillMean(sentence)
	rankCosines(sentence, func(i int, rankOf float32) {
		f := &hits[i].Features
		f[rank.Sentence], f[rank.SentenceGap], f[rank.RankSentence] = sentence[i], sentence[i]-best, rankOf
	})
	if fillMean(projected); len(projected) == 0 || projected[0] != projected[0] {
		return // there is no projection
	}
	rankCosines(projected, func(i int, rankOf float32) {
		f := &hits[i].Features
		f[rank.Projected], f[rank.RankProjected] = projected[i], rankOf
	})
}

// fillMean replaces each NaN by the mean of the other cosines and returns the greatest one.
func fillMean(cosines []float32) (best float32) {
	sum, n := 0.0, 0
	best = -1
	for _, c := range cosines {
		if c == c {
			sum, n, best = sum+float64(c), n+1, max(best, c)
		}
	}
	for i, c := range cosines {
		if c != c {
			cosines[i] = float32(sum / float64(n))
		}
	}
	return best
}

// rankCosines calls set for each cosine with its rank as a feature, -ln(1 + rank).
func rankCosines(cosines []float32, set func(i int, rankOf float32)) {
	order := make([]int, len(cosines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
	for place, i := range order {
		set(i, float32(-math.Log1p(float64(place))))
	}
}
