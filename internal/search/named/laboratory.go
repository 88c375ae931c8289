package named

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// Memory is a Source of texts in memory, for judged questions and tests, which have no database. All its texts have
// current keys.
type Memory struct {
	texts  []postgres.NamedText // in the order of their ids
	all    []int                // their indexes
	keys   [][]string           // by text, in ascending order
	having map[string][]int     // by key, the texts that have it, in ascending order
}

// InMemory returns a source of the given texts, whose ids are different.
func InMemory(texts []postgres.NamedText) *Memory {
	m := &Memory{texts: slices.Clone(texts), having: make(map[string][]int)}
	slices.SortFunc(m.texts, func(a, b postgres.NamedText) int { return bytes.Compare(a.Document.ID[:], b.Document.ID[:]) })
	for i, t := range m.texts {
		m.all = append(m.all, i)
		keys := nameOf(t).Keys()
		m.keys = append(m.keys, keys)
		for _, k := range keys {
			m.having[k] = append(m.having[k], i)
		}
	}
	return m
}

// NamedBy returns the texts for each query, as (*postgres.DB).NamedBy does.
func (m *Memory) NamedBy(_ context.Context, queries ...postgres.NameQuery) ([][]postgres.NamedText, error) {
	found := make([][]postgres.NamedText, len(queries))
	for i, q := range queries {
		found[i] = m.matching(q, q.Most)
	}
	return found, nil
}

// FirstNamed returns the index of the first query that a text matches, as (*postgres.DB).FirstNamed does.
func (m *Memory) FirstNamed(_ context.Context, queries ...postgres.NameQuery) (int, error) {
	return slices.IndexFunc(queries, func(q postgres.NameQuery) bool { return len(m.matching(q, 1)) > 0 }), nil
}

// matching returns the texts that match a query, at most so many.
func (m *Memory) matching(q postgres.NameQuery, most int) (found []postgres.NamedText) {
	if q.Keys != postgres.KeysOfThis {
		return nil
	}
	choices := m.all
	for _, k := range q.All { // the rarest has the fewest
		if having := m.having[k]; len(having) < len(choices) {
			choices = having
		}
	}
	for _, i := range choices {
		has := func(key string) bool { _, ok := slices.BinarySearch(m.keys[i], key); return ok }
		lacks := func(key string) bool { return !has(key) }
		if !slices.ContainsFunc(q.All, lacks) && (len(q.Any) == 0 || slices.ContainsFunc(q.Any, has)) {
			if found = append(found, m.texts[i]); len(found) == most {
				break
			}
		}
	}
	return found
}

// TextsNamed returns the texts with the given ids, in the order of the ids.
func (m *Memory) TextsNamed(_ context.Context, ids []uuid.UUID) (found []postgres.NamedText, err error) {
	for _, t := range m.texts {
		if slices.Contains(ids, t.Document.ID) {
			found = append(found, t)
		}
	}
	return found, nil
}

// Behind returns nothing: all texts have current keys.
func (m *Memory) Behind(context.Context, int) (postgres.Behind, error) { return postgres.Behind{}, nil }
