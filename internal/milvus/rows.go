package milvus

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/errs"
	"vigueur/internal/law"
)

// Row is one passage with its vectors.
type Row struct {
	PassageID  uuid.UUID
	DocumentID uuid.UUID
	Domain     string
	Type       law.DocType
	Status     law.Status
	From       time.Time  // first day it is law
	To         *time.Time // first day it is no longer; nil: it still is
	Vectors    [][]float32
}

// Each write holds so many vectors at most, and takes so long.
const (
	writeRows = 500
	writeTime = 30 * time.Second
)

// Replace puts the rows of the given texts in the place of what a generation had
// of them; a text without rows is gone. Doing it twice changes nothing. The ids
// follow from the passages, so that two workers that write the same text leave
// it once.
func (s *Store) Replace(ctx context.Context, generation uuid.UUID, documents []uuid.UUID, rows []Row) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	name := s.collection(generation)
	if len(documents) > 0 {
		if err := written(ctx, func(ctx context.Context) error { return c.Delete(ctx, name, "", among(documents)) }); err != nil {
			return unavailable("delete", err)
		}
	}
	var part columns
	for _, r := range rows {
		for i, v := range r.Vectors {
			part.add(r, i, v)
			if len(part.ids) == writeRows {
				if err := part.write(ctx, c, name); err != nil {
					return err
				}
				part = columns{}
			}
		}
	}
	return part.write(ctx, c, name)
}

func written(ctx context.Context, write func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return write(ctx)
}

// columns are rows as Milvus takes them.
type columns struct {
	ids, passages, documents, domains, types, statuses []string
	from, to                                           []int64
	vectors                                            [][]float32
}

func (c *columns) add(r Row, i int, v []float32) {
	to := int64(math.MaxInt32)
	if r.To != nil {
		to = days(*r.To)
	}
	c.ids = append(c.ids, fmt.Sprintf("%s:%d", r.PassageID, i))
	c.passages, c.documents = append(c.passages, r.PassageID.String()), append(c.documents, r.DocumentID.String())
	c.domains, c.types, c.statuses = append(c.domains, r.Domain), append(c.types, string(r.Type)), append(c.statuses, string(r.Status))
	c.from, c.to = append(c.from, days(r.From)), append(c.to, to)
	c.vectors = append(c.vectors, v)
}

func (c *columns) write(ctx context.Context, to client.Client, name string) error {
	if len(c.ids) == 0 {
		return nil
	}
	err := written(ctx, func(ctx context.Context) error {
		_, err := to.Upsert(ctx, name, "",
			entity.NewColumnVarChar(fieldID, c.ids), entity.NewColumnVarChar(fieldPassage, c.passages),
			entity.NewColumnVarChar(fieldDocument, c.documents), entity.NewColumnVarChar(fieldDomain, c.domains),
			entity.NewColumnVarChar(fieldType, c.types), entity.NewColumnVarChar(fieldStatus, c.statuses),
			entity.NewColumnInt64(fieldFrom, c.from), entity.NewColumnInt64(fieldTo, c.to),
			entity.NewColumnFloatVector(fieldVector, len(c.vectors[0]), c.vectors))
		return err
	})
	if err != nil {
		return unavailable("write", err)
	}
	return nil
}

// Query is one search.
type Query struct {
	Generation uuid.UUID
	Vector     []float32 // length 1
	Filters    law.Filters
	Day        time.Time // only what is law on that day; the zero time: whenever
	Repealed   bool      // texts whose status is repealed are found too
	Limit      int       // vectors looked at; a passage has one or more
}

// Neighbor is a passage found.
type Neighbor struct {
	PassageID uuid.UUID
	Cosine    float32
}

// Near gives the passages nearest to a query, the nearest first, each once. An
// error of kind errs.Unavailable says that the generation is not the one that is
// searched, or that Milvus did not answer in time.
func (s *Store) Near(ctx context.Context, q Query) ([]Neighbor, error) {
	c, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	how, err := entity.NewIndexHNSWSearchParam(max(q.Limit, width))
	if err != nil {
		return nil, err
	}
	found, err := c.Search(ctx, s.collection(q.Generation), nil, expression(q.Filters, q.Day, q.Repealed), []string{fieldPassage},
		[]entity.Vector{entity.FloatVector(q.Vector)}, fieldVector, entity.IP, q.Limit, how,
		client.WithSearchQueryConsistencyLevel(entity.ClStrong))
	if err != nil {
		return nil, unavailable("search", err)
	}
	if len(found) != 1 || found[0].Err != nil {
		return nil, errs.Wrap(errs.Unavailable, "", fmt.Errorf("milvus: search gave %d results", len(found)))
	}
	return neighbors(found[0])
}

// neighbors reads a result: each passage once, by its nearest vector.
func neighbors(found client.SearchResult) ([]Neighbor, error) {
	if found.ResultCount == 0 {
		return nil, nil
	}
	column := found.Fields.GetColumn(fieldPassage)
	if column == nil || column.Len() < found.ResultCount || len(found.Scores) < found.ResultCount {
		return nil, errs.Wrap(errs.Unavailable, "", fmt.Errorf("milvus: a result without its passages"))
	}
	seen := make(map[uuid.UUID]bool)
	var out []Neighbor
	for i := range found.ResultCount {
		text, err := column.GetAsString(i)
		if err != nil {
			return nil, unavailable("read", err)
		}
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, unavailable("read", err)
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, Neighbor{id, found.Scores[i]})
		}
	}
	return out, nil
}
