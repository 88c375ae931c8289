package rank

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"vigueur/internal/kit/errs"
)

// TestEmbeddedWeightsAreComplete checks that the embedded weights were learned: for all steps, with and without
// vectors, and without features that the index does not set where only the index is used.
func TestEmbeddedWeightsAreComplete(t *testing.T) {
	t.Parallel()
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sources) == 0 || m.Made == "" {
		t.Error("the weights do not tell what they were learned from")
	}
	for _, s := range m.Sources {
		if s.File == "" || s.Holds == "" || s.Licence == "" || len(s.SHA256) != 64 {
			t.Errorf("source %+v", s)
		}
	}
	for vectors := NoVectors; vectors < vectorKinds; vectors++ {
		find, order, gate := m.Find.For(vectors), m.Order.For(vectors), m.Gate.For(vectors)
		if *find == (Weights{}) || *order == (Weights{}) || gate.First.Weights == (EvidenceWeights{}) || gate.Has.Weights == (EvidenceWeights{}) {
			t.Errorf("%v: a step without weights", vectors)
		}
		if *m.Long.For(vectors) == (Weights{}) || *m.Weigh.For(vectors) == (Weights{}) {
			t.Errorf("%v: an order of long texts, or what the gate goes by, without weights", vectors)
		}
		for i, w := range find {
			if w != 0 && !Indexed(i) {
				t.Errorf("%s is weighed where only the index is asked", names[i])
			}
		}
	}
}

func TestFeatureNamesAreUnique(t *testing.T) {
	t.Parallel()
	for i, name := range Names() {
		if name == "" || slices.Index(names[:], name) != i {
			t.Errorf("feature %d is called %q", i, name)
		}
	}
	if !Indexed(ShortCosine) || Indexed(Found) || names[ShortCosine] != "short_cosine" || names[Found] != "found" {
		t.Error("what the index fills in does not end where the names say")
	}
}

func TestWeightsAreWrittenAndRead(t *testing.T) {
	t.Parallel()
	m := Model{Made: "x", Find: Step{Semantic: Weights{Words: 0.5, Cosine: -2}}, Gate: Gates{Semantic: Gate{Sure: 0.9, Answerable: Answerable{Unsure: 0.2}, Long: &Answerable{Unsure: 0.3}}}}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(data)
	if err != nil || again.Find != m.Find || !reflect.DeepEqual(again.Gate, m.Gate) {
		t.Errorf("%v: %+v", err, again)
	}
	f := Features{Words: 2, Cosine: 0.25}
	if got := again.Find.Semantic.Score(&f); got != 0.5 {
		t.Errorf("the score is %v", got)
	}
}

func TestBadWeightsAreRefused(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"no JSON":                      `{`,
		"an unknown feature":           `{"find":{"meant":{"luck":1}}}`,
		"no number":                    `{"find":{"meant":{"words":"much"}}}`,
		"below 0":                      `{"gate":{"meant":{"sure":0.2,"unsure":-0.4}}}`,
		"no probability":               `{"gate":{"words":{"sure":1.5}}}`,
		"a falling curve":              `{"gate":{"words":{"has":{"slope":-1}}}}`,
		"a falling one of long texts":  `{"gate":{"meant":{"long":{"has":{"slope":-1}}}}}`,
		"no probability of long texts": `{"gate":{"meant":{"long":{"unsure":2}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read([]byte(data)); !errs.Is(err, errs.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func TestEvidenceOfTheBest(t *testing.T) {
	t.Parallel()
	if e := EvidenceOf[int](nil, nil, nil, 1); e != (Evidence{}) {
		t.Errorf("of nothing: %v", e)
	}
	best, second := &Features{Covered: 0.7, Unpunished: 1, Cosine: 0.5}, &Features{Covered: 1}
	alone := EvidenceOf([]*Features{best}, []float64{3}, []int{1}, 0.5)
	if alone[Margin] != mostMargin || alone[Crowd] != 1 || alone[OneText] != 1 || alone[LongTexts] != 0.5 {
		t.Errorf("alone: margin %v, crowd %v, of one text %v", alone[Margin], alone[Crowd], alone[OneText])
	}
	many := EvidenceOf(slices.Repeat([]*Features{second}, 12), make([]float64, 12), []int{1, 1, 2, 1, 3, 4, 5, 6, 7, 8, 1, 1}, 0)
	if math.Abs(many[OneText]-2./9) > 1e-9 {
		t.Errorf("two of the nine behind the best are of its text: %v", many[OneText])
	}
	e := EvidenceOf([]*Features{best, second}, []float64{3, 3}, []int{1, 2}, 0)
	if math.Abs(e.Covering()-1) > 1e-6 {
		t.Errorf("the most covered: %v", e.Covering())
	}
	if e[TopScore] != 3 || e[Margin] != 0 || e[Crowd] != 0.5 || e[OneText] != 0 || e[TopFigure] != 1 || math.Abs(e[TopCovered]-0.7) > 1e-6 {
		t.Errorf("%v", e)
	}
}

// The order changes from that for short texts to that for long ones with the length of the catalogue's texts.
func TestOrderDependsOnTheCatalogue(t *testing.T) {
	t.Parallel()
	m := &Model{Shape: Shape{Short: 10, Long: 1000}}
	m.Order.Semantic[Words], m.Long.Semantic[Words] = 1, 3
	m.Order.Words[Words] = 5
	for perText, want := range map[float64]float64{0: 1, 5: 1, 10: 1, 100: 2, 1000: 3, 1e6: 3, math.NaN(): 1} {
		t.Run(fmt.Sprint(perText), func(t *testing.T) {
			if w := m.Ordering(WordVectors, perText); math.Abs(w[Words]-want) > 1e-9 {
				t.Errorf("%v passages a text: %v, want %v", perText, w[Words], want)
			}
		})
	}
	if w := m.Ordering(NoVectors, 10); w[Words] != 5 {
		t.Errorf("by words: %v", w[Words])
	}
	m.Shape = Shape{}
	if w := m.Ordering(WordVectors, 1e6); w[Words] != 1 {
		t.Errorf("of a model that knows one order: %v", w[Words])
	}
	if _, err := Read([]byte(`{"shape":{"short":-1}}`)); !errs.Is(err, errs.Invalid) {
		t.Errorf("fewer than no passages: %v", err)
	}
	if c := Builtin(); !(c.Shape.Short > 1 && c.Shape.Long > 4*c.Shape.Short) {
		t.Errorf("the orders that are carried are of %+v", c.Shape)
	}
}

// A gate that doubts by more evidence is refused.
func TestASlopeIsNotNegative(t *testing.T) {
	t.Parallel()
	down := Chance{Platt: Platt{-1, 0}}
	for _, g := range []Gate{{Answerable: Answerable{First: down}}, {Answerable: Answerable{Has: down}}, {Long: &Answerable{First: down}}, {Long: &Answerable{Has: down}}} {
		if err := g.check(); !errs.Is(err, errs.Invalid) {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

// A file with weights of other evidence must be refused. A list of numbers of any length was once accepted.
func TestEvidenceWeightsAreNamed(t *testing.T) {
	t.Parallel()
	want := EvidenceWeights{Margin: 1.5, OneText: -2}
	data, err := json.Marshal(want)
	if err != nil || string(data) != `{"margin":1.5,"one_text":-2}` {
		t.Fatalf("%s, %v", data, err)
	}
	got := EvidenceWeights{Crowd: 3}
	if err := json.Unmarshal(data, &got); err != nil || got != want {
		t.Errorf("%v, %v: want what was written and nothing of before", got, err)
	}
	for name, data := range map[string]string{"a list": `[1,2,3]`, "evidence of another program": `{"lead_words":1}`, "no number": `{"margin":"much"}`} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read([]byte(`{"gate":{"meant":{"first":{"weights":` + data + `}}}}`)); !errs.Is(err, errs.Invalid) {
				t.Errorf("%v, want that it is refused", err)
			}
		})
	}
	for i, name := range evidenceNames {
		if name == "" || slices.Index(evidenceNames[:], name) != i {
			t.Errorf("evidence %d is called %q", i, name)
		}
	}
}
