package titles

import (
	"testing"
	"time"
)

// TestTitlesOmitTheState checks that the title of a code does not contain the day of its state.
func TestTitlesOmitTheState(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"Code des salines - Dernière modification le 1er janvier 2024": "Code des salines",
		"CODE DES SALINES (version consolidée au 1er janvier 2024)":    "CODE DES SALINES",
		"Code des salines à jour au 1er janvier 2024":                  "Code des salines",
		"Code des salines": "Code des salines",
		"Loi n° 7-3 du 3 mai 2007 portant Code des salines":              "Loi n° 7-3 du 3 mai 2007 portant Code des salines",
		"Loi n° 7-3 du 3 mai 2007 (version consolidée au 1er mars 2020)": "Loi n° 7-3 du 3 mai 2007 (version consolidée au 1er mars 2020)",
	} {
		var h Title
		h.Read(printed)
		if h.String() != want {
			t.Errorf("%q: %q, want %q", printed, h.String(), want)
		}
		if KnownByName(h) && h.Number == "" && !h.Date.IsZero() {
			t.Errorf("%q: made on %s", printed, h.Date.Format(time.DateOnly))
		}
	}
}
