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
	// reranked is how many of the best articles are looked at once more.
	reranked = 24
	// rerankedText is how many bytes of an article are shown for it.
	rerankedText = 2000
	// rerankPatience is how long a question waits for it.
	rerankPatience = time.Second
	// rerankRest is how long a reranker is left alone that failed, so that not
	// every question waits for one that hangs.
	rerankRest = 5 * time.Second
)

// Reranker puts the best articles into order once more. Its fields are set once;
// it may be used by many goroutines.
type Reranker struct {
	// Scores tells how well each text answers the question.
	Scores   func(ctx context.Context, question string, texts []string) ([]float64, error)
	Patience time.Duration // 0: a second
	failed   atomic.Pointer[time.Time]
}

// order puts those hits that words found into the order of their new scores. The
// old scores stay in their places: they say how much better one place is than
// the next, which the new ones, of one model or another, do not. It is false when
// nothing was changed, because there is no reranker or it did not answer in time.
func (r *Reranker) order(ctx context.Context, q Question, hits []Hit) bool {
	first := slices.IndexFunc(hits, func(h Hit) bool { return h.Mode == ByWords })
	if r == nil || first < 0 {
		return false
	}
	if at := r.failed.Load(); at != nil && time.Since(*at) < rerankRest {
		return false
	}
	part := hits[first:min(len(hits), first+reranked)]
	texts := make([]string, len(part))
	for i, h := range part {
		texts[i] = excerpt(h)
	}
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(r.Patience, rerankPatience))
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

// excerpt is the text of an article that the reranker sees: the title of its text, the
// headings above it and the beginning of what was found.
func excerpt(h Hit) string {
	head := strings.Join(append([]string{h.Document.Title}, append(h.Article.Path[:len(h.Article.Path):len(h.Article.Path)], h.Article.Heading)...), " > ")
	text := h.Text()
	return head + "\n" + strings.ToValidUTF8(text[:min(len(text), rerankedText)], "")
}
