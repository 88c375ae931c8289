package rank

import (
	"maps"
	"math"
	"slices"
	"testing"
)

// Each piece of evidence must come from the feature with its name. If two were exchanged, every weight would keep its
// place and mean something else.
func TestEvidenceHasItsFeature(t *testing.T) {
	t.Parallel()
	for feature, want := range map[int]string{
		WordsOfMost: "words_of_most", Held: "held", Covered: "covered", CoveredLegal: "covered_legal", Cosine: "cosine", NearCovered: "near_covered",
		NearMissed: "near_missed", Close: "close", PathLikeness: "path_likeness", NeighborWords: "neighbor_words", NeighborGap: "",
		Unfigured: "unfigured", Unpunished: "unfigured", MissedNames: "missed_names", NotLocal: "not_local", Foreign: "not_local", UnknownCountry: "not_local",
		Unknown: "unknown_words", Asked: "words_asked", Projected: "projected", RankProjected: "rank_projected",
	} {
		t.Run(names[feature], func(t *testing.T) {
			t.Parallel()
			f := &Features{}
			f[feature] = 0.25
			if got := f.ByName(); len(got) != 1 || got[names[feature]] != 0.25 {
				t.Fatalf("the feature is told as %v", got)
			}
			e, without := EvidenceOf([]*Features{f, {}}, []float64{1, 1}, []int{1, 2}, 0), EvidenceOf([]*Features{{}, {}}, []float64{1, 1}, []int{1, 2}, 0)
			var changed []string
			for i := range e {
				if e[i] != without[i] && i != LogCovered {
					changed = append(changed, evidenceNames[i])
				}
			}
			if want == "" {
				want = evidenceNames[TopAround]
			}
			if !slices.Equal(changed, []string{want}) || e.ByName()[want] != 0.25 {
				t.Errorf("it changes %q (%v), want %q", changed, e.ByName(), want)
			}
		})
	}
	seen := map[string]bool{}
	for i, name := range evidenceNames {
		if name == "" || seen[name] {
			t.Errorf("evidence %d is called %q", i, name)
		}
		seen[name] = true
	}
}

// Crowd considers ten articles, LogCovered five. A lead counts up to four, and never less than zero.
func TestEvidenceLimits(t *testing.T) {
	t.Parallel()
	all := func(n int) (f []*Features, scores []float64, texts []int) {
		for i := range n {
			f, scores, texts = append(f, &Features{}), append(scores, 0), append(texts, i)
		}
		return f, scores, texts
	}
	for n, want := range map[int]float64{1: 1, 2: 0.5, 10: 0.1, 11: 0.1, 100: 0.1} {
		f, scores, texts := all(n)
		if e := EvidenceOf(f, scores, texts, 0); math.Abs(e[Crowd]-want) > 1e-9 {
			t.Errorf("%d alike: crowd %v, want %v", n, e[Crowd], want)
		}
	}
	for pos, want := range map[int]float32{0: 0.5, 4: 0.5, 5: 0} {
		f, _, _ := all(8)
		f[pos][Covered], f[pos][CoveredLegal] = 0.25, 0.25
		if got := MostCovered(f); got != float64(want) {
			t.Errorf("covered by the article at %d: %v, want %v", pos, got, want)
		}
	}
	for lead, want := range map[float64]float64{0: 0, 1.5: 1.5, 4: 4, 9: 4, -1: 0} {
		f, scores, texts := all(3)
		scores[0] = lead
		if e := EvidenceOf(f, scores, texts, 0); e[Margin] != want {
			t.Errorf("a lead of %v counts %v", lead, e[Margin])
		}
	}
	f, scores, texts := all(3)
	scores[1] = -2 // belongs to the second, not the third
	if e := EvidenceOf(f, scores, texts, 0); e[Margin] != 2 {
		t.Errorf("a lead over the second: %v", e[Margin])
	}
	if e := (Evidence{LogCovered: math.Log(0.3 + leastCovered)}); math.Abs(e.Covering()-0.3) > 1e-12 {
		t.Errorf("covering %v", e.Covering())
	}
}

func TestSigmoid(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]float64{0: 0.5, math.Log(3): 0.75, -math.Log(3): 0.25, 1e9: 1, -1e9: 0, math.Inf(1): 1, math.Inf(-1): 0} {
		if got := sigmoid(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("sigmoid(%v) is %v, want %v", x, got, want)
		}
	}
}

// A catalogue of few long texts has its own chance and threshold, and one between both kinds has interpolated ones.
func TestGateDependsOnTheShape(t *testing.T) {
	t.Parallel()
	certain := func(p float64) Chance { return Chance{Platt: Platt{Shift: math.Log(p / (1 - p))}} }
	g := Gate{Answerable: Answerable{certain(0.5), certain(0.8), 0.4}, Long: &Answerable{certain(0.3), certain(0.6), 0.7}, Sure: 1}
	for shape, want := range map[float64]struct {
		first, has, least float64
	}{0: {0.5, 0.8, 0.4}, 0.5: {0.4, 0.7, 0.55}, 0.9: {0.32, 0.62, 0.67}, 1: {0.3, 0.6, 0.7}} {
		e := Evidence{LongTexts: shape}
		if has, least := g.HasAnswer(&e); math.Abs(has-want.has) > 1e-9 || math.Abs(least-want.least) > 1e-9 {
			t.Errorf("shape %v: %v, at least %v", shape, has, least)
		}
		if first := g.FirstAnswers(&e); math.Abs(first-want.first) > 1e-9 {
			t.Errorf("shape %v: the first answers with %v, want %v", shape, first, want.first)
		}
	}
	g.Long = nil
	if has, least := g.HasAnswer(&Evidence{LongTexts: 1}); math.Abs(has-0.8) > 1e-9 || least != 0.4 || math.Abs(g.FirstAnswers(&Evidence{LongTexts: 1})-0.5) > 1e-9 {
		t.Error("without a gate of its own a catalogue of long texts is judged otherwise than one of short ones")
	}
}

// The features that each step may use: those of the index, of reading, of the gate.
func TestIndexedAndOrdered(t *testing.T) {
	t.Parallel()
	of := map[int][2]bool{Words: {true, true}, ShortCosine: {true, true}, Found: {false, true}, CoveredBeside: {false, true}, NearCovered: {false, false}, Asked: {false, false}}
	for i := range maps.Keys(of) {
		if got := [2]bool{Indexed(i), Ordered(i)}; got != of[i] {
			t.Errorf("%s: %v, want %v", names[i], got, of[i])
		}
	}
	own := Names()
	if own[0] = "x"; Names()[0] != "words" {
		t.Error("a caller changed the names")
	}
	g := Gates{Semantic: Gate{Sure: 0.1}, Words: Gate{Sure: 0.2}, Sentences: Gate{Sure: 0.3}}
	s := Step{Semantic: Weights{1}, Words: Weights{2}, Sentences: Weights{3}}
	for vectors, want := range map[Vectors][2]float64{WordVectors: {0.1, 1}, NoVectors: {0.2, 2}, SentenceVectors: {0.3, 3}} {
		if g.For(vectors).Sure != want[0] || s.For(vectors)[0] != want[1] {
			t.Errorf("%v: the gate of %v, the weights of %v", vectors, g.For(vectors).Sure, s.For(vectors)[0])
		}
	}
}
