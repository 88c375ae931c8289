package line

import (
	"testing"

	"vigueur/internal/kit/testkit/compare"
)

func TestHeadingOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		level int // 0 for no heading
		label string
		title string
	}{
		{"TITRE II", 3, "TITRE II", ""},
		{"Titre premier", 3, "Titre premier", ""},
		{"TITRE Ier : DU SEL", 3, "TITRE Ier", "DU SEL"},
		{"Chapitre 3 – Des salines", 5, "Chapitre 3", "Des salines"},
		{"CHAPITRE 2. DU SEL", 5, "CHAPITRE 2", "DU SEL"},
		{"Chapitre II bis Du sel gris", 5, "Chapitre II bis", "Du sel gris"},
		{"Section unique", 6, "Section unique", ""},
		{"Sous-section 1 : Du barème", 7, "Sous-section 1", "Du barème"},
		{"Sous-titre II", 4, "Sous-titre II", ""},
		{"LIVRE CINQUIÈME", 2, "LIVRE CINQUIÈME", ""},
		{"PREMIÈRE PARTIE DU SEL", 1, "PREMIÈRE PARTIE", "DU SEL"},
		{"Paragraphe 4", 8, "Paragraphe 4", ""},
		{"§ 2. Du grain", 8, "§ 2", "Du grain"},
		{"SECTION A", 6, "SECTION A", ""},
		{"Titre II du présent code", 0, "", ""},
		{"Section de recherche", 0, "", ""},
		{"Chapitre", 0, "", ""},
		{"Partie la plus diligente", 0, "", ""},
		{"titre II", 0, "", ""},
		{"Livret de famille", 0, "", ""},
	} {
		h, ok := HeadingOf(c.text)
		if ok != (c.level > 0) {
			t.Errorf("%q is a heading: %v", c.text, ok)
			continue
		}
		if ok {
			if d := compare.Diff([]any{c.level, c.label, c.title}, []any{h.Level, h.Label, h.Title}); d != "" {
				t.Errorf("%q: %s", c.text, d)
			}
		}
	}
}

// TestTitlesOfSeveralLines checks that a title may fill its column and continue in lower case, and that
// sentences and lines without a head after them are text.
func TestTitlesOfSeveralLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"below a bare label, as wide as the column", `
                    Titre V
De la supervision des banques et des établis
                   sements
Art. 63 - La banque centrale assure la supervision.`, "Titre V — De la supervision des banques et des établis sements"},
		{"behind a title", `
Chapitre III - Champ d'application et entrée en
                 vigueur
Art. 63 - La banque centrale assure la supervision.`, "Chapitre III — Champ d'application et entrée en vigueur"},
		{"a sentence", `
                    Titre V
La banque centrale assure la paix et la monnaie.
Art. 63 - La banque centrale assure la supervision.`, "Titre V"},
		{"no head behind", `
Section 4 - De la créance
La banque centrale assure la supervision et elle
                 la garde`, "Section 4 — De la créance"},
	} {
		lines := typedLines(c.page)
		for i := range lines { // the column is as wide as its widest line
			lines[i].Indent, lines[i].Slack = lines[i].Rect[0]-50, 50+6*47-lines[i].Rect[2]
			lines[i] = remeasured(lines, i)
		}
		h, _, ok := ReadHeading(lines, false)
		if !ok || h.Name() != c.want {
			t.Errorf("%s: %q, want %q", c.name, h.Name(), c.want)
		}
	}
}

// remeasured recomputes a line whose indent or slack was changed.
func remeasured(lines []Line, i int) Line {
	l := measure(lines[i].Line)
	l.Opens = i == 0 || Opens(lines[i-1], l, 2)
	return l
}
