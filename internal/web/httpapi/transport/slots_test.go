package transport

import (
	"context"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

// A client that has all that one may have waits, and keeps out nobody else.
func TestNobodyHasAllSlots(t *testing.T) {
	t.Parallel()
	s := &Slots{most: 2}
	ctx := t.Context()
	first, err := s.Take(ctx, "a", 1, true)
	ok(t, err)
	got := make(chan func())
	go func() {
		release, err := s.Take(ctx, "a", 1, true)
		if err != nil {
			t.Error(err)
		}
		got <- release
	}()
	for s.mu.Lock(); len(s.waiting) == 0; s.mu.Lock() { // until it waits
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	s.mu.Unlock()
	other, err := s.Take(ctx, "b", 1, true)
	ok(t, err)
	_, err = s.Take(ctx, "c", 1, false)
	if !errs.Is(errs.New(errs.KindOf(err), ""), errs.Unavailable) {
		t.Errorf("without a slot: %v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = s.Take(gone, "c", 1, true); err == nil {
		t.Error("a slot for one that is gone")
	}
	first()
	first() // once
	second := <-got
	second()
	other()
	if s.all != 0 || len(s.of) != 0 || len(s.waiting) != 0 {
		t.Errorf("left: %d, %v, %d", s.all, s.of, len(s.waiting))
	}
}
