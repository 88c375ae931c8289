package learn

import (
	"math"
	"sync"

	"vigueur/internal/search/rank"
)

// Options of a fit.
type Options struct {
	Ridge float64            // what the square of a weight costs, by the feature's spread
	Uses  func(int) bool     // features that may have a weight
	Share map[string]float64 // of each set in what is learned; nil: as many questions as it has groups
	Each  bool               // each of those that answer is to come before those that do not; else any one of them
	Base  *rank.Weights      // its score is added to that of the weights, and stays as it is; nil: nothing is
}

// Fit learns weights so that what answers comes before what does not: it minimizes
// the mean over questions of -ln(Σ e^score of those that answer / Σ e^score of all)
// (ListNet's loss on the first place, with several right), and the ridge; with Each, the
// mean over those that answer of -ln(e^score / (e^score + Σ e^score of those that do not)).
// Lists in which nothing or everything answers tell nothing.
func Fit(lists []*List, o Options) rank.Weights {
	p := prepare(lists, o)
	x := Minimize(make([]float64, len(p.uses)), p.loss)
	var w rank.Weights
	for k, feature := range p.uses {
		w[feature] = x[k] / p.spread[k]
	}
	return w
}

// problem is what is minimized.
type problem struct {
	lists  []*List
	weight []float64 // of the lists, together 1
	uses   []int     // the features
	spread []float64 // of each inside its list
	ridge  float64
	each   bool
	base   *rank.Weights
}

func prepare(lists []*List, o Options) *problem {
	p := &problem{ridge: o.Ridge, each: o.Each, base: o.Base}
	sums := make(map[string]float64)
	for _, l := range lists {
		if n := l.right(); n > 0 && n < len(l.Items) {
			p.lists = append(p.lists, l)
			sums[l.Set] += l.Weight
		}
	}
	total := 0.0
	for _, l := range p.lists {
		w := l.Weight
		if o.Share != nil {
			w *= o.Share[l.Set] / sums[l.Set]
		}
		p.weight = append(p.weight, w)
		total += w
	}
	for i := range p.weight {
		p.weight[i] /= total
	}
	for feature := range rank.Count {
		if s := spread(p.lists, feature); o.Uses(feature) && s > 1e-6 {
			p.uses, p.spread = append(p.uses, feature), append(p.spread, s)
		}
	}
	return p
}

// spread is how far a feature lies from its list's mean, by the root of the mean
// square: what is one for all of a list says nothing of their order.
func spread(lists []*List, feature int) float64 {
	sum, n := 0.0, 0.0
	for _, l := range lists {
		mean := 0.0
		for i := range l.Items {
			mean += float64(l.Items[i].Features[feature])
		}
		mean /= float64(len(l.Items))
		for i := range l.Items {
			d := float64(l.Items[i].Features[feature]) - mean
			sum += d * d
		}
		n += float64(len(l.Items))
	}
	return math.Sqrt(sum / math.Max(1, n))
}

// chunks is into how many parts the lists are parted whatever the number of cores,
// so that sums have one order.
const chunks = 8

// loss returns the loss and its gradient.
func (p *problem) loss(x, gradient []float64) float64 {
	w := make([]float64, len(x))
	for k := range x {
		w[k] = x[k] / p.spread[k]
	}
	losses, parts := make([]float64, chunks), make([][]float64, chunks)
	var all sync.WaitGroup
	for c := range chunks {
		all.Go(func() {
			parts[c] = make([]float64, len(x))
			var scores []float64
			for i := c; i < len(p.lists); i += chunks {
				scores = p.one(i, w, scores, &losses[c], parts[c])
			}
		})
	}
	all.Wait()
	total := 0.0
	clear(gradient)
	for c := range chunks {
		total += losses[c]
		for k := range gradient {
			gradient[k] += parts[c][k] / p.spread[k]
		}
	}
	for k := range x {
		total += p.ridge * x[k] * x[k]
		gradient[k] += 2 * p.ridge * x[k]
	}
	return total
}

// one adds the loss of a list and its gradient.
func (p *problem) one(i int, w, scores []float64, loss *float64, gradient []float64) []float64 {
	l := p.lists[i]
	scores = scores[:0]
	most := math.Inf(-1)
	for n := range l.Items {
		s := 0.0
		if p.base != nil {
			s = p.base.Score(&l.Items[n].Features)
		}
		for k, feature := range p.uses {
			s += w[k] * float64(l.Items[n].Features[feature])
		}
		scores = append(scores, s)
		most = math.Max(most, s)
	}
	for n, s := range scores {
		scores[n] = math.Exp(s - most)
	}
	if p.each {
		p.slopesOfEach(l, scores, p.weight[i], loss)
	} else {
		p.slopesOfAny(l, scores, p.weight[i], loss)
	}
	for n, d := range scores {
		if d == 0 {
			continue
		}
		for k, feature := range p.uses {
			gradient[k] += d * float64(l.Items[n].Features[feature])
		}
	}
	return scores
}

// slopesOfAny puts in place of e^score of each of a list the slope of the loss by its
// score, where any one of those that answer is to come first.
func (*problem) slopesOfAny(l *List, e []float64, weight float64, loss *float64) {
	all, right := 0.0, 0.0
	for n, x := range e {
		all += x
		if l.Items[n].Right {
			right += x
		}
	}
	right = math.Max(right, math.SmallestNonzeroFloat32)
	*loss += weight * (math.Log(all) - math.Log(right))
	for n, x := range e {
		d := x / all
		if l.Items[n].Right {
			d -= x / right
		}
		e[n] = d * weight
	}
}

// slopesOfEach is slopesOfAny where each of those that answer is to come before all that
// do not.
func (*problem) slopesOfEach(l *List, e []float64, weight float64, loss *float64) {
	wrong := 0.0
	for n, x := range e {
		if !l.Items[n].Right {
			wrong += x
		}
	}
	weight /= float64(l.right())
	before := 0.0 // the sum over those that answer of 1/(e^score + Σ e^score of those that do not)
	for n, x := range e {
		if l.Items[n].Right {
			x = math.Max(x, math.SmallestNonzeroFloat32)
			*loss += weight * (math.Log(x+wrong) - math.Log(x))
			before += 1 / (x + wrong)
			e[n] = -weight * wrong / (x + wrong)
		}
	}
	for n, x := range e {
		if !l.Items[n].Right {
			e[n] = weight * x * before
		}
	}
}
