package flat

import (
	"log/slog"

	"vigueur/internal/postings"
)

// Shelves says where a register puts what it has of each passage, so that this is not in the process's own memory: into
// files of a folder that are mapped, and have no name any more once they are. The system keeps in memory what is asked for
// and takes the rest away when it needs the room; what a worker holds for good is a part of each text. The folder is to be on a disk: of one in memory (tmpfs) nothing is gained.
type Shelves struct {
	Dir   string // "": everything stays in memory
	Least int    // passages from which on a segment is put there; 0: leastShelved
}

// leastShelved is large enough for few segments, and small enough to be made in memory: some 150 MB.
const leastShelved = 250_000

// shelves is how the snapshots of a register are kept; nil: in memory.
type shelves struct {
	dir   string
	least int
	log   *slog.Logger
}

func (o *Options) shelves() *shelves {
	if !o.Register || o.Shelves.Dir == "" {
		return nil
	}
	s := &shelves{dir: o.Shelves.Dir, least: o.Shelves.Least, log: o.Log}
	if s.least == 0 {
		s.least = leastShelved
	}
	return s
}

// full tells whether a segment that is being made is to be closed with the text at hand.
func (s *shelves) full(passages int) bool { return s != nil && passages >= s.least }

// put has a segment of a register lie in a file, if it is large enough. One that cannot be written stays in memory, which is
// told.
func (s *shelves) put(x *postings.Segment) *postings.Segment {
	if s == nil || len(x.Passages) < s.least || x.InFile() {
		return x
	}
	if err := x.MoveToFile(s.dir); err != nil {
		s.log.Warn("register stays in memory", "folder", s.dir, "passages", len(x.Passages), "error", err)
	}
	return x
}
