package chain

import "math"

// Window is a part [From,To) of a sequence that is labeled again while the other labels stay. Masks is nil,
// or has one mask for each item of the window.
type Window struct {
	From, To int
	Masks    []Mask
}

// Relabel returns the labels of a window that have the highest score among those that its masks allow, while
// all other labels of the path stay. gain is the logarithm of how much more probable this makes the path; it
// is negative if the path becomes less probable. ok is false if the masks allow no path, or if the window is
// not within the sequence.
func (s Scored) Relabel(labels []int, w Window) (relabeled []int, gain float64, ok bool) {
	if w.From < 0 || w.From >= w.To || w.To > s.n || len(labels) != s.n {
		return nil, 0, false
	}
	k := s.m.labels
	l := &lattice{m: s.m, n: w.To - w.From, k: k}
	l.emit = append(l.emit, s.emit[w.From*k:w.To*k]...)
	l.allow(w.Masks)
	enter, leave := s.borders(labels, w)
	best, score := l.bestBetween(enter, leave)
	if score < never/2 || math.IsInf(score, 0) {
		return nil, 0, false
	}
	return best, score - s.scoreWithin(labels, w, enter, leave), true
}

// borders returns the scores of entering a window with each label, and of leaving it.
func (s Scored) borders(labels []int, w Window) (enter, leave []float64) {
	k := s.m.labels
	l := &lattice{m: s.m, k: k}
	enter, leave = make([]float64, k), make([]float64, k)
	for y := range k {
		if w.From == 0 {
			enter[y] = float64(s.m.first[y])
		} else {
			enter[y] = l.step(labels[w.From-1], y)
		}
		if w.To == s.n {
			leave[y] = float64(s.m.last[y])
		} else {
			leave[y] = l.step(y, labels[w.To])
		}
	}
	return enter, leave
}

// scoreWithin returns the score of a path inside a window.
func (s Scored) scoreWithin(labels []int, w Window, enter, leave []float64) float64 {
	l := &lattice{m: s.m, k: s.m.labels}
	score := enter[labels[w.From]] + leave[labels[w.To-1]]
	for i := w.From; i < w.To; i++ {
		score += s.emit[i*l.k+labels[i]]
		if i > w.From {
			score += l.step(labels[i-1], labels[i])
		}
	}
	return score
}
