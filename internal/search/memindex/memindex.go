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
	"math"
	"math/bits"
	"sync"
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
	Changes(ctx context.Context, cursor int64) (documents []uuid.UUID, version int64, err error)
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
	o.File.register = o.Register
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
	return new(snapshot).replace(version, nil, fresh), nil
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
	next := old.with(old.replace(version, documents, fresh), m)
	x.now.Store(next)
	x.options.Log.Info("index updated", "version", version, "documents", len(documents),
		"passages", next.passages, "ms", time.Since(began).Milliseconds())
	if x.unsaved += len(documents); x.unsaved >= next.worthSaving() {
		x.save(ctx)
	}
	return nil
}

// read builds a segment from the passages of the given texts, of all texts if documents is nil.
func (x *Index) read(ctx context.Context, documents []uuid.UUID) (*postings.Segment, error) {
	b := postings.NewBuilder()
	err := x.options.Source.IndexRows(ctx, documents, func(r postgres.IndexRow) error {
		b.Add(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if x.options.Register {
		return b.Segment().Register(), nil
	}
	return b.Segment(), nil
}

// state is what readers use: a snapshot, the vectors, and which vectors belong to the snapshot's passages. It is
// immutable.
type state struct {
	*snapshot
	*meanings            // nil without vectors
	blocks    [][]*block // by view and text; nil if there are no vectors, or if they belong to other passages
}

// with returns the state of a snapshot and vectors. Pairs of text and vectors that s already contains are not
// compared again.
func (s *state) with(now *snapshot, m *meanings) *state {
	next := &state{snapshot: now, meanings: m}
	if m == nil {
		return next
	}
	for _, v := range now.views {
		known := s.blocksOf(v.Segment)
		blocks := make([]*block, v.DocCount())
		for d := range blocks {
			b := m.blocks[v.DocID(uint32(d))]
			if b != nil && (d < len(known) && known[d] == b || b.fits(v, d)) {
				blocks[d] = b
			}
		}
		next.blocks = append(next.blocks, blocks)
	}
	return next
}

// blocksOf returns the blocks of a segment's texts in s, nil if s does not contain the segment.
func (s *state) blocksOf(segment *postings.Segment) []*block {
	if s == nil || s.blocks == nil {
		return nil
	}
	for i, v := range s.views {
		if v.Segment == segment {
			return s.blocks[i]
		}
	}
	return nil
}

// snapshot is the whole index at one version of the catalogue. It is immutable; an update makes a new one that shares
// most segments.
type snapshot struct {
	version      int64
	views        []view
	passages     int     // number of live passages
	length       float64 // total length of the live passages
	longest      int     // length of the longest passage
	variantCache variantCache
	// whole is the snapshot that this one is a part of. It provides the words and their frequencies. nil if this is a
	// whole snapshot.
	whole *snapshot
}

// view is a live segment, with what searches cache for it.
type view struct {
	postings.View
	shareCache *shareCache
}

func newView(of postings.View) view { return view{View: of, shareCache: new(shareCache)} }

// liveOf returns the segments of views, for postings.Merge.
func liveOf(views []view) []postings.View {
	out := make([]postings.View, len(views))
	for i, v := range views {
		out[i] = v.View
	}
	return out
}

// Limits above which segments are merged: the number of segments in a snapshot, and the share of deleted passages in
// a segment.
const (
	mostSegments = 8
	mostLost     = 0.25
)

// replace returns a snapshot in which the given texts are replaced by those in fresh, and removed if fresh does not
// contain them.
func (s *snapshot) replace(version int64, documents []uuid.UUID, fresh *postings.Segment) *snapshot {
	next := &snapshot{version: version}
	for _, v := range s.views {
		if v.View = v.Without(documents); v.DeletedPassages < len(v.Segment.Passages) {
			next.views = append(next.views, v)
		}
	}
	if len(fresh.Passages) > 0 {
		next.views = append(next.views, newView(postings.View{Segment: fresh}))
	}
	next.views = compact(next.views)
	next.measure()
	return next
}

// measure counts the live passages. Lengths are integers, so that their sum does not depend on the history of the
// index.
func (s *snapshot) measure() {
	for _, v := range s.views {
		s.passages += len(v.Segment.Passages) - v.DeletedPassages
		s.longest = max(s.longest, v.Longest)
		s.length += v.Length()
	}
}

// holders returns the number of live passages that contain a term.
func (s *snapshot) holders(name string) int {
	if s.whole != nil {
		return s.whole.holders(name)
	}
	n := 0
	for _, v := range s.views {
		if t := v.NumberOf(name); t != postings.NoTerm {
			passages, _ := v.Frequency(t)
			n += int(passages - v.DeletedCounts[t])
		}
	}
	return n
}

func (s *snapshot) idf(n float64) float64 { return idf(float64(s.passages), n) }

// idf returns the weight of a term that n of all passages contain, by its rarity: ln(1 + (all - n + 0.5) / (n + 0.5))
// (Robertson and Spärck Jones, in the form that is always positive).
func idf(all, n float64) float64 { return math.Log(1 + (all-n+0.5)/(n+0.5)) }

// compact merges segments if there are too many, or if one has too many deleted passages.
func compact(views []view) []view {
	largest, wasteful := -1, false
	for i, v := range views {
		if largest < 0 || len(v.Segment.Passages) > len(views[largest].Segment.Passages) {
			largest = i
		}
		wasteful = wasteful || float64(v.DeletedPassages) > mostLost*float64(len(v.Segment.Passages))
	}
	if len(views) <= mostSegments && !wasteful {
		return views
	}
	// The largest segment stays if most of it is live, because rewriting it takes longest.
	var kept, merged []view
	for i, v := range views {
		if i == largest && len(views) > 1 && float64(v.DeletedPassages) <= mostLost*float64(len(v.Segment.Passages)) {
			kept = append(kept, v)
		} else {
			merged = append(merged, v)
		}
	}
	return append(kept, newView(postings.View{Segment: postings.Merge(liveOf(merged))}))
}

// Average returns the mean length of a passage, in words, for Weigh.
func (x *Index) Average() float64 { return x.now.Load().average() }

// SearchWord is a word of a question, as a store uses it to find passages.
type SearchWord struct {
	Terms  []string // the word, and the words of the catalogue that resemble it; never empty
	Weight float64  // its importance: the BM25 rarity times the weight of the word in the question
	Held   int      // the sum of the numbers of passages that contain each of Terms
}

// SearchWords returns the words of a question that select passages, the rarest first, for a store that finds passages
// by words and does not know which words are similar. With all set, every word of the question that the catalogue
// contains selects, as for a filter that leaves few passages.
func (x *Index) SearchWords(q Query, all bool) []SearchWord {
	t := x.tuning()
	if all {
		t.minRarity, t.maxReach = 0, math.MaxInt
	}
	by := searcher{snapshot: x.now.Load().snapshot, tuning: t, accumulator: new(accumulator), query: q}
	for _, w := range queryTerms(q, x.options.Lexicon, t) {
		by.addClause(w)
	}
	by.chooseSelecting()
	var out []SearchWord
	for _, c := range by.clauses {
		if !c.selects {
			continue
		}
		s := SearchWord{Weight: float64(c.pieces), Held: c.reach}
		if by.holders(c.name) > 0 {
			s.Terms = append(s.Terms, c.name)
		}
		for _, k := range c.others {
			s.Terms = append(s.Terms, k.name)
		}
		out = append(out, s)
	}
	return out
}

// window is a range of passages of one view that are scored together, term by term, so that their sums stay in a
// core's cache.
type window struct {
	view     int
	from, to uint32
}

const (
	windowSize  = 4096
	windowWords = windowSize / 64
)

// scorer is the state of one goroutine of a search. It processes windows in ascending order.
type scorer struct {
	*searcher
	sums    [windowSize]sum // by passage of the window, the occurrences of the current word
	touched [windowWords]uint64
	norms   [windowSize]float32 // BM25 norms of the passages of the current window
	owns    [windowSize]uint8   // how often the passages contain the current word, if its shares are to be cached
	room    [postings.BatchSize]postings.Posting
	cursors []postings.Cursor // of the clauses, in order, in the current view
	view    int               // the current view; -1 for none
	most    line              // greatest score of each channel among the admitted passages
	first   ranking
	more    ranking

	distances []uint16
	histogram []int // number of passages by distance of their nearest sketch
	lacks     bool  // a passage lacks its vectors
}

// sum is how often a passage contains a word and the words that resemble it.
type sum struct{ body, heads float32 }

var scorerPool sync.Pool

// open moves the cursors to the beginning of a view.
func (h *scorer) open(view int) {
	h.view, h.cursors = view, h.cursors[:0]
	segment := h.views[view].Segment
	for i := range h.plans[view] {
		p := &h.plans[view][i]
		h.cursors = append(h.cursors, segment.Cursor(p.word, 1))
		for k, t := range p.others {
			h.cursors = append(h.cursors, segment.Cursor(t, float32(h.clauses[i].others[k].like)))
		}
	}
}

// scoreWindow scores the passages of a window by words and by pieces: those that contain a selecting word and, if
// meaning counts, those near in meaning.
func (h *scorer) scoreWindow(w window, meant bool) {
	if h.view != w.view {
		h.open(w.view)
	}
	g := &h.perView[w.view]
	for p, length := range h.views[w.view].Lengths[w.from:w.to] {
		h.norms[p%windowSize] = h.normOf[length]
	}
	found, lines, lists := g.found[w.from/64:], g.lines[w.from:w.to], h.cursors
	if meant && h.comparison != nil {
		h.findNear(w)
	}
	for i := range h.clauses {
		c, p := &h.clauses[i], &h.plans[w.view][i]
		others := lists[1 : 1+len(p.others)]
		if p.known != nil {
			h.addKnown(c, &p.known.parts[w.from/h.window], lines, found)
		} else {
			h.addWord(w, c, &lists[0], p)
			for k := range others {
				h.addSimilar(w, &others[k], c.selects || p.wanted != nil)
			}
			if c.compared {
				h.addPieces(w, c, p.partFor(w, h.touched[:]))
			}
		}
		lists = lists[1+len(p.others):]
	}
	h.finish(w)
}

// findNear selects the passages that are near in meaning.
func (h *scorer) findNear(w window) {
	g, limit := &h.perView[w.view], uint16(h.limit)
	for p := w.from; p < w.to; p++ {
		if g.nearest[p] <= limit {
			setBit(g.found, p)
		}
	}
}

// addWord adds the BM25F share of the word itself and, if pieces follow, stores its occurrences.
func (h *scorer) addWord(w window, c *clause, list *postings.Cursor, p *plan) {
	found, lines := h.perView[w.view].found[w.from/64:], h.perView[w.view].lines[w.from:w.to]
	list.Seek(w.from)
	for n := list.Fill(w.to, &h.room); n > 0; n = list.Fill(w.to, &h.room) {
		for _, posting := range h.room[:n] {
			at0 := posting.Passage - w.from
			body, heads := posting.Packed&postings.MaxBody, posting.Packed>>postings.BodyBits
			if c.selects {
				setBit(found, at0)
			}
			if c.selects || hasBit(found, at0) {
				l := &lines[at0]
				l.words += float32(c.word * h.saturate(float32(body+heads), h.norms[at0%windowSize]))
				l.held += c.word
			} else if p.wanted == nil {
				continue
			}
			if c.compared {
				h.sums[at0%windowSize] = sum{float32(body), float32(heads)}
				setBit(h.touched[:], at0)
			}
			if p.wanted != nil {
				h.owns[at0%windowSize] = uint8(min(body+heads, mostOwn))
				if body+heads > mostOwn {
					p.wanted.often.Store(true)
				}
			}
		}
	}
}

// addSimilar adds the occurrences of a word that resembles the current one, in all passages or in the selected ones.
func (h *scorer) addSimilar(w window, list *postings.Cursor, all bool) {
	found := h.perView[w.view].found[w.from/64:]
	list.Seek(w.from)
	for n := list.Fill(w.to, &h.room); n > 0; n = list.Fill(w.to, &h.room) {
		for _, posting := range h.room[:n] {
			p := posting.Passage - w.from
			if !all && !hasBit(found, p) {
				continue
			}
			s := &h.sums[p%windowSize]
			s.body += float32(list.Likeness * float32(posting.Packed&postings.MaxBody))
			s.heads += float32(list.Likeness * float32(posting.Packed>>postings.BodyBits))
			setBit(h.touched[:], p)
		}
	}
}

// addPieces adds the share of a word with all words that resemble it, stores the shares in keep unless it is nil, and
// resets the sums.
func (h *scorer) addPieces(w window, c *clause, keep *part) {
	g := &h.perView[w.view]
	found, lines := g.found[w.from/64:], g.lines[w.from:w.to]
	passages := h.views[w.view].Segment.Passages[w.from:w.to]
	heads := float32(h.headings)
	for k := range wordsFor(len(lines)) {
		word := h.touched[k]
		if c.selects {
			found[k] |= word
		}
		h.touched[k] = 0
		for ; word != 0; word &= word - 1 {
			p := k*64 + bits.TrailingZeros64(word)
			s := &h.sums[p]
			share := passages[p].Norms.Share(s.body, s.heads, heads)
			*s = sum{}
			if keep != nil {
				keep.shares, keep.owns = append(keep.shares, share), append(keep.owns, h.owns[p])
				h.owns[p] = 0
			}
			if found[k]&(word&-word) != 0 {
				lines[p].pieces += float32(c.pieces * share.Value())
			}
		}
	}
}

// finish clears the passages that the query does not admit, and updates the greatest score of each channel.
func (h *scorer) finish(w window) {
	g, passages := &h.perView[w.view], h.views[w.view].Segment.Passages
	docs, most := h.admitted[w.view], h.most
	for k := w.from / 64; k < (w.to+63)/64; k++ {
		for word := g.found[k]; word != 0; word &= word - 1 {
			p := k*64 + uint32(bits.TrailingZeros64(word))
			if x := &passages[p]; !docs[x.Doc] || !x.InForce(h.on) {
				g.lines[p] = line{}
				clearBit(g.found, p)
				continue
			}
			most.raise(&g.lines[p])
		}
	}
	h.most = most
}
