// Package memindex is the passage index in the memory of a worker. It is read from PostgreSQL and updated when the
// catalogue changes. With Milvus it is only a register, which ranks what Milvus finds (see Among).
//
// A search scores passages in up to three channels: by words (BM25F over body and headings); by pieces of words
// (character n-grams of four and five letters, which match misspelled and inflected words; body and headings are each
// normalized by their length); and by meaning, if the query has a vector. Only the rarest words of a query select
// passages, and all of its words score them. Meaning counts, and selects passages too, only while every passage that
// the filters allow has vectors of the query's generation. The best passages by words and the nearest in meaning form
// a pool. Each passage of the pool is described by features, of itself and of its section, and the learned model
// orders the pool (package rank). Filters (domain, kind, status, text, day) apply while passages are selected, so that
// a narrow search finds as much as a wide one. The order of the hits depends on the catalogue alone, not on how the
// index was built or how often it was updated.
//
// A search scores the passages window by window, on all free cores. What the most frequent query words add to each
// passage is cached, within 192 bytes per passage (see shares).
//
// Readers use an immutable snapshot and never wait. One follower makes the next snapshot: when the catalogue changes,
// it reads which texts changed, reads their passages again and replaces the old ones. If that fails, the last snapshot
// stays in use and the follower tries again. A deleted text may therefore be found for a while, which is why callers
// read the hits from PostgreSQL before they use them.
package memindex

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
	"vigueur/internal/search/postings"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
)

// Source is the catalogue as the index reads it: *postgres.DB.
type Source interface {
	CatalogueVersion(ctx context.Context) (int64, error)
	Changes(ctx context.Context, after int64) (documents []uuid.UUID, version int64, err error)
	IndexRows(ctx context.Context, documents []uuid.UUID, yield func(postgres.IndexRow) error) error
	Listen(ctx context.Context, wake func()) error
}

// Options are the settings of an index.
type Options struct {
	Source  Source
	Vectors VectorSource    // nil means that searches go by words alone
	Lexicon *french.Lexicon // nil means the embedded one
	Ranking *rank.Step      // orders the hits; nil means the embedded one
	Log     *slog.Logger    // nil discards
	File    File            // the zero value stores nothing
	// Register omits the lists of the passages that contain each word. The index can still say how rare words are,
	// find texts and articles by name, and search passages that another store found (see Among).
	Register bool
	Spill    Spill         // where a register stores its passages
	Retry    time.Duration // wait before a failed update is tried again; 0 means one second
}

// Index is the passage index. Search is safe for concurrent use; Follow must be called once.
type Index struct {
	options Options
	now     atomic.Pointer[state]
	unsaved int // texts changed since the file was written
}

// Open reads the whole catalogue, or the file and what has changed since it was written, and returns an index that is
// ready. Errors are those of the source.
func Open(ctx context.Context, o Options) (*Index, error) {
	if o.Lexicon == nil {
		o.Lexicon = french.NewLexicon()
	}
	if o.Ranking == nil {
		o.Ranking = &rank.Builtin().Find
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Retry == 0 {
		o.Retry = time.Second
	}
	o.File.register, o.File.spill = o.Register, o.spill()
	x := &Index{options: o}
	s, err := o.File.load(ctx)
	kept := err == nil
	if !kept {
		if !errors.Is(err, fs.ErrNotExist) {
			o.Log.WarnContext(ctx, "index file ignored", "error", err)
		}
		if s, err = x.all(ctx); err != nil {
			return nil, err
		}
	}
	m, err := x.vectorsOf(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	x.now.Store((*state)(nil).with(s, m))
	if kept {
		err = x.Update(ctx)
		return x, err
	}
	x.save(ctx)
	return x, nil
}

// all reads the whole catalogue. It reads the version first, because a change between the two reads is then read
// twice; in the other order it would be lost.
func (x *Index) all(ctx context.Context) (*snapshot, error) {
	version, err := x.options.Source.CatalogueVersion(ctx)
	if err != nil {
		return nil, err
	}
	fresh, err := x.read(ctx, nil)
	if err != nil {
		return nil, err
	}
	return (&snapshot{spill: x.options.spill()}).replace(version, nil, fresh...), nil
}

// save writes the file. If that fails, only the next start takes longer.
func (x *Index) save(ctx context.Context) {
	x.unsaved = 0
	if err := x.options.File.save(ctx, x.now.Load().snapshot); err != nil {
		x.options.Log.WarnContext(ctx, "index file not written", "error", err)
	}
}

// Size returns the number of live passages, and the version of the catalogue that they are from.
func (x *Index) Size() (passages int, version int64) {
	s := x.now.Load()
	return s.passages, s.version
}

// PerText returns the mean number of passages per text, 0 if there are no texts.
func (x *Index) PerText() float64 {
	s := x.now.Load()
	texts := 0
	for _, v := range s.views {
		texts += v.DocCount() - len(v.Deleted)
	}
	return float64(s.passages) / float64(max(1, texts))
}

// Search returns the passages for q, best first. The slice is never nil.
func (x *Index) Search(q Query) []Hit {
	if x.options.Register {
		panic("memindex: a register has no passages to search; Among searches given passages")
	}
	return x.search(q, x.tuning())
}

// Follow keeps the index up to date until ctx ends, and then returns the context's error. It returns earlier only if
// the source can never be followed.
func (x *Index) Follow(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wake := make(chan struct{}, 1)
	stopped := make(chan error, 1)
	go func() {
		stopped <- x.options.Source.Listen(ctx, func() {
			select {
			case wake <- struct{}{}:
			default: // an update is due already, and will include this change
			}
		})
	}()
	for {
		select {
		case err := <-stopped:
			return err
		case <-wake:
			x.catchUp(ctx)
		}
	}
}

// catchUp updates until it succeeds or ctx ends.
func (x *Index) catchUp(ctx context.Context) {
	for {
		err := x.Update(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		x.options.Log.Warn("index not updated", "kind", errs.KindOf(err).String(), "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(x.options.Retry):
		}
	}
}

// Update brings the index to the catalogue's current version. Only Follow and tests call it, one at a time.
func (x *Index) Update(ctx context.Context) error {
	old := x.now.Load()
	documents, version, err := x.options.Source.Changes(ctx, old.version)
	if err != nil {
		return err
	}
	if len(documents) == 0 {
		return nil
	}
	began := time.Now()
	fresh, err := x.read(ctx, documents)
	if err != nil {
		return err
	}
	// If the vectors cannot be read, the version stays, so that both are read again.
	m, err := x.vectorsOf(ctx, old.meanings, documents)
	if err != nil {
		return err
	}
	next := old.with(old.replace(version, documents, fresh...), m)
	x.now.Store(next)
	runtime.KeepAlive(old)
	x.options.Log.Info("index updated", "version", version, "documents", len(documents),
		"passages", next.passages, "ms", time.Since(began).Milliseconds())
	if x.unsaved += len(documents); x.unsaved >= next.worthSaving() {
		x.save(ctx)
	}
	return nil
}

// read builds a segment from the passages of the given texts, of all texts if documents is nil. A register that is
// spilled to files gets several segments, each written as soon as it is large enough, so that only one is in memory
// at a time.
func (x *Index) read(ctx context.Context, documents []uuid.UUID) (all []*postings.Segment, err error) {
	b, on := postings.NewBuilder(), x.options.spill()
	err = x.options.Source.IndexRows(ctx, documents, func(r postgres.IndexRow) error {
		if on.full(b.Size()) && !b.Continues(r.Passage.DocumentID) {
			all = append(all, on.write(b.Segment().Register()))
			b = postings.NewBuilder()
		}
		b.Add(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	last := b.Segment()
	if x.options.Register {
		last = on.write(last.Register())
	}
	return append(all, last), nil
}
