package milvus

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/flat"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/internal/vector"
)

const dimensions = 32

var generation = uuid.NewSHA1(uuid.Nil, []byte("generation"))

// catalogue is a catalogue in memory for the index that Milvus is compared with.
type catalogue struct {
	rows    map[uuid.UUID][]postgres.IndexRow
	vectors map[uuid.UUID][][]float32
	order   []uuid.UUID
	changes []uuid.UUID
}

func (c *catalogue) CatalogueVersion(context.Context) (int64, error) {
	return int64(len(c.changes)), nil
}
func (c *catalogue) Changes(_ context.Context, after int64) ([]uuid.UUID, int64, error) {
	return c.changes[after:], int64(len(c.changes)), nil
}
func (c *catalogue) Listen(ctx context.Context, _ func()) error { <-ctx.Done(); return ctx.Err() }
func (c *catalogue) IndexRows(_ context.Context, documents []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, d := range c.order {
		if documents == nil || slices.Contains(documents, d) {
			for _, r := range c.rows[d] {
				if err := yield(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
func (c *catalogue) VectorRows(ctx context.Context, documents []uuid.UUID, yield func(postgres.VectorRow) error) error {
	return c.IndexRows(ctx, documents, func(r postgres.IndexRow) error {
		return yield(postgres.VectorRow{Generation: generation, DocumentID: r.Passage.DocumentID, PassageID: r.Passage.ID,
			Packed: vector.Pack(c.vectors[r.Passage.ID])})
	})
}

// milvusRows are the rows of texts as Milvus gets them: of the packed vectors, so
// that both compare the same.
func (c *catalogue) milvusRows(t *testing.T, documents ...uuid.UUID) (rows []Row) {
	t.Helper()
	for _, d := range documents {
		for _, r := range c.rows[d] {
			v, err := vector.Unpack(vector.Pack(c.vectors[r.Passage.ID]))
			ok(t, err)
			rows = append(rows, Row{PassageID: r.Passage.ID, DocumentID: d, Domain: r.Domain, Type: r.Type, Status: r.Status, From: r.From, To: r.To, Vectors: v})
		}
	}
	return rows
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func random(r *rand.Rand) []float32 {
	v := make([]float32, dimensions)
	sum := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// hostile is a domain that would end a careless literal.
const hostile = `x" or document != "\’`

func made(r *rand.Rand, texts, passages int) *catalogue {
	c := &catalogue{rows: make(map[uuid.UUID][]postgres.IndexRow), vectors: make(map[uuid.UUID][][]float32)}
	domains, types, statuses := []string{"travail", "fiscal", hostile}, []law.DocType{law.Loi, law.Decret}, []law.Status{law.InForce, law.Amended, law.Repealed}
	for d := range texts {
		id := uuid.NewSHA1(generation, fmt.Append(nil, d))
		c.order = append(c.order, id)
		for p := range passages {
			row := postgres.IndexRow{Passage: law.Passage{ID: uuid.NewSHA1(id, fmt.Append(nil, p)), DocumentID: id, ArticleID: id, Position: p, Text: "Mot."},
				Title: "Loi", Domain: domains[d%3], Type: types[d%2], Status: statuses[d/2%3], From: time.Date(2000+d%20, 1, 1, 0, 0, 0, 0, time.UTC)}
			if d%4 == 0 {
				to := row.From.AddDate(5, 0, 0)
				row.To = &to
			}
			c.rows[id] = append(c.rows[id], row)
			for range 1 + p%3 {
				c.vectors[row.Passage.ID] = append(c.vectors[row.Passage.ID], random(r))
			}
		}
	}
	slices.SortFunc(c.order, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return c
}

// filters are searches that narrow in every way.
func (c *catalogue) filters() map[string]flat.Query {
	return map[string]flat.Query{
		"none": {}, "domain": {Filters: law.Filters{Domain: "fiscal"}}, "hostile domain": {Filters: law.Filters{Domain: hostile}},
		"unknown domain": {Filters: law.Filters{Domain: `fiscal" or "1" == "1`}}, "type": {Filters: law.Filters{Type: law.Decret}},
		"status": {Filters: law.Filters{Status: law.Repealed}}, "repealed too": {Repealed: true},
		"text": {Filters: law.Filters{DocumentID: &c.order[3]}, Repealed: true}, "day": {Day: time.Date(2007, 3, 1, 0, 0, 0, 0, time.UTC), Repealed: true},
		"all": {Filters: law.Filters{Domain: "travail", Type: law.Loi}, Day: time.Date(2012, 3, 1, 0, 0, 0, 0, time.UTC)},
	}
}

const limit = 200

// cosine is that of a passage's nearest vector.
func (c *catalogue) cosine(passage uuid.UUID, q []float32) float64 {
	best := -1.0
	for _, v := range c.vectors[passage] {
		sum := 0.0
		for i := range v {
			sum += float64(v[i]) * float64(q[i])
		}
		best = max(best, sum)
	}
	return best
}

// alike tells whether two rankings are the same but for passages that are as near
// as each other to the precision of the packing.
func (c *catalogue) alike(got, want []uuid.UUID, q []float32) bool {
	return slices.EqualFunc(got, want, func(a, b uuid.UUID) bool {
		return a == b || math.Abs(c.cosine(a, q)-c.cosine(b, q)) < 0.006
	})
}

// same holds that both find the same ten passages in the same order.
func same(t *testing.T, s *Store, x *flat.Index, c *catalogue, r *rand.Rand) {
	t.Helper()
	for name, q := range c.filters() {
		q.Vector, q.Generation, q.Limit = random(r), generation, 10
		near, err := s.Near(t.Context(), Query{Generation: generation, Vector: q.Vector, Filters: q.Filters, Day: q.Day, Repealed: q.Repealed, Limit: limit})
		ok(t, err)
		var want, got []uuid.UUID
		for _, h := range x.Search(q) {
			want = append(want, h.PassageID)
		}
		for _, n := range near[:min(len(near), len(want))] {
			got = append(got, n.PassageID)
		}
		if !c.alike(got, want, q.Vector) || len(want) < min(10, len(near)) {
			t.Errorf("%s: Milvus finds %d, the first %v; the index %v", name, len(near), got, want)
		}
		if (name == "unknown domain") != (len(near) == 0) {
			t.Errorf("%s: %d passages", name, len(near))
		}
	}
}

func TestMilvusFindsWhatTheIndexFinds(t *testing.T) {
	t.Parallel()
	m := startLite(t)
	r := rand.New(rand.NewPCG(3, 4))
	c := made(r, 24, 20)
	s := m.store(t)
	ok(t, s.Begin(t.Context(), generation, dimensions))
	ok(t, s.Begin(t.Context(), generation, dimensions)) // twice is once
	ok(t, s.Replace(t.Context(), generation, nil, c.milvusRows(t, c.order...)))
	ok(t, s.Publish(t.Context(), generation))
	x, err := flat.Open(t.Context(), flat.Options{Source: c, Vectors: c})
	ok(t, err)
	same(t, s, x, c, r)

	// A text is gone, another has changed.
	gone, changed := c.order[0], c.order[1]
	delete(c.rows, gone)
	for i := range c.rows[changed] {
		c.rows[changed][i].Status = law.Repealed
	}
	c.rows[changed] = c.rows[changed][:5]
	c.changes = append(c.changes, gone, changed)
	ok(t, x.Update(t.Context()))
	// Two workers write the same at the same time.
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			if err := s.Replace(t.Context(), generation, []uuid.UUID{gone, changed}, c.milvusRows(t, changed)); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	ok(t, s.Replace(t.Context(), generation, []uuid.UUID{gone, changed}, c.milvusRows(t, changed)))
	same(t, s, x, c, r)

	// It is stopped: an error within the patience; started again, all is there.
	m.stop(t)
	s.Patience = time.Second
	if _, err := s.Near(t.Context(), Query{Generation: generation, Vector: random(r), Limit: 5}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("stopped: %v", err)
	}
	m.start(t)
	again := m.store(t)
	ok(t, again.Begin(t.Context(), generation, dimensions))
	same(t, again, x, c, r)

	// It hangs.
	m.signal(t, syscall.SIGSTOP)
	again.Patience = time.Second
	began := time.Now()
	if _, err := again.Near(t.Context(), Query{Generation: generation, Vector: random(r), Limit: 5}); !errs.Is(err, errs.Unavailable) || time.Since(began) > 15*time.Second {
		t.Errorf("hanging: %v after %v", err, time.Since(began))
	}
	m.signal(t, syscall.SIGCONT)
	again.Patience = 20 * time.Second

	// Another generation takes its place; the old one is another schema's.
	next := uuid.NewSHA1(uuid.Nil, []byte("next"))
	ok(t, again.Begin(t.Context(), next, 4))
	ok(t, again.Publish(t.Context(), next))
	if near, err := again.Near(t.Context(), Query{Generation: next, Vector: []float32{1, 0, 0, 0}, Limit: 5}); err != nil || len(near) != 0 {
		t.Errorf("an empty one: %v, %v", near, err)
	}
	ok(t, again.Replace(t.Context(), next, nil, []Row{{PassageID: next, DocumentID: next, Vectors: [][]float32{{1, 0, 0, 0}}}}))
	if _, err := again.Near(t.Context(), Query{Generation: generation, Vector: random(r), Limit: 5}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a generation that is gone: %v", err)
	}
	if _, err := again.Near(t.Context(), Query{Generation: next, Vector: random(r), Limit: 5}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("another dimension: %v", err)
	}
	if near, err := again.Near(t.Context(), Query{Generation: next, Vector: []float32{1, 0, 0, 0}, Limit: 5}); err != nil || len(near) != 1 || near[0].PassageID != next {
		t.Errorf("the new one: %v, %v", near, err)
	}
}
