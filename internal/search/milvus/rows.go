package milvus

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/search/memindex"
	"vigueur/internal/store/postgres"
)

// Row is a passage as stored.
type Row struct {
	postgres.IndexRow
	memindex.Weighed
	Vectors [][]float32
	Lacking bool // its vectors are still missing
}

// Rows returns the rows of passages, which must be grouped by text. vectors holds the
// vectors of the collection's generation by passage; a passage that is not in it lacks its
// vectors.
func (c Collection) Rows(of []postgres.IndexRow, vectors map[uuid.UUID][][]float32) []Row {
	out := make([]Row, len(of))
	for i, w := range memindex.Weigh(of, c.Average) {
		v, there := vectors[w.PassageID]
		if c.Dimensions == 0 {
			v = nil
		}
		out[i] = Row{IndexRow: of[i], Weighed: w, Vectors: v, Lacking: !there && c.Dimensions > 0}
	}
	return out
}

// Limits of one write.
const (
	writeRows = 500
	writeTime = 30 * time.Second
)

// Replace replaces the rows of the given texts that were made from an earlier version of
// the catalogue by rows; a text without rows is deleted. It is idempotent. New rows are
// written before old ones are deleted, so that a text can always be found; ids are derived
// from the passages, so that concurrent writes of the same text store it once.
func (s *Store) Replace(ctx context.Context, in Collection, version int64, documents []uuid.UUID, rows []Row) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	var part columns
	for _, r := range rows {
		for i := range max(1, len(r.Vectors)) {
			part.add(r, i, version, in.Dimensions)
			if len(part.ids) == writeRows {
				if err := part.write(ctx, c, in.Name); err != nil {
					return err
				}
				part = columns{}
			}
		}
	}
	if err := part.write(ctx, c, in.Name); err != nil || len(documents) == 0 {
		return err
	}
	if err := within(ctx, func(ctx context.Context) error { return c.Delete(ctx, in.Name, "", before(documents, version)) }); err != nil {
		return unavailable("delete", err)
	}
	return nil
}

func within(ctx context.Context, write func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return write(ctx)
}

// columns are rows in Milvus's column format.
type columns struct {
	ids, passages, documents, domains, types, statuses, countries, counts []string
	from, to, versions, places                                            []int64
	words                                                                 []entity.SparseEmbedding
	vectors                                                               [][]float32
}

// rowID returns the id of row i of a passage.
func rowID(passage uuid.UUID, i int) string { return fmt.Sprintf("%s:%d", passage, i) }

// nowhere is a coordinate that no term has: it is used for a row without words, because
// Milvus rejects empty sparse vectors.
const nowhere = 0

// add appends row i of a passage.
func (c *columns) add(r Row, i int, version int64, dimensions int) {
	to, place, counts, words := int64(math.MaxInt32), int64(i), "", memindex.Sparse{}
	if r.To != nil {
		to = days(*r.To)
	}
	if i == 0 {
		counts, words = r.Counts, r.Words
	}
	vector := make([]float32, dimensions)
	switch {
	case r.Lacking:
		place = placeLacking
	case len(r.Vectors) == 0:
		place = placeNone
	default:
		vector = r.Vectors[i]
	}
	c.ids, c.counts = append(c.ids, rowID(r.Passage.ID, i)), append(c.counts, counts)
	c.passages, c.documents = append(c.passages, r.Passage.ID.String()), append(c.documents, r.Passage.DocumentID.String())
	c.domains, c.types, c.statuses = append(c.domains, r.Domain), append(c.types, string(r.Type)), append(c.statuses, string(r.Status))
	c.countries = append(c.countries, countries(r.Weighed.Countries))
	c.from, c.to = append(c.from, days(r.From)), append(c.to, to)
	c.versions, c.places = append(c.versions, version), append(c.places, place)
	c.words, c.vectors = append(c.words, embedding(words)), append(c.vectors, vector)
}

func embedding(s memindex.Sparse) entity.SparseEmbedding {
	if len(s.Terms) == 0 {
		s = memindex.Sparse{Terms: []uint32{nowhere}, Values: []float32{1}}
	}
	e, err := entity.NewSliceSparseEmbedding(s.Terms, s.Values)
	if err != nil {
		panic(err) // equally many terms and values, by construction
	}
	return e
}

func (c *columns) write(ctx context.Context, to client.Client, name string) error {
	if len(c.ids) == 0 {
		return nil
	}
	all := []entity.Column{
		entity.NewColumnVarChar(fieldID, c.ids), entity.NewColumnVarChar(fieldPassage, c.passages),
		entity.NewColumnVarChar(fieldDocument, c.documents), entity.NewColumnVarChar(fieldDomain, c.domains),
		entity.NewColumnVarChar(fieldType, c.types), entity.NewColumnVarChar(fieldStatus, c.statuses), entity.NewColumnVarChar(fieldCountries, c.countries),
		entity.NewColumnInt64(fieldFrom, c.from), entity.NewColumnInt64(fieldTo, c.to),
		entity.NewColumnInt64(fieldVersion, c.versions), entity.NewColumnInt64(fieldPlace, c.places),
		entity.NewColumnVarChar(fieldCounts, c.counts), entity.NewColumnSparseVectors(fieldWords, c.words),
	}
	if n := len(c.vectors[0]); n > 0 {
		all = append(all, entity.NewColumnFloatVector(fieldVector, n, c.vectors))
	}
	err := within(ctx, func(ctx context.Context) error {
		_, err := to.Upsert(ctx, name, "", all...)
		return err
	})
	if err != nil {
		return unavailable("write", err)
	}
	return nil
}

// leaveMark writes the mark, which distinguishes an emptied collection from one of an empty
// catalogue, and contains the collection's parameters.
func (c Collection) leaveMark(ctx context.Context, to client.Client) error {
	var one columns
	one.mark(c)
	return one.write(ctx, to, c.Name)
}

func (c *columns) mark(of Collection) {
	says, err := json.Marshal(of)
	if err != nil {
		panic(err) // only numbers and strings
	}
	*c = columns{ids: []string{mark}, passages: []string{""}, documents: []string{""}, domains: []string{""}, types: []string{""},
		statuses: []string{""}, countries: []string{""}, counts: []string{string(says)}, from: []int64{math.MaxInt32}, to: []int64{0}, versions: []int64{math.MaxInt64},
		places: []int64{placeMark}, words: []entity.SparseEmbedding{embedding(memindex.Sparse{})}, vectors: [][]float32{make([]float32, of.Dimensions)}}
}
