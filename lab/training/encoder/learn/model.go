package learn

import (
	"math"
	"slices"
)

// model is a vector and a weight for each word: a text is the sum of its words'
// vectors by their weights, brought to length 1.
type model struct {
	d       int
	rows    []float32 // d for each word
	weights []float32 // logarithms
	moments moments
}

// moments are what the steps so far have been, for the next (Adam).
type moments struct {
	step                     int
	first, second            []float32 // of the rows
	weightFirst, weightAfter []float32
}

// Of Adam: how fast moments are forgotten, and what keeps a step finite.
const (
	keepFirst  = 0.9
	keepSecond = 0.999
	least      = 1e-8
)

func newModel(rows, idf []float32, d int) *model {
	m := &model{d: d, rows: rows, weights: make([]float32, len(idf))}
	for i, w := range idf {
		m.weights[i] = float32(math.Log(math.Max(float64(w), 1e-3)))
	}
	m.rest()
	return m
}

// rest forgets the steps so far.
func (m *model) rest() {
	m.moments = moments{first: make([]float32, len(m.rows)), second: make([]float32, len(m.rows)),
		weightFirst: make([]float32, len(m.weights)), weightAfter: make([]float32, len(m.weights))}
}

func (m *model) clone() *model {
	c := &model{d: m.d, rows: slices.Clone(m.rows), weights: slices.Clone(m.weights)}
	c.rest()
	return c
}

func (m *model) row(w int32) []float32 { return m.rows[int(w)*m.d : (int(w)+1)*m.d] }

func (m *model) scale(w int32) float32 { return float32(math.Exp(float64(m.weights[w]))) }

// encode writes the vectors of texts one after another, each of length 1, and
// gives how long they were.
func (m *model) encode(texts [][]int32) (vectors, lengths []float32) {
	vectors, lengths = make([]float32, len(texts)*m.d), make([]float32, len(texts))
	inBlocks(len(texts), func(from, to int) {
		for i := from; i < to; i++ {
			v := vectors[i*m.d : (i+1)*m.d]
			for _, w := range texts[i] {
				addTo(v, m.row(w), m.scale(w))
			}
			lengths[i] = unit(v)
		}
	})
	return vectors, lengths
}

// folded returns the vectors of words by their weights, as they are served.
func (m *model) folded() []float32 {
	out := slices.Clone(m.rows)
	for w := range m.weights {
		by := m.scale(int32(w))
		for k := range m.d {
			out[w*m.d+k] *= by
		}
	}
	return out
}

// improve moves the words of a gradient against it.
func (m *model) improve(g *gradient, rate float64) {
	m.moments.step++
	t := float64(m.moments.step)
	rate *= math.Sqrt(1-math.Pow(keepSecond, t)) / (1 - math.Pow(keepFirst, t))
	o := &m.moments
	inBlocks(len(g.touched), func(from, to int) {
		for _, w := range g.touched[from:to] {
			at := int(w) * m.d
			move(m.rows[at:at+m.d], g.rows[at:at+m.d], o.first[at:at+m.d], o.second[at:at+m.d], rate)
			move(m.weights[w:w+1], g.weights[w:w+1], o.weightFirst[w:w+1], o.weightAfter[w:w+1], rate)
		}
	})
}

func move(x, g, first, second []float32, rate float64) {
	const a, b = float32(keepFirst), float32(keepSecond)
	by := float32(rate)
	for i, v := range g {
		first[i] = float32(a*first[i]) + float32((1-a)*v)
		second[i] = float32(b*second[i]) + float32((1-b)*float32(v*v))
		x[i] -= float32(by * first[i] / (float32(math.Sqrt(float64(second[i]))) + least))
	}
}
