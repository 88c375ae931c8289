package retrieve

import (
	"math"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
)

// Of four articles three are of one text: each of these has the logarithm of three
// quarters, the other that of one. In a catalogue of one text the feature says nothing.
func TestTheTextOfMostArticlesIsKnown(t *testing.T) {
	t.Parallel()
	hit := func(text byte, mode Mode) Hit {
		return Hit{Found: postgres.Found{Document: law.Document{ID: uuid.UUID{text}}}, Mode: mode}
	}
	hits := []Hit{hit(1, ByWords), hit(2, ByWords), hit(1, ByReference), hit(1, ByWords)}
	addRelativeFeatures(hits)
	for i, want := range []float64{0.75, 0.25, 0.75, 0.75} {
		if got := float64(hits[i].Features[rank.InText]); math.Abs(got-math.Log(want)) > 1e-6 {
			t.Errorf("article %d: %v, want ln %v", i, got, want)
		}
	}
	alone := []Hit{hit(1, ByWords), hit(1, ByWords)}
	addRelativeFeatures(alone)
	if alone[0].Features[rank.InText] != 0 || alone[1].Features[rank.InText] != 0 {
		t.Errorf("one text alone: %v", alone[0].Features[rank.InText])
	}
}
