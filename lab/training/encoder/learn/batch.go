package learn

import (
	"math"
	"slices"
)

// pair is two texts that belong together.
type pair struct {
	from, to []int32
	target   int // what to is of: of two pairs with one target neither is wrong for the other
	group    int // pairs of one group are not wrong for each other either; -1: none
}

// gradient is how the distance of pairs grows with each word's vector and weight.
type gradient struct {
	touched []int32
	rows    []float32
	weights []float32
}

// descent is what a batch needs room for.
type descent struct {
	*model
	heat float32
	gradient
	uses [][]use // by word: where the batch has it
}

// use is a text of the batch that has a word, and how often.
type use struct {
	text  int32
	times float32
}

func newDescent(m *model, heat float64) *descent {
	return &descent{model: m, heat: float32(heat), uses: make([][]use, len(m.weights)),
		gradient: gradient{rows: make([]float32, len(m.rows)), weights: make([]float32, len(m.weights))}}
}

// learn takes one step on a batch and gives its loss: how surprising each pair's
// second text is among those of the batch, and its first.
func (s *descent) learn(pairs []pair, rate float64) float64 {
	texts := make([][]int32, 0, 2*len(pairs))
	for _, p := range pairs {
		texts = append(texts, p.from)
	}
	for _, p := range pairs {
		texts = append(texts, p.to)
	}
	loss, back := s.slopes(pairs, texts)
	s.scatter(texts, back)
	s.improve(&s.gradient, rate)
	for _, w := range s.touched {
		clear(s.gradient.rows[int(w)*s.d : (int(w)+1)*s.d])
		s.gradient.weights[w] = 0
		s.uses[w] = s.uses[w][:0]
	}
	return loss
}

// slopes returns the loss, and its slope by the sum of each text's words: first the
// first texts of the pairs, then the second.
func (s *descent) slopes(pairs []pair, texts [][]int32) (loss float64, back []float32) {
	n, d := len(pairs), s.d
	vectors, lengths := s.encode(texts)
	like := s.compare(pairs, vectors[:n*d], vectors[n*d:])
	loss = s.surprise(like, n)
	back = make([]float32, 2*n*d)
	inBlocks(n, func(from, to int) {
		for i := from; i < to; i++ {
			mix(back[i*d:(i+1)*d], like[i*n:(i+1)*n], 1, vectors[n*d:])
			mix(back[(n+i)*d:(n+i+1)*d], like[i:], n, vectors[:n*d])
		}
	})
	inBlocks(2*n, func(from, to int) { // through the length: what is along the vector has no effect
		for i := from; i < to; i++ {
			b, v := back[i*d:(i+1)*d], vectors[i*d:(i+1)*d]
			if lengths[i] == 0 {
				clear(b)
				continue
			}
			along := dot(b, v)
			for k := range b {
				b[k] = (b[k] - float32(along*v[k])) / lengths[i]
			}
		}
	})
	return loss, back
}

// compare returns the likeness of each first text with each second, divided by the
// heat; that of texts which are not wrong for each other is none.
func (s *descent) compare(pairs []pair, from, to []float32) []float32 {
	n, d := len(pairs), s.d
	like := make([]float32, n*n)
	none := float32(math.Inf(-1))
	at := func(j int) []float32 { return to[j*d : (j+1)*d] }
	inBlocks(n, func(first, end int) {
		for i := first; i < end; i++ {
			v, row := from[i*d:(i+1)*d], like[i*n:(i+1)*n]
			j := 0
			for ; j+4 <= n; j += 4 {
				row[j], row[j+1], row[j+2], row[j+3] = dots(v, at(j), at(j+1), at(j+2), at(j+3))
			}
			for ; j < n; j++ {
				row[j] = dot(v, at(j))
			}
			for j := range row {
				row[j] /= s.heat
				if j != i && (pairs[i].target == pairs[j].target || pairs[i].group >= 0 && pairs[i].group == pairs[j].group) {
					row[j] = none
				}
			}
		}
	})
	return like
}

// surprise puts the loss's slope by each likeness in its place, both ways.
func (s *descent) surprise(like []float32, n int) float64 {
	rows, columns := make([]float64, n), make([]float64, n)
	inBlocks(n, func(from, to int) {
		for i := from; i < to; i++ {
			rows[i], columns[i] = total(like[i*n:], 1, n), total(like[i:], n, n)
		}
	})
	loss := 0.0
	for i := range n {
		loss += (rows[i]+columns[i])/2 - float64(like[i*n+i])
	}
	by := 1 / (2 * float64(n) * float64(s.heat))
	inBlocks(n, func(from, to int) {
		for i := from; i < to; i++ {
			row := like[i*n : (i+1)*n]
			for j, x := range row {
				g := math.Exp(float64(x)-rows[i]) + math.Exp(float64(x)-columns[j])
				if i == j {
					g -= 2
				}
				row[j] = float32(g * by)
			}
		}
	})
	return loss / float64(n)
}

// total is the logarithm of the sum of the exponentials of n numbers, a step apart.
func total(x []float32, step, n int) float64 {
	most := math.Inf(-1)
	for i := range n {
		most = max(most, float64(x[i*step]))
	}
	sum := 0.0
	for i := range n {
		sum += math.Exp(float64(x[i*step]) - most)
	}
	return most + math.Log(sum)
}

// mix adds up vectors, by shares that are a step apart.
func mix(sum, shares []float32, step int, vectors []float32) {
	d := len(sum)
	n := len(vectors) / d
	j := 0
	for ; j+4 <= n; j += 4 {
		a, b, c, e := shares[j*step], shares[(j+1)*step], shares[(j+2)*step], shares[(j+3)*step]
		p, q := vectors[j*d:][:d], vectors[(j+1)*d:][:d]
		r, t := vectors[(j+2)*d:][:d], vectors[(j+3)*d:][:d]
		for k := range sum {
			sum[k] += (float32(a*p[k]) + float32(b*q[k])) + (float32(c*r[k]) + float32(e*t[k]))
		}
	}
	for ; j < n; j++ {
		addTo(sum, vectors[j*d:(j+1)*d], shares[j*step])
	}
}

// scatter brings what moves the texts to their words: each word sums over the
// texts in their order.
func (s *descent) scatter(texts [][]int32, back []float32) {
	s.touched = s.touched[:0]
	for i, text := range texts {
		for _, w := range text {
			u := s.uses[w]
			switch {
			case len(u) == 0:
				s.touched = append(s.touched, w)
				s.uses[w] = append(u, use{int32(i), 1})
			case u[len(u)-1].text == int32(i):
				u[len(u)-1].times++
			default:
				s.uses[w] = append(u, use{int32(i), 1})
			}
		}
	}
	slices.Sort(s.touched)
	inBlocks(len(s.touched), func(from, to int) {
		for _, w := range s.touched[from:to] {
			g, by := s.gradient.rows[int(w)*s.d:(int(w)+1)*s.d], s.scale(w)
			for _, u := range s.uses[w] {
				addTo(g, back[int(u.text)*s.d:(int(u.text)+1)*s.d], u.times*by)
			}
			s.gradient.weights[w] = dot(g, s.row(w))
		}
	})
}
