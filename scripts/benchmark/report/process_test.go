package report

import (
	"os"
	"testing"
	"time"
)

func TestOwnProcess(t *testing.T) {
	t.Parallel()
	if kb, err := Resident(os.Getpid()); err != nil || kb < 1000 {
		t.Errorf("%d KiB, %v", kb, err)
	}
	used := Used()
	before, err := CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	after := before
	for n := 1.0; after == before; n *= 1.0001 { // until a tick has gone by
		if after, err = CPU(os.Getpid()); err != nil || n < 1 {
			t.Fatal(err)
		}
	}
	if after < before+10*time.Millisecond {
		t.Errorf("from %v to %v", before, after)
	}
	if used <= 0 || Used() <= used {
		t.Errorf("from %v to %v", used, Used())
	}
	for _, f := range []func(int) error{func(p int) error { _, err := CPU(p); return err }, func(p int) error { _, err := Resident(p); return err }} {
		if f(-1) == nil {
			t.Error("a process that is not there is told of")
		}
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	times := []time.Duration{4 * time.Millisecond, time.Millisecond, 3 * time.Millisecond, 2 * time.Millisecond}
	for q, want := range map[float64]float64{0: 1, .5: 3, .99: 4, 1: 4} {
		if got := Quantile(times, q); got != want {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
	if Quantile(nil, .5) != 0 {
		t.Error("of none")
	}
}
