// Package learn learns internal/search/transformer's projection of sentence vectors: from
// questions, the passages that searches compare with them, and which of these answer.
//
// The projection begins with the principal components of the vectors. A question's loss is
// -ln(Σ e^(cosine/temperature) of the passages that answer / Σ of all) (ListNet's loss on the first
// place, with several right). Adam (Kingma and Ba, 2015) minimizes its mean, and a part of the way
// back to the beginning is added to each gradient, because there are few questions.
//
// All is deterministic: what is drawn by chance depends on Options.Seed alone, and sums have one
// order of their terms whatever the number of cores.
package learn

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
)

// Question is a question with passages, by their vectors.
type Question struct {
	Vector   []float32
	Passages [][]float32
	Right    []bool // of each passage: it answers
	// Others are passages among which Options.Drawn are drawn for each visit, beside Passages.
	Others [][]float32
	Part   int // judged.NoPart: it is learned from in every part
}

// Questions are all that is learned from.
type Questions struct {
	All []Question
	// Passages are the vectors whose mean is subtracted and whose principal components the
	// projection begins with.
	Passages [][]float32
}

// Options are how it is learned.
type Options struct {
	Out         int     // coordinates
	Passes      int     // over all questions
	Together    int     // questions of a step
	Drawn       int     // passages of Question.Others for each visit
	Rate        float64 // of Adam
	Temperature float64 // of cosines
	Back        float64 // part of the way back to the beginning in each gradient
	Seed        uint64
}

// Defaults are the options that were chosen in the first trial (lab/experiments.md).
func Defaults() Options {
	return Options{Out: 64, Passes: 3, Together: 32, Drawn: 96, Rate: 1e-3, Temperature: 0.05, Back: 1e-3, Seed: 1}
}

// Without returns the number of questions that are not of a part.
func (q *Questions) Without(part int) (n int) {
	for i := range q.All {
		if q.All[i].Part != part || part == judged.NoPart {
			n++
		}
	}
	return n
}

// Learn returns a projection learned from all questions but those of a part.
func (q *Questions) Learn(h transformer.ProjectionHeader, without int, o Options) (*transformer.Projection, error) {
	if len(q.Passages) == 0 {
		return nil, errors.New("there are no passages to learn a projection from")
	}
	mean := meanOf(q.Passages)
	t := &training{Options: o, mean: mean, first: components(q.Passages, mean, o.Out, o.Seed)}
	for i := range q.All {
		x := &q.All[i]
		if (x.Part != without || without == judged.NoPart) && slices.Contains(x.Right, true) {
			t.questions = append(t.questions, x)
		}
	}
	t.rows = slices.Clone(t.first)
	t.run()
	rows := make([][]float32, o.Out)
	for k := range rows {
		rows[k] = t.rows[k*len(mean):][:len(mean)]
	}
	return transformer.NewProjection(h, mean, rows)
}

func meanOf(vectors [][]float32) []float32 {
	sum := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			sum[i] += float64(x)
		}
	}
	mean := make([]float32, len(sum))
	for i, x := range sum {
		mean[i] = float32(x / float64(len(vectors)))
	}
	return mean
}

const (
	// sampled is the number of vectors whose principal components are computed.
	sampled = 5000
	// rounds is the number of rounds of subspace iteration.
	rounds = 60
)

// components returns the n first principal components of a sample of vectors, by subspace
// iteration (Golub and Van Loan, Matrix Computations, 8.2.4), one row behind another.
func components(vectors [][]float32, mean []float32, n int, seed uint64) []float32 {
	r, d := rand.New(rand.NewPCG(seed, 0)), len(mean)
	covariance := make([]float64, d*d)
	centered := make([]float64, d)
	for _, i := range r.Perm(len(vectors))[:min(sampled, len(vectors))] {
		for k, x := range vectors[i] {
			centered[k] = float64(x - mean[k])
		}
		for a, x := range centered {
			row := covariance[a*d:][:d]
			for b, y := range centered {
				row[b] += x * y
			}
		}
	}
	rows := make([]float64, n*d)
	for i := range rows {
		rows[i] = r.NormFloat64()
	}
	next := make([]float64, n*d)
	for range rounds {
		orthonormalize(rows, d)
		judged.Each(n, func(k int) {
			to := next[k*d:][:d]
			for a := range to {
				to[a] = dot(covariance[a*d:][:d], rows[k*d:][:d])
			}
		})
		rows, next = next, rows
	}
	orthonormalize(rows, d)
	out := make([]float32, len(rows))
	for i, x := range rows {
		out[i] = float32(x)
	}
	return out
}

// orthonormalize makes rows of d coordinates orthogonal and of length 1 (modified Gram-Schmidt).
func orthonormalize(rows []float64, d int) {
	for k := range len(rows) / d {
		v := rows[k*d:][:d]
		for before := range k {
			u := rows[before*d:][:d]
			by := dot(u, v)
			for i, x := range u {
				v[i] -= by * x
			}
		}
		by := 1 / math.Sqrt(max(dot(v, v), 1e-300))
		for i := range v {
			v[i] *= by
		}
	}
}

type number interface{ ~float32 | ~float64 }

// dot returns the dot product of two vectors of one length.
func dot[N number](x, y []N) N {
	var a, b, c, e N
	for len(x) >= 4 && len(y) >= 4 {
		a, b, c, e = a+x[0]*y[0], b+x[1]*y[1], c+x[2]*y[2], e+x[3]*y[3]
		x, y = x[4:], y[4:]
	}
	for i := range x {
		a += x[i] * y[i]
	}
	return (a + b) + (c + e)
}

// training is a projection that is being learned.
type training struct {
	Options
	mean        []float32
	first, rows []float32 // one row behind another
	questions   []*Question
}

// chunks is the number of parts of a step's gradient, whatever the number of cores.
const chunks = 8

// visit is a question in a step, with what was drawn for it.
type visit struct {
	*Question
	drawn []int
}

// run learns the rows.
func (t *training) run() {
	const (
		decayOfMean, decayOfSquare = 0.9, 0.999
		least                      = 1e-8
	)
	r := rand.New(rand.NewPCG(t.Seed, 1))
	mean, square := make([]float64, len(t.rows)), make([]float64, len(t.rows))
	step := 0
	for range t.Passes {
		order := r.Perm(len(t.questions))
		for batch := range slices.Chunk(order, t.Together) {
			visits := make([]visit, len(batch))
			for i, at := range batch {
				visits[i] = t.visit(r, t.questions[at])
			}
			g := t.gradient(visits)
			step++
			byMean, bySquare := 1-math.Pow(decayOfMean, float64(step)), 1-math.Pow(decayOfSquare, float64(step))
			for i := range g {
				x := float64(g[i])/float64(len(visits)) + t.Back*float64(t.rows[i]-t.first[i])
				mean[i] = decayOfMean*mean[i] + (1-decayOfMean)*x
				square[i] = decayOfSquare*square[i] + (1-decayOfSquare)*x*x
				t.rows[i] -= float32(t.Rate * (mean[i] / byMean) / (math.Sqrt(square[i]/bySquare) + least))
			}
		}
	}
}

// visit draws other passages for a question.
func (t *training) visit(r *rand.Rand, q *Question) visit {
	v := visit{Question: q}
	if len(q.Others) == 0 {
		return v
	}
	for range t.Drawn {
		i := r.IntN(len(q.Others))
		own := func(p []float32) bool { return &p[0] == &q.Others[i][0] }
		if !slices.Contains(v.drawn, i) && !slices.ContainsFunc(q.Passages, own) {
			v.drawn = append(v.drawn, i)
		}
	}
	return v
}

// gradient returns the sum of the gradients of some questions.
func (t *training) gradient(visits []visit) []float32 {
	parts := make([][]float32, chunks)
	var all sync.WaitGroup
	for c := range chunks {
		all.Go(func() {
			parts[c] = make([]float32, len(t.rows))
			for i := c; i < len(visits); i += chunks {
				t.add(&visits[i], parts[c])
			}
		})
	}
	all.Wait()
	for _, p := range parts[1:] {
		for i, x := range p {
			parts[0][i] += x
		}
	}
	return parts[0]
}

// projected is a vector without the mean, its projection of length 1, and the length before.
type projected struct {
	centered, unit []float32
	length         float32
}

func (t *training) project(v []float32) projected {
	d := len(t.mean)
	p := projected{centered: make([]float32, d), unit: make([]float32, t.Out)}
	for i, x := range v {
		p.centered[i] = x - t.mean[i]
	}
	for k := range p.unit {
		p.unit[k] = dot(t.rows[k*d:][:d], p.centered)
	}
	p.length = float32(math.Sqrt(float64(dot(p.unit, p.unit)))) + 1e-9
	for k := range p.unit {
		p.unit[k] /= p.length
	}
	return p
}

// add adds the gradient of the loss of a question.
func (t *training) add(v *visit, gradient []float32) {
	passages, right := slices.Clone(v.Passages), v.Right
	for _, i := range v.drawn {
		passages = append(passages, v.Others[i])
	}
	q := t.project(v.Vector)
	all, cosines, most := make([]projected, len(passages)), make([]float64, len(passages)), math.Inf(-1)
	for i, p := range passages {
		all[i] = t.project(p)
		cosines[i] = float64(dot(q.unit, all[i].unit))
		most = max(most, cosines[i])
	}
	sum, answers := 0.0, 0.0
	e := make([]float64, len(passages))
	for i, c := range cosines {
		e[i] = math.Exp((c - most) / t.Temperature)
		sum += e[i]
		if i < len(right) && right[i] {
			answers += e[i]
		}
	}
	answers = max(answers, math.SmallestNonzeroFloat32)
	d, ofQuestion := len(t.mean), make([]float32, t.Out)
	for i, p := range all {
		slope := e[i] / sum
		if i < len(right) && right[i] {
			slope -= e[i] / answers
		}
		if slope /= t.Temperature; math.Abs(slope) < 1e-6 {
			continue
		}
		// The derivatives of a cosine by the two vectors that were projected.
		for k, u := range p.unit {
			c := float32(cosines[i])
			ofQuestion[k] += float32(slope) * (u - c*q.unit[k]) / q.length
			addTimes(gradient[k*d:][:d], float32(slope)*(q.unit[k]-c*u)/p.length, p.centered)
		}
	}
	for k, x := range ofQuestion {
		addTimes(gradient[k*d:][:d], x, q.centered)
	}
}

// addTimes adds by·x to the vector to.
func addTimes(to []float32, by float32, x []float32) {
	for len(to) >= 4 && len(x) >= 4 {
		to[0], to[1], to[2], to[3] = to[0]+by*x[0], to[1]+by*x[1], to[2]+by*x[2], to[3]+by*x[3]
		to, x = to[4:], x[4:]
	}
	for i := range to {
		to[i] += by * x[i]
	}
}
