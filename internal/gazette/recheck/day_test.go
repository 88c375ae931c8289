package recheck_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/recheck"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// decree returns a decree of two articles, with the title and the end as they were read.
func decree(title, end string) []string {
	return []string{title, "relatif au sel.", "Le Président de la République,", "Vu la Constitution ;", "Décrète :",
		"Article 1 : La règle vaut pour le sel et pour tous ceux qui le", "vendent ou le transportent dans les communes de la région du littoral.",
		"Article 2 : Le ministre est chargé de l’exécution du présent décret, qui", "sera publié au Journal officiel.", end, "Jean VILLEDIEU"}
}

const (
	misreadTitle = "Décret n° 2016-413 du 1 avril 2016"
	title        = "Décret n° 2016-413 du 11 avril 2016"
	signed       = "Fait à Dakar, le 11 avril 2016."
)

// TestDateShownElsewhere checks that the line of the title is read again because the signature has another date, and
// used because it then has the same date as the signature.
func TestDateShownElsewhere(t *testing.T) {
	t.Parallel()
	pages := []layout.Page{sheet(1, layout.OCR, decree(misreadTitle, signed)...)}
	a := &again{lines: linesOf(decree(title, signed), 0, 2)}
	layout.Arrange(pages)
	if previous := split(pages); len(previous.Texts) != 1 || !doubted(previous.Texts[0].Doubts) || len(previous.Undated()) != 1 {
		t.Fatalf("%+v", previous.Texts)
	}
	changed, err := recheck.Reader{Part: a.part, Split: split}.Pages(t.Context(), pages)
	if err != nil || !slices.Equal(changed, []int{1}) {
		t.Fatal(changed, err)
	}
	layout.Arrange(pages)
	issue := split(pages)
	if d := issue.Texts[0]; !d.Document.Promulgated.Equal(time.Date(2016, 4, 11, 0, 0, 0, 0, time.UTC)) || doubted(d.Doubts) {
		t.Errorf("%v, %+v", d.Document.Promulgated, d.Doubts)
	}
}

func doubted(doubts []remarks.Doubt) bool {
	return slices.ContainsFunc(doubts, func(d remarks.Doubt) bool { return d.Field == "date_promulgation" })
}

// TestUnconfirmedDate checks that a third date is not used, and that nothing is read again if both places show the same
// date, or neither shows one.
func TestUnconfirmedDate(t *testing.T) {
	t.Parallel()
	pages := []layout.Page{sheet(1, layout.OCR, decree(misreadTitle, signed)...)}
	a := &again{lines: linesOf(decree("Décret n° 2016-413 du 17 avril 2016", signed), 0, 2)}
	if changed, err := (recheck.Reader{Part: a.part, Split: split}).Pages(t.Context(), pages); err != nil || len(changed) != 0 || len(a.asked) == 0 {
		t.Errorf("changed %v, asked for %v, %v", changed, a.asked, err)
	}
	never := func(context.Context, layout.Page, law.Rect, ocr.Setting) ([][]layout.Word, error) {
		t.Error("a part was read")
		return nil, nil
	}
	for _, lines := range [][]string{decree(title, signed), decree("Décret n° 2016-413", "Fait à Dakar, le l1 avrll")} {
		pages := []layout.Page{sheet(1, layout.OCR, lines...)}
		if changed, err := (recheck.Reader{Part: never, Split: split}).Pages(t.Context(), pages); err != nil || len(changed) != 0 {
			t.Error(changed, err)
		}
	}
}

// TestTwoDates checks two texts on one page whose dates are both read again.
func TestTwoDates(t *testing.T) {
	t.Parallel()
	second := func(l []string) []string {
		l[0] = l[0][:len(l[0])-len("2016")] + "2017"
		l[9] = "Fait à Dakar, le 11 avril 2017."
		return append([]string{""}, l...)
	}
	rows := func(title string) []string {
		both := append(decree(title, signed), second(decree(title, signed))...)
		both[12] = "Décret n° 2017-99" + both[12][len("Décret n° 2016-413"):]
		return both
	}
	pages := []layout.Page{sheet(1, layout.OCR, rows(misreadTitle)...)}
	printed := rows(title)
	part := func(_ context.Context, _ layout.Page, part law.Rect, _ ocr.Setting) (lines [][]layout.Word, _ error) {
		for row, words := range linesOf(printed, 0, len(printed)) {
			if y := 60 + 14*float64(row); y >= part[1] && y+10 <= part[3] && len(words) > 0 {
				lines = append(lines, words)
			}
		}
		return lines, nil
	}
	changed, err := recheck.Reader{Part: part, Split: split}.Pages(t.Context(), pages)
	if err != nil || !slices.Equal(changed, []int{1}) {
		t.Fatal(changed, err)
	}
	layout.Arrange(pages)
	issue := split(pages)
	for i, year := range []int{2016, 2017} {
		if i >= len(issue.Texts) || !issue.Texts[i].Document.Promulgated.Equal(time.Date(year, 4, 11, 0, 0, 0, 0, time.UTC)) {
			t.Fatalf("text %d of %+v", i, issue.Texts)
		}
	}
}
