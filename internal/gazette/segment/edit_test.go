package segment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
)

// three holds three decrees; the second one has a head that no rule knows.
const three = `                 DÉCRET N° 2019-12 DU 1ER MARS 2019
                 fixant le prix du sel.

  Le Premier ministre,
  Vu la loi n° 2010-05 du 3 mai 2010 portant Code du commerce ;

                          DÉCRÈTE :

  Art. 1er. — Le prix du sel est de dix écus le kilogramme dans les
marchés de plein air.
  Art. 2. — Il est affiché.
  Fait à Villebourg, le 1er mars 2019.

                      ACTE DU GOUVERNEMENT
                 portant prix du poivre.

  Art. 1er. — Le prix du poivre est libre dans tous les marchés de
la capitale.
  Fait à Villebourg, le 2 mars 2019.

                 DÉCRET N° 2019-14 DU 3 MARS 2019
                 fixant le prix du blé.

  Le Premier ministre,

                          DÉCRÈTE :

  Art. 1er. — Le prix du blé est de deux écus.
  Art. 2. — Le décret n° 2001-7 du 2 mai 2001 est abrogé.
`

// at returns the place of the first line that contains words.
func at(t *testing.T, pages []layout.Page, words string) gazette.Place {
	t.Helper()
	for _, p := range pages {
		for _, l := range p.Lines {
			if strings.Contains(l.Text(), words) {
				return gazette.PlaceOf(l)
			}
		}
	}
	t.Fatalf("no line holds %q", words)
	return gazette.Place{}
}

func places(t *testing.T, pages []layout.Page, words ...string) []gazette.Place {
	t.Helper()
	var out []gazette.Place
	for _, w := range words {
		out = append(out, at(t, pages, w))
	}
	return out
}

// brief returns the title, the articles and the origin of each text.
func brief(issue gazette.Issue) []string {
	var out []string
	for _, x := range issue.Texts {
		var numbers []string
		for _, a := range x.Articles {
			if a.Number != "" {
				numbers = append(numbers, a.Number)
			}
		}
		out = append(out, fmt.Sprintf("%d: %s [%s]", x.Origin, x.Document.Title, strings.Join(numbers, " ")))
	}
	return out
}

func TestEditsOfTexts(t *testing.T) {
	t.Parallel()
	pages := typed(three)
	salt, wheat := "Décret n° 2019-12 du 1er mars 2019 fixant le prix du sel", "Décret n° 2019-14 du 3 mars 2019 fixant le prix du blé"
	day := time.Date(2019, 3, 2, 0, 0, 0, 0, time.UTC)
	split := gazette.Edit{Kind: gazette.SplitHere, Lines: places(t, pages, "ACTE DU GOUV", "portant prix")}
	full := split
	full.Nature, full.Number, full.Promulgated, full.Type, full.Title = "Ordonnance", "2019-13", &day, law.Loi, "Ordonnance n° 2019-13 du 2 mars 2019 portant prix du poivre"
	merge := gazette.Edit{Kind: gazette.MergeBefore, Lines: places(t, pages, "DÉCRET N° 2019-14")}
	for _, c := range []struct {
		name  string
		edits []gazette.Edit
		want  []string
	}{
		{"none", nil, []string{"0: " + salt + " [1er 2 1er]", "1: " + wheat + " [1er 2]"}},
		{"a text begins", []gazette.Edit{split}, []string{"0: " + salt + " [1er 2]", "-1: ACTE DU GOUVERNEMENT portant prix du poivre. [1er]", "1: " + wheat + " [1er 2]"}},
		{"a text begins, of which all is said", []gazette.Edit{full}, []string{"0: " + salt + " [1er 2]", "-1: " + full.Title + " [1er]", "1: " + wheat + " [1er 2]"}},
		{"a text begins at an article", []gazette.Edit{{Kind: gazette.SplitHere, Lines: places(t, pages, "Le prix du poivre"), Title: "Poivre"}},
			[]string{"0: " + salt + " [1er 2]", "-1: Poivre [1er]", "1: " + wheat + " [1er 2]"}},
		{"a text goes on", []gazette.Edit{merge}, []string{"0: " + salt + " [1er 2 1er 1er 2]"}},
		{"the later edit of a line counts", []gazette.Edit{split, {Kind: gazette.MergeBefore, Lines: split.Lines[:1]}},
			[]string{"0: " + salt + " [1er 2 1er]", "1: " + wheat + " [1er 2]"}},
		{"what was said of a text that is none goes with it", []gazette.Edit{full, {Kind: gazette.MergeBefore, Lines: full.Lines[:1]}},
			[]string{"0: " + salt + " [1er 2 1er]", "1: " + wheat + " [1er 2]"}},
		{"a text begins one line earlier", []gazette.Edit{merge, {Kind: gazette.SplitHere, Lines: places(t, pages, "Fait à Villebourg, le 2"), Title: "Blé"}},
			[]string{"0: " + salt + " [1er 2 1er]", "1: Blé [1er 2]"}},
		{"a title", []gazette.Edit{{Kind: gazette.Retitle, Lines: places(t, pages, "Il est affiché"), Title: "Décret du sel"}},
			[]string{"0: Décret du sel [1er 2 1er]", "1: " + wheat + " [1er 2]"}},
		{"an article's number", []gazette.Edit{{Kind: gazette.Renumber, Lines: places(t, pages, "la capitale"), Number: "3"}},
			[]string{"0: " + salt + " [1er 2 3]", "1: " + wheat + " [1er 2]"}},
		{"an article begins", []gazette.Edit{{Kind: gazette.Renumber, Lines: places(t, pages, "marchés de plein"), Number: "2", Begins: true}},
			[]string{"0: " + salt + " [1er 2 2 1er]", "1: " + wheat + " [1er 2]"}},
		{"an article begins, and those after it are numbered again", []gazette.Edit{{Kind: gazette.Renumber, Lines: places(t, pages, "marchés de plein"), Number: "2", Begins: true, Onward: true}},
			[]string{"0: " + salt + " [1er 2 3 1er]", "1: " + wheat + " [1er 2]"}},
		{"numbered again from an article on", []gazette.Edit{{Kind: gazette.Renumber, Lines: places(t, pages, "Le prix du blé est"), Number: "7", Onward: true}},
			[]string{"0: " + salt + " [1er 2 1er]", "1: " + wheat + " [7 8]"}},
		{"an article begins where it does", []gazette.Edit{{Kind: gazette.Renumber, Lines: places(t, pages, "Il est affiché"), Number: "3", Begins: true}},
			[]string{"0: " + salt + " [1er 3 1er]", "1: " + wheat + " [1er 2]"}},
		{"a line of a text begins no article", []gazette.Edit{{Kind: gazette.MoveLines, Lines: places(t, pages, "Art. 2. — Il est")}},
			[]string{"0: " + salt + " [1er 1er]", "1: " + wheat + " [1er 2]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			issue := segment.Split(pages, gazette.Hints{Edits: c.edits})
			if diff := compare.Diff(c.want, brief(issue)); diff != "" {
				t.Error(diff)
			}
			if len(issue.Unapplied) > 0 {
				t.Errorf("unapplied %+v", issue.Unapplied)
			}
			again := segment.Split(typed(three), gazette.Hints{Edits: c.edits})
			if diff := compare.Diff(output(issue), output(again)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEditAppliesToTheLineAtItsPlace names a line with the same words as a line of another text on the page.
func TestEditAppliesToTheLineAtItsPlace(t *testing.T) {
	t.Parallel()
	pages := typed(three)
	var second gazette.Place
	for _, l := range pages[0].Lines {
		if strings.Contains(l.Text(), "DÉCRÈTE") {
			second = gazette.PlaceOf(l)
		}
	}
	issue := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{{Kind: gazette.Retitle, Lines: []gazette.Place{second}, Title: "Blé"}}})
	same(t, "text", issue.Texts[1].Document.Title, "Blé")
}

func TestEditedFieldsAreNotDoubted(t *testing.T) {
	t.Parallel()
	pages := typed(three)
	date := time.Date(2019, 3, 2, 0, 0, 0, 0, time.UTC)
	issue := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{{Kind: gazette.SplitHere, Lines: places(t, pages, "ACTE DU GOUV", "portant prix"),
		Type: law.Loi, Number: "2019-13", Promulgated: &date}}})
	x := issue.Texts[1]
	same(t, "all", fmt.Sprint(x.Document.Type, x.Document.OfficialNumber, day(x.Document.Promulgated), x.Doubts), "loi2019-132019-03-02[]")
	if diff := compare.Diff(map[string]string{"doc_type": "loi", "numero_officiel": "2019-13", "date_promulgation": "2019-03-02"}, x.Edited); diff != "" {
		t.Error(diff)
	}
}

func TestMovedLines(t *testing.T) {
	t.Parallel()
	pages := typed(three)
	place := func(words string) *gazette.Place { p := at(t, pages, words); return &p }
	for _, c := range []struct {
		name, text, want string
		edit             gazette.Edit
		which            int
	}{
		{"out of any text", "out", "Le prix du sel est de dix écus le kilogramme dans les",
			gazette.Edit{Lines: places(t, pages, "marchés de plein air")}, 0},
		{"to the text behind", "behind", "Le décret n° 2001-7 du 2 mai 2001 est abrogé.\nLe prix du poivre est libre dans tous les marchés de la capitale.",
			gazette.Edit{Lines: places(t, pages, "Le prix du poivre", "la capitale"), After: place("est abrogé")}, 1},
		{"within a text", "within", "Le prix du sel est de dix écus le kilogramme dans les la capitale. marchés de plein air.",
			gazette.Edit{Lines: places(t, pages, "la capitale"), After: place("kilogramme")}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.edit.Kind = gazette.MoveLines
			issue := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{c.edit}})
			if len(issue.Unapplied) > 0 || len(issue.Texts) != 2 {
				t.Fatalf("%v, unapplied %+v", brief(issue), issue.Unapplied)
			}
			var all []string
			for _, a := range issue.Texts[c.which].Articles {
				all = append(all, a.Text)
			}
			if !strings.Contains(strings.Join(all, "\n"), c.want) {
				t.Errorf("text %d: %q", c.which, all)
			}
			if letters(output(issue)) == "" || len(letters(output(issue))) < len(letters(output(segment.Split(pages, gazette.Hints{}))))-20 {
				t.Error("words are lost")
			}
		})
	}
}

func TestAMovedTitleLineBelongsToTheTitle(t *testing.T) {
	t.Parallel()
	pages := typed(strings.Replace(three, "                 fixant le prix du blé.\n", "", 1) + "\n                 fixant le prix du blé.\n")
	p := at(t, pages, "DÉCRET N° 2019-14")
	issue := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{
		{Kind: gazette.MoveLines, Lines: places(t, pages, "fixant le prix du blé"), After: &p},
		{Kind: gazette.Retitle, Lines: places(t, pages, "fixant le prix du blé"), Title: "Blé"},
	}})
	same(t, "title", issue.Texts[1].Document.Title, "Blé")
	if len(issue.Unapplied) > 0 {
		t.Errorf("%+v", issue.Unapplied)
	}
}

func TestCorrectedWords(t *testing.T) {
	t.Parallel()
	pages := typed(strings.NewReplacer("DÉCRET N° 2019-14 DU 3 MARS 2019", "P£ÇR§T IV* 2O19-14 DV 3 M4R5 2O19", "Art. 2. — Il est", "Alt. Z. — Il est").Replace(three))
	issue := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{
		{Kind: gazette.Correct, Lines: places(t, pages, "2O19-14"), Text: "DÉCRET N° 2019-14 DU 3 MARS 2019"},
		{Kind: gazette.Correct, Lines: places(t, pages, "Alt. Z"), Text: "Art. 2. — Il est affiché."},
		{Kind: gazette.Correct, Whole: true, Lines: places(t, pages, "est abrogé"), Text: "Le décret n° 2001-8 du 3 mai 2001\n  est abrogé. "},
	}})
	want := []string{"0: Décret n° 2019-12 du 1er mars 2019 fixant le prix du sel [1er 2 1er]", "-1: Décret n° 2019-14 du 3 mars 2019 fixant le prix du blé [1er 2]"}
	if diff := compare.Diff(want, brief(issue)); diff != "" {
		t.Fatal(diff)
	}
	wheat := issue.Texts[1]
	last := wheat.Articles[len(wheat.Articles)-1]
	same(t, "article", last.Text, "Le décret n° 2001-8 du 3 mai 2001\nest abrogé.")
	if len(wheat.Relations) != 1 || wheat.Relations[0].TargetNumber != "2001-8" {
		t.Errorf("relations %+v", wheat.Relations)
	}
	if len(pages[0].Lines) == 0 || strings.Contains(pages[0].Lines[0].Text(), "…") {
		t.Error("the pages given were changed")
	}
	at(t, pages, "Alt. Z. — Il est")
	for _, x := range issue.Texts {
		checkShape(t, x)
	}
}

// TestEditsFindTheirLinesInAnotherReading cuts a file whose lines were read in another order, with other
// words, or at a slightly different place.
func TestEditsFindTheirLinesInAnotherReading(t *testing.T) {
	t.Parallel()
	edits := []gazette.Edit{{Kind: gazette.SplitHere, Lines: []gazette.Place{at(t, typed(three), "ACTE DU GOUV")}, Title: "Poivre"}}
	slipped := typed(strings.Replace(three, "ACTE DU GOUVERNEMENT", "4CTE DU C0UVERNEMFNT", 1))
	moved := typed(three)
	for i := range moved[0].Lines {
		moved[0].Lines[i].Rect[1] += 30
		moved[0].Lines[i].Rect[3] += 30
	}
	more := typed("  En marge.\n" + three)
	for i := range more[0].Lines[1:] {
		more[0].Lines[i+1].Rect[1] -= 12
		more[0].Lines[i+1].Rect[3] -= 12
	}
	for name, pages := range map[string][]layout.Page{"other words": slipped, "elsewhere": moved, "one line more": more} {
		issue := segment.Split(pages, gazette.Hints{Edits: edits})
		if len(issue.Unapplied) > 0 || !slices.ContainsFunc(issue.Texts, func(x gazette.Text) bool { return x.Document.Title == "Poivre" }) {
			t.Errorf("%s: %v, unapplied %+v", name, brief(issue), issue.Unapplied)
		}
	}
}

// TestUnappliedEditsAreReported applies edits to another page.
func TestUnappliedEditsAreReported(t *testing.T) {
	t.Parallel()
	elsewhere := gazette.Place{Page: 1, Rect: law.Rect{0, 5000, 10, 5010}, Hash: "x", Text: "Art. 9"}
	pages := typed(three)
	made := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	salt := at(t, pages, "DÉCRET N° 2019-12")
	for name, e := range map[string]gazette.Edit{
		"split": {Kind: gazette.SplitHere}, "merge": {Kind: gazette.MergeBefore}, "move": {Kind: gazette.MoveLines},
		"renumber": {Kind: gazette.Renumber, Number: "4"}, "begin": {Kind: gazette.Renumber, Number: "4", Begins: true, Onward: true}, "title": {Kind: gazette.Retitle, Title: "x"}, "words": {Kind: gazette.Correct, Text: "x"},
		"article":             {Kind: gazette.Correct, Text: "x", Whole: true},
		"behind nothing":      {Kind: gazette.MoveLines, Lines: []gazette.Place{salt}, After: &elsewhere},
		"behind itself":       {Kind: gazette.MoveLines, Lines: []gazette.Place{salt}, After: &salt},
		"before the first":    {Kind: gazette.MergeBefore, Lines: []gazette.Place{salt}},
		"a title's article":   {Kind: gazette.Renumber, Lines: []gazette.Place{salt}, Number: "2"},
		"a line of no letter": {Kind: gazette.MoveLines, Lines: []gazette.Place{{Page: 7, Text: "Art. 9"}}},
	} {
		e.Made = made
		if e.Lines == nil {
			e.Lines = []gazette.Place{elsewhere}
		}
		issue := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{e}})
		if len(issue.Unapplied) != 1 || issue.Unapplied[0].Edit != 0 ||
			!strings.HasPrefix(issue.Unapplied[0].Why.Sentence(), "La correction du 1er novembre 2026 ne s’applique plus : ") {
			t.Errorf("%s: unapplied %+v", name, issue.Unapplied)
		}
		reported := 0
		for _, x := range issue.Texts {
			for _, d := range x.Doubts {
				if d.Field == gazette.CorrectionField && d.Why.Sentence() == issue.Unapplied[0].Why.Sentence() {
					reported++
				}
			}
		}
		if reported != 1 || name != "behind itself" && len(issue.Texts) != 2 {
			t.Errorf("%s: reported %d times; %v", name, reported, brief(issue))
		}
	}
}

func TestLabelsOfLines(t *testing.T) {
	t.Parallel()
	pages := typed(strings.Replace(decree, "  Art. 2. —", "              CHAPITRE II\n              Du poids\n\n  Art. 2. —", 1))
	issue := segment.Split(pages, gazette.Hints{})
	var got []string
	for _, l := range issue.Lines {
		number := ""
		if l.Article >= 0 {
			number = issue.Texts[l.TextIndex].Articles[l.Article].Number
		}
		got = append(got, fmt.Sprintf("%s %s %s", l.Label, number, strings.Fields(l.Text)[0]))
	}
	want := []string{"head  DÉCRET", "head  fixant", "preamble  Le", "preamble  Vu", "preamble  DÉCRÈTE", "article 1er Art.", "article 1er marchés",
		"article 1er Il", "section  CHAPITRE", "section  Du", "article 2 Art.", "article 2 bis Art.", "signature  Fait", "signature  Le", "signature  Jean"}
	if diff := compare.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzEdits checks that no edit of any line causes a panic or loses a word.
func FuzzEdits(f *testing.F) {
	f.Add(three, uint16(3), uint16(9), uint16(14), uint8(0), uint8(2))
	f.Add(decree+"\f"+decree, uint16(1), uint16(0), uint16(20), uint8(1), uint8(2))
	f.Add("JOURNAL OFFICIEL\nN° 5 — 3 mai 2010\nSOMMAIRE\nLoi n° 3-2010 relative au sel ..... 1\n"+decree, uint16(3), uint16(1), uint16(6), uint8(2), uint8(0))
	f.Fuzz(checkEdits)
}

// TestEditsAnywhere makes edits of many lines, including meaningless ones.
func TestEditsAnywhere(t *testing.T) {
	t.Parallel()
	gazette := "JOURNAL OFFICIEL\nN° 5 — 3 mai 2010\nSOMMAIRE\nDécret n° 2019-12 fixant le prix du sel ..... 1\n" + three
	for n := range uint16(120) {
		checkEdits(t, []string{three, gazette}[n%2], 7*n, 11*n+3, 5*n+1, uint8(n%5), uint8(n/5%5))
	}
}

// checkEdits cuts typed text with two edits of its lines.
func checkEdits(t *testing.T, text string, a, b, c uint16, first, second uint8) {
	t.Helper()
	pages := typed(text)
	var lines []layout.Line
	for _, p := range pages {
		lines = append(lines, p.Lines...)
	}
	if len(lines) == 0 || len(text) > 1<<13 || !utf8.ValidString(text) {
		return
	}
	place := func(n uint16) gazette.Place { return gazette.PlaceOf(lines[int(n)%len(lines)]) }
	behind := place(c)
	kinds := []gazette.EditKind{gazette.SplitHere, gazette.MergeBefore, gazette.MoveLines, gazette.Renumber, gazette.Retitle}
	edits := []gazette.Edit{
		{Kind: kinds[int(first)%len(kinds)], Lines: []gazette.Place{place(a), place(b)}, After: &behind, Number: "7"},
		{Kind: kinds[int(second)%len(kinds)], Lines: []gazette.Place{place(b)}, Title: "Titre"},
	}
	issue := segment.Split(pages, gazette.Hints{Edits: edits})
	kept := letters(output(issue))
	retitled := edits[0].Kind == gazette.Retitle || edits[1].Kind == gazette.Retitle
	for _, l := range lines {
		for _, w := range l.Words {
			if k := letters(w.Text); len(k) > 3 && !ofHead(k) && !retitled && !strings.Contains(kept, k) {
				t.Fatalf("%q of line %q is lost by %+v", w.Text, l.Text(), edits)
			}
		}
	}
	if len(issue.Lines) != len(lines) {
		t.Fatalf("%d lines are labeled, of %d", len(issue.Lines), len(lines))
	}
	for _, x := range issue.Texts {
		checkShape(t, x)
	}
}
