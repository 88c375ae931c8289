package main

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/flat"
	"vigueur/internal/judge"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/internal/vector"
)

// fixed is a corpus that never changes, read from files: a flat.Source, and
// a flat.VectorSource once its vectors are made.
type fixed struct {
	rows  []postgres.IndexRow
	names map[uuid.UUID]string // article -> its name in the files
	// vectors of the passages, in their order; nil without an embedder.
	vectors [][]byte
}

func newFixed() *fixed { return &fixed{names: make(map[uuid.UUID]string)} }

// partLimit is the length in bytes at which a long article is cut into passages,
// between paragraphs, as gazettes' articles are.
const partLimit = 1200

// read takes a file of articles in as one text; mark goes before their names.
func (c *fixed) read(path, mark string) error {
	doc := uuid.NewSHA1(uuid.Nil, []byte(path))
	return judge.Corpus(path, func(a judge.Article) {
		id := uuid.NewSHA1(doc, []byte(a.ID))
		c.names[id] = mark + a.ID
		for i, part := range parts(a.Text) {
			c.rows = append(c.rows, postgres.IndexRow{
				Passage: law.Passage{ID: uuid.NewSHA1(id, []byte{byte(i >> 8), byte(i)}), DocumentID: doc, ArticleID: id,
					Position: len(c.rows), Text: part},
				ArticleNumber: a.ID, Path: strings.Split(a.Title, " > "), Type: law.Code, Status: law.InForce,
				From: time.Unix(0, 0).UTC(),
			})
		}
	})
}

func parts(text string) (out []string) {
	part := ""
	for p := range strings.SplitSeq(text, "\n\n") {
		if part != "" && len(part)+len(p) > partLimit {
			out, part = append(out, part), ""
		}
		if part != "" {
			part += "\n"
		}
		part += p
	}
	return append(out, part)
}

// ranked gives the names of the hits' articles, each once.
func (c *fixed) ranked(hits []flat.Hit) (out []string) {
	seen := make(map[uuid.UUID]bool)
	for _, h := range hits {
		if !seen[h.ArticleID] {
			seen[h.ArticleID] = true
			out = append(out, c.names[h.ArticleID])
		}
	}
	return out
}

func (c *fixed) CatalogueVersion(context.Context) (int64, error) { return 1, nil }

func (c *fixed) Changes(_ context.Context, after int64) ([]uuid.UUID, int64, error) {
	return nil, after, nil
}

func (c *fixed) Listen(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

func (c *fixed) IndexRows(_ context.Context, _ []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, r := range c.rows {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

// generation is what the vectors of a corpus belong to.
var generation = uuid.NewSHA1(uuid.Nil, []byte("corpus"))

func (c *fixed) VectorRows(_ context.Context, _ []uuid.UUID, yield func(postgres.VectorRow) error) error {
	for i, packed := range c.vectors {
		p := c.rows[i].Passage
		if err := yield(postgres.VectorRow{Generation: generation, DocumentID: p.DocumentID, PassageID: p.ID, Packed: packed}); err != nil {
			return err
		}
	}
	return nil
}

// unpacked gives the vectors by passage, and how many coordinates they have; none
// where the corpus has no vectors.
func (c *fixed) unpacked() (vectors map[uuid.UUID][][]float32, dimensions int, err error) {
	vectors = make(map[uuid.UUID][][]float32, len(c.vectors))
	for i, packed := range c.vectors {
		of, err := vector.Unpack(packed)
		if err != nil {
			return nil, 0, err
		}
		if len(of) > 0 {
			dimensions = len(of[0])
		}
		vectors[c.rows[i].Passage.ID] = of
	}
	return vectors, dimensions, nil
}
