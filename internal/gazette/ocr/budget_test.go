package ocr

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/gazette/layout"
)

// TestBudget counts recognitions one after another and at once, and ends those that would exceed it.
func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(10*time.Second, 2*time.Second)
		start := func() (context.Context, func()) {
			ctx, done, err := b.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return ctx, done
		}
		used := func(want time.Duration) {
			t.Helper()
			if got := b.Used(); got != want {
				t.Errorf("%v used, want %v", got, want)
			}
		}
		used(2 * time.Second)
		_, done := start()
		time.Sleep(time.Second)
		used(3 * time.Second)
		done()
		time.Sleep(time.Hour) // between two pages nothing is counted
		used(3 * time.Second)

		first, endFirst := start()
		second, endSecond := start()
		time.Sleep(2 * time.Second)
		used(7 * time.Second)
		endSecond()
		if first.Err() != nil || !errors.Is(context.Cause(second), context.Canceled) {
			t.Errorf("the first ended with %v, the second with %v", context.Cause(first), context.Cause(second))
		}
		began := time.Now()
		<-first.Done()
		if took := time.Since(began); took != 3*time.Second || !errors.Is(context.Cause(first), ErrSpent) {
			t.Errorf("ended after %v: %v", took, context.Cause(first))
		}
		endFirst()
		used(10 * time.Second)
		if _, _, err := b.Start(t.Context()); !errors.Is(err, ErrSpent) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestNoBudget(t *testing.T) {
	t.Parallel()
	var b *Budget
	ctx, done, err := b.Start(t.Context())
	done()
	if err != nil || ctx.Err() != nil || b.Used() != 0 {
		t.Errorf("%v, %v, %v", err, ctx.Err(), b.Used())
	}
}

// TestPagesBeyondTheBudget: what was recognized before the budget ran out is yielded, and the
// program that runs meanwhile is ended.
func TestPagesBeyondTheBudget(t *testing.T) {
	t.Parallel()
	r := Reader{free: true, Program: program(t, "[ \"$1\" = --list-langs ] && exec echo fra\ncat >/dev/null\nexec sleep 60\n"), Budget: NewBudget(100*time.Millisecond, 0)}
	pages := []layout.Page{{Number: 13, Width: 72, Height: 72}, {Number: 1, Width: 72, Height: 72}}
	yielded := 0
	err := r.Pages(t.Context(), blankDoc{}, pages, 1, func(p layout.Page) error { yielded += p.Number; return nil })
	if !errors.Is(err, ErrSpent) || yielded != 13 {
		t.Errorf("pages %d: %v", yielded, err)
	}
	if _, err := r.Part(t.Context(), blankDoc{}, pages[1], [4]float64{0, 0, 36, 36}, Setting{DPI: 72}); !errors.Is(err, ErrSpent) {
		t.Errorf("a part: %v", err)
	}
}
