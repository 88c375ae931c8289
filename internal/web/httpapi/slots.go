package httpapi

import (
	"context"
	"slices"
	"sync"
	"time"

	"vigueur/internal/kit/errs"
)

// slots bounds how much of one kind of work a server does at once, and how much of that for
// one client, so that nobody has all of it. The zero value has drawMost slots. It is safe for
// concurrent use.
type slots struct {
	most int // 0: drawMost

	mu      sync.Mutex
	all     int
	of      map[string]int
	waiting []*slotWait // in order
}

type slotWait struct {
	who  string
	each int
	free chan struct{} // closed when it has a slot
}

// take waits for a slot for a client, which may have each of them at once: drawWait at most,
// or, if patient, until ctx ends. release frees it. The error is Unavailable, or that of ctx.
func (s *slots) take(ctx context.Context, who string, each int, patient bool) (release func(), err error) {
	w := &slotWait{who: who, each: each, free: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.serve()
	s.mu.Unlock()
	var late <-chan time.Time
	if !patient {
		wait := time.NewTimer(drawWait)
		defer wait.Stop()
		late = wait.C
	}
	select {
	case <-w.free:
		return sync.OnceFunc(func() { s.leave(who) }), nil
	case <-late:
		err = &retryLater{after: retryAfter * time.Second, cause: errs.New(errs.Unavailable, "Trop de demandes de ce genre sont en cours. Réessayez dans un instant.")}
	case <-ctx.Done():
		err = errs.Wrap(errs.Unavailable, "", ctx.Err())
	}
	s.mu.Lock()
	at := slices.Index(s.waiting, w)
	if at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 { // it was given one meanwhile
		s.leave(who)
	}
	return nil, err
}

// serve gives free slots to those who wait and may have one. The caller holds mu.
func (s *slots) serve() {
	most := s.most
	if most == 0 {
		most = drawMost
	}
	if s.of == nil {
		s.of = map[string]int{}
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(w *slotWait) bool {
		if s.all >= most || s.of[w.who] >= w.each {
			return false
		}
		s.all++
		s.of[w.who]++
		close(w.free)
		return true
	})
}

func (s *slots) leave(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.of[who]--; s.of[who] == 0 {
		delete(s.of, who)
	}
	s.serve()
}
