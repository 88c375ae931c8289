// Package transformer computes vectors of sentences with a small transformer encoder, in Go
// and without a GPU: BERT (Devlin et al., 2019) with the weights of multilingual-e5-small
// (Wang et al., « Multilingual E5 Text Embeddings », 2024).
package transformer

import (
	"context"
	"crypto/sha256"
	_ "embed" // the weights
	"encoding/hex"
	"math"
	"strings"
	"sync"
	"unicode/utf8"
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

// Encode returns the vector of a text, of length 1, or the error of its context. Pieces beyond
// the model's number of positions are ignored.
func (m *Model) Encode(ctx context.Context, text string) ([]float32, error) {
	ids := m.Pieces.Of(text)
	ids = ids[:min(len(ids), m.Positions-2)]
	tokens := append(append(append(make([]int32, 0, len(ids)+2), int32(m.Pieces.Begin)), ids...), int32(m.Pieces.End))
	w, err := m.run(ctx, m.layers, tokens)
	defer m.rooms.Put(w)
	if err != nil {
		return nil, err
	}
	return m.pool(w, len(tokens)), nil
}

// run applies layers to the vectors of tokens, which are in w.x then, until ctx ends. The caller gives the
// workspace back to m.rooms.
func (m *Model) run(ctx context.Context, layers []layer, tokens []int32) (*workspace, error) {
	w, _ := m.rooms.Get().(*workspace)
	if w == nil {
		w = new(workspace)
	}
	m.embed(w, tokens)
	for i := range layers {
		if err := ctx.Err(); err != nil {
			return w, err
		}
		m.layer(w, &layers[i], len(tokens))
	}
	return w, nil
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
func (w *workspace) load(x []float32, n, input int) {
	w.a.reset(n, input)
	for t := range n {
		w.a.set(t, x[t*input:][:input])
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
	factor := float32(1 / math.Sqrt(float64(d)))
	softmax(w.scores, n, factor)
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
	factor := float32(1 / math.Sqrt(max(sum, 1e-12)))
	for i := range out {
		out[i] *= factor
	}
	return out
}

//go:embed weights.bin
var weights []byte

// embedded is what Builtin has read. It is no sync.OnceValues, which would be made when a program begins: weights that a
// program does not ask for would be linked into it all the same, 30 MB of them into the operator's command.
var embedded struct {
	once  sync.Once
	model *Model
	err   error
}

// Builtin returns the model with the embedded weights, which it reads once and all callers
// share.
func Builtin() (*Model, error) {
	embedded.once.Do(func() {
		m, h, err := Read(weights)
		if err != nil {
			embedded.err = err
			return
		}
		sum := sha256.Sum256(weights)
		m.name = h.Model + "-" + hex.EncodeToString(sum[:4])
		embedded.model = m
	})
	return embedded.model, embedded.err
}

// Name returns the name of the model; models with different weights have different names.
func (m *Model) Name() string { return m.name }

// apply normalizes each row of x, which has as many numbers as the norm, to mean 0 and variance 1, then multiplies it by
// the norm's weight and adds its bias.
func (n *norm) apply(x []float32, epsilon float32) {
	h := len(n.weight)
	for t := 0; t < len(x)/h; t += together {
		rows := rowsAt(x, t, h)
		mean := sums(rows)
		for r := range mean {
			mean[r] /= float32(h)
		}
		variance := squares(rows, mean)
		for r := range min(together, len(x)/h-t) {
			factor := float32(1 / math.Sqrt(float64(variance[r]/float32(h)+epsilon)))
			normalize(rows[r], n.weight, n.bias, mean[r], factor)
		}
	}
}

// softmax replaces each x of each row of n numbers by e^(by·(x − max)), so that the greatest of a row becomes 1. The
// caller divides by the sum of the row.
func softmax(x []float32, n int, factor float32) {
	end := expEnd / factor
	for t := 0; t < len(x); t += n {
		row := x[t:][:n]
		below(row, highest(row), end)
	}
	falling.interpolate(x, factor)
}

// perUnit is the number of table entries per unit of x. Values between entries are
// interpolated linearly; the error is far below that of 8-bit activations.
const perUnit = 256

// table holds the values of a function from low to high. Below low the function is f(low);
// above high it is f(high) + x − high.
type table struct {
	low, high float32
	values    []float32
}

func tableOf(low, high float64, f func(x float64) float64) *table {
	t := &table{float32(low), float32(high), make([]float32, int((high-low)*perUnit)+2)}
	for i := range t.values {
		t.values[i] = float32(f(low + float64(i)/perUnit))
	}
	return t
}

const (
	geluEnd = 8  // gelu(x) is 0 below -geluEnd and x above geluEnd, within the precision of float32
	expEnd  = 17 // exp(-x) is practically 0 from here on
)

// gelu is the Gaussian error linear unit, x·Φ(x) (Hendrycks and Gimpel, 2016).
var gelu = tableOf(-geluEnd, geluEnd, func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) })

// falling is exp(-x), for x ≥ 0.
var falling = tableOf(0, expEnd, func(x float64) float64 { return math.Exp(-x) })

// interpolatePlain replaces each x by the function of by·x.
func (t *table) interpolatePlain(x []float32, factor float32) {
	for i, v := range x {
		v = float32(v * factor)
		value := float32((min(max(v, t.low), t.high) - t.low) * perUnit)
		k := int32(value)
		a, b := t.values[k], t.values[k+1]
		x[i] = a + float32((b-a)*(value-float32(k))) + max(v-t.high, 0)
	}
}

// Pieces is the vocabulary of a unigram tokenizer (Kudo, « Subword Regularization », 2018),
// as in SentencePiece. It splits a text into the sequence of pieces with the highest
// probability.
type Pieces struct {
	Names  []string
	Scores []float32 // logarithms of the probabilities of the pieces
	Norm   map[rune]string
	Begin  int // <s>
	End    int // </s>
	Lost   int // <unk>

	ids     map[string]int32
	longest int // length of the longest piece in bytes
	lost    float32
}

// lostPenalty is the difference between the lowest score of a piece and the score of an
// unknown character (SentencePiece's kUnkPenalty).
const lostPenalty = 10

// space represents a space in pieces.
const space = '\u2581'

func (p *Pieces) index() {
	p.ids, p.lost = make(map[string]int32, len(p.Names)), math.MaxFloat32
	for i, name := range p.Names {
		if i != p.Begin && i != p.End && i != p.Lost { // no text is split into these
			p.ids[name] = int32(i)
		}
		p.longest = max(p.longest, len(name))
		p.lost = min(p.lost, p.Scores[i])
	}
	p.lost -= lostPenalty
}

// normalize replaces characters as the vocabulary requires, and each run of spaces by the
// character space.
func (p *Pieces) normalize(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		target, other := p.Norm[r]
		if !other {
			target = string(r)
		}
		for _, r := range target {
			if r != ' ' && b.Len() == 0 {
				b.WriteRune(space)
			}
			if r != ' ' {
				b.WriteRune(r)
			} else if !blank {
				b.WriteRune(space)
			}
			blank = r == ' '
		}
	}
	if b.Len() == 0 {
		b.WriteRune(space)
	}
	return b.String()
}

// node is the most probable sequence of pieces up to an offset: its score, its last piece,
// and where that begins.
type node struct {
	score float32
	piece int32
	from  int32
}

// Of returns the pieces of a text.
func (p *Pieces) Of(text string) []int32 {
	text = p.normalize(text)
	nodes := make([]node, len(text)+1)
	for i := range nodes {
		nodes[i].score = -math.MaxFloat32
	}
	nodes[0].score = 0
	for pos := 0; pos < len(text); {
		_, width := utf8.DecodeRuneInString(text[pos:])
		here := nodes[pos].score
		for end := pos + width; end <= len(text) && end-pos <= p.longest; {
			if id, ok := p.ids[text[pos:end]]; ok {
				if s := here + p.Scores[id]; s > nodes[end].score {
					nodes[end] = node{s, id, int32(pos)}
				}
			}
			if end == len(text) {
				break
			}
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
		}
		if s := here + p.lost; s > nodes[pos+width].score {
			nodes[pos+width] = node{s, int32(p.Lost), int32(pos)}
		}
		pos += width
	}
	var out []int32
	for pos := int32(len(text)); pos > 0; pos = nodes[pos].from {
		out = append(out, nodes[pos].piece)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
