package house

import (
	"reflect"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// seeds is how many issues of each style most tests look at.
const seeds = 2

func each(t *testing.T, f func(t *testing.T, s Style, seed uint64)) {
	t.Helper()
	drawn := []Style{}
	for seed := range uint64(6) {
		drawn = append(drawn, Drawn(seed))
	}
	for _, s := range append(Styles(), drawn...) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(seeds) {
				f(t, s, seed)
			}
		})
	}
}

func TestSameSeedSameIssue(t *testing.T) {
	t.Parallel()
	worst := Damage{OCR: true, Skew: 1, Noise: 1, Blur: 1, Accents: 1, Shift: 1, Confusion: 1}
	each(t, func(t *testing.T, s Style, seed uint64) {
		for _, d := range []Damage{{}, worst} {
			one := Make(s, seed, d)
			if !reflect.DeepEqual(one, Make(s, seed, d)) {
				t.Errorf("seed %d gives two issues", seed)
			}
			if reflect.DeepEqual(one.Pages, Make(s, seed+100, d).Pages) {
				t.Errorf("seeds %d and %d give one issue", seed, seed+100)
			}
		}
	})
}

func TestEveryWordIsLabeled(t *testing.T) {
	t.Parallel()
	known := map[Label]bool{}
	for _, l := range Labels() {
		known[l] = true
	}
	each(t, func(t *testing.T, s Style, seed uint64) {
		i := Make(s, seed, Damage{})
		if len(i.Labels) != len(i.Pages) || len(i.Owner) != len(i.Pages) {
			t.Fatalf("%d pages, labels for %d, owners for %d", len(i.Pages), len(i.Labels), len(i.Owner))
		}
		for n, p := range i.Pages {
			if len(i.Labels[n]) != len(p.Words) || len(i.Owner[n]) != len(p.Words) {
				t.Fatalf("page %d: %d words, %d labels, %d owners", n, len(p.Words), len(i.Labels[n]), len(i.Owner[n]))
			}
			for k, w := range p.Words {
				if !known[i.Labels[n][k]] || i.Owner[n][k] < -1 || i.Owner[n][k] >= len(i.Texts) {
					t.Fatalf("page %d, %q: label %q, owner %d of %d", n, w.Text, i.Labels[n][k], i.Owner[n][k], len(i.Texts))
				}
				if strings.ContainsAny(w.Text, "{}%\x00") && strings.Contains(w.Text, "%N") || strings.ContainsAny(w.Text, "{}\x00\n\t ") || w.Text == "" {
					t.Errorf("page %d: the word %q", n, w.Text)
				}
			}
		}
	})
}

// TestTruth holds the truth about texts against the words that belong to them.
func TestTruth(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s Style, seed uint64) {
		i := Make(s, seed, Damage{})
		if len(i.Texts) == 0 {
			t.Fatalf("seed %d: no texts", seed)
		}
		words := make([]map[Label]int, len(i.Texts))
		first := make([]int, len(i.Texts))
		for n := range i.Pages {
			for k, o := range i.Owner[n] {
				if o < 0 {
					continue
				}
				if words[o] == nil {
					words[o], first[o] = map[Label]int{}, n+1
				}
				words[o][i.Labels[n][k]]++
			}
		}
		last := 0
		for o, text := range i.Texts {
			if words[o][Head]+words[o][Abridged] == 0 || text.Page != first[o] || text.Page < last {
				t.Errorf("seed %d: text %d begins on page %d, is said to on %d, after one on %d: %v", seed, o, first[o], text.Page, last, words[o])
			}
			last = text.Page
			if text.Abridged != (words[o][Abridged] > 0) || text.Title == "" || text.Nature == "" {
				t.Errorf("seed %d: %+v with %v", seed, text, words[o])
			}
			if text.Number != "" && text.Nature != "Code" && !strings.Contains(strings.ReplaceAll(text.Title, " ", ""), strings.ReplaceAll(text.Number, " ", "")) {
				t.Errorf("seed %d: no number %q in %q", seed, text.Number, text.Title)
			}
		}
	})
}

// TestLinesHaveLabels arranges pages and asks for the labels of their lines.
func TestLinesHaveLabels(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s Style, seed uint64) {
		for _, d := range []Damage{{}, {OCR: true, Skew: 0.5, Noise: 0.5, Confusion: 0.5}} {
			i := Make(s, seed, d)
			layout.Arrange(i.Pages)
			lines, labeled := 0, 0
			for _, p := range i.Pages {
				for _, l := range append(p.Lines, p.Aside...) {
					lines++
					if _, _, ok := i.LineLabel(l); ok {
						labeled++
					}
				}
			}
			if float64(labeled) < 0.99*float64(lines) {
				t.Errorf("seed %d, %+v: %d of %d lines have a label", seed, d, labeled, lines)
			}
		}
	})
}

func BenchmarkMake(b *testing.B) {
	styles := Styles()
	pages := 0
	for n := range b.N {
		pages += len(Make(styles[n%len(styles)], uint64(n), Damage{OCR: n%2 == 0, Skew: 0.3, Noise: 0.3, Confusion: 0.5}).Pages)
	}
	b.ReportMetric(float64(pages)/float64(b.N), "pages/op")
}

// TestReadingOrder holds the lines that layout.Arrange makes of pages as they left
// the press against the order in which they were set: of the pairs of lines that
// follow one another in texts, so many must still do. Pages of three columns, and
// summaries beside texts, are more than it promises.
func TestReadingOrder(t *testing.T) {
	t.Parallel()
	for _, s := range Styles() {
		if s.columns > 2 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			kept, pairs := 0, 0
			for seed := range uint64(seeds) {
				i := Make(s, seed, Damage{})
				arranged := Make(s, seed, Damage{}).Pages
				layout.Arrange(arranged)
				for n := range i.Pages {
					k, all := inOrder(i.setAfter(n, s.language != 0), arranged[n].Lines)
					kept, pairs = kept+k, pairs+all
				}
			}
			if float64(kept) < 0.97*float64(pairs) || pairs == 0 {
				t.Errorf("of %d pairs of lines %d are kept", pairs, kept)
			}
		})
	}
}

// setAfter tells of each word of a text on page n which one was set after it.
func (i Issue) setAfter(n int, bilingual bool) map[layout.Word]layout.Word {
	next := map[layout.Word]layout.Word{}
	var last *layout.Word
	for k := range i.Pages[n].Words {
		switch l := i.Labels[n][k]; {
		case l == Notice && bilingual: // the other language's lines stand beside
			continue
		case l == Furniture, l == Summary, l == Masthead, l == Table, l == Signature:
			last = nil
			continue
		}
		w := &i.Pages[n].Words[k]
		if last != nil {
			next[*last] = *w
		}
		last = w
	}
	return next
}

// inOrder counts the pairs of lines that should follow one another, and those that
// do.
func inOrder(next map[layout.Word]layout.Word, lines []layout.Line) (kept, pairs int) {
	for k := 1; k < len(lines); k++ {
		end, begin := lines[k-1].Words[len(lines[k-1].Words)-1], lines[k].Words[0]
		if want, ok := next[end]; ok {
			pairs++
			if want == begin {
				kept++
			}
		}
	}
	return kept, pairs
}
