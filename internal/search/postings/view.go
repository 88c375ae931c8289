package postings

import (
	"runtime"

	"github.com/google/uuid"
)

// View is a segment without the texts that have been deleted since it was made.
type View struct {
	*Segment
	Deleted         map[uint32]bool   // set of the deleted texts, by their numbers
	DeletedCounts   map[uint32]uint32 // by term, the number of deleted passages that contain it
	DeletedPassages int               // number of passages of deleted texts
	DeletedLength   float64           // total length of these passages
}

// Without returns the view without the given texts.
func (v View) Without(documents []uuid.UUID) View {
	var going []uint32
	for _, id := range documents {
		if d, ok := v.DocOf(id); ok && !v.Deleted[d] {
			going = append(going, d)
		}
	}
	if len(going) == 0 {
		return v
	}
	next := View{Segment: v.Segment, Deleted: make(map[uint32]bool), DeletedCounts: make(map[uint32]uint32), DeletedPassages: v.DeletedPassages, DeletedLength: v.DeletedLength}
	for d := range v.Deleted {
		next.Deleted[d] = true
	}
	for t, n := range v.DeletedCounts {
		next.DeletedCounts[t] = n
	}
	for _, d := range going {
		if next.Deleted[d] {
			continue // the text is listed twice
		}
		next.Deleted[d] = true
		gone := v.Doc(d)
		next.DeletedPassages += int(gone.To - gone.From)
		next.DeletedLength += gone.Length
		for _, c := range gone.terms {
			next.DeletedCounts[c.term] += c.passages
		}
	}
	runtime.KeepAlive(v.Segment) // terms are in its file
	return next
}
