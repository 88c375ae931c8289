package transformer

import (
	"bytes"
	"context"
	_ "embed" // the weights of the reader
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"vigueur/internal/kit/parallel"
)

//go:embed reader.bin
var readerWeights []byte

// embeddedReader is what BuiltinReader has read, as embedded is of Builtin.
var embeddedReader struct {
	once   sync.Once
	reader *Reader
	err    error
}

// BuiltinReader returns the embedded reader, which it reads once and all callers share.
func BuiltinReader() (*Reader, error) {
	embeddedReader.once.Do(func() {
		base, err := Builtin()
		if err != nil {
			embeddedReader.err = err
			return
		}
		embeddedReader.reader, embeddedReader.err = ReadReader(readerWeights, base)
	})
	return embeddedReader.reader, embeddedReader.err
}

// ReaderMagic is the beginning of a file with a reader. The length of the header (32 bits,
// little-endian), the header as JSON, the layers, the weights of the head and its bias
// follow.
const ReaderMagic = "VIGRDR1\n"

// ReaderHeader describes a file with a reader.
type ReaderHeader struct {
	Made   string // command that wrote the file
	Base   string // SHA-256 of the file of the model whose pieces and positions it uses
	Layers int
	Tokens int // pieces of question and text together, with the marks between them
}

// Reader reads a question and a text together and says how well the text answers: a
// cross-encoder (Nogueira and Cho, « Passage Re-ranking with BERT », 2019). It begins with
// the vectors of pieces of a model. It may be used by several goroutines at once.
type Reader struct {
	ReaderHeader
	base   *Model
	layers []layer
	head   []float32 // for the mean of the tokens, then for the first token
	bias   float32

	first time.Duration // pace of a text when nothing else was read; 0: not measured

	mu        sync.Mutex
	questions int // that are read at the moment
	texts     int // that these may still be read with
	pace      time.Duration
	measured  time.Time // when pace was
}

// ReadReader reads the bytes of a file. base is the model that the reader was learned
// from; the reader keeps it, and a part of data, which must not be changed afterwards.
func ReadReader(data []byte, base *Model) (*Reader, error) {
	data, ok := bytes.CutPrefix(data, []byte(ReaderMagic))
	if !ok || len(data) < 4 {
		return nil, errors.New("transformer: not a file with a reader")
	}
	n := uint64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > uint64(len(data)) {
		return nil, errShort
	}
	x := &Reader{base: base}
	if err := json.Unmarshal(data[:n], &x.ReaderHeader); err != nil {
		return nil, fmt.Errorf("transformer: the header of the reader: %w", err)
	}
	if x.Layers < 1 || x.Layers > most || x.Tokens < 8 || x.Tokens > base.Positions {
		return nil, fmt.Errorf("transformer: a reader of %d layers and %d tokens", x.Layers, x.Tokens)
	}
	r, h := &reader{data: data[n:]}, base.Hidden
	if got, want := len(r.data), x.Layers*base.layerSize()+4*(2*h+1); got != want {
		return nil, fmt.Errorf("transformer: %d bytes of weights of a reader, not %d", got, want)
	}
	for range x.Layers {
		x.layers = append(x.layers, r.layer(&base.Shape))
	}
	x.head, x.bias = r.floats(2*h), r.floats(1)[0]
	return x, nil
}

// Asked is a question as a reader reads it.
type Asked []int32

// Ask returns the pieces of a question; of a long one the first, which take a third of the tokens.
func (x *Reader) Ask(question string) Asked {
	ids := x.base.Pieces.Of("query: " + question)
	return ids[:min(len(ids), x.Tokens/3)]
}

// Score returns how well a text answers a question: the difference to 0, which stands for
// « nothing answers », on the scale of a softmax. Pieces beyond the reader's number of
// tokens are ignored. The error is that of ctx.
func (x *Reader) Score(ctx context.Context, asked Asked, text string) (float32, error) {
	m := x.base
	ids := m.Pieces.Of("passage: " + text)
	ids = ids[:min(len(ids), x.Tokens-3-len(asked))]
	tokens := make([]int32, 0, x.Tokens)
	tokens = append(append(tokens, int32(m.Pieces.Begin)), asked...)
	tokens = append(append(tokens, int32(m.Pieces.End)), ids...)
	tokens = append(tokens, int32(m.Pieces.End))
	w, err := m.run(ctx, x.layers, tokens)
	defer m.rooms.Put(w)
	if err != nil {
		return 0, err
	}
	h, sum := m.Hidden, 0.0
	for i := range h {
		mean := 0.0
		for t := range tokens {
			mean += float64(w.x[t*h+i])
		}
		sum += float64(x.head[i])*mean/float64(len(tokens)) + float64(x.head[h+i])*float64(w.x[i])
	}
	return float32(sum) + x.bias, nil
}

const (
	// leastRead is the number of texts that a question is read with if the time allows, however many questions are read.
	leastRead = 4
	// paceLife is the time after which a pace that nothing has confirmed is taken for half.
	paceLife = 2 * time.Second
)

// Measure measures the pace of a text of the usual length. It is called before the first Begin.
func (x *Reader) Measure() {
	words := strings.Repeat("mot ", x.Tokens)
	for range 2 { // the first one also makes the workspace
		began := time.Now()
		_, _ = x.Score(context.Background(), x.Ask(words), words) // the context never ends
		x.first = time.Since(began)
	}
	x.learn(x.first, true)
}

// Begin begins to read a question with at most n texts until ctx ends, and returns how many it may be read
// with, a function that scores texts on all cores, the first ones if ctx ends before the others are scored, and
// one that ends the reading. A question gets no more texts than can be read by the deadline of ctx at the
// pace of the last texts, beside those that others may be read with. While several questions are
// read, each gets its share, which may be none: an answer from fewer articles comes sooner
// than one that waits.
func (x *Reader) Begin(ctx context.Context, question string, n int) (limit int, score func(texts []string) []float32, end func()) {
	left := time.Duration(-1)
	if deadline, ok := ctx.Deadline(); ok {
		left = max(0, time.Until(deadline))
	}
	limit = x.admit(n, left)
	asked := x.Ask(question)
	score = func(texts []string) []float32 {
		scores, made := make([]float32, len(texts)), make([]bool, len(texts)+1)
		parallel.Each(len(texts), func(i int) {
			began := time.Now()
			var err error
			scores[i], err = x.Score(ctx, asked, texts[i])
			made[i] = err == nil
			x.learn(time.Since(began), made[i])
		})
		return scores[:slices.Index(made, false)]
	}
	return limit, score, func() { x.release(limit) }
}

// learn records how long a text took, or how long it was read in vain.
func (x *Reader) learn(took time.Duration, read bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if read || took > x.pace {
		x.pace, x.measured = took, time.Now()
	}
}

// admit returns how many of n texts a question may be read with in the time that is left (negative: no limit), and counts them.
func (x *Reader) admit(n int, left time.Duration) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.questions++
	limit := n
	// The pace was measured while other questions and processes worked, so it includes what they cost.
	pace := max(x.first, x.pace>>min(62, time.Since(x.measured)/paceLife))
	if left >= 0 && pace > 0 {
		limit = min(n, max(0, int(time.Duration(runtime.GOMAXPROCS(0))*left/pace)-x.texts))
	}
	if x.questions > 1 {
		limit = min(limit, max(leastRead, n/x.questions))
	}
	x.texts += limit
	return limit
}

func (x *Reader) release(texts int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.questions--
	x.texts -= texts
}
