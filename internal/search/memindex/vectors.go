package memindex

import (
	"context"
	"maps"
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
	from, to := v.Extent(uint32(d))
	if b == nil || len(b.passages) != int(to-from) {
		return false
	}
	for k := range to - from {
		if *v.Segment.IDOf(from + k) != b.passages[k] {
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
