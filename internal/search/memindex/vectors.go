package memindex

import (
	"context"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
)

// VectorSource provides the vectors of passages: *postgres.DB.
type VectorSource interface {
	VectorRows(ctx context.Context, documents []uuid.UUID, yield func(postgres.VectorRow) error) error
}

// meanings holds the vectors of one generation, a block for each text. They are separate from the segments, and
// either may be more recent than the other. A block counts for a text only if it has vectors of exactly the passages
// that the segment has.
type meanings struct {
	generation uuid.UUID
	blocks     map[uuid.UUID]*block
}

// block holds the vectors of one text's passages, in their order.
type block struct {
	passages []uuid.UUID
	first    []uint32 // by passage, the index of its first vector; then the end
	set      vector.Set
}

func (b *block) addRow(r postgres.VectorRow) error {
	if _, err := b.set.Add(r.Packed); err != nil {
		return err
	}
	b.passages = append(b.passages, r.PassageID)
	b.first = append(b.first, uint32(b.set.Len()))
	return nil
}

// fits reports whether the vectors are those of exactly the passages of a text.
func (b *block) fits(v view, d int) bool {
	start, end := v.Extent(uint32(d))
	if b == nil || len(b.passages) != int(end-start) {
		return false
	}
	for k := range end - start {
		if *v.Segment.IDOf(start + k) != b.passages[k] {
			return false
		}
	}
	return true
}

// readVectors reads the vectors of the given texts, of all texts if documents is nil. Texts whose vectors cannot be
// read get none.
func (x *Index) readVectors(ctx context.Context, documents []uuid.UUID) (*meanings, error) {
	m := &meanings{blocks: make(map[uuid.UUID]*block)}
	err := x.options.Vectors.VectorRows(ctx, documents, func(r postgres.VectorRow) error {
		if m.generation != r.Generation {
			m.generation, m.blocks = r.Generation, make(map[uuid.UUID]*block)
		}
		b := m.blocks[r.DocumentID]
		if b == nil {
			b = &block{first: []uint32{0}}
			m.blocks[r.DocumentID] = b
		}
		if err := b.addRow(r); err != nil {
			x.options.Log.Warn("vectors not read", "passage", r.PassageID, "error", err)
		}
		return nil
	})
	for _, b := range m.blocks {
		b.set.Compact()
		b.passages, b.first = slices.Clone(b.passages), slices.Clone(b.first)
	}
	return m, err
}

// vectorsOf returns old with the vectors of the given texts read again, of all texts if documents is nil. If the
// source has a new generation, it reads all vectors.
func (x *Index) vectorsOf(ctx context.Context, old *meanings, documents []uuid.UUID) (*meanings, error) {
	if x.options.Vectors == nil {
		return nil, nil
	}
	fresh, err := x.readVectors(ctx, documents)
	switch {
	case err != nil:
		return nil, err
	case documents == nil || old == nil:
		return fresh, nil
	case len(fresh.blocks) > 0 && fresh.generation != old.generation:
		return x.readVectors(ctx, nil)
	}
	blocks := maps.Clone(old.blocks)
	for _, id := range documents {
		delete(blocks, id)
	}
	maps.Copy(blocks, fresh.blocks)
	return &meanings{generation: old.generation, blocks: blocks}, nil
}

// comparison compares one query with the vectors. The cosine of a passage is that of its nearest vector. All sketches
// (one bit per dimension) are compared first, and then the vectors of the passages whose sketches are nearest. For
// all other passages the sketch gives an estimate.
type comparison struct {
	blocks    [][]*block // by view and text
	direction vector.Query
	cosines   []float32 // by distance of sketches, the estimated cosine; the last one is for passages without a vector
	limit     int       // passages with a sketch up to this distance are among the nearest
}

// compare returns the comparison for a query. It returns nil if there is no vector for the query, or if the index has
// no vectors of its generation; then the search goes by words alone.
func (s *state) compare(q Query) *comparison {
	if s.meanings == nil || len(q.Vector) == 0 || len(q.Vector) >= math.MaxUint16 || s.generation != q.Generation {
		return nil
	}
	c := &comparison{blocks: s.blocks, direction: vector.NewQuery(q.Vector)}
	dimensions := c.direction.Dimensions()
	for d := range dimensions + 1 {
		c.cosines = append(c.cosines, float32(math.Cos(math.Pi*float64(d)/float64(dimensions))))
	}
	c.cosines = append(c.cosines, -1)
	return c
}

// none is the distance of a passage that has no vector or is not admitted.
func (c *comparison) none() uint16 { return uint16(c.direction.Dimensions() + 1) }

// stretch is a range of texts of one view, with about as many passages as a window.
type stretch struct{ view, from, to int }

// stretches divides all texts into ranges.
func (x *searcher) stretches() (all []stretch) {
	for i, v := range x.views {
		start, n := 0, 0
		docs := v.DocCount()
		for d := range docs {
			first, last := v.Extent(uint32(d))
			if n += int(last - first); n >= int(x.window) || d == docs-1 {
				all = append(all, stretch{i, start, d + 1})
				start, n = d+1, 0
			}
		}
	}
	return all
}

// measure computes the distances of the sketches of all texts in a range that the query admits.
func (h *scorer) measure(s stretch) {
	c, v := h.comparison, h.views[s.view]
	none := c.none()
	for i := s.from; i < s.to; i++ {
		d, b := v.Doc(uint32(i)), c.blocks[s.view][i]
		nearest := h.perView[s.view].nearest[d.From:d.To]
		if !h.admitted[s.view][i] || len(nearest) == 0 {
			for k := range nearest {
				nearest[k] = none
			}
			continue
		}
		if b == nil || b.set.Len() > 0 && b.set.Dimensions != c.direction.Dimensions() {
			h.lacks = true
			return
		}
		h.distances = b.set.Distances(h.distances[:0], c.direction)
		b.nearest(nearest, h.distances, none)
		if !d.InForce(h.on) {
			for k := range nearest {
				if !v.Segment.Passages[int(d.From)+k].InForce(h.on) {
					nearest[k] = none
				}
			}
		}
		for _, far := range nearest {
			h.histogram[far]++
		}
	}
}

// nearest writes the smallest distance of each passage's vectors to dst, or none for a passage without vectors. Most
// passages have one or two vectors, which are handled without a loop, whose branch would often be mispredicted.
func (b *block) nearest(dst, distances []uint16, none uint16) {
	pos := b.first[0]
	for k, end := range b.first[1:] {
		far := none
		if pos < end {
			far = min(distances[pos], distances[end-1])
		}
		for pos++; pos+1 < end; pos++ {
			far = min(far, distances[pos])
		}
		dst[k], pos = far, end
	}
}

// served reports whether meaning counts, after everything is measured. It does not if a passage lacks its vectors, or
// if there are none. It also sets the limit for exact comparison.
func (c *comparison) served(scorers []*scorer, nearest int) bool {
	histogram := make([]int, c.none())
	total := 0
	for _, h := range scorers {
		if h.lacks {
			return false
		}
		for d, n := range h.histogram[:len(histogram)] {
			histogram[d] += n
			total += n
		}
	}
	c.limit = limitOf(histogram, nearest)
	return total > 0
}

// limitOf returns the distance up to which there are n passages.
func limitOf(histogram []int, n int) (limit int) {
	for sum := 0; limit < len(histogram)-1; limit++ {
		if sum += histogram[limit]; sum >= n {
			break
		}
	}
	return limit
}

// nearness returns the cosine of a passage, exactly if one of its vectors is among the nearest, else by its sketch.
func (h *scorer) nearness(view int, p uint32) float32 {
	c, v := h.comparison, h.views[view]
	far := h.perView[view].nearest[p]
	if int(far) > c.limit {
		return c.cosines[far]
	}
	d := v.Segment.Passages[p].Doc
	start, _ := v.Extent(d)
	b, k := c.blocks[view][d], p-start
	if b.first[k+1]-b.first[k] == 1 {
		return max(-1, b.set.Dot(c.direction, int(b.first[k])))
	}
	best := float32(-1)
	for pos := b.first[k]; pos < b.first[k+1]; pos++ {
		if far := b.set.Distance(c.direction, int(pos)); far > c.limit {
			best = max(best, c.cosines[far])
		} else {
			best = max(best, b.set.Dot(c.direction, int(pos)))
		}
	}
	return best
}

// weigh sets the cosines of the found passages of a window.
func (h *scorer) weigh(w window) {
	g := &h.perView[w.view]
	for k := w.from / 64; k < (w.to+63)/64; k++ {
		for word := g.found[k]; word != 0; word &= word - 1 {
			p := k*64 + uint32(bits.TrailingZeros64(word))
			if h.comparison != nil {
				g.meaning[p] = h.nearness(w.view, p)
			}
		}
	}
}
