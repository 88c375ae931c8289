package main

import (
	"math"
	"math/rand/v2"

	"github.com/google/uuid"

	"vigueur/internal/search/vector"
)

// directions makes vectors: each near one of a thousand, as texts gather around
// subjects.
type directions struct {
	generation uuid.UUID
	dimensions int
	most       int // vectors an article
	subjects   [][]float32
}

const subjects = 1000

func newDirections(dimensions, most int) *directions {
	random := rand.New(rand.NewPCG(512, 1))
	d := &directions{generation: uuid.NewSHA1(uuid.Nil, []byte("generation")), dimensions: dimensions, most: most}
	for range subjects {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		d.subjects = append(d.subjects, unit(v))
	}
	return d
}

// of returns the vectors of article i, always the same.
func (d *directions) of(i int) []byte {
	random := rand.New(rand.NewPCG(512, uint64(i)))
	var vectors [][]float32
	for range 1 + random.IntN(d.most) {
		vectors = append(vectors, d.near(random))
	}
	return vector.Pack(vectors)
}

// near returns a vector between two subjects, nearer to the first.
func (d *directions) near(random *rand.Rand) []float32 {
	a, b := d.subjects[random.IntN(subjects)], d.subjects[random.IntN(subjects)]
	v := make([]float32, d.dimensions)
	for i := range v {
		v[i] = a[i] + b[i]/2
	}
	return unit(v)
}

// questions returns the vectors of n questions.
func (d *directions) questions(n int) (vectors [][]float32) {
	random := rand.New(rand.NewPCG(512, 2))
	for range n {
		vectors = append(vectors, d.near(random))
	}
	return vectors
}

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}
