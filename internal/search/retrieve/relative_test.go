package retrieve

import (
	"math"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/rank"
)

// TestShareOfText checks the feature InText. Three of four articles are from one text:
// each of them gets the logarithm of 3/4, the other one that of 1/4. If all are from one
// text, the feature is 0.
func TestShareOfText(t *testing.T) {
	t.Parallel()
	hit := func(text byte, mode Mode) Hit {
		return Hit{Document: law.Document{ID: uuid.UUID{text}}, Mode: mode}
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
		t.Errorf("only one text: %v", alone[0].Features[rank.InText])
	}
}
