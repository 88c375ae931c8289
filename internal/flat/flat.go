// Package flat is the passage index in the memory of a worker, read from
// Postgres and followed from there: the index of an installation that has no
// Milvus.
//
// It searches by words (BM25F over body and headings) and by pieces of words (four
// and five letters, for what is mistyped or inflected; body and headings each
// brought to one length). The rarest words of a query find passages, and all its
// words score them. A query that brings a vector is compared by meaning too, which then
// finds passages as well, while every passage that it allows has vectors of the same
// generation. The best by words and the nearest make a pool, whose passages are described
// by features, also of what stands under the same headings, and ordered by what was
// learned (package rank); what narrows a search (domain, kind, status, text, day) holds inside it, so
// that a narrow search finds as much as a wide one. The order of the hits
// depends on the catalogue alone: neither on the way the index came about nor on
// how many updates it has seen.
//
// A search scores the passages window by window, on as many cores as are free;
// what the words asked most often add to each passage is kept from one search to
// the next, within 192 bytes a passage (see shares).
//
// Readers take an immutable snapshot and never wait. One follower makes the next
// snapshot: when the catalogue says that it changed, it reads which texts, reads
// their passages anew and puts them in the place of the old. A failure to read
// leaves the last snapshot in use and is tried again; a text that is gone from
// the catalogue may so be found for a while, which is why whoever searches reads
// the hits from Postgres before they are used.
package flat

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/french"
	"vigueur/internal/postgres"
	"vigueur/internal/postings"
	"vigueur/internal/rank"
)

// Source is the catalogue as the index reads it: *postgres.DB.
type Source interface {
	CatalogueVersion(ctx context.Context) (int64, error)
	Changes(ctx context.Context, after int64) (documents []uuid.UUID, version int64, err error)
	IndexRows(ctx context.Context, documents []uuid.UUID, yield func(postgres.IndexRow) error) error
	Listen(ctx context.Context, wake func()) error
}

// Options are what an index needs.
type Options struct {
	Source  Source
	Vectors VectorSource    // nil: the search goes by words alone
	Lexicon *french.Lexicon // nil: the one that the program carries
	Ranking *rank.Step      // orders what is found; nil: as the program has learned it
	Log     *slog.Logger    // nil: none
	File    File            // zero: nothing is kept between two runs
	// Register leaves out which passages hold a word: what is left tells how rare
	// words are, names texts and articles, and searches passages that another
	// store found (see Among).
	Register bool
	Spill    Spill         // of a register: where it puts what it has of each passage
	Retry    time.Duration // wait before a failed update is tried again; 0: one second
}

// Index is the passage index. Search may be called by many goroutines, Follow by
// one.
type Index struct {
	options Options
	now     atomic.Pointer[state]
	unsaved int // texts changed since the file was written
}

// Open reads the whole catalogue, or the file that was kept of it and what has
// changed since, and gives an index that is ready. Errors are the source's.
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
			o.Log.WarnContext(ctx, "index file passed over", "error", err)
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

// all reads the whole catalogue. The version is read first: a change between the
// two reads is read twice, where the other order would lose it.
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

// save writes the file; when it cannot be written the next start takes longer,
// and nothing else is lost.
func (x *Index) save(ctx context.Context) {
	x.unsaved = 0
	if err := x.options.File.save(ctx, x.now.Load().snapshot); err != nil {
		x.options.Log.WarnContext(ctx, "index file not written", "error", err)
	}
}

// Size is how many passages are to be found, and the version of the catalogue
// they stand for.
func (x *Index) Size() (passages int, version int64) {
	s := x.now.Load()
	return s.passages, s.version
}

// PerText is how many passages a text has on average; 0 where there is none.
func (x *Index) PerText() float64 {
	s := x.now.Load()
	texts := 0
	for _, v := range s.views {
		texts += v.DocCount() - len(v.Deleted)
	}
	return float64(s.passages) / float64(max(1, texts))
}

// Search finds the passages for q, the best first. Hits are never nil.
func (x *Index) Search(q Query) []Hit {
	if x.options.Register {
		panic("flat: a register has no passages to search: Among searches those it is given")
	}
	return x.search(q, x.tuning())
}

// Follow keeps the index up to date until ctx ends, and then returns its error;
// it returns earlier only when the source can never be followed.
func (x *Index) Follow(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wake := make(chan struct{}, 1)
	stopped := make(chan error, 1)
	go func() {
		stopped <- x.options.Source.Listen(ctx, func() {
			select {
			case wake <- struct{}{}:
			default: // an update is due already: it will see this change too
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

// Update brings the index to the catalogue's present version. Follow calls it;
// nobody else does at the same time.
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
	// A failure to read the vectors leaves the version, so that both are read again.
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

// read makes a segment of the passages of the given texts, of all when nil; of a register that lies in files several,
// each as soon as it is large enough, so that no more than one is in memory.
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
