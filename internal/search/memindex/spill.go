package memindex

import (
	"log/slog"

	"vigueur/internal/search/postings"
)

// Spill says where a register puts what it has of texts, passages and words, so that this is not in the process's own memory: into
// files of a folder that are mapped, and have no name any more once they are. The system keeps in memory what is asked for
// and takes the rest away when it needs the room; what a worker holds for good does not grow with the catalogue. The folder is to be on a disk: of one in memory (tmpfs) nothing is gained.
type Spill struct {
	Dir   string // "": everything stays in memory
	Least int    // passages from which on a segment is put there; 0: minSpilled
}

// minSpilled is large enough for few segments, and small enough to be made in memory: some 150 MB.
const minSpilled = 250_000

// spill is how the snapshots of a register are kept; nil: in memory.
type spill struct {
	dir   string
	least int
	log   *slog.Logger
}

func (o *Options) spill() *spill {
	if !o.Register || o.Spill.Dir == "" {
		return nil
	}
	s := &spill{dir: o.Spill.Dir, least: o.Spill.Least, log: o.Log}
	if s.least == 0 {
		s.least = minSpilled
	}
	return s
}

// full reports whether a segment that is being made is to be closed with the text at hand.
func (s *spill) full(passages int) bool { return s != nil && passages >= s.least }

// write moves a segment of a register to a file if it is large enough. One that cannot be written stays in memory, which
// is logged.
func (s *spill) write(x *postings.Segment) *postings.Segment {
	if s == nil || len(x.Passages) < s.least || x.InFile() {
		return x
	}
	if err := x.MoveToFile(s.dir); err != nil {
		s.log.Warn("register stays in memory", "folder", s.dir, "passages", len(x.Passages), "error", err)
	}
	return x
}
