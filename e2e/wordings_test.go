package e2e

import (
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// worded are articles of the sample's code that its third gazette words anew, or
// puts into it: what the old words have, what the new ones have, and how the new
// ones are told of.
var worded = []struct{ article, before, after, told string }{
	{"14", "cent vingt jours", "cent jours", "L’article 14 nouveau de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, tel que remplacé par l’article 1er de la loi n° 2025-03"},
	{"36", "quarante heures", "trente-sept heures", "L’article 36 nouveau de la loi n° 2023-07"},
	{"40 bis", "", "Le travail à distance est celui", "tel qu’inséré par l’article 4 de la loi n° 2025-03"},
	{"52 ter", "douze jours", "vingt jours", "tel que remplacé par l’article 6 de la loi n° 2025-03"},
}

// askWorded asks for each article on the last day of the old words and on the first
// of the new ones.
func askWorded(t *testing.T, client *stage.Client) {
	t.Helper()
	for _, w := range worded {
		question := "Que dit l’article " + w.article + " du code du travail ?"
		before := askOn(t, client, question, "2025-06-30")
		if w.before != "" && !strings.Contains(before.Text, w.before) || strings.Contains(before.Text, w.after) {
			t.Errorf("%s before: %s", question, before.Text)
		}
		after := askOn(t, client, question, "2025-07-01")
		if !strings.Contains(after.Text, w.after) || !strings.Contains(after.Text, w.told) || !after.OK {
			t.Errorf("%s after (warned %v): %s", question, after.Warning, after.Text)
			continue
		}
		c := after.Citations[0]
		if c.Replaces == nil || c.Replaces.DocumentID == nil || c.Replaces.Article != w.article || c.OfficialNumber != "2025-03" || len(c.Regions) == 0 {
			t.Errorf("%s after: citation %+v", question, c)
		}
		if strings.Count(after.Text, w.after) > 1 {
			t.Errorf("%s after: the same words twice: %s", question, after.Text)
		}
	}
}
