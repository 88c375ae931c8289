package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// rerankLimit is the number of best articles that the reranker scores.
	rerankLimit = 24
	// rerankTextLimit is the maximum number of bytes of each article that the reranker
	// gets.
	rerankTextLimit = 2000
	// rerankTimeout is the maximum time that a search waits for the scores.
	rerankTimeout = time.Second
	// rerankPause is the time for which a reranker that failed is not called, so that not
	// every question waits for a reranker that hangs.
	rerankPause = 5 * time.Second
)

// Reranker reorders the best articles. Its fields are set once; it is safe for concurrent
// use.
type Reranker struct {
	// Scores returns for each text how well it answers the question.
	Scores   func(ctx context.Context, question string, texts []string) ([]float64, error)
	Patience time.Duration // 0 means one second
	failed   atomic.Pointer[time.Time]
}

// reorder sorts the hits that were found by words by their new scores. The old scores stay
// at their ranks, so the first hit gets the highest old score: the scores of an unknown
// reranking model do not say how much better one hit is than the next. It returns false if
// it changed nothing, because there is no reranker or because it did not answer in time.
func (r *Reranker) reorder(ctx context.Context, q Question, hits []Hit) bool {
	first := slices.IndexFunc(hits, func(h Hit) bool { return h.Mode == ByWords })
	if r == nil || first < 0 {
		return false
	}
	if at := r.failed.Load(); at != nil && time.Since(*at) < rerankPause {
		return false
	}
	part := hits[first:min(len(hits), first+rerankLimit)]
	texts := make([]string, len(part))
	for i, h := range part {
		texts[i] = excerpt(h)
	}
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(r.Patience, rerankTimeout))
	defer cancel()
	scores, err := r.Scores(waiting, q.read().Meant(), texts)
	if err != nil || len(scores) != len(part) {
		if ctx.Err() == nil {
			now := time.Now()
			r.failed.Store(&now)
		}
		return false
	}
	places := make([]int, len(part))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	before := slices.Clone(part)
	for i, from := range places {
		part[i] = before[from]
		part[i].Score = before[i].Score
	}
	return true
}

// excerpt returns the text that the reranker gets for an article: the title of its
// document, its headings and the beginning of the passages that were found.
func excerpt(h Hit) string {
	head := strings.Join(append([]string{h.Document.Title}, append(h.Article.Path[:len(h.Article.Path):len(h.Article.Path)], h.Article.Heading)...), " > ")
	text := h.Text()
	return head + "\n" + strings.ToValidUTF8(text[:min(len(text), rerankTextLimit)], "")
}
