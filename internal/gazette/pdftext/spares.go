package pdftext

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Limits on spare children.
const (
	sparesKept = 2                // children that wait for a file; by default, a worker reads as many files at once
	spareFiles = 50               // files that one child reads before it is ended
	sparePages = 3000             // pages that one child reads or paints before it is ended, because its CPU time is limited
	spareIdle  = 10 * time.Second // time that a child waits for a file before it is ended
)

// Spares keeps the children of closed documents for later documents. To start an
// engine takes as long as to read a dozen pages. The zero value is ready to use, and
// is safe for concurrent use. A nil Spares keeps no children.
type Spares struct {
	patience time.Duration // time that a child waits for a file; 0: spareIdle. Tests set it

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
			continue // its time is up: drop ends the child
		}
		select {
		case <-last.dead:
			last.kill() // closes the dead child's pipes
		default:
			return last.process
		}
	}
	return nil
}

// put keeps a child. It ends the child instead if the child has reached a limit or
// enough children wait.
func (s *Spares) put(p *process) {
	if s == nil || p.files >= spareFiles || p.pages >= sparePages || p.ask(request{Op: "close"}) != nil {
		p.kill()
		return
	}
	if !s.keep(p) {
		p.kill() // without holding the lock, because kill waits until the child is gone
	}
}

// keep lets a child wait for a file, and reports false if sparesKept children wait
// already.
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

// Close ends the children that wait for a file. A child that has a file does not end:
// when its document is closed, the child is kept as if Close had not been called.
func (s *Spares) Close() {
	for p := s.take(); p != nil; p = s.take() {
		p.kill()
	}
}
