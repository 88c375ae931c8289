package learn

import "math"

// Of the search for a minimum.
const (
	memory    = 10   // steps that the curvature is guessed from
	mostSteps = 300  // at most so many
	still     = 1e-7 // a gradient so flat is a minimum
	flat      = 1e-8 // a step that gains no more of the loss is the last
	armijo    = 1e-4 // of the descent that the gradient promises, a step must keep so much
	halvings  = 40   // of a step before it is given up
)

// Minimize goes down from x by limited-memory BFGS (Nocedal and Wright, Numerical
// Optimization, algorithm 7.4) with steps that are halved until they descend
// enough. loss writes the gradient.
func Minimize(x []float64, loss func(x, gradient []float64) float64) []float64 {
	n := len(x)
	g, next, ng := make([]float64, n), make([]float64, n), make([]float64, n)
	var ss, ys [][]float64
	f := loss(x, g)
	for range mostSteps {
		if math.Sqrt(dot(g, g)) < still {
			break
		}
		d := direction(g, ss, ys)
		slope := dot(d, g)
		if slope >= 0 {
			ss, ys = nil, nil
			d = direction(g, nil, nil)
			slope = dot(d, g)
		}
		step, moved, before := 1.0, false, f
		for range halvings {
			for i := range x {
				next[i] = x[i] + step*d[i]
			}
			if nf := loss(next, ng); nf <= f+armijo*step*slope {
				f, moved = nf, true
				break
			}
			step /= 2
		}
		if !moved {
			break
		}
		s, y := make([]float64, n), make([]float64, n)
		for i := range x {
			s[i], y[i] = next[i]-x[i], ng[i]-g[i]
		}
		if dot(s, y) > 1e-12 {
			ss, ys = append(ss, s), append(ys, y)
			if len(ss) > memory {
				ss, ys = ss[1:], ys[1:]
			}
		}
		copy(x, next)
		copy(g, ng)
		if before-f < flat*math.Abs(f) {
			break
		}
	}
	return x
}

// direction is minus the gradient, bent by the curvature of the last steps.
func direction(g []float64, ss, ys [][]float64) []float64 {
	d := make([]float64, len(g))
	for i := range g {
		d[i] = -g[i]
	}
	alphas := make([]float64, len(ss))
	for i := len(ss) - 1; i >= 0; i-- {
		alphas[i] = dot(ss[i], d) / dot(ss[i], ys[i])
		for k := range d {
			d[k] -= alphas[i] * ys[i][k]
		}
	}
	if n := len(ss); n > 0 {
		by := dot(ss[n-1], ys[n-1]) / dot(ys[n-1], ys[n-1])
		for k := range d {
			d[k] *= by
		}
	}
	for i := range ss {
		beta := dot(ys[i], d) / dot(ss[i], ys[i])
		for k := range d {
			d[k] += (alphas[i] - beta) * ss[i][k]
		}
	}
	return d
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
