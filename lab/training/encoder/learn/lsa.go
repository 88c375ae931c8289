package learn

import (
	"math"
	"math/rand/v2"
)

// rounds is how often the words' vectors go through the texts: the directions that
// hold most of the texts come out after few.
const rounds = 3

// weighted is a word of a text with what it weighs there.
type weighted struct {
	word int32
	by   float32
}

// begin returns each word a vector by the texts that hold it: a latent semantic
// analysis, by subspace iteration from random directions. Vectors have length 1.
func begin(v *vocabulary, texts [][]weighted, d int) []float32 {
	n := len(v.words)
	m := make([]float32, n*d)
	random := rand.New(rand.NewPCG(1, 11))
	for i := range m {
		m[i] = float32(random.NormFloat64())
	}
	for range rounds {
		orthogonalize(m, n, d)
		m = through(texts, m, n, d)
	}
	for i := range n {
		unit(m[i*d : (i+1)*d])
	}
	return m
}

// through gives, for each word, the sum of the texts that hold it, each of which is
// the sum of its words.
func through(texts [][]weighted, m []float32, n, d int) []float32 {
	out := make([]float32, n*d)
	inBlocks(d, func(from, to int) { // of the coordinates: each is summed in the order of the texts
		sum := make([]float32, to-from)
		for _, text := range texts {
			clear(sum)
			for _, w := range text {
				addTo(sum, m[int(w.word)*d+from:int(w.word)*d+to], w.by)
			}
			for _, w := range text {
				addTo(out[int(w.word)*d+from:int(w.word)*d+to], sum, w.by)
			}
		}
	})
	return out
}

// orthogonalize makes the d columns of m unlike each other and of length 1
// (Gram and Schmidt, by rows of the transposed).
func orthogonalize(m []float32, n, d int) {
	columns := make([]float32, n*d)
	for i := range n {
		for k := range d {
			columns[k*n+i] = m[i*d+k]
		}
	}
	for k := range d {
		own := columns[k*n : (k+1)*n]
		shares := make([]float32, k)
		inBlocks(k, func(from, to int) {
			for j := from; j < to; j++ {
				shares[j] = dot(own, columns[j*n:(j+1)*n])
			}
		})
		inBlocks(n, func(from, to int) {
			for j := range k {
				addTo(own[from:to], columns[j*n+from:j*n+to], -shares[j])
			}
		})
		unit(own)
	}
	for i := range n {
		for k := range d {
			m[i*d+k] = columns[k*n+i]
		}
	}
}

// bags are the texts that the vectors begin from: the articles, each with its
// headings.
func (c *Corpus) bags() [][]weighted {
	out := make([][]weighted, 0, len(c.Articles))
	for i := range c.Articles {
		out = append(out, c.bag(c.Articles[i].path, c.Articles[i].sentences))
	}
	return out
}

// bag weighs the words of a text by how often they are in it and how rare they
// are; the whole has length 1.
func (c *Corpus) bag(head []int32, sentences [][]int32) (out []weighted) {
	place := make(map[int32]int)
	add := func(words []int32) {
		for _, w := range words {
			k, ok := place[w]
			if !ok {
				k = len(out)
				place[w] = k
				out = append(out, weighted{word: w})
			}
			out[k].by++
		}
	}
	add(head)
	for _, s := range sentences {
		add(s)
	}
	sum := 0.0
	for i := range out {
		w := (1 + math.Log(float64(out[i].by))) * float64(c.words.idf[out[i].word])
		out[i].by = float32(w)
		sum += w * w
	}
	for i := range out {
		out[i].by /= float32(math.Sqrt(sum))
	}
	return out
}
