package flat

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/internal/vector"
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

// meant is a catalogue of two texts with vectors along two axes, and its index.
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

func TestMeaningFindsWhatSharesNoWord(t *testing.T) {
	t.Parallel()
	_, x := meant(t)
	hits := x.Search(asked(0, 1))
	if len(hits) != 3 || !hits[0].Meant || hits[0].PassageID != id(1000) {
		t.Fatalf("found %+v", hits)
	}
	q := asked(0, 1)
	q.Text = "mitron"
	if hits := x.Search(q); len(hits) != 3 || hits[2].PassageID != id(1000) || math.Abs(hits[0].Score-hits[1].Score) > measured().opening {
		t.Errorf("by meaning alone found %+v", hits)
	}
	q.Filters.DocumentID = new(id(2))
	if hits := x.Search(q); len(hits) != 1 || hits[0].PassageID != id(2000) {
		t.Errorf("in one text found %+v", hits)
	}
}

// The meaning counts when every passage that the query allows has vectors of the
// query's generation, and else not at all.
func TestMeaningCountsWhenItIsComplete(t *testing.T) {
	t.Parallel()
	d, x := meant(t)
	words := passagesOf(x.Search(Query{Text: "meunier", Limit: 10}))
	other := asked(0, 1)
	other.Generation = id(98)
	for name, q := range map[string]Query{"another generation": other, "another dimension": asked(0, 1, 0), "no vector": asked()} {
		if hits := x.Search(q); len(hits) != 1 || hits[0].Meant || !slices.Equal(passagesOf(hits), words) {
			t.Errorf("%s: found %+v", name, hits)
		}
	}
	d.set(id(3), text(3, "Le meunier dort.")...)
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := x.Search(asked(0, 1)); hits[0].Meant || len(hits) != 2 {
		t.Errorf("with a text without vectors: %+v", hits)
	}
	within := asked(0, 1)
	within.Filters = law.Filters{DocumentID: new(id(1))}
	if hits := x.Search(within); !hits[0].Meant {
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
	if hits := x.Search(asked(0, 1)); !hits[0].Meant || len(hits) != 4 {
		t.Errorf("when it has them: %+v", hits)
	}
	// Another wording of the same text has other passages: the old vectors are none of theirs.
	d.point(1002, []float32{1, 0})
	d.set(id(1), text(1, "Le meunier moud.", "La farine est grise.", "Elle est chère.")...)
	delete(d.of, id(1001))
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := x.Search(asked(0, 1)); hits[0].Meant {
		t.Errorf("with a passage without vectors: %+v", hits)
	}
}

func TestAnotherGenerationReplacesAll(t *testing.T) {
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
	if hits := x.Search(asked(0, 1)); hits[0].Meant {
		t.Errorf("the old generation: %+v", hits)
	}
	q := asked(1, 0, 0)
	q.Generation = id(97)
	if hits := x.Search(q); !hits[0].Meant || len(hits) != 3 {
		t.Errorf("the new one: %+v", hits)
	}
}

// By sketches first, the nearest are what exact products of all give.
func TestSketchesLoseNothingOfTheNearest(t *testing.T) {
	t.Parallel()
	const n, dimensions = 6000, 512
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
	b := &block{first: []uint32{0}}
	query := around(nil, 1)
	for i := range n {
		v := around(nil, 1)
		if i%100 == 0 {
			v = around(query, 0.02*float64(1+i/100))
		}
		if err := b.add(postgres.VectorRow{PassageID: id(i), Packed: vector.Pack([][]float32{v})}); err != nil {
			t.Fatal(err)
		}
	}
	q := vector.NewQuery(query)
	distances := b.set.Distances(nil, q)
	histogram := make([]int, dimensions+1)
	for _, d := range distances {
		histogram[d]++
	}
	nearest := measured().nearest
	limit := uint16(limitOf(histogram, nearest))
	type product struct {
		i   int
		dot float32
	}
	all := make([]product, n)
	for i := range n {
		all[i] = product{i, b.set.Dot(q, i)}
	}
	slices.SortFunc(all, func(a, b product) int {
		if a.dot > b.dot {
			return -1
		}
		return 1
	})
	exact := 0
	for _, d := range distances {
		if d <= limit {
			exact++
		}
	}
	if exact < nearest || exact > nearest*3/2 {
		t.Errorf("%d compared exactly", exact)
	}
	for rank, p := range all {
		if p.dot < 0.2 { // farther ones are no nearer than chance makes them
			if rank < 8 {
				t.Errorf("only %d vectors are near", rank)
			}
			break
		}
		if distances[p.i] > limit {
			t.Errorf("the %dth nearest is lost", rank+1)
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
