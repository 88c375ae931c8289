package segment

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/law"
)

// unsureFile returns a text of many pages, on each of which another text might begin.
func unsureFile(pages int) []layout.Page {
	var out []layout.Page
	for p := range pages {
		page := layout.Page{Number: p + 1, Width: 600, Height: 800}
		for i, text := range []string{"LOI N° 2019-3 DU 2 MARS 2019", "relative au sel.", "Le sel est gris et il est libre.", "Décret n° 2019-4", "Arrêté relatif aux sauniers", "Article 3 : Le sel est fin."} {
			var words []layout.Word
			x, y := 60.0, 60+20*float64(i)
			for _, w := range strings.Fields(text) {
				words = append(words, layout.Word{Text: w, Rect: law.Rect{x, y, x + 6*float64(len(w)), y + 10}, Size: 10})
				x += 6*float64(len(w)) + 4
			}
			page.Words = append(page.Words, words...)
		}
		out = append(out, page)
	}
	layout.Arrange(out)
	return out
}

// TestTrialsAreBounded checks that the lines that trials and changes look at are bounded,
// however many changes a long file allows.
func TestTrialsAreBounded(t *testing.T) {
	t.Parallel()
	c := Standard()
	pages := unsureFile(30)
	ready := prepare.Pages(pages)
	scored := c.Model.Score(label.Features(ready.Lines))
	plain := label.Assign(scored, ready.Lines, nil)
	triedWith := func(looks int) int {
		r := c.rereader(scored, ready.Lines, ready.Pages, gazette.Hints{}, plain)
		if want := looksEach * len(ready.Lines); r.looks != want {
			t.Fatalf("%d lines may be looked at, want %d", r.looks, want)
		}
		r.tries, r.looks = 1000, looks
		reading := r.firstReading(plain)
		trials := r.trials(reading, c.judgment())
		if looks > 0 && r.looks < -2*len(ready.Lines) {
			t.Errorf("%d lines more than %d were looked at", -r.looks, looks)
		}
		r.looks = 0
		for i := range trials {
			trials[i].p = 1
		}
		if r.makeChanges(&reading, trials, c.judgment()) {
			t.Error("a change was made when no line may be looked at any more")
		}
		return 1000 - r.tries
	}
	none, few, all := triedWith(0), triedWith(5), triedWith(1_000_000)
	if none != 0 || few == 0 || few >= all {
		t.Errorf("%d readings are tried with no line to look at, %d with five and %d with all", none, few, all)
	}
}
