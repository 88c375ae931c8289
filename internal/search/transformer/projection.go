package transformer

import (
	"bytes"
	_ "embed" // the projection
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
)

//go:embed projection.bin
var projection []byte

// BuiltinProjection returns the embedded projection, which it reads once and all callers share.
var BuiltinProjection = sync.OnceValues(func() (*Projection, error) { return ReadProjection(projection) })

// ProjectionMagic is the beginning of a file with a projection. The length of the header (32
// bits, little-endian), the header as JSON, the mean and the rows (32-bit floating point,
// little-endian) follow.
const ProjectionMagic = "VIGPRJ1\n"

// ProjectionHeader describes a file with a projection.
type ProjectionHeader struct {
	Made    string // command that wrote the file
	Model   string // name of the model that computes the vectors
	In, Out int    // numbers of coordinates
	Sources []ProjectionSource
}

// ProjectionSource is a file that a projection was learned from.
type ProjectionSource struct{ File, Holds, Licence, SHA256 string }

// Projection maps vectors of a model to fewer coordinates, in which passages that answer a
// question are nearer to it. Its methods may be called by several goroutines at once.
type Projection struct {
	ProjectionHeader
	mean   []float32
	rows   [][]float32
	kernel matrix
	rooms  sync.Pool
}

// NewProjection returns the projection that subtracts mean and multiplies by rows.
func NewProjection(h ProjectionHeader, mean []float32, rows [][]float32) (*Projection, error) {
	h.In, h.Out = len(mean), len(rows)
	if err := h.check(); err != nil {
		return nil, err
	}
	p := &Projection{ProjectionHeader: h, mean: mean, rows: rows}
	p.kernel.reset(h.In, h.Out)
	for o, row := range rows {
		if len(row) != h.In {
			return nil, errors.New("transformer: a row of a projection has another length than its mean")
		}
		p.kernel.setColumn(o, row)
	}
	return p, nil
}

func (h *ProjectionHeader) check() error {
	if h.In < 1 || h.Out < 1 || h.In > most || h.Out > h.In {
		return fmt.Errorf("transformer: a projection of %d to %d coordinates", h.In, h.Out)
	}
	return nil
}

// ReadProjection reads the bytes of a file.
func ReadProjection(data []byte) (*Projection, error) {
	data, ok := bytes.CutPrefix(data, []byte(ProjectionMagic))
	if !ok || len(data) < 4 {
		return nil, errors.New("transformer: not a file with a projection")
	}
	n := uint64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > uint64(len(data)) {
		return nil, errShort
	}
	var h ProjectionHeader
	if err := json.Unmarshal(data[:n], &h); err != nil {
		return nil, fmt.Errorf("transformer: the header of the projection: %w", err)
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if got, want := uint64(len(data))-n, 4*uint64(h.In)*uint64(h.Out+1); got != want {
		return nil, fmt.Errorf("transformer: %d bytes of a projection, not %d", got, want)
	}
	r := &reader{data: data[n:]}
	mean, rows := r.floats(h.In), make([][]float32, h.Out)
	for o := range rows {
		rows[o] = r.floats(h.In)
	}
	return NewProjection(h, mean, rows)
}

// projecting holds the buffers for mapping vectors.
type projecting struct {
	a        active
	centered []float32
	out      []float32
}

// Cosines returns the cosines of a question's vector and other vectors after the projection.
// All must have In coordinates.
func (p *Projection) Cosines(question []float32, vectors [][]float32) []float32 {
	w, _ := p.rooms.Get().(*projecting)
	if w == nil {
		w = new(projecting)
	}
	defer p.rooms.Put(w)
	w.centered, w.out = room(w.centered, p.In), room(w.out, (1+len(vectors))*p.Out)
	w.a.reset(1+len(vectors), p.In)
	w.set(0, question, p.mean)
	for i, v := range vectors {
		w.set(1+i, v, p.mean)
	}
	w.a.times(&p.kernel, w.out, p.Out)
	q, out := w.out[:p.Out], make([]float32, len(vectors))
	for i := range out {
		out[i] = cosine(q, w.out[(1+i)*p.Out:][:p.Out])
	}
	return out
}

func (w *projecting) set(t int, v, mean []float32) {
	for i, m := range mean {
		w.centered[i] = v[i] - m
	}
	w.a.set(t, w.centered)
}

// cosine returns the cosine of two vectors, 0 if one of them is 0.
func cosine(x, y []float32) float32 {
	var xy, xx, yy float64
	for i, a := range x {
		b := y[i]
		xy, xx, yy = xy+float64(float64(a)*float64(b)), xx+float64(float64(a)*float64(a)), yy+float64(float64(b)*float64(b))
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return float32(xy / math.Sqrt(float64(xx*yy)))
}
