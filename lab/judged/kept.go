package judged

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/search/vector"
	"vigueur/internal/work/embedding"
)

// Embed makes the vectors of all passages by a model, whichever it is: that of an
// outside server, too. With a file, what such a server made is kept there and taken
// from there the next time.
func (s *Set) Embed(ctx context.Context, model embedding.Model, file string) (v *Vectors, err error) {
	v = &Vectors{set: s, packed: make([][]byte, len(s.rows)), question: model.Asking()}
	if file != "" {
		kept, err := openKept(ctx, file, model.Name, model.Embedder)
		if err != nil {
			return nil, err
		}
		model.Embedder = kept
		if model.Questions == nil {
			v.question = kept
		}
	}
	var texts []string
	counts := make([]int, len(s.rows))
	for i := range s.rows {
		pieces := s.pieces(model, i)
		counts[i] = len(pieces)
		texts = append(texts, pieces...)
	}
	made, err := each(ctx, model.Embedder, texts)
	if err != nil {
		return nil, err
	}
	for i, n := range counts {
		v.packed[i] = vector.Pack(slices.DeleteFunc(slices.Clone(made[:n]), func(x []float32) bool { return x == nil }))
		made = made[n:]
	}
	return v, nil
}

// each embeds texts; one of which the model makes nothing has no vector.
func each(ctx context.Context, model llm.Embedder, texts []string) (vectors [][]float32, err error) {
	const together = 64
	for batch := range slices.Chunk(texts, together) {
		made, err := model.Embed(ctx, batch)
		switch {
		case err == nil:
			vectors = append(vectors, made...)
			continue
		case !errs.Is(err, errs.Unprocessable):
			return nil, err
		}
		for i := range batch {
			made, err := model.Embed(ctx, batch[i:i+1])
			switch {
			case err == nil:
				vectors = append(vectors, made[0])
			case errs.Is(err, errs.Unprocessable):
				vectors = append(vectors, nil)
			default:
				return nil, err
			}
		}
	}
	return vectors, nil
}

// kept is an embedder that keeps what it made in a file: records of the hash of a
// text, the number of coordinates, and these. The hash takes in the model and
// the vector that it makes of a known text, so that no other build's are taken.
type kept struct {
	llm.Embedder
	salt  []byte
	file  *os.File
	known map[[sha256.Size]byte][]float32
}

func openKept(ctx context.Context, path, model string, embedder llm.Embedder) (*kept, error) {
	probe, err := embedder.Embed(ctx, []string{model})
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the file of vectors: %w", err)
	}
	k := &kept{Embedder: embedder, salt: append([]byte(model), vector.Pack(probe)...), file: file, known: make(map[[sha256.Size]byte][]float32)}
	end, err := k.read()
	if err == nil {
		_, err = file.Seek(end, io.SeekStart) // over a record that was cut
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return k, nil
}

// mostCoordinates bounds a record: more is no vector.
const mostCoordinates = 1 << 14

// read takes the records in and gives the end of the last whole one.
func (k *kept) read() (end int64, err error) {
	r := bufio.NewReaderSize(k.file, 1<<20)
	for {
		var head struct {
			Hash [sha256.Size]byte
			N    uint32
		}
		if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
			return end, endOf(err)
		}
		if head.N == 0 || head.N > mostCoordinates {
			return end, nil
		}
		v := make([]float32, head.N)
		if err := binary.Read(r, binary.LittleEndian, v); err != nil {
			return end, endOf(err)
		}
		k.known[head.Hash] = v
		end += int64(binary.Size(head)) + 4*int64(head.N)
	}
}

// endOf is nil for a file that ended, in a record or behind one.
func endOf(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (k *kept) hash(text string) [sha256.Size]byte {
	return sha256.Sum256(append(k.salt[:len(k.salt):len(k.salt)], text...))
}

// Embed makes what is not kept, and keeps it.
func (k *kept) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var lacking []string
	for _, t := range texts {
		if k.known[k.hash(t)] == nil {
			lacking = append(lacking, t)
		}
	}
	if len(lacking) > 0 {
		made, err := k.Embedder.Embed(ctx, lacking)
		if err != nil {
			return nil, err
		}
		if err := k.keep(lacking, made); err != nil {
			return nil, err
		}
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = k.known[k.hash(t)]
	}
	return out, nil
}

func (k *kept) keep(texts []string, vectors [][]float32) error {
	var b []byte
	for i, v := range vectors {
		hash := k.hash(texts[i])
		k.known[hash] = v
		b = append(b, hash[:]...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	_, err := k.file.Write(b)
	return err
}
