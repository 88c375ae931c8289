package labeling

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/chain"
)

var update = flag.Bool("update", false, "write the model that the tests of internal/gazette/chain read")

// weather has two labels, 0 for rain and 1 for sun. An umbrella is evidence of rain, and weather tends to
// stay the same.
func weather() []Example {
	wet, dry, dull := chain.Hash("umbrella"), chain.Hash("hat"), chain.Hash("nothing")
	var out []Example
	for n := range 30 {
		first := n % 2
		e := Example{}
		for i := range 8 {
			label := first
			if i >= 4 {
				label = 1 - first
			}
			f := []uint32{wet, dry}[label]
			if i == 2 || i == 5 { // without evidence, only the neighbors decide
				f = dull
			}
			e.Items, e.Masks = append(e.Items, chain.Item{f}), append(e.Masks, 1<<label)
		}
		out = append(out, e)
	}
	return out
}

func taught(t *testing.T, examples []Example, barred func(a, b int) bool) *chain.Model {
	t.Helper()
	l := Trainer{Labels: 2, Rate: 0.3, Decay: 1e-4, Barred: barred}.Begin(examples)
	before := math.Inf(1)
	for epoch := range 20 {
		loss := l.Teach(examples, epoch)
		if epoch == 19 && loss > before {
			t.Errorf("the loss rises to %v", loss)
		}
		if epoch == 0 {
			before = loss
		}
	}
	return l.Model()
}

func TestLearnsFromNeighbors(t *testing.T) {
	t.Parallel()
	m := taught(t, weather(), nil)
	for i, e := range weather()[:2] {
		scored := m.Score(e.Items)
		path := chain.Path{Labels: scored.Best(nil), Probs: scored.Probs(nil)}
		for j, l := range path.Labels {
			if e.Masks[j] != 1<<l {
				t.Errorf("example %d, item %d is %d", i, j, l)
			}
			if sum := path.Prob(j, 0) + path.Prob(j, 1); math.Abs(sum-1) > 1e-3 {
				t.Errorf("probabilities of item %d sum to %v", j, sum)
			}
		}
		if loss := Loss(m, e); loss < 0 || loss > 10 {
			t.Errorf("the path's log probability is %v", -loss)
		}
	}
}

// TestLearnsFromPartialLabels trains without the labels of half of the items.
func TestLearnsFromPartialLabels(t *testing.T) {
	t.Parallel()
	partly := weather()
	for i := range partly {
		for j := range partly[i].Masks {
			if (i+j)%2 == 0 {
				partly[i].Masks[j] = 0
			}
		}
	}
	m := taught(t, partly, nil)
	for _, e := range weather()[:2] {
		for j, l := range m.Score(e.Items).Best(nil) {
			if e.Masks[j] != 1<<l {
				t.Errorf("item %d is %d", j, l)
			}
		}
	}
}

func TestLearningIsRepeatable(t *testing.T) {
	t.Parallel()
	var kept [2]bytes.Buffer
	for i := range kept {
		if err := Write(&kept[i], taught(t, weather(), nil)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(kept[0].Bytes(), kept[1].Bytes()) {
		t.Error("the same examples give other bytes")
	}
}

func TestWrittenModelLabelsAlike(t *testing.T) {
	t.Parallel()
	m := taught(t, weather(), func(a, b int) bool { return a == 1 && b == 0 })
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	read, err := chain.Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if r, w := read.Parts(), m.Parts(); len(r.Index) != len(w.Index) || r.Labels != 2 || !slices.Equal(r.Barred, w.Barred) {
		t.Errorf("%d features of %d, %d labels, barred %v", len(r.Index), len(w.Index), r.Labels, r.Barred)
	}
	for _, e := range weather()[:2] {
		if got, want := read.Score(e.Items).Best(nil), m.Score(e.Items).Best(nil); !slices.Equal(got, want) {
			t.Errorf("%v and not %v", got, want)
		}
	}
}

// TestWritesWhatTheProductReads compares the model that the tests of chain read with one trained now. -update writes it.
func TestWritesWhatTheProductReads(t *testing.T) {
	path := filepath.Join(stage.Root(), "internal", "gazette", "chain", "testdata", "weather.bin")
	var b bytes.Buffer
	if err := Write(&b, taught(t, weather(), nil)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	had, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(had) != b.Len() {
		t.Fatalf("%d bytes, and now %d", len(had), b.Len())
	}
	for i, c := range b.Bytes() {
		if d := int(int8(c)) - int(int8(had[i])); d < -1 || d > 1 { // the last bit of a sum depends on the processor
			t.Errorf("byte %d was %d and is %d", i, had[i], c)
		}
	}
}
