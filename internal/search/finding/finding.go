// Package finding finds the passages for a question in Milvus, with a fallback: while
// Milvus is down, slow, without its collection, or far behind the catalogue, PostgreSQL
// finds passages by words. In both cases the worker's register of the catalogue (package
// memindex) ranks what was found; without Milvus there are no vectors, and memindex.Hit.Semantic
// is false.
//
// A question waits for Milvus no longer than milvus.Store.Patience. After a failure Milvus
// is not asked for Rest, and questions use words at once (a circuit breaker). Then a single
// question tries Milvus again, while the others still use words.
package finding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/postgres"
)

// Why is the reason why a search used words in PostgreSQL.
type Why string

// The reasons for using words in PostgreSQL.
const (
	Not     Why = ""        // no reason: Milvus answered
	Away    Why = "away"    // Milvus refused the connection or returned an error
	Slow    Why = "slow"    // Milvus did not answer in time
	Filling Why = "filling" // Milvus has no collection yet, or the collection lacks many texts
)

// Behind is the minimum number of missing texts with which a collection counts as
// incomplete: one batch of package passages. If fewer are missing, the newest texts are
// found a few seconds later, as with the index in memory.
const Behind = 50

const (
	rest   = 5 * time.Second // default of Finder.Rest
	fresh  = time.Second     // time for which the number of missing texts is cached
	atOnce = 3 * time.Second // time for which other searches use words while one tries Milvus again
)

// Catalogue searches by words: *postgres.DB.
type Catalogue interface {
	WithWords(ctx context.Context, words []postgres.SoughtWord, soughtIn postgres.SoughtIn, limit int) ([]postgres.IndexRow, error)
}

// Finder finds passages. Its fields are set once; Search may be called by many
// goroutines.
type Finder struct {
	Milvus   func(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) // errs.Unavailable: Milvus did not answer
	Lacks    func(ctx context.Context) (texts int, err error)                    // returns the number of texts that the collection lacks, at most Behind; nil: it lacks none
	Words    Catalogue
	Register *memindex.Index
	Log      *slog.Logger
	Rest     time.Duration    // time after a failure in which Milvus is not asked; 0: five seconds
	Now      func() time.Time // nil: time.Now

	mu      sync.Mutex
	state   Why       // reason of the last search
	until   time.Time // Milvus is not asked before this time
	asked   time.Time // when Lacks was last called
	lacking bool
}

func (f *Finder) now() time.Time {
	if f.Now == nil {
		return time.Now()
	}
	return f.Now()
}

// Search returns the passages for q, the best first. Errors are those of PostgreSQL or ctx,
// and faults of Milvus other than being unavailable, which is not an error.
func (f *Finder) Search(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	began := f.now()
	why, err := f.waits(ctx)
	if err != nil {
		return nil, err
	}
	var cause error
	if why == Not {
		hits, err := f.Milvus(ctx, q)
		if why = whyOf(err); why == Not || ctx.Err() != nil {
			if err == nil {
				f.note(ctx, began, Not, nil)
			}
			return hits, err
		}
		cause = err
		f.leave()
	}
	hits, err := f.byWords(ctx, q)
	f.note(ctx, began, why, cause)
	return hits, err
}

// whyOf classifies an error of Milvus; Not if the fallback would not help.
func whyOf(err error) Why {
	switch {
	case err == nil || !errs.Is(err, errs.Unavailable):
		return Not
	case milvus.Lost(err):
		return Filling
	case errors.Is(err, milvus.ErrSlow):
		return Slow
	}
	return Away
}

// waits returns the reason why Milvus must not be asked now, or Not.
func (f *Finder) waits(ctx context.Context) (Why, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Before(f.until) {
		return f.state, nil
	}
	if f.state != Not { // one search tries Milvus, the others use words meanwhile
		f.until = now.Add(atOnce)
	}
	if f.Lacks != nil && now.Sub(f.asked) >= fresh {
		n, err := f.Lacks(ctx)
		if err != nil {
			return Not, err
		}
		f.asked, f.lacking = now, n >= Behind
	}
	if f.lacking {
		return Filling, nil
	}
	return Not, nil
}

// leave opens the circuit: Milvus is not asked for Rest.
func (f *Finder) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.until = f.now().Add(cmp.Or(f.Rest, rest))
}

// note logs a search; the metrics are counted from these records. The record is a warning
// if the reason differs from the last search's.
func (f *Finder) note(ctx context.Context, began time.Time, why Why, cause error) {
	f.mu.Lock()
	changed := f.state != why
	if f.state = why; why == Not {
		f.until = time.Time{}
	}
	f.mu.Unlock()
	way, level := "milvus", slog.LevelDebug
	if why != Not {
		way = "words"
	}
	if changed {
		level = slog.LevelWarn
	}
	f.Log.LogAttrs(ctx, level, "passages", slog.String("way", way), slog.String("why", string(why)),
		slog.Duration("took", f.now().Sub(began)), slog.Any("error", cause))
}

const (
	// anArticle is the number of passages that are ranked for each requested hit, and
	// fewest the minimum in total. Milvus returns as many passages.
	anArticle = 4
	fewest    = 320
	// reach bounds the sum of the numbers of passages that contain each searched word. The
	// words are added from the rarest to the most common until the sum exceeds reach; the
	// rarest is always searched. PostgreSQL scores so many passages in about a tenth of a
	// second (measured in lab/experiments.md).
	reach = 50_000
)

// byWords finds passages by words in PostgreSQL. If the rarest words find too few passages,
// as under a narrow filter, it searches for all words that reach allows.
func (f *Finder) byWords(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	all := q.Filters.DocumentID != nil
	rows, err := f.rows(ctx, q, all)
	if err == nil && !all && len(rows) < q.Limit {
		rows, err = f.rows(ctx, q, true)
	}
	if err != nil {
		return nil, fmt.Errorf("find by words: %w", err)
	}
	candidates := make([]memindex.Candidate, len(rows))
	for i, w := range memindex.Weigh(rows, f.Register.Average()) {
		candidates[i] = memindex.Candidate{PassageID: w.PassageID, DocumentID: rows[i].Passage.DocumentID, Counts: w.Counts, Cosine: -1}
	}
	return f.Register.Among(q, candidates, false), nil
}

func (f *Finder) rows(ctx context.Context, q memindex.Query, all bool) ([]postgres.IndexRow, error) {
	var words []postgres.SoughtWord
	held := 0
	for _, s := range f.Register.SearchWords(q, all) {
		if held += s.Held; held > reach && len(words) > 0 && q.Filters.DocumentID == nil {
			break
		}
		words = append(words, postgres.SoughtWord{Terms: s.Terms, Weight: s.Weight})
	}
	soughtIn := postgres.SoughtIn{Filters: q.Filters, Day: q.Day, Repealed: q.Repealed}
	return f.Words.WithWords(ctx, words, soughtIn, max(anArticle*q.Limit, fewest))
}
