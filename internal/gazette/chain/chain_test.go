package chain

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
)

// weather has two labels, 0 for rain and 1 for sun. An umbrella is evidence of rain, and weather tends to
// stay the same.
func weather() []Example {
	wet, dry, dull := Hash("umbrella"), Hash("hat"), Hash("nothing")
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
			e.Items, e.Masks = append(e.Items, Item{f}), append(e.Masks, 1<<label)
		}
		out = append(out, e)
	}
	return out
}

func taught(t *testing.T, examples []Example, barred func(a, b int) bool) *Model {
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
	return &l.Model
}

func TestLearnsFromNeighbors(t *testing.T) {
	t.Parallel()
	m := taught(t, weather(), nil)
	for i, e := range weather()[:2] {
		path := m.Label(e.Items, nil)
		for j, l := range path.Labels {
			if e.Masks[j] != 1<<l {
				t.Errorf("example %d, item %d is %d", i, j, l)
			}
			if sum := path.Prob(j, 0) + path.Prob(j, 1); math.Abs(sum-1) > 1e-3 {
				t.Errorf("probabilities of item %d sum to %v", j, sum)
			}
		}
		if path.Log > 0 || path.Log < -10 {
			t.Errorf("the path's log probability is %v", path.Log)
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
		for j, l := range m.Label(e.Items, nil).Labels {
			if e.Masks[j] != 1<<l {
				t.Errorf("item %d is %d", j, l)
			}
		}
	}
}

func TestMasksAndBarredPairsHold(t *testing.T) {
	t.Parallel()
	m := taught(t, weather(), func(a, b int) bool { return a == 1 && b == 0 })
	items := weather()[1].Items // sun, then rain: barred
	path := m.Label(items, nil)
	for j := 1; j < len(path.Labels); j++ {
		if path.Labels[j-1] == 1 && path.Labels[j] == 0 {
			t.Errorf("rain behind sun in %v", path.Labels)
		}
	}
	masks := make([]Mask, len(items))
	masks[3] = 1 << 1
	if got := m.Label(items, masks); got.Labels[3] != 1 || got.Prob(3, 1) < 0.999 {
		t.Errorf("item 3 may only be sun: %v, %v", got.Labels, got.Prob(3, 1))
	}
	if got := m.Label(nil, nil); len(got.Labels) != 0 {
		t.Errorf("no items have labels %v", got.Labels)
	}
}

func TestLearningIsRepeatable(t *testing.T) {
	t.Parallel()
	var kept [2]bytes.Buffer
	for i := range kept {
		if err := taught(t, weather(), nil).Write(&kept[i]); err != nil {
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
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if read.Features() != m.Features() || read.Labels() != 2 {
		t.Errorf("%d features of %d", read.Features(), m.Features())
	}
	for _, e := range weather()[:2] {
		if got, want := read.Label(e.Items, nil).Labels, m.Label(e.Items, nil).Labels; !slices.Equal(got, want) {
			t.Errorf("%v and not %v", got, want)
		}
	}
	for n := range b.Len() {
		if _, err := Read(b.Bytes()[:n]); !errors.Is(err, ErrModel) {
			t.Fatalf("cut off after %d bytes: %v", n, err)
		}
	}
	if _, err := Read(append(b.Bytes(), 0)); !errors.Is(err, ErrModel) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	l := Trainer{Labels: 2, Rate: 0.3}.Begin(weather())
	l.Teach(weather(), 0)
	if err := l.Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw)
		if err != nil {
			return
		}
		if got := m.Label([]Item{{1, 2}, {3}}, nil); len(got.Labels) != 2 {
			t.Errorf("labels %v", got.Labels)
		}
	})
}
