package memindex

import (
	"cmp"
	"log/slog"

	"vigueur/internal/search/postings"
)

// Spill says where a register stores texts, passages and words, so that the process's own memory does not grow with
// the catalogue: in mapped files that have no name after they are mapped. The system keeps in memory what is used,
// and frees the rest when it needs room. The folder must be on a disk; with one in memory (tmpfs) nothing is gained.
type Spill struct {
	Dir  string // "" keeps everything in memory
	Full int    // passages of a segment that is complete, and merged with no other; 0 means fullSegment
}

const (
	// fullSegment is the default of Spill.Full: a segment of so many passages takes some 150 MB while it is built.
	fullSegment = 250_000
	// spilledShare is the share of a full segment that is enough for a file: of the default a hundredth, which takes
	// 2 MB of memory. Of the smaller ones there are mostSegments at the most.
	spilledShare = 100
)

// spill is where the snapshots of a register are stored; nil means in memory.
type spill struct {
	dir         string
	most, least int // passages of a full segment, and of the smallest one that is stored there
	log         *slog.Logger
}

func (o *Options) spill() *spill {
	if !o.Register || o.Spill.Dir == "" {
		return nil
	}
	most := cmp.Or(o.Spill.Full, fullSegment)
	return &spill{dir: o.Spill.Dir, most: most, least: max(1, most/spilledShare), log: o.Log}
}

// full reports whether a segment should be finished after the current text.
func (s *spill) full(passages int) bool { return s != nil && passages >= s.most }

// write moves a segment of a register to a file if it is large enough. A segment that cannot be written stays in
// memory, and this is logged.
func (s *spill) write(x *postings.Segment) *postings.Segment {
	if s == nil || len(x.Passages) < s.least || x.InFile() {
		return x
	}
	if err := x.MoveToFile(s.dir); err != nil {
		s.log.Warn("register stays in memory", "folder", s.dir, "passages", len(x.Passages), "error", err)
	}
	return x
}
