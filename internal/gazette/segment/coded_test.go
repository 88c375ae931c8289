package segment_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
)

const codeBody = `

  Article 1 : Le sel est gris et il est libre.
  Article 2 : Il est fin.
  Article 3 : Il est vendu.
`

// TestConsolidatedCodeIsDatedByItsState checks that a code is dated by the day that its publisher gives,
// with these words as evidence, unless it names the law that enacted it.
func TestConsolidatedCodeIsDatedByItsState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, front, title, day, words, doubts string }{
		{"a title page", "          CODE DES SALINES\n\n      Dernière modification le 1er janvier 2024\n      Document généré le 31 décembre 2023\n",
			"Code des salines", "2024-01-01", "Dernière modification le 1er janvier 2024", ""},
		{"in the title", "          Code des salines (version consolidée au 1er janvier 2024)\n",
			"Code des salines", "2024-01-01", "version consolidée au 1er janvier 2024", ""},
		{"above the title", "   À jour au 1er janvier 2024\n\n          CODE DES SALINES\n",
			"Code des salines", "2024-01-01", "À jour au 1er janvier 2024", ""},
		{"made by a law", "          CODE DES SALINES\n      (Loi n° 70-3 du 3 mai 1970)\n      Mis à jour au 1er janvier 2024\n",
			"Code des salines", "1970-05-03", "3 mai 1970", ""},
		{"changed by a law", "          CODE DES SALINES\n\n      Modifié par la loi n° 12 du 1er janvier 2024\n",
			"Code des salines", "0001-01-01", "", "date_promulgation"},
		{"of the page", "          CODE DES SALINES\n\n      Modifié le 1er janvier 2024\n",
			"Code des salines", "2024-01-01", "Modifié le 1er janvier 2024", "date_promulgation"},
		{"two days", "          CODE DES SALINES\n\n      Version consolidée au 1er janvier 2024\n      Dernière modification le 3 mai 2024\n",
			"Code des salines", "2024-05-03", "Dernière modification le 3 mai 2024", "date_promulgation"},
		{"when it was printed", "          CODE DES SALINES\n\n      Document généré le 31 décembre 2023\n",
			"Code des salines", "0001-01-01", "", "date_promulgation"},
	} {
		x := split(t, c.front+codeBody, gazette.Hints{})
		e := evidence(x, "date_promulgation")
		same(t, c.name, x.Document.Title+" | "+day(x.Document.Promulgated)+" | "+e.Words+" | "+strings.Join(fields(x.Doubts), " "),
			c.title+" | "+c.day+" | "+c.words+" | "+c.doubts)
		same(t, c.name+": number", x.Document.OfficialNumber, map[bool]string{true: "70-3"}[c.name == "made by a law"])
	}
}

// TestDayOfAConsolidatedEdition checks as of which day a text is printed, dated or not, and of which words none is read.
func TestDayOfAConsolidatedEdition(t *testing.T) {
	t.Parallel()
	const law = "          LOI N° 70-3 DU 3 MAI 1970\n          portant statut des salines\n"
	issue := time.Date(2023, 5, 3, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, front, day string
		hints            gazette.Hints
	}{
		{"an undated code", "          CODE DES SALINES\n\n      Dernière modification le 1er janvier 2024\n", "2024-01-01", gazette.Hints{}},
		{"a code that a law made", "          CODE DES SALINES\n      (Loi n° 70-3 du 3 mai 1970)\n      Mis à jour au 1er janvier 2024\n", "2024-01-01", gazette.Hints{}},
		{"a law", law + "\n      (Version consolidée au 1er janvier 2024)\n", "2024-01-01", gazette.Hints{}},
		{"a law as published", law, "", gazette.Hints{}},
		{"changed, perhaps the page", law + "\n      Modifié le 1er janvier 2024\n", "", gazette.Hints{}},
		{"before its date", law + "\n      (Version consolidée au 1er janvier 1960)\n", "", gazette.Hints{}},
		{"after the issue", law + "\n      (Version consolidée au 1er janvier 2024)\n", "", gazette.Hints{Published: &issue}},
	} {
		x, got := split(t, c.front+codeBody, c.hints), ""
		if as := x.Document.AsOf; as != nil {
			got = day(*as)
		}
		same(t, c.name, got, c.day)
	}
}

// TestConsolidatedWordsAreLawFromTheirState checks that a clause of the original code does not set the day from
// which today's words are law, unless it names a later day.
func TestConsolidatedWordsAreLawFromTheirState(t *testing.T) {
	t.Parallel()
	const front = "          CODE DES SALINES\n\n      Dernière modification le 1er janvier 2024\n" + codeBody
	for clause, want := range map[string]string{
		"": "2024-01-01",
		"  Article 4 : Le présent code entre en vigueur le 1er juillet 1970.\n":                    "2024-01-01",
		"  Article 4 : Le présent code entre en vigueur six mois après sa publication.\n":          "2024-01-01",
		"  Article 4 : Les dispositions du présent code entrent en vigueur le 1er juillet 2024.\n": "2024-07-01",
	} {
		x := split(t, front+clause, gazette.Hints{})
		same(t, clause, day(x.Document.EntersInForce)+" "+strings.Join(fields(x.Doubts), " "), want+" ")
	}
}

// TestConsolidatedCodeMadeItsRepealsLongAgo checks that an old code made its repeals when it was enacted.
func TestConsolidatedCodeMadeItsRepealsLongAgo(t *testing.T) {
	t.Parallel()
	x := split(t, "          CODE DES SALINES\n\n      Dernière modification le 1er janvier 2024\n"+codeBody+
		"  Article 4 : La loi n° 60-3 du 3 mai 1960 est abrogée.\n  Article 5 : Le présent code entre en vigueur le 1er juillet 1970.\n", gazette.Hints{})
	if len(x.Relations) != 1 || day(x.Relations[0].Effective) != "1970-07-01" {
		t.Errorf("relations %+v", x.Relations)
	}
}

// TestStateAtTheFootOfPages checks that a day at the foot of pages is only used in a file with one
// text, and that the operator's hint and the issue's date are considered.
func TestStateAtTheFootOfPages(t *testing.T) {
	t.Parallel()
	pages := func(text string) []layout.Page {
		out := typed(text)
		foot := typedLine("Code des salines - Dernière modification le 1er janvier 2024", 1, 60, 80, 40)
		out[0].Aside = append(out[0].Aside, foot)
		return out
	}
	const code = "          CODE DES SALINES\n" + codeBody
	x := segment.Split(pages(code), gazette.Hints{}).Texts[0]
	same(t, "foot", day(x.Document.Promulgated)+" "+strings.Join(fields(x.Doubts), " "), "2024-01-01 ")
	said := time.Date(1970, 5, 3, 0, 0, 0, 0, time.UTC)
	x = segment.Split(pages(code), gazette.Hints{Promulgated: &said}).Texts[0]
	same(t, "said", day(x.Document.Promulgated)+" "+strings.Join(fields(x.Doubts), " "), "1970-05-03 ")
	before := time.Date(2023, 5, 3, 0, 0, 0, 0, time.UTC)
	x = segment.Split(pages(code), gazette.Hints{Published: &before}).Texts[0]
	same(t, "published before", day(x.Document.Promulgated)+" "+strings.Join(fields(x.Doubts), " "), "2024-01-01 date_promulgation")
	for _, x := range segment.Split(pages(decree+"\f"+code), gazette.Hints{}).Texts {
		if e := evidence(x, "date_promulgation"); strings.Contains(e.Words, "modification") {
			t.Errorf("a foot under two texts dates %s", x.Document.Title)
		}
	}
}
