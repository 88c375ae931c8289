// Package finding finds the passages for a question where they are in a Milvus, and
// goes on without it: while Milvus is away, slow, without its collection, or far
// behind the catalogue, passages are found by their words in PostgreSQL. Either way
// a register (package flat) that the worker has of the catalogue ranks what was
// found, so an answer differs by what is looked at and by the meaning, which only
// the vectors in Milvus tell: flat.Hit.Semantic is false without them.
//
// A question waits for Milvus as long as Milvus's own patience, once: after a
// failure it is left alone for Rest, and the questions of that time go by words at
// once. The first one after it asks again, alone.
package finding

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/flat"
	"vigueur/internal/milvus"
	"vigueur/internal/postgres"
)

// Why says why a search went by words in PostgreSQL.
type Why string

// The reasons. Slow is one that passed the patience, away one that was refused.
const (
	Not     Why = ""        // it did not: Milvus answered
	Away    Why = "away"    // or it answers with errors
	Slow    Why = "slow"    // it did not answer in time
	Filling Why = "filling" // there is no collection yet, or it lacks many texts
)

// Behind is how many texts that changed make a collection one that is being filled:
// those that are written between two looks at the lease (package passages). With
// fewer missing, what is newest is found a few seconds later, as in memory.
const Behind = 50

const (
	rest   = 5 * time.Second
	fresh  = time.Second // how long what is known of the collection's state is good
	atOnce = 3 * time.Second
)

// Catalogue finds by words: *postgres.DB.
type Catalogue interface {
	WithWords(ctx context.Context, words []postgres.SoughtWord, in postgres.SoughtIn, limit int) ([]postgres.IndexRow, error)
}

// Finder finds passages. Its fields are set once; Search may be called by many
// goroutines.
type Finder struct {
	Milvus   func(ctx context.Context, q flat.Query) ([]flat.Hit, error) // errs.Unavailable: it did not answer
	Lacks    func(ctx context.Context) (texts int, err error)            // how many texts the collection lacks, counted to Behind; nil: none
	Words    Catalogue
	Register *flat.Index
	Log      *slog.Logger
	Rest     time.Duration    // 0: five seconds
	Now      func() time.Time // nil: time.Now

	mu      sync.Mutex
	state   Why       // as it was found last
	until   time.Time // Milvus is left alone
	asked   time.Time // when it was last looked how many texts are lacking
	lacking bool
}

func (f *Finder) now() time.Time {
	if f.Now == nil {
		return time.Now()
	}
	return f.Now()
}

// Search finds the passages for q, the best first. Errors are PostgreSQL's, or
// ctx's own: that Milvus does not answer is none.
func (f *Finder) Search(ctx context.Context, q flat.Query) ([]flat.Hit, error) {
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

// whyOf reads an error of Milvus; one of another kind is no reason to look elsewhere.
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

// waits tells whether Milvus is not to be asked now, and why.
func (f *Finder) waits(ctx context.Context) (Why, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Before(f.until) {
		return f.state, nil
	}
	if f.state != Not { // one asks, the others go on by words meanwhile
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

// leave leaves Milvus alone for a while.
func (f *Finder) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.until = f.now().Add(cmp.Or(f.Rest, rest))
}

// note counts a search, and tells once when the way changes.
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
