package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"slices"
	"time"

	"vigueur/internal/answer"
	"vigueur/internal/config"
	"vigueur/internal/embedding"
	"vigueur/internal/errs"
	"vigueur/internal/flat"
	"vigueur/internal/llm"
	"vigueur/internal/retrieve"
	"vigueur/internal/vector"
)

// evalPatience is how long the embedder may be silent: nobody waits for a measure.
const evalPatience = 5 * time.Minute

// mean has answers searched by meaning too, as a worker with the same settings
// does it, but with more patience.
func (e *answering) mean(ctx context.Context, search *retrieve.Searcher, options *flat.Options) error {
	if e.words {
		return nil
	}
	settings, err := e.settings()
	if err != nil {
		return err
	}
	model, err := embedding.Configured(settings.Embedder, evalPatience)
	if err != nil {
		return err
	}
	asker := &embedding.Asker{
		Known:    &embedding.Known{Runner: &embedding.Runner{DB: e.db, Model: model, Log: slog.New(slog.DiscardHandler)}},
		Question: &embedding.Question{Embedder: model, Patience: evalPatience},
	}
	if _, err := asker.Known.ID(ctx); err != nil {
		return err // to measure the words alone instead would mislead
	}
	search.Meaning, options.Vectors = asker.Of, e.db
	return nil
}

// counted is a search that counts those that went by meaning too.
type counted struct {
	answer.Searcher
	meant *int
}

func (c *counted) Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error) {
	r, err := c.Searcher.Search(ctx, q)
	*c.meant += ones(r.Meant)
	return r, err
}

// embed makes the vectors of a corpus and of the questions asked of it.
func (f retrievalFiles) embed(ctx context.Context, c config.Embedder, corpus *fixed, questions []flat.Query) error {
	model, err := embedding.Configured(c, evalPatience)
	if err != nil {
		return err
	}
	if f.vectors != "" && c.EmbedderURL != "" { // the program's own are made as fast as they are read
		kept, err := openKept(ctx, f.vectors, model.Name, model.Embedder)
		if err != nil {
			return err
		}
		defer func() { _ = kept.file.Close() }()
		model.Embedder = kept
	}
	var texts []string
	counts := make([]int, len(corpus.rows))
	for i, r := range corpus.rows {
		chunks := model.Cut(r.Path, r.ArticleHeading, r.Passage.Text)
		counts[i] = len(chunks)
		texts = append(texts, chunks...)
	}
	for _, q := range questions {
		texts = append(texts, q.Text)
	}
	vectors, err := each(ctx, model, texts)
	if err != nil {
		return err
	}
	for _, n := range counts {
		made := slices.DeleteFunc(slices.Clone(vectors[:n]), func(v []float32) bool { return v == nil })
		corpus.vectors = append(corpus.vectors, vector.Pack(made))
		vectors = vectors[n:]
	}
	for i := range questions {
		questions[i].Vector, questions[i].Generation = vectors[i], generation
	}
	return nil
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
		return nil, usage("Le fichier %s ne peut pas être ouvert : %v", path, reason(err))
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

// reason is an error of the file system without the path, which was said.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
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
