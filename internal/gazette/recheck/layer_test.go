package recheck_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/recheck"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// The words of a text layer in whose place two readings of the page agree on others are marked, and no others.
func TestLayersAreComparedWithTheirPages(t *testing.T) {
	t.Parallel()
	const line = "Article 1er : La redevance est de neuf cents écus par mètre pendant 2 79 ans" // 79 is the mark of a note
	for name, c := range map[string]struct {
		shown, again string // in the two readings
		err          error
		want         string
	}{
		"the same":                    {shown: line, again: line},
		"a number in words":           {shown: strings.Replace(line, "neuf cents", "douze", 1), want: "neuf cents"},
		"a number in figures":         {shown: strings.Replace(line, "2 79", "9 79", 1), want: "2"},
		"the number of an article":    {shown: strings.Replace(line, "1er", "6", 1), want: "1er"},
		"another word":                {shown: strings.Replace(line, "redevance", "dispense", 1), want: "redevance"},
		"a word that the layer lacks": {shown: strings.Replace(line, "est de", "n’est pas de", 1), want: "de"},
		"slips":                       {shown: "Articlc ler : La redcvance est de neuf cents écus par mctre pendant 2 79 ans"},
		"a first reading alone":       {shown: strings.Replace(line, "2 79", "9 79", 1), again: line},
		"two other readings":          {shown: strings.Replace(line, "2 79", "9 79", 1), again: strings.Replace(line, "2 79", "7 79", 1)},
		"a sign among figures":        {shown: strings.Replace(line, "2 79", "9% 79", 1)},
		"a mark joined to its number": {shown: strings.Replace(line, "2 79", "27 ", 1)},
		"nothing":                     {},
		"what cannot be read":         {err: errs.New(errs.Unprocessable, "x")},
	} {
		pages := []layout.Page{sheet(1, layout.Layer, "relative aux quais.", line, "Article 2 : Le maire la perçoit."), sheet(2, layout.OCR, line)}
		for i := range pages[0].Words {
			pages[0].Words[i].Raised = pages[0].Words[i].Text == "79"
		}
		var asked []float64
		part := func(_ context.Context, p layout.Page, _ law.Rect, s ocr.Setting) ([][]layout.Word, error) {
			asked = append(asked, s.DPI)
			shown := c.shown
			if len(asked) > 1 && c.again != "" {
				shown = c.again
			}
			lines := [][]layout.Word{set("relative aux quais.", 60, 60), set("Article 2 : Le maire la perçoit.", 60, 88)}
			if shown != "" {
				lines = append(lines, squeezed(shown, 74))
			}
			return lines, c.err
		}
		changed, err := recheck.Reader{Part: part}.Layers(t.Context(), pages)
		var marked []string
		for _, w := range slices.Concat(pages[0].Words, pages[1].Words) {
			if w.Other {
				marked = append(marked, w.Text)
			}
		}
		if got := strings.Join(marked, " "); err != nil || got != c.want || (len(changed) > 0) != (c.want != "") {
			t.Errorf("%s: marked %q, changed %v, %v", name, got, changed, err)
		}
		if len(asked) > 1 && asked[0] == asked[1] {
			t.Errorf("%s: read twice in one way", name)
		}
	}
}

// squeezed returns the words of a line that is as wide as the page's.
func squeezed(text string, top float64) []layout.Word {
	words := set(text, 60, top)
	for i := range words {
		words[i].Rect[0], words[i].Rect[2] = 60+0.9*(words[i].Rect[0]-60), 60+0.9*(words[i].Rect[2]-60)
	}
	return words
}

// A sample stays small, however long the file, and an error of the tool ends it.
func TestASampleIsSmall(t *testing.T) {
	t.Parallel()
	var pages []layout.Page
	for n := range 300 {
		pages = append(pages, sheet(n+1, layout.Layer, salt("Article 3 :")...))
	}
	lines, calls := 0, 0
	part := func(_ context.Context, _ layout.Page, _ law.Rect, s ocr.Setting) ([][]layout.Word, error) {
		lines, calls = lines+len(s.Only), calls+1
		return nil, nil
	}
	if changed, err := (recheck.Reader{Part: part}).Layers(t.Context(), pages); err != nil || len(changed) > 0 || lines > 64 || calls > 8 || calls == 0 {
		t.Errorf("%d lines in %d calls, %v, %v", lines, calls, changed, err)
	}
	why := errors.New("no tool")
	broken := func(context.Context, layout.Page, law.Rect, ocr.Setting) ([][]layout.Word, error) { return nil, why }
	if _, err := (recheck.Reader{Part: broken}).Layers(t.Context(), pages); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}
