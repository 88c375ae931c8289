package house

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// A form changes how the same texts are set, and nothing about them: what it changes in
// the figures of an evaluation is the form's doing.
func TestFormsSetTheSameTexts(t *testing.T) {
	t.Parallel()
	for _, s := range []Style{justified(), ancient(), stacked(), union(), lettered()} {
		plain := Make(s, 7, Damage{})
		for _, f := range Forms() {
			made := Make(s.With(f), 7, Damage{})
			if len(made.Texts) != len(plain.Texts) {
				t.Fatalf("%s, %s: %d texts and not %d", s.Name, f, len(made.Texts), len(plain.Texts))
			}
			for i, want := range plain.Texts {
				got := made.Texts[i]
				if got.Number != want.Number || !got.Date.Equal(want.Date) || got.Title != want.Title || strings.Join(got.Articles, " ") != strings.Join(want.Articles, " ") {
					t.Errorf("%s, %s: text %d is %+v and not %+v", s.Name, f, i, got, want)
				}
			}
		}
	}
}

func TestFormsAreThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form    Form
		label   Label
		pattern string
	}{
		{Column, Table, `^(?:ÂGE|DATE|GRADE|CODE|ZONE) (?:DÉSIGNATION|OPÉRATIONS|PIÈCES|NATURE)`},
		{Banner, Table, `^(?:ÂGE|DATE|GRADE|CODE|ZONE) (?:DÉSIGNATION|OPÉRATIONS|PIÈCES|NATURE)`},
		{Below, Article, `^(?:Art\.|Article)$`},
		{Beside, Signature, `^(?:Le|La) .*(?:Le|La) min`},
		{Reworded, Paragraph, `^(?:« )?Article premier :`},
		{Motives, Bill, `(?i)^(?:loi|décret|ordonnance|dahir)`},
		{Motives, Draft, `(?i)^exposé des motifs|^rapport|^note de`},
		{Projected, Notice, `(?i)^projet d`},
		{Applying, Paragraph, `en application des dispositions de|^(?:décret|loi)`},
	} {
		found := false
		style := justified()
		if c.form == Motives || c.form == Projected {
			style = printedAlone(t)
		}
		for seed := range uint64(8) {
			i := Make(style.With(c.form), seed, Damage{})
			layout.Arrange(i.Pages)
			for _, p := range i.Pages {
				for _, l := range p.Lines {
					label, _, _ := i.LineLabel(l)
					found = found || label == c.label && regexp.MustCompile(c.pattern).MatchString(l.Text())
				}
			}
		}
		if !found {
			t.Errorf("%s: no line of it", c.form)
		}
	}
}

// Letters that are set apart are words of their own on the page, and one word of its line.
func TestSpreadWordsAreReadAsOne(t *testing.T) {
	t.Parallel()
	i := Make(spacious().With(Spread), 3, Damage{})
	letters, heads := 0, 0
	for _, p := range i.Pages {
		for _, w := range p.Words {
			if w.Text == "A" || w.Text == "D" || w.Text == "L" {
				letters++
			}
		}
	}
	layout.Arrange(i.Pages)
	for _, p := range i.Pages {
		for _, l := range p.Lines {
			if label, _, _ := i.LineLabel(l); label == Article && strings.HasPrefix(l.Text(), "Article ") {
				heads++
			}
		}
	}
	if letters < 10 || heads < 10 {
		t.Errorf("%d letters apart, %d heads of articles", letters, heads)
	}
}

// Boxes that are too high cover more than the lines they belong to.
func TestTallLinesReachIntoOthers(t *testing.T) {
	t.Parallel()
	height := func(d Damage) float64 {
		sum := 0.0
		for _, p := range Make(justified(), 3, d).Pages {
			for _, w := range p.Words {
				sum += w.Rect[3] - w.Rect[1]
			}
		}
		return sum
	}
	if flat, tall := height(Damage{OCR: true}), height(Damage{OCR: true, Tall: 0.5}); tall < 1.1*flat || tall > 1.4*flat {
		t.Errorf("%g points of words and %g", flat, tall)
	}
}

// printedAlone is a style that prints one text.
func printedAlone(t *testing.T) Style {
	t.Helper()
	for _, s := range Styles() {
		if s.print == alone {
			return s
		}
	}
	t.Fatal("no style prints a text alone")
	return Style{}
}

// A text behind its bill has its title twice, and begins where the second one stands.
func TestTextsBeginBehindTheirBill(t *testing.T) {
	t.Parallel()
	behind := 0
	for seed := range uint64(12) {
		i := Make(printedAlone(t).With(Motives), seed, Damage{})
		drafted := 0
		for n, labels := range i.Labels {
			for k, l := range labels {
				switch {
				case l == Draft && i.Owner[n][k] >= 0:
					t.Fatalf("seed %d: a bill belongs to a text", seed)
				case l == Draft:
					drafted++
				case l == Head && drafted > 0:
					behind++
					drafted = 0
				}
			}
		}
	}
	if behind == 0 {
		t.Error("no text stands behind a bill")
	}
}

// A text behind the report on its draft says the same as without, and begins a page.
func TestReportsOnDraftsChangeNoText(t *testing.T) {
	t.Parallel()
	reported := 0
	for seed := range uint64(30) {
		style := printedAlone(t)
		with, without := Make(style.With(Projected), seed, Damage{}), Make(style, seed, Damage{})
		if a, b := owned(with), owned(without); !slices.Equal(a, b) {
			t.Fatalf("seed %d: the text has %d words, and %d with the report", seed, len(b), len(a))
		}
		if len(with.Pages) == len(without.Pages) {
			continue
		}
		reported++
		for n, owners := range with.Owner[:with.Texts[0].Page-1] {
			if slices.ContainsFunc(owners, func(o int) bool { return o >= 0 }) {
				t.Errorf("seed %d: words of the text stand on page %d, before it begins", seed, n+1)
			}
		}
	}
	if reported < 5 {
		t.Errorf("%d of 30 texts stand behind a report", reported)
	}
}

// owned are the words that belong to texts, in their order.
func owned(i Issue) []string {
	var out []string
	for n, owners := range i.Owner {
		for k, o := range owners {
			if o >= 0 {
				out = append(out, i.Pages[n].Words[k].Text)
			}
		}
	}
	return out
}
