package flat

import "github.com/google/uuid"

// live is a segment with the texts that are no longer to be found in it.
type live struct {
	*segment
	gone    map[uint32]bool   // docs
	missing map[uint32]uint32 // term -> passages of gone texts that hold it
	lost    int               // passages of gone texts
}

// without gives the segment in which the given texts are gone.
func (v live) without(documents []uuid.UUID) live {
	var going []uint32
	for _, id := range documents {
		if d, ok := v.byID[id]; ok && !v.gone[d] {
			going = append(going, d)
		}
	}
	if len(going) == 0 {
		return v
	}
	next := live{segment: v.segment, gone: make(map[uint32]bool), missing: make(map[uint32]uint32), lost: v.lost}
	for d := range v.gone {
		next.gone[d] = true
	}
	for t, n := range v.missing {
		next.missing[t] = n
	}
	for _, d := range going {
		if next.gone[d] {
			continue // named twice
		}
		next.gone[d] = true
		next.lost += int(v.docs[d].to - v.docs[d].from)
		for _, c := range v.docs[d].terms {
			next.missing[c.term] += c.passages
		}
	}
	return next
}
