package memindex

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
)

// directions is a VectorSource in memory: passages with their vectors.
type directions struct {
	*catalogue
	generation uuid.UUID
	of         map[uuid.UUID][][]float32
	broken     int
}

func (d *directions) VectorRows(_ context.Context, documents []uuid.UUID, yield func(postgres.VectorRow) error) error {
	if d.broken > 0 {
		d.broken--
		return errors.New("down")
	}
	return d.IndexRows(context.Background(), documents, func(r postgres.IndexRow) error {
		v, ok := d.of[r.Passage.ID]
		if !ok {
			return nil
		}
		return yield(postgres.VectorRow{Generation: d.generation, DocumentID: r.Passage.DocumentID, PassageID: r.Passage.ID, Packed: vector.Pack(v)})
	})
}

func (d *directions) point(passage int, to ...[]float32) { d.of[id(passage)] = to }

// meant returns a catalogue of two texts with vectors along two axes, and its index.
func meant(t *testing.T) (*directions, *Index) {
	t.Helper()
	d := &directions{catalogue: newCatalogue(), generation: id(99), of: make(map[uuid.UUID][][]float32)}
	d.set(id(1), text(1, "Le meunier moud le grain.", "La farine est blanche.")...)
	d.set(id(2), text(2, "Le boulanger cuit le pain.")...)
	d.point(1000, []float32{1, 0})
	d.point(1001, []float32{0, 1}, []float32{0.6, 0.8})
	d.point(2000, []float32{0, 1})
	x, err := Open(t.Context(), Options{Source: d, Vectors: d})
	if err != nil {
		t.Fatal(err)
	}
	return d, x
}

func asked(v ...float32) Query {
	return Query{Text: "meunier", Limit: 10, Vector: v, Generation: id(99)}
}

func passagesOf(hits []Hit) (out []uuid.UUID) {
	for _, h := range hits {
		out = append(out, h.PassageID)
	}
	return out
}

func TestMeaningWithoutCommonWords(t *testing.T) {
	t.Parallel()
	_, x := meant(t)
	hits := x.Search(asked(1, 0))
	if len(hits) != 3 || !hits[0].Semantic || hits[0].PassageID != id(1000) {
		t.Fatalf("found %+v", hits)
	}
	if hits := x.Search(asked(0, 1)); len(hits) != 3 || !slices.Contains(passagesOf(hits), id(1000)) {
		t.Fatalf("what holds the word is not found when it is far: %+v", hits)
	}
	q := asked(0, 1)
	q.Text = "mitron"
	if hits := x.Search(q); len(hits) != 3 || hits[2].PassageID != id(1000) {
		t.Errorf("by meaning alone found %+v", hits)
	}
	q.Filters.DocumentID = new(id(2))
	if hits := x.Search(q); len(hits) != 1 || hits[0].PassageID != id(2000) {
		t.Errorf("in one text found %+v", hits)
	}
}

// Meaning counts only if every passage that the query allows has vectors of the query's generation.
func TestMeaningNeedsAllVectors(t *testing.T) {
	t.Parallel()
	d, x := meant(t)
	words := passagesOf(x.Search(Query{Text: "meunier", Limit: 10}))
	other := asked(0, 1)
	other.Generation = id(98)
	for name, q := range map[string]Query{"another generation": other, "another dimension": asked(0, 1, 0), "no vector": asked()} {
		if hits := x.Search(q); len(hits) != 1 || hits[0].Semantic || !slices.Equal(passagesOf(hits), words) {
			t.Errorf("%s: found %+v", name, hits)
		}
	}
	d.set(id(3), text(3, "Le meunier dort.")...)
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := x.Search(asked(0, 1)); hits[0].Semantic || len(hits) != 2 {
		t.Errorf("with a text without vectors: %+v", hits)
	}
	within := asked(0, 1)
	within.Filters = law.Filters{DocumentID: new(id(1))}
	if hits := x.Search(within); !hits[0].Semantic {
		t.Errorf("where all have vectors: %+v", hits)
	}
	d.point(3000, []float32{1, 0})
	d.set(id(3), text(3, "Le meunier dort.")...)
	d.broken = 1
	if err := x.Update(t.Context()); err == nil {
		t.Error("vectors that cannot be read are no error")
	}
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := x.Search(asked(0, 1)); !hits[0].Semantic || len(hits) != 4 {
		t.Errorf("when it has them: %+v", hits)
	}
	// Another version of the same text has other passages, to which the old vectors do not belong.
	d.point(1002, []float32{1, 0})
	d.set(id(1), text(1, "Le meunier moud.", "La farine est grise.", "Elle est chère.")...)
	delete(d.of, id(1001))
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := x.Search(asked(0, 1)); hits[0].Semantic {
		t.Errorf("with a passage without vectors: %+v", hits)
	}
}

func TestNewGenerationReplacesAll(t *testing.T) {
	t.Parallel()
	d, x := meant(t)
	d.generation = id(97)
	for p := range maps.Clone(d.of) {
		d.of[p] = [][]float32{{1, 0, 0}}
	}
	d.set(id(2), text(2, "Le boulanger cuit le pain.")...)
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := x.Search(asked(0, 1)); hits[0].Semantic {
		t.Errorf("the old generation: %+v", hits)
	}
	q := asked(1, 0, 0)
	q.Generation = id(97)
	if hits := x.Search(q); !hits[0].Semantic || len(hits) != 3 {
		t.Errorf("the new one: %+v", hits)
	}
}

// Comparing sketches first finds the same nearest passages as the exact products of all vectors.
func TestSketchesFindTheNearest(t *testing.T) {
	t.Parallel()
	const n, dimensions, near = 4_000, 512, 20
	r := rand.New(rand.NewPCG(7, 7))
	around := func(v []float32, spread float64) []float32 {
		out := make([]float32, dimensions)
		for i := range out {
			out[i] = float32(r.NormFloat64() * spread)
			if v != nil {
				out[i] += v[i]
			}
		}
		return unit(out)
	}
	query := around(nil, 1)
	d := &directions{catalogue: newCatalogue(), generation: id(99), of: make(map[uuid.UUID][][]float32)}
	packed := make(map[uuid.UUID][]byte)
	const texts = 4
	for i := range texts {
		rows := text(i, slices.Repeat([]string{"Le meunier moud le grain."}, n/texts)...)
		for k := range rows {
			v := around(nil, 1)
			if pos := i*n/texts + k; pos%(n/near) == 0 {
				v = around(query, 0.001*float64(20+pos/(n/near)))
			}
			d.of[rows[k].Passage.ID] = [][]float32{v}
			packed[rows[k].Passage.ID] = vector.Pack(d.of[rows[k].Passage.ID])
		}
		d.set(id(i), rows...)
	}
	x, err := Open(t.Context(), Options{Source: d, Vectors: d})
	if err != nil {
		t.Fatal(err)
	}
	type product struct {
		passage uuid.UUID
		dot     float32
	}
	var all []product
	q := vector.NewQuery(query)
	for p, v := range packed {
		var s vector.Set
		if _, err := s.Add(v); err != nil {
			t.Fatal(err)
		}
		all = append(all, product{p, s.Dot(q, 0)})
	}
	slices.SortFunc(all, func(a, b product) int { return cmp.Compare(b.dot, a.dot) })
	tuning := defaultTuning()
	tuning.nearest, tuning.model = n/40, &rank.Step{Semantic: rank.Weights{rank.Cosine: 1}}
	hits := x.search(Query{Text: "mitron", Limit: near, Vector: query, Generation: id(99)}, tuning)
	for i, p := range all[:near] {
		if p.dot < 0.5 {
			t.Fatalf("only %d vectors are near", i)
		}
		if hits[i].PassageID != p.passage {
			t.Errorf("the %dth nearest is not the %dth hit", i+1, i+1)
		}
	}
}

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}
