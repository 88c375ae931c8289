package milvus

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus/milvustest"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
)

const dimensions = 32

var generation = uuid.NewSHA1(uuid.Nil, []byte("generation"))

// catalogue is a catalogue in memory, from which both Milvus and the index that it is
// compared with are filled.
type catalogue struct {
	rows    map[uuid.UUID][]postgres.IndexRow
	vectors map[uuid.UUID][][]float32
	order   []uuid.UUID
	changes []uuid.UUID
}

func (c *catalogue) CatalogueVersion(context.Context) (int64, error) {
	return int64(len(c.changes)), nil
}
func (c *catalogue) Changes(_ context.Context, cursor int64) ([]uuid.UUID, int64, error) {
	return c.changes[cursor:], int64(len(c.changes)), nil
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
		if _, made := c.vectors[r.Passage.ID]; !made {
			return nil
		}
		return yield(postgres.VectorRow{Generation: generation, DocumentID: r.Passage.DocumentID, PassageID: r.Passage.ID,
			Packed: vector.Pack(c.vectors[r.Passage.ID])})
	})
}

// unpacked returns the vectors of texts for Milvus. They are unpacked from the stored ones,
// so that both indexes have the same values.
func (c *catalogue) unpacked(t testing.TB, documents ...uuid.UUID) map[uuid.UUID][][]float32 {
	t.Helper()
	out := make(map[uuid.UUID][][]float32)
	for _, d := range documents {
		for _, r := range c.rows[d] {
			v, err := vector.Unpack(vector.Pack(c.vectors[r.Passage.ID]))
			ok(t, err)
			if _, made := c.vectors[r.Passage.ID]; made {
				out[r.Passage.ID] = v
			}
		}
	}
	return out
}

// replace updates the given texts in a collection.
func (c *catalogue) replace(t testing.TB, s *Store, collection Collection, documents ...uuid.UUID) error {
	t.Helper()
	var rows []postgres.IndexRow
	for _, d := range documents {
		rows = append(rows, c.rows[d]...)
	}
	return s.Replace(t.Context(), collection, int64(len(c.changes)), documents, collection.Rows(rows, c.unpacked(t, documents...)))
}

func storeOf(t testing.TB, m *milvustest.Server) *Store {
	t.Helper()
	s := &Store{Address: m.Address, Patience: time.Minute}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func ok(t testing.TB, err error) {
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

// hostile is a domain that would end an unescaped literal.
const hostile = `x" or document != "\’`

func made(r *rand.Rand, texts, passages int) *catalogue {
	c := &catalogue{rows: make(map[uuid.UUID][]postgres.IndexRow), vectors: make(map[uuid.UUID][][]float32)}
	of := [][]string{nil, {"bf"}, {"ml", "cm"}, {"ohada"}}
	domains, types, statuses := []string{"travail", "fiscal", hostile}, []law.DocType{law.Loi, law.Decret}, []law.Status{law.InForce, law.Amended, law.Repealed}
	for d := range texts {
		id := uuid.NewSHA1(generation, fmt.Append(nil, d))
		c.order = append(c.order, id)
		for p := range passages {
			row := postgres.IndexRow{Passage: law.Passage{ID: uuid.NewSHA1(id, fmt.Append(nil, p)), DocumentID: id, ArticleID: id, Position: p, Text: spoken(r, 5+r.IntN(40))},
				ArticleNumber: fmt.Sprint(p + 1), ArticleHeading: spoken(r, 3), Path: []string{spoken(r, 2), spoken(r, 2)}, Title: "Loi " + spoken(r, 2), Domain: domains[d%3], Countries: of[d%4], Type: types[d%2], Status: statuses[d/2%3], From: time.Date(2000+d%20, 1, 1, 0, 0, 0, 0, time.UTC)}
			if d%4 == 0 {
				end := row.From.AddDate(5, 0, 0)
				row.To = &end
			}
			c.rows[id] = append(c.rows[id], row)
			c.vectors[row.Passage.ID] = nil // some passages have no vector
			for range p % 4 {
				c.vectors[row.Passage.ID] = append(c.vectors[row.Passage.ID], random(r))
			}
		}
	}
	slices.SortFunc(c.order, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return c
}

// filters returns searches with every kind of filter.
func (c *catalogue) filters() map[string]memindex.Query {
	return map[string]memindex.Query{
		"none": {}, "domain": {Filters: law.Filters{Domain: "fiscal"}}, "hostile domain": {Filters: law.Filters{Domain: hostile}},
		"unknown domain": {Filters: law.Filters{Domain: `fiscal" or "1" == "1`}}, "type": {Filters: law.Filters{Type: law.Decret}},
		"status": {Filters: law.Filters{Status: law.Repealed}}, "repealed too": {Repealed: true},
		"text": {Filters: law.Filters{DocumentID: &c.order[3]}, Repealed: true}, "day": {Day: time.Date(2007, 3, 1, 0, 0, 0, 0, time.UTC), Repealed: true},
		"country": {Filters: law.Filters{Country: "ml"}, Countries: []country.Code{"ml"}}, "country without law": {Filters: law.Filters{Country: "fr"}, Countries: []country.Code{"fr"}},
		"all": {Filters: law.Filters{Domain: "travail", Type: law.Loi}, Day: time.Date(2012, 3, 1, 0, 0, 0, 0, time.UTC)},
	}
}

var words = func() (list []string) {
	for _, w := range strings.Fields("licenciement préavis congé salaire employeur contrat prime grève retraite cotisation indemnité tribunal délai bail") {
		list = append(list, w, w+"s", w+"aire", "re"+w, strings.Replace(w, "e", "a", 1))
	}
	return list
}()

// spoken returns n random words, the first of which are frequent.
func spoken(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(words[r.IntN(1+r.IntN(len(words)))] + " ")
	}
	return b.String()
}

// both searches one catalogue in Milvus and in the index in memory.
type both struct {
	memory *memindex.Index
	milvus *Index
	*catalogue
	*rand.Rand
}

func (c *catalogue) both(t testing.TB, s *Store, r *rand.Rand) both {
	t.Helper()
	x, err := memindex.Open(t.Context(), memindex.Options{Source: c, Vectors: c})
	ok(t, err)
	register, err := memindex.Open(t.Context(), memindex.Options{Source: c, Register: true})
	ok(t, err)
	return both{x, &Index{Store: s, Register: register}, c, r}
}

func (b both) update(t *testing.T) {
	t.Helper()
	ok(t, b.memory.Update(t.Context()))
	ok(t, b.milvus.Register.Update(t.Context()))
}

// same checks that both find the same ten passages in the same order, except for those
// whose scores are equal within the precision of a dot product.
func (b both) same(t *testing.T, moment string, meant bool) {
	t.Helper()
	for name, q := range b.filters() {
		// only one, because Milvus Lite is slow by words
		text := []string{spoken(b.Rand, 1), spoken(b.Rand, 6), "rien de tout cela"}[b.IntN(3)]
		q.Text, q.Vector, q.Generation, q.Limit = text, random(b.Rand), generation, 80
		want := b.memory.Search(q)
		got, err := b.milvus.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("%s, %s: %v", moment, name, err)
		}
		if len(got) != len(want) && len(want) < 80 {
			t.Errorf("%s, %s: Milvus finds %d, the index %d", moment, name, len(got), len(want))
		}
		for i := range min(10, len(got), len(want)) {
			if got[i].PassageID != want[i].PassageID && math.Abs(got[i].Score-want[i].Score) > neighboring {
				t.Errorf("%s, %s: hit %d is %v in Milvus, %v in the index", moment, name, i, got[i], want[i])
			}
			if got[i].Semantic != meant || want[i].Semantic != meant {
				t.Errorf("%s, %s: found by meaning in Milvus: %v, in the index: %v", moment, name, got[i].Semantic, want[i].Semantic)
			}
		}
		if (name == "unknown domain") != (len(got) == 0) && (meant || text != "rien de tout cela") {
			t.Errorf("%s, %s: %d passages", moment, name, len(got))
		}
	}
}

// neighboring is the maximum difference of the scores (log odds) of two hits whose order
// Milvus and the index may swap. The cosines of Milvus have the precision of floats, those
// of the index that of bytes, so passages with nearly equal cosines may swap ranks. A rank
// is a feature whose weight is a tenth to a sixth, times at most log 2.
const neighboring = 0.15

// answers waits until Milvus can be reached again.
func (b both) answers(t *testing.T) {
	t.Helper()
	for range 1200 {
		if _, err := b.milvus.Search(t.Context(), memindex.Query{Text: "salaire", Limit: 5}); err == nil {
			return
		} else if !errs.Is(err, errs.Unavailable) || Lost(err) {
			t.Fatal(err)
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Fatal("Milvus is not reached again")
}

func TestMilvusFindsWhatTheIndexFinds(t *testing.T) {
	t.Parallel()
	m := milvustest.Start(t)
	r := rand.New(rand.NewPCG(3, 4))
	c := made(r, 24, 12)
	s := storeOf(t, m)
	b := c.both(t, s, r)
	if _, err := s.Searched(t.Context()); !Lost(err) || !errs.Is(err, errs.Unavailable) {
		t.Fatalf("before the first collection: %v", err)
	}
	first := Collection{Generation: generation, Dimensions: dimensions, Average: b.milvus.Register.Average()}
	collection, err := s.Begin(t.Context(), first)
	ok(t, err)
	ok(t, c.replace(t, s, collection, c.order...))
	ok(t, s.Publish(t.Context(), collection))
	b.same(t, "at first", true)

	// One text is deleted, another has changed, a third lacks its vectors.
	gone, changed, waits := c.order[0], c.order[1], c.order[2]
	delete(c.rows, gone)
	for i := range c.rows[changed] {
		c.rows[changed][i].Status = law.Repealed
	}
	c.rows[changed] = c.rows[changed][:5]
	vectors := c.vectors[c.rows[waits][0].Passage.ID]
	delete(c.vectors, c.rows[waits][0].Passage.ID)
	c.changes = append(c.changes, gone, changed, waits)
	b.update(t)
	// Two workers write the same concurrently.
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			if err := c.replace(t, s, collection, gone, changed, waits); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	b.sameButMeaning(t, waits)
	c.vectors[c.rows[waits][0].Passage.ID] = vectors
	c.changes = append(c.changes, waits)
	b.update(t)
	ok(t, c.replace(t, s, collection, waits))
	ok(t, c.replace(t, s, collection, waits)) // repeating it changes nothing
	b.same(t, "after changes", true)
	all := 0
	for _, rows := range c.rows {
		all += len(rows)
	}
	if n, err := s.Passages(t.Context()); err != nil || n != all {
		t.Errorf("%d passages of %d, %v", n, all, err)
	}

	m.Stop(t)
	s.Patience = time.Second
	if _, err := b.milvus.Search(t.Context(), memindex.Query{Text: "salaire", Limit: 5}); !errs.Is(err, errs.Unavailable) || Lost(err) {
		t.Errorf("stopped: %v", err)
	}
	m.Start(t)
	s.Patience = 10 * time.Second
	b.answers(t)
	s.Patience = time.Minute
	b.same(t, "started again", true)

	// Milvus hangs.
	m.Signal(t, syscall.SIGSTOP)
	s.Patience = time.Second
	began := time.Now()
	if _, err := b.milvus.Search(t.Context(), memindex.Query{Text: "salaire", Limit: 5}); !errs.Is(err, errs.Unavailable) || Lost(err) || time.Since(began) > time.Minute {
		t.Errorf("hanging: %v after %v", err, time.Since(began))
	}
	m.Signal(t, syscall.SIGCONT)
	s.Patience = time.Minute

	// A collection without vectors replaces it, and is then emptied.
	next, err := s.Begin(t.Context(), Collection{Average: 10})
	ok(t, err)
	ok(t, c.replace(t, s, next, c.order...))
	ok(t, s.Publish(t.Context(), next))
	b.memory, err = memindex.Open(t.Context(), memindex.Options{Source: c})
	ok(t, err)
	b.same(t, "by words alone", false)
	client, err := s.connect(t.Context())
	ok(t, err)
	if has, err := client.HasCollection(t.Context(), collection.Name); err != nil || has {
		t.Errorf("the old collection is there: %v, %v", has, err)
	}
	ok(t, client.Delete(t.Context(), next.Name, "", fieldVersion+" >= 0"))
	var told error
	b.milvus.Lost = func(_ context.Context, why error) { told = why }
	if hits, err := b.milvus.Search(t.Context(), memindex.Query{Text: "salaire", Limit: 5}); !Lost(err) || told == nil {
		t.Errorf("emptied: %d hits, %v, told %v", len(hits), err, told)
	}
	ok(t, client.DropAlias(t.Context(), s.alias()))
	ok(t, s.Drop(t.Context(), next))
	if hits, err := b.milvus.Search(t.Context(), memindex.Query{Text: "salaire", Limit: 5}); !Lost(err) {
		t.Errorf("dropped: %d hits, %v", len(hits), err)
	}
	b.anotherSchema(t, s, client)
}

// sameButMeaning checks that searches that could find a text without vectors use words
// only, and that other searches use meaning, too.
func (b both) sameButMeaning(t *testing.T, waits uuid.UUID) {
	t.Helper()
	for _, d := range []uuid.UUID{waits, b.order[5]} {
		q := memindex.Query{Text: "salaire contrat", Filters: law.Filters{DocumentID: &d}, Repealed: true, Vector: random(b.Rand), Generation: generation, Limit: 10}
		want := b.memory.Search(q)
		got, err := b.milvus.Search(t.Context(), q)
		if err != nil || len(got) == 0 || len(got) != len(want) || got[0].Semantic != want[0].Semantic || got[0].Semantic != (d != waits) {
			t.Errorf("text %v: %d hits, %v; in the index %d", d, len(got), err, len(want))
		}
	}
}

// anotherSchema points the alias to a foreign collection.
func (b both) anotherSchema(t *testing.T, s *Store, to client.Client) {
	t.Helper()
	stranger := entity.NewSchema().WithName("other").
		WithField(entity.NewField().WithName("key").WithDataType(entity.FieldTypeInt64).WithIsPrimaryKey(true)).
		WithField(entity.NewField().WithName(fieldWords).WithDataType(entity.FieldTypeSparseVector))
	for name, schema := range map[string]*entity.Schema{"somebody else's": stranger, "without vectors": Collection{Name: "other"}.schema()} {
		other := Collection{Name: "other", Form: form}
		ok(t, to.CreateCollection(t.Context(), schema, 1))
		ok(t, other.index(t.Context(), to))
		ok(t, to.LoadCollection(t.Context(), other.Name, false))
		if schema != stranger {
			says := other
			says.Dimensions = dimensions
			marked := columns{}
			marked.mark(says)
			marked.vectors = [][]float32{{}}
			ok(t, marked.write(t.Context(), to, other.Name))
		}
		ok(t, to.CreateAlias(t.Context(), other.Name, s.alias()))
		if hits, err := b.milvus.Search(t.Context(), memindex.Query{Text: "salaire", Limit: 5}); !Lost(err) {
			t.Errorf("%s: %d hits, %v", name, len(hits), err)
		}
		ok(t, to.DropAlias(t.Context(), s.alias()))
		ok(t, s.Drop(t.Context(), other))
	}
}
