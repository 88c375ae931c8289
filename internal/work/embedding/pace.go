package embedding

import (
	"sync"
	"time"
)

// paceWindow is the time after which older passages count half for the pace. It spans many
// pauses, so that the pace is that of work and pauses together.
const paceWindow = 5 * time.Minute

// pace measures how many passages a second get vectors. Its methods may be called by many
// goroutines.
type pace struct {
	mu       sync.Mutex
	passages float64
	elapsed  time.Duration
}

// add counts passages that took the given time, pauses included.
func (p *pace) add(passages int, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passages += float64(passages)
	p.elapsed += took
	if p.elapsed > paceWindow {
		p.passages /= 2
		p.elapsed /= 2
	}
}

// perSecond returns the number of passages a second, 0 while none is counted.
func (p *pace) perSecond() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.elapsed <= 0 {
		return 0
	}
	return p.passages / p.elapsed.Seconds()
}
