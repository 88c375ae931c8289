package pdftext

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// What a spare child may still do and be.
const (
	sparesKept = 2                // children without a file at the same time, as many as a worker reads files by default
	spareFiles = 50               // files that one child reads
	sparePages = 3000             // pages that it reads and paints: its processor time is limited for good
	spareIdle  = 10 * time.Second // how long it waits for a file, but in tests
)

// Spares keeps children whose document was closed, for the next one. To start the
// engine takes as long as to read a dozen pages. Its zero value is ready to use,
// by many goroutines; a nil one keeps nothing.
type Spares struct {
	patience time.Duration // how long a child waits; 0: spareIdle

	mu   sync.Mutex
	idle []spare
}

type spare struct {
	*process
	end *time.Timer
}

// take returns a child that waits for a file, or nil.
func (s *Spares) take() *process {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.idle) > 0 {
		last := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		if !last.end.Stop() {
			continue // it is being ended
		}
		select {
		case <-last.dead:
			last.kill() // what is left of it
		default:
			return last.process
		}
	}
	return nil
}

// put keeps a child, or ends it when it has done enough or others wait.
func (s *Spares) put(p *process) {
	if s == nil || p.files >= spareFiles || p.pages >= sparePages || p.ask(request{Op: "close"}) != nil {
		p.kill()
		return
	}
	if !s.keep(p) {
		p.kill() // outside of the lock: it waits for the child's end
	}
}

// keep lets a child wait for a file, unless others do.
func (s *Spares) keep(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) >= sparesKept {
		return false
	}
	s.idle = append(s.idle, spare{p, time.AfterFunc(cmp.Or(s.patience, spareIdle), func() { s.drop(p) })})
	return true
}

// drop ends a child that nobody took.
func (s *Spares) drop(p *process) {
	s.mu.Lock()
	s.idle = slices.DeleteFunc(s.idle, func(i spare) bool { return i.process == p })
	s.mu.Unlock()
	p.kill()
}

// Close ends the children that wait. Those with a file end with it, or wait
// anew.
func (s *Spares) Close() {
	for p := s.take(); p != nil; p = s.take() {
		p.kill()
	}
}
