package milvus

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/search/memindex"
)

// hit is a found passage; some of its fields may be unknown.
type hit struct {
	passage  string
	id       uuid.UUID
	document uuid.UUID
	counts   string
	cosine   float32
}

type found []hit

// read reads a result. In a search by words, passages without any word of the question are
// left out.
func read(rows client.SearchResult, byMeaning bool) (found, error) {
	if rows.ResultCount == 0 {
		return nil, nil
	}
	c := columnsOf(rows.Fields)
	passages, err := c.texts(fieldPassage, rows.ResultCount)
	if err != nil {
		return nil, err
	}
	documents, err := c.texts(fieldDocument, rows.ResultCount)
	if err != nil {
		return nil, err
	}
	counts := make([]string, rows.ResultCount)
	if !byMeaning {
		if counts, err = c.texts(fieldCounts, rows.ResultCount); err != nil {
			return nil, err
		}
	}
	if len(rows.Scores) < rows.ResultCount {
		return nil, unavailable("read", fmt.Errorf("%d scores of %d rows", len(rows.Scores), rows.ResultCount))
	}
	var out found
	for i := range rows.ResultCount {
		if !byMeaning && rows.Scores[i] <= 0 {
			continue
		}
		h := hit{passage: passages[i], counts: counts[i], cosine: rows.Scores[i]}
		if h.id, err = parseID(passages[i]); err != nil {
			return nil, err
		}
		if h.document, err = parseID(documents[i]); err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

func parseID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, unavailable("read", err)
	}
	return id, nil
}

// once removes duplicate passages. It keeps the counts, which only one of a passage's rows
// has.
func (f found) once() (out found) {
	at := make(map[uuid.UUID]int, len(f))
	for _, h := range f {
		i, known := at[h.id]
		if !known {
			at[h.id] = len(out)
			out = append(out, h)
		} else if out[i].counts == "" {
			out[i].counts = h.counts
		}
	}
	return out
}

// fill sets the counts and the cosines of passages. The cosine of a passage is that of its
// nearest row, or -1.
func (f found) fill(cosines found, counts map[string]string) {
	best := make(map[uuid.UUID]float32, len(f))
	for _, h := range cosines {
		if old, known := best[h.id]; !known || h.cosine > old {
			best[h.id] = h.cosine
		}
	}
	for i := range f {
		f[i].cosine = -1
		if c, known := best[f[i].id]; known {
			f[i].cosine = c
		}
		if f[i].counts == "" {
			f[i].counts = counts[f[i].passage]
		}
	}
}

func (f found) candidates() []memindex.Candidate {
	out := make([]memindex.Candidate, len(f))
	for i, h := range f {
		out[i] = memindex.Candidate{PassageID: h.id, DocumentID: h.document, Counts: h.counts, Cosine: h.cosine}
	}
	return out
}

// columnsOf are the columns of a result.
type columnsOf client.ResultSet

// texts reads a column of n strings.
func (c columnsOf) texts(name string, n int) ([]string, error) {
	column, ok := client.ResultSet(c).GetColumn(name).(*entity.ColumnVarChar)
	if !ok || column.Len() < n {
		return nil, unavailable("read", fmt.Errorf("a result without its column %s", name))
	}
	return column.Data()[:n], nil
}

// pairs reads two columns as a map.
func (c columnsOf) pairs(key, value string) (map[string]string, error) {
	n := 0
	if column := client.ResultSet(c).GetColumn(key); column != nil {
		n = column.Len()
	}
	out := make(map[string]string, n)
	if n == 0 {
		return out, nil
	}
	keys, err := c.texts(key, n)
	if err != nil {
		return nil, err
	}
	values, err := c.texts(value, n)
	for i := range values {
		out[keys[i]] = values[i]
	}
	return out, err
}
