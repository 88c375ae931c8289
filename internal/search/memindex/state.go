package memindex

import "vigueur/internal/search/postings"

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
		of := make([]*block, v.DocCount())
		for d := range of {
			b := m.blocks[v.DocID(uint32(d))]
			if b != nil && (d < len(known) && known[d] == b || b.fits(v, d)) {
				of[d] = b
			}
		}
		next.blocks = append(next.blocks, of)
	}
	return next
}

// blocksOf returns the blocks of a segment's texts in s, nil if s does not contain the segment.
func (s *state) blocksOf(of *postings.Segment) []*block {
	if s == nil || s.blocks == nil {
		return nil
	}
	for i, v := range s.views {
		if v.Segment == of {
			return s.blocks[i]
		}
	}
	return nil
}
