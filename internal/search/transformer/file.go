package transformer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Magic is the beginning of a file of weights. The length of the header (32 bits,
// little-endian), the header as JSON, and the weights in the order in which Read reads them
// follow.
const Magic = "VIGTRF1\n"

// Header describes the contents of a file of weights.
type Header struct {
	Made    string // command that wrote the file
	Model   string
	Licence string
	Sources []Source
	Shape
	Pieces Pieces
}

// Source is a file from which a file of weights was made.
type Source struct{ File, Holds, SHA256 string }

// errShort is returned for files that end too early.
var errShort = errors.New("transformer: the file ends before its weights do")

// reader reads weights one after another. The data must be long enough for all of them.
type reader struct{ data []byte }

func (r *reader) take(n int) []byte {
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

func (r *reader) floats(n int) []float32 {
	data, out := r.take(4*n), make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

func (r *reader) halves(n int) []float32 {
	data, out := r.take(2*n), make([]float32, n)
	for i := range out {
		out[i] = half(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return out
}

func (r *reader) quants(rows, length int) quants {
	q := quants{length: length}
	q.data = r.take(rows * q.rowBytes())
	return q
}

func (r *reader) norm(n int) norm { return norm{r.floats(n), r.floats(n)} }

// matrix reads a linear map: the weights of each of its out outputs, and the biases.
func (r *reader) matrix(input, out int) (m matrix) {
	q := r.quants(out, input)
	m.reset(input, out)
	row := make([]float32, input)
	for o := range out {
		q.row(o, row)
		narrow(row)
		m.setColumn(o, row)
	}
	m.bias = r.floats(out)
	return m
}

// layer reads a layer of the encoder.
func (r *reader) layer(s *Shape) layer {
	return layer{query: r.matrix(s.Hidden, s.Hidden), key: r.matrix(s.Hidden, s.Hidden), value: r.matrix(s.Hidden, s.Hidden),
		out: r.matrix(s.Hidden, s.Hidden), attended: r.norm(s.Hidden), up: r.matrix(s.Hidden, s.Inner), down: r.matrix(s.Inner, s.Hidden), done: r.norm(s.Hidden)}
}

// most is the maximum of each size in a file. The product of three such sizes fits into 64
// bits.
const most = 1 << 18

func (s *Shape) check(pieces int) error {
	for _, n := range []int{s.Hidden, s.Layers, s.Heads, s.Inner, s.Positions, pieces} {
		if n < 1 || n > most {
			return fmt.Errorf("transformer: a size of %d", n)
		}
	}
	if s.Hidden%blockSize != 0 || s.Inner%blockSize != 0 || s.Hidden%s.Heads != 0 || s.Positions < 3 {
		return fmt.Errorf("transformer: sizes that do not fit together: %+v", *s)
	}
	return nil
}

// size returns the number of bytes of the weights, for a vocabulary of the given number of
// pieces.
func (s *Shape) size(pieces int) int {
	norm := 2 * 4 * s.Hidden
	return pieces*rowSize(s.Hidden) + 2*s.Positions*s.Hidden + norm + s.Layers*s.layerSize()
}

// layerSize returns the number of bytes of a layer.
func (s *Shape) layerSize() int {
	norm := 2 * 4 * s.Hidden
	square := s.Hidden*rowSize(s.Hidden) + 4*s.Hidden
	return 4*square + s.Inner*rowSize(s.Hidden) + 4*s.Inner + s.Hidden*rowSize(s.Inner) + 4*s.Hidden + 2*norm
}

// rowSize returns the number of bytes of a row of n quantized weights.
func rowSize(n int) int { return quants{length: n}.rowBytes() }

// Read reads a file of weights. The model keeps a part of data, which must not be changed
// afterwards.
func Read(data []byte) (*Model, *Header, error) {
	data, ok := bytes.CutPrefix(data, []byte(Magic))
	if !ok || len(data) < 4 {
		return nil, nil, errors.New("transformer: not a file of weights")
	}
	n := uint64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > uint64(len(data)) {
		return nil, nil, errShort
	}
	var h Header
	if err := json.Unmarshal(data[:n], &h); err != nil {
		return nil, nil, fmt.Errorf("transformer: the header: %w", err)
	}
	p := &h.Pieces
	if err := errors.Join(h.Shape.check(len(p.Names)), p.check()); err != nil {
		return nil, nil, err
	}
	if got, want := uint64(len(data))-n, h.size(len(p.Names)); got != uint64(want) {
		return nil, nil, fmt.Errorf("transformer: %d bytes of weights, not %d", got, want)
	}
	m := &Model{Shape: h.Shape, Pieces: *p}
	m.Pieces.index()
	r := &reader{data: data[n:]}
	m.words = r.quants(len(p.Names), h.Hidden)
	m.positions, m.first = r.halves(h.Positions*h.Hidden), r.norm(h.Hidden)
	for range h.Layers {
		m.layers = append(m.layers, r.layer(&h.Shape))
	}
	return m, &h, nil
}

func (p *Pieces) check() error {
	if len(p.Scores) != len(p.Names) {
		return errors.New("transformer: pieces without a score")
	}
	for _, id := range []int{p.Begin, p.End, p.Lost} {
		if id < 0 || id >= len(p.Names) {
			return fmt.Errorf("transformer: no piece %d", id)
		}
	}
	return nil
}
