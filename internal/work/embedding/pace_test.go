package embedding

import (
	"math"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	t.Parallel()
	var p pace
	if got := p.perSecond(); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	for range 100 {
		p.add(8, time.Second)
	}
	if got := p.perSecond(); math.Abs(got-8) > 0.01 {
		t.Errorf("of 8 a second: %v", got)
	}
	for range 3 * int(paceWindow/time.Second) / 8 { // three windows at an eighth of the speed
		p.add(8, 8*time.Second)
	}
	if got := p.perSecond(); got > 2 {
		t.Errorf("long after it slowed to 1 a second: %v", got)
	}
}
