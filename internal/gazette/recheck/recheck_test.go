package recheck_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/recheck"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// sheet returns a page of lines 12 points apart, with letters 6 points wide.
func sheet(number int, source layout.Source, lines ...string) layout.Page {
	p := layout.Page{Number: number, Width: 595, Height: 842, Source: source, Cover: 1, DPI: 200}
	for row, l := range lines {
		p.Words = append(p.Words, set(l, 60, 60+14*float64(row))...)
	}
	return p
}

// set returns the words of a line at a place.
func set(text string, left, top float64) []layout.Word {
	var out []layout.Word
	for w := range strings.FieldsSeq(text) {
		right := left + 5*float64(len([]rune(w)))
		out = append(out, layout.Word{Text: w, Rect: law.Rect{left, top, right, top + 10}})
		left = right + 5
	}
	return out
}

// salt returns a law of four articles of two lines each, with the head of the third as it was read.
func salt(third string) []string {
	lines := []string{"LOI N° 2019-3 DU 2 MARS 2019", "relative au sel.", "L’Assemblée a délibéré et adopté ;"}
	for n := 1; n <= 4; n++ {
		head := fmt.Sprintf("Article %d :", n)
		if n == 3 {
			head = third
		}
		lines = append(lines, head+" La règle vaut pour le sel et pour tous ceux qui le",
			"vendent ou le transportent dans les communes de la région du littoral.")
	}
	return lines
}

// again is a second reading, given as the words of a page's lines.
type again struct {
	asked []ocr.Setting
	parts []law.Rect
	lines [][]layout.Word
	err   error
}

func (a *again) part(_ context.Context, _ layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error) {
	a.asked, a.parts = append(a.asked, s), append(a.parts, part)
	return a.lines, a.err
}

// linesOf returns the lines of a sheet in rows [start,end).
func linesOf(lines []string, start, end int) [][]layout.Word {
	var out [][]layout.Word
	for row := start; row < end; row++ {
		out = append(out, set(lines[row], 60, 60+14*float64(row)))
	}
	return out
}

func split(pages []layout.Page) gazette.Issue { return segment.Split(pages, gazette.Hints{}) }

func articleNumbers(issue gazette.Issue) (out []string) {
	for _, t := range issue.Texts {
		for _, a := range t.Articles {
			if a.Number != "" {
				out = append(out, a.Number)
			}
		}
	}
	return out
}

const lost = "(at —"

// TestMissingHeadIsReadAgain checks that the place between the heads around the gap is read again and used.
func TestMissingHeadIsReadAgain(t *testing.T) {
	t.Parallel()
	for _, source := range []layout.Source{layout.OCR, layout.Layer} {
		pages := []layout.Page{sheet(1, source, salt(lost)...)}
		a := &again{lines: linesOf(salt(". | Article 3 :"), 5, 9)}
		changed, err := recheck.Reader{Part: a.part, Split: split}.Pages(t.Context(), pages)
		if err != nil || !slices.Equal(changed, []int{1}) {
			t.Fatalf("%s: changed %v, %v", source, changed, err)
		}
		if len(a.asked) != 1 || a.parts[0][1] < 60+14*4 || a.parts[0][3] > 60+14*9+4 {
			t.Errorf("%s: asked for %v of %v", source, a.asked, a.parts)
		}
		layout.Arrange(pages)
		issue := split(pages)
		if got := articleNumbers(issue); !slices.Equal(got, []string{"1er", "2", "3", "4"}) {
			t.Errorf("%s: articles %v", source, got)
		}
		text := ""
		for _, x := range issue.Texts[0].Articles {
			text += x.Text + "\n"
		}
		if strings.Contains(text, lost) || strings.Count(text, "La règle vaut") != 4 {
			t.Errorf("%s: %s", source, text)
		}
	}
}

// TestUnconfirmedReadings checks readings without the missing head, with a head that is not missing, with several
// heads, and with less text.
func TestUnconfirmedReadings(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][][]layout.Word{
		"the same":             linesOf(salt(lost), 5, 9),
		"another article":      linesOf(salt("Article 7 :"), 5, 9),
		"a reference":          linesOf(salt("L’article 3 :"), 5, 9),
		"an article elsewhere": {set("Article 3 : La règle vaut", 60, 700)},
		"nothing":              nil,
	} {
		pages := []layout.Page{sheet(1, layout.OCR, salt(lost)...)}
		before := slices.Clone(pages[0].Words)
		a := &again{lines: lines}
		changed, err := recheck.Reader{Part: a.part, Split: split}.Pages(t.Context(), pages)
		if err != nil || len(changed) != 0 || !slices.Equal(pages[0].Words, before) {
			t.Errorf("%s: changed %v, %v", name, changed, err)
		}
		if len(a.asked) < 2 || a.asked[0].DPI == a.asked[1].DPI {
			t.Errorf("%s: asked for %v", name, a.asked)
		}
	}
}

// TestReadingWithLessTextGivesOnlyHeads checks that lines that the second reading lacks stay as first read.
func TestReadingWithLessTextGivesOnlyHeads(t *testing.T) {
	t.Parallel()
	pages := []layout.Page{sheet(1, layout.OCR, salt(lost)...)}
	// Only the heads of articles 2 and 3. The whole reading would be confirmed, but lose two lines.
	a := &again{lines: slices.Concat(linesOf(salt("Article 3 :"), 5, 6), linesOf(salt("Article 3 :"), 7, 8))}
	changed, err := recheck.Reader{Part: a.part, Split: split}.Pages(t.Context(), pages)
	if err != nil || len(changed) != 1 {
		t.Fatal(changed, err)
	}
	layout.Arrange(pages)
	issue := split(pages)
	if got := articleNumbers(issue); !slices.Equal(got, []string{"1er", "2", "3", "4"}) {
		t.Errorf("articles %v", got)
	}
	n := 0
	for _, x := range issue.Texts[0].Articles {
		n += strings.Count(x.Text, "vendent ou le transportent")
	}
	if n != 4 {
		t.Errorf("%d of 4 second lines are left", n)
	}
}

// TestDigitalPagesAreNotReadAgain checks that digital pages are not even cut.
func TestDigitalPagesAreNotReadAgain(t *testing.T) {
	t.Parallel()
	never := func(context.Context, layout.Page, law.Rect, ocr.Setting) ([][]layout.Word, error) {
		t.Error("a part was read")
		return nil, nil
	}
	digital := sheet(1, layout.Layer, salt(lost)...)
	digital.Cover = 0
	r := recheck.Reader{Part: never, Split: func([]layout.Page) gazette.Issue {
		t.Error("digital pages were cut")
		return gazette.Issue{}
	}}
	if changed, err := r.Pages(t.Context(), []layout.Page{digital}); err != nil || changed != nil {
		t.Error(changed, err)
	}
	r.Split = split
	if changed, err := r.Pages(t.Context(), []layout.Page{sheet(1, layout.OCR, salt("Article 3 :")...)}); err != nil || len(changed) != 0 {
		t.Error(changed, err)
	}
}

// TestFaultsOfSecondReadings checks that a part that cannot be read changes nothing, and that a missing tool is an
// error.
func TestFaultsOfSecondReadings(t *testing.T) {
	t.Parallel()
	for kind, stops := range map[errs.Kind]bool{errs.Unprocessable: false, errs.Unavailable: true} {
		a := &again{err: errs.New(kind, "x")}
		changed, err := recheck.Reader{Part: a.part, Split: split}.Pages(t.Context(), []layout.Page{sheet(1, layout.OCR, salt(lost)...)})
		if len(changed) != 0 || (err != nil) != stops {
			t.Errorf("%v: %v, %v", kind, changed, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("canceled")
	cancel(why)
	a := &again{err: errs.Wrap(errs.Unprocessable, "x", why)}
	if _, err := (recheck.Reader{Part: a.part, Split: split}).Pages(ctx, []layout.Page{sheet(1, layout.OCR, salt(lost)...)}); !errors.Is(err, why) {
		t.Errorf("canceled: %v", err)
	}
}
