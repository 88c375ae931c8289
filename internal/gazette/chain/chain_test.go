package chain

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// weather returns the observations of eight days: rain (label 0) on the first four, sun (label 1) on the others. An
// umbrella is evidence of rain, a hat of sun, and weather tends to stay the same.
func weather() []Item {
	wet, dry, dull := Item{Hash("umbrella")}, Item{Hash("hat")}, Item{Hash("nothing")}
	return []Item{wet, wet, dull, wet, dry, dull, dry, dry}
}

// learned returns the model of the weather that lab/training/labeling wrote.
func learned(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "weather.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// forecast returns the model of the weather, in which label 1 never comes right after label 0 if barred is set.
func forecast(t testing.TB, barred bool) *Model {
	t.Helper()
	m, err := Read(learned(t))
	if err != nil {
		t.Fatal(err)
	}
	m.barred[1] = barred
	return m
}

func TestReadsWhatTheLaboratoryWrites(t *testing.T) {
	t.Parallel()
	m := forecast(t, false)
	if len(m.index) != 3 || m.labels != 2 {
		t.Errorf("%d features, %d labels", len(m.index), m.labels)
	}
	if got := m.Score(weather()).Best(nil); !slices.Equal(got, []int{0, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("%v", got)
	}
	if again := Of(m.Parts()).Score(weather()).Best(nil); !slices.Equal(again, []int{0, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("the model of its own parts gives %v", again)
	}
}

func TestMasksAndBarredPairsHold(t *testing.T) {
	t.Parallel()
	m := forecast(t, true)
	items := weather() // rain, then sun: barred
	labels := m.Score(items).Best(nil)
	for j := 1; j < len(labels); j++ {
		if labels[j-1] == 0 && labels[j] == 1 {
			t.Errorf("sun after rain in %v", labels)
		}
	}
	masks := make([]Mask, len(items))
	masks[5] = 1 << 0
	if got := m.Score(items).path(masks); got.Labels[5] != 0 || got.Prob(5, 0) < 0.999 {
		t.Errorf("item 5 may only be rain: %v, %v", got.Labels, got.Prob(5, 0))
	}
	if got := m.Score(nil); len(got.Best(nil)) != 0 || len(got.Probs(nil)) != 0 {
		t.Errorf("no items have labels %v", got.Best(nil))
	}
}

func TestTruncatedModelsAreRefused(t *testing.T) {
	t.Parallel()
	raw := learned(t)
	for n := range raw {
		if _, err := Read(raw[:n]); !errors.Is(err, ErrModel) {
			t.Fatalf("cut off after %d bytes: %v", n, err)
		}
	}
	if _, err := Read(append(raw, 0)); !errors.Is(err, ErrModel) {
		t.Errorf("a byte too many: %v", err)
	}
	for name, change := range map[string]func(b []byte) []byte{
		"another format": func(b []byte) []byte { b[3] = '2'; return b },
		"no labels":      func(b []byte) []byte { b[4] = 0; return b },
		"too many":       func(b []byte) []byte { b[4] = MostLabels + 1; return b },
		"nothing":        func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read(change(slices.Clone(raw))); !errors.Is(err, ErrModel) {
				t.Errorf("%v", err)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(learned(f))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw)
		if err != nil {
			return
		}
		if got := m.Score([]Item{{1, 2}, {3}}).path(nil); len(got.Labels) != 2 {
			t.Errorf("labels %v", got.Labels)
		}
	})
}
