package ingestion

import (
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// TestWhichPagesAreRecognized checks which pages a file's text layer does not suffice for.
func TestWhichPagesAreRecognized(t *testing.T) {
	t.Parallel()
	const (
		caesar  = "Oh wudydloohxu gurlw ghv frqjhv srxu "
		english = "Every worker shall be entitled to annual leave with pay as provided by this law and by collective agreements "
		private = "\ue041\ue042\ue043 \ue044\ue045 "
	)
	with := func(text string, cover float64) layout.Page {
		p := typeset(1, strings.Repeat(text, 8))
		p.Cover = cover
		return p
	}
	french := lawPages(1)[0]
	french.Cover = 1
	for _, c := range []struct {
		name string
		p    layout.Page
		want bool
	}{
		{"blank", layout.Page{Source: layout.None}, false},
		{"a picture", layout.Page{Source: layout.None, Cover: 1, Drawn: true}, true},
		{"a picture in strips", layout.Page{Source: layout.None, Cover: 0.1, Drawn: true}, true},
		{"damaged", layout.Page{Source: layout.None, Cover: 1, Drawn: true, Fault: "Abîmée."}, false},
		{"good layer", lawPages(1)[0], false},
		{"good layer over a picture", french, false},
		{"shifted glyphs", with(caesar, 0), true},
		{"private glyphs", with(strings.Repeat(private, 3), 0), true},
		{"English", with(english, 0), false},
		{"foreign over a picture", with(caesar, 1), true},
		{"a few words over a picture", typeset(1, "Fait à Kel"), false},
		{"a table of numbers", with("12 450 7 300 1 000 ", 0), false},
	} {
		if got := c.p.Layer() != layout.Good; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
