// Package transformer computes vectors of sentences with a small transformer encoder, in Go
// and without a GPU: BERT (Devlin et al., 2019) with the weights of multilingual-e5-small
// (Wang et al., « Multilingual E5 Text Embeddings », 2024).
package transformer

import (
	"math"
	"sync"
)

// Shape is the size of a model.
type Shape struct {
	Hidden, Layers, Heads, Inner, Positions int
	Epsilon                                 float32
}

// norm is a layer normalization (Ba et al., 2016).
type norm struct{ weight, bias []float32 }

// layer is one layer of the encoder.
type layer struct {
	query, key, value, out, up, down matrix
	attended, done                   norm
}

// Model is an encoder of sentences. It may be used by several goroutines at once.
type Model struct {
	name string
	Shape
	Pieces    Pieces
	words     quants // vectors of the pieces
	positions []float32
	first     norm
	layers    []layer
	rooms     sync.Pool
}

// workspace holds the buffers for encoding one text.
type workspace struct {
	x, q, k, v, ctx, y, mid []float32
	scores, column          []float32
	a, p                    active
	keys, values            matrix
}

// Encode returns the vector of a text, of length 1. Pieces beyond the model's number of
// positions are ignored.
func (m *Model) Encode(text string) []float32 {
	ids := m.Pieces.Of(text)
	ids = ids[:min(len(ids), m.Positions-2)]
	tokens := append(append(append(make([]int32, 0, len(ids)+2), int32(m.Pieces.Begin)), ids...), int32(m.Pieces.End))
	w := m.run(m.layers, tokens)
	defer m.rooms.Put(w)
	return m.pool(w, len(tokens))
}

// run applies layers to the vectors of tokens, which are in w.x then. The caller gives the
// workspace back to m.rooms.
func (m *Model) run(layers []layer, tokens []int32) *workspace {
	w, _ := m.rooms.Get().(*workspace)
	if w == nil {
		w = new(workspace)
	}
	m.embed(w, tokens)
	for i := range layers {
		m.layer(w, &layers[i], len(tokens))
	}
	return w
}

// embed writes to w.x the sum of each token's vector and the vector of its position,
// normalized.
func (m *Model) embed(w *workspace, tokens []int32) {
	n, h := len(tokens), m.Hidden
	w.x, w.q, w.k, w.v = room(w.x, n*h), room(w.q, n*h), room(w.k, n*h), room(w.v, n*h)
	w.ctx, w.y, w.mid = room(w.ctx, n*h), room(w.y, n*h), room(w.mid, n*m.Inner)
	for t, id := range tokens {
		x := w.x[t*h:][:h]
		m.words.row(int(id), x)
		for i, p := range m.positions[t*h:][:h] {
			x[i] += p
		}
	}
	m.first.apply(w.x[:n*h], m.Epsilon)
}

// layer applies one layer to the vectors of n tokens.
func (m *Model) layer(w *workspace, l *layer, n int) {
	h := m.Hidden
	w.load(w.x, n, h)
	w.a.times(&l.query, w.q, h)
	w.a.times(&l.key, w.k, h)
	w.a.times(&l.value, w.v, h)
	for head := range m.Heads {
		m.attend(w, head, n)
	}
	w.load(w.ctx, n, h)
	w.a.times(&l.out, w.y, h)
	w.add(n, h, &l.attended, m.Epsilon)
	w.load(w.x, n, h)
	w.a.times(&l.up, w.mid, m.Inner)
	gelu.interpolate(w.mid[:n*m.Inner], 1)
	w.load(w.mid, n, m.Inner)
	w.a.times(&l.down, w.y, h)
	w.add(n, h, &l.done, m.Epsilon)
}

// load quantizes n rows of x into w.a.
func (w *workspace) load(x []float32, n, in int) {
	w.a.reset(n, in)
	for t := range n {
		w.a.set(t, x[t*in:][:in])
	}
}

// add adds the output of a sublayer, w.y, to its input, w.x, and normalizes the sum.
func (w *workspace) add(n, h int, by *norm, epsilon float32) {
	x := w.x[:n*h]
	for i, y := range w.y[:n*h] {
		x[i] += y
	}
	by.apply(x, epsilon)
}

// attend computes one head of self-attention: each token attends to all n tokens.
func (m *Model) attend(w *workspace, head, n int) {
	h, d := m.Hidden, m.Hidden/m.Heads
	w.keys.reset(d, n)
	w.values.reset(n, d)
	for t := range n {
		w.keys.setColumn(t, w.k[t*h+head*d:][:d])
	}
	w.column = room(w.column, n)
	for i := range d {
		for t := range w.column {
			w.column[t] = w.v[t*h+head*d+i]
		}
		w.values.setColumn(i, w.column)
	}
	w.p.reset(n, d)
	for t := range n {
		w.p.set(t, w.q[t*h+head*d:][:d])
	}
	w.scores = room(w.scores, n*n)
	w.p.times(&w.keys, w.scores, n)
	by := float32(1 / math.Sqrt(float64(d)))
	softmax(w.scores, n, by)
	w.p.reset(n, n)
	for t := 0; t < n; t += together {
		rows := rowsAt(w.scores, t, n)
		sum := sums(rows)
		for r := range min(together, n-t) {
			w.p.set(t+r, rows[r])
			w.p.scale[t+r] /= sum[r]
		}
	}
	w.p.times(&w.values, w.ctx[head*d:], h)
}

// pool returns the mean of the tokens' vectors, scaled to length 1.
func (m *Model) pool(w *workspace, n int) []float32 {
	out := make([]float32, m.Hidden)
	for t := range n {
		for i, x := range w.x[t*m.Hidden:][:m.Hidden] {
			out[i] += x
		}
	}
	sum := 0.0
	for _, x := range out {
		sum += float64(float64(x) * float64(x))
	}
	by := float32(1 / math.Sqrt(max(sum, 1e-12)))
	for i := range out {
		out[i] *= by
	}
	return out
}
