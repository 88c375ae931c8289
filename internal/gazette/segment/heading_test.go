package segment

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
		h, ok := headingOf(c.text)
		if ok != (c.level > 0) {
			t.Errorf("%q is a heading: %v", c.text, ok)
			continue
		}
		if ok {
			if d := compare.Diff([]any{c.level, c.label, c.title}, []any{h.level, h.label, h.title}); d != "" {
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
		h, _, ok := readHeading(lines, false)
		if !ok || h.name() != c.want {
			t.Errorf("%s: %q, want %q", c.name, h.name(), c.want)
		}
	}
}

// remeasured recomputes a line whose indent or slack was changed.
func remeasured(lines []line, i int) line {
	l := measured(lines[i].Line)
	l.opens = i == 0 || opens(lines[i-1], l, 2)
	return l
}

func TestArticleOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, last string
		number     string // "" for no head
		rest       string
	}{
		{"Article premier. — Le sel", "", "1er", "Le sel"},
		{"Article 1er", "", "1er", ""},
		{"ARTICLE 12 : Le sel", "11", "12", "Le sel"},
		{"Art. 12.- Le sel", "11", "12", "Le sel"},
		{"Art. L. 1224-1 Le sel", "", "L. 1224-1", "Le sel"},
		{"Article R*12 : Le sel", "", "R. 12", "Le sel"},
		{"Article 26 bis : Le sel", "26", "26 bis", "Le sel"},
		{"Article 6-2 (nouveau) : Le sel", "6", "6-2", "Le sel"},
		{"Article unique. — Le sel", "", "unique", "Le sel"},
		{"ARTICLE 1°.- Le présent décret", "", "1er", "Le présent décret"},
		{"Article II", "", "II", ""},
		{"Article 33450", "333", "334", ""}, // 334 with the mark of note 50
		{"Article 33450", "", "33450", ""},  // without the number before
		{"Article 3345 Le sel", "3344", "3345", "Le sel"},
		{"Article 5 de la loi", "4", "", ""},
		{"Article I La loi", "", "", ""},
		{"Articles divers", "", "", ""},
		{"L'article 5 : Le sel", "4", "", ""},
		{"Artisan 5", "", "", ""},
	} {
		number, end, ok := articleOf(c.text, c.last)
		if ok != (c.number != "") || number != c.number {
			t.Errorf("%q after %q: %q, %v; want %q", c.text, c.last, number, ok, c.number)
			continue
		}
		if ok && c.text[end:] != c.rest {
			t.Errorf("%q: rest %q, want %q", c.text, c.text[end:], c.rest)
		}
	}
}

func TestFollows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number, last string
		want         bool
	}{
		{"1er", "", true}, {"unique", "", true}, {"2", "", false}, {"2", "1er", true}, {"3", "1er", false}, {"26 bis", "26", true}, {"27", "26 bis", true},
		{"6-2", "6", true}, {"6-3", "6-2", true}, {"6-3", "6-3", false}, {"L. 13", "L. 12", true}, {"II", "1er", false}, {"5", "x", false},
	} {
		if got := mayComeAfter(c.number, c.last); got != c.want {
			t.Errorf("%q after %q: %v", c.number, c.last, got)
		}
	}
}

func TestLettered(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]bool{"L. 1224-1": true, "12": false, "": false, "unique": false} {
		if lettered(number) != want {
			t.Errorf("%q", number)
		}
	}
}
