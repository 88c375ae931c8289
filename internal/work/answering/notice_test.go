package answering_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/law"
)

func TestOutdatedLawIsAnnouncedFirst(t *testing.T) {
	today := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ended, later := time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC), today.AddDate(0, 0, 1)
	const notice = "Attention, ce qui suit n’est plus en vigueur depuis le 1er mai 2025, abrogé par : Loi n° 2025-9 du 3 avril 2025 :\n"
	for name, c := range map[string]struct {
		to     *time.Time
		pieces []string
		want   string
	}{
		"before the first word": {&ended, []string{"L’article 26 dispose : ", "« Elle est d’un mois pour l’ouvrier. » [", "1]"},
			notice + "L’article 26 dispose : « Elle est d’un mois pour l’ouvrier. » [1]"},
		"once for all of it": {&ended, []string{"« Elle est d’un mois pour l’ouvrier. » [1]\n", "\n« Elle est d’un mois pour l’ouvrier. » [1]"},
			notice + "« Elle est d’un mois pour l’ouvrier. » [1]\n\n« Elle est d’un mois pour l’ouvrier. » [1]"},
		"before the paragraph that it is of": {&ended, []string{"Voici la règle :\n« Elle est d’un mois pour l’ouvrier. » [1]"},
			"Voici la règle :\n" + notice + "« Elle est d’un mois pour l’ouvrier. » [1]"},
		"before a quotation of several lines": {&ended, []string{"Voici :\nL’article 26 dispose : « La durée du préavis est de trois mois pour le cadre.\n", "Elle est d’un mois pour l’ouvrier. » [1]"},
			"Voici :\n" + notice + "L’article 26 dispose : « La durée du préavis est de trois mois pour le cadre.\nElle est d’un mois pour l’ouvrier. » [1]"},
		"before the paragraph after a quotation that does not end": {&ended, []string{"« Un mois [7]\nTrois mois pour le cadre. [1]"},
			"« Un mois\n" + notice + "Trois mois pour le cadre. [1]"},
		"not what ends tomorrow": {&later, []string{"« Elle est d’un mois pour l’ouvrier. » [1]"}, "« Elle est d’un mois pour l’ouvrier. » [1]"},
		"not what nobody cites":  {&ended, []string{"Rien", " à dire. [7]"}, "Rien à dire."},
	} {
		t.Run(name, func(t *testing.T) {
			f := oneHit()
			f.result.Today, f.result.Day = today, time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC)
			f.result.Hits[0].To = c.to
			f.result.Hits[0].Relations = []law.RelationRef{{Type: "abroge_par", Title: "Loi n° 2025-9 du 3 avril 2025", Date: "2025-05-01"}}
			b := setup(t, says(c.pieces...), f)
			check(t, b.Run(t.Context(), b.id))
			m := b.message(t)
			if m.Content != c.want || b.stream.text != c.want {
				t.Errorf("written %q\nstreamed %q\nwant %q", m.Content, b.stream.text, c.want)
			}
			if strings.Contains(c.want, "pour l’ouvrier") && !m.Validation.OK {
				t.Errorf("warned of %q", *m.Validation.Warning)
			}
		})
	}
}
