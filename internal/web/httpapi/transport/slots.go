package transport

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"vigueur/internal/kit/errs"
)

// Slots limits how much of one kind of work a server does at once, in total and for one client. The
// zero value has slotsUsual slots. It is safe for concurrent use.
type Slots struct {
	most int // 0: slotsUsual

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

// NewSlots returns a number of slots.
func NewSlots(most int) *Slots { return &Slots{most: most} }

// Take waits for a slot for a client, which may hold each slots at once. It waits for at most
// slotPatience, or, if patient, until ctx ends. release frees the slot. The error is Unavailable.
func (s *Slots) Take(ctx context.Context, who string, each int, patient bool) (release func(), err error) {
	w := &slotWait{who: who, each: each, free: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.serve()
	s.mu.Unlock()
	var late <-chan time.Time
	if !patient {
		wait := time.NewTimer(slotPatience)
		defer wait.Stop()
		late = wait.C
	}
	select {
	case <-w.free:
		return sync.OnceFunc(func() { s.leave(who) }), nil
	case <-late:
		err = errBusy("Trop de demandes de ce genre sont en cours. Réessayez dans un instant.")
	case <-ctx.Done():
		err = errs.Wrap(errs.Unavailable, "", ctx.Err())
	}
	s.mu.Lock()
	pos := slices.Index(s.waiting, w)
	if pos >= 0 {
		s.waiting = slices.Delete(s.waiting, pos, pos+1)
	}
	s.mu.Unlock()
	if pos < 0 { // it was given one meanwhile
		s.leave(who)
	}
	return nil, err
}

// serve gives free slots to those who wait and may have one. The caller holds mu.
func (s *Slots) serve() {
	most := cmp.Or(s.most, slotsUsual)
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

func (s *Slots) leave(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.of[who]--; s.of[who] == 0 {
		delete(s.of, who)
	}
	s.serve()
}
