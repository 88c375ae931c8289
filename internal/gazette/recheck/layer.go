package recheck

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// The words of a text layer need not be those that the page shows: a scanner's recognition lies invisibly over its picture, and a
// font may name its letters as it likes. So a sample of its lines is recognized too. Two ways of reading a line that agree on other
// words than the layer's are a doubt.

// The size of a sample. The lines of a page are recognized at once, which takes a second or two.
const (
	sampledPages = 8
	sampledLines = 64
)

// Layers compares a sample of the lines of text layers with what the pages show, and marks the words in whose place they show
// others. It returns the numbers of the pages whose words it marked. All pages are arranged afterwards. Errors are those of Part,
// except errs.Unprocessable.
func (r Reader) Layers(ctx context.Context, pages []layout.Page) (changed []int, err error) {
	var sample []*layout.Page
	for i := range pages {
		if p := &pages[i]; p.Source == layout.Layer && p.Fault == "" && layout.MainTurn(p.Words) == layout.Upright {
			sample = append(sample, p)
		}
	}
	if len(sample) == 0 {
		return nil, nil
	}
	layout.Arrange(pages)
	sample = spread(sample, sampledPages)
	for _, p := range sample {
		lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l layout.Line) bool { return len(l.Words) == 0 || l.Words[0].Turn != layout.Upright })
		stake := slices.DeleteFunc(slices.Clone(lines), func(l layout.Line) bool { return !counts(l) })
		rest := slices.DeleteFunc(lines, counts)
		most := sampledLines / len(sample)
		stake = spread(stake, most)
		columns := map[int][]layout.Line{} // recognition takes neighboring lines of two columns for one
		for _, l := range append(stake, spread(rest, most-len(stake))...) {
			columns[l.Column] = append(columns[l.Column], l)
		}
		for _, column := range slices.Sorted(maps.Keys(columns)) {
			marked, err := r.compare(ctx, p, columns[column])
			if err != nil {
				return changed, err
			}
			if marked {
				changed = append(changed, p.Number)
			}
		}
	}
	return changed, nil
}

// spread returns at most n items, at equal distances.
func spread[T any](items []T, n int) []T {
	if len(items) <= n {
		return items
	}
	var out []T
	for i := range n {
		out = append(out, items[i*len(items)/n])
	}
	return out
}

// counts reports whether a line has a number, in figures or in words.
func counts(l layout.Line) bool {
	return slices.ContainsFunc(french.Analyze(l.Text()), func(t french.Token) bool { return t.Kind != french.Word })
}

// compare reads lines of a page again, and marks their words in whose place two readings have the same others.
func (r Reader) compare(ctx context.Context, p *layout.Page, lines []layout.Line) (marked bool, err error) {
	doubted := map[int][]difference{} // by line
	for pass, s := range settings[:2] {
		var boxes []law.Rect
		var rect law.Rect
		for i, l := range lines {
			if pass == 0 || doubted[i] != nil {
				box := straightLine(*p, l)
				boxes = append(boxes, piece{rect: box}.margin())
				if rect == (law.Rect{}) {
					rect = box
				}
				rect = union(rect, box)
			}
		}
		if len(boxes) == 0 {
			return false, nil
		}
		s.Only = boxes
		read, err := r.Part(ctx, *p, piece{rect: rect}.margin(), s)
		if errs.Is(err, errs.Unprocessable) && ctx.Err() == nil {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		words := slices.Concat(read...)
		for i, l := range lines {
			if pass > 0 && doubted[i] == nil {
				continue
			}
			found := differences(l.Words, inside(words, l.Rect))
			if pass > 0 {
				found = slices.DeleteFunc(found, func(d difference) bool { return !slices.Contains(doubted[i], d) })
			}
			if doubted[i] = found; len(found) == 0 {
				delete(doubted, i)
			}
		}
	}
	for i, found := range doubted {
		for _, d := range found {
			for k := range p.Words {
				w := &p.Words[k]
				for _, printed := range lines[i].Words[d.start:d.end] {
					if holds(printed.Rect, w.Rect) {
						w.Other, marked = true, true
					}
				}
			}
		}
	}
	return marked, nil
}

// inside returns the words whose centers are in a rectangle, from left to right.
func inside(words []layout.Word, r law.Rect) []layout.Word {
	words = slices.DeleteFunc(slices.Clone(words), func(w layout.Word) bool { return !holds(r, w.Rect) })
	slices.SortStableFunc(words, func(a, b layout.Word) int { return cmp.Compare(a.Rect[0], b.Rect[0]) })
	return words
}

// holds reports whether the center of o is in r.
func holds(r, o law.Rect) bool {
	x, y := (o[0]+o[2])/2, (o[1]+o[3])/2
	return x >= r[0] && x <= r[2] && y >= r[1] && y <= r[3]
}

// difference is other words that a page shows in the place of words [start, end) of a line.
type difference struct {
	start, end int
	shown      string
}

// term is a word or number of a line, in the form in which such are compared.
type term struct {
	text        string
	number      bool
	first, last int // indexes of the words of the line in which it begins and ends
}

// terms returns the words and numbers of a line.
func terms(words []layout.Word) (out []term) {
	text := layout.Line{Words: words}.Text()
	word := func(at int) int { return strings.Count(text[:at], " ") }
	for _, t := range french.Analyze(text) {
		x := term{text: strings.ReplaceAll(law.Fold(text[t.Start:t.End]), " ", ""), first: word(t.Start), last: word(t.End - 1)}
		if t.Kind == french.Number && strings.Trim(x.text, "ivxlcdm") != "" { // Roman numbers are letters to recognition
			x.text = t.Term
		}
		x.number = figures(x.text) != ""
		out = append(out, x)
	}
	return out
}

// differences returns where recognition reads something else in a line: another number, or other words than its slips make.
func differences(words, read []layout.Word) (out []difference) {
	if len(read) == 0 {
		return nil // it read nothing at all
	}
	a, b := terms(words), terms(read)
	i, j := 0, 0 // terms that are the same so far
	n, m := 0, 0 // terms behind them that are not
	end := func() {
		if left, shown := a[i:i+n], b[j:j+m]; otherWords(left, shown) {
			d := difference{start: len(words) - 1, shown: joined(shown)}
			if i < len(a) {
				d.start = a[i].first
			}
			d.end = d.start + 1
			if n > 0 {
				d.end = left[n-1].last + 1
			}
			out = append(out, d)
		}
		i, j, n, m = i+n, j+m, 0, 0
	}
	for _, part := range law.Differences(spaced(a), spaced(b)) {
		switch count := len(strings.Fields(part.Text)); part.Kind {
		case law.Removed:
			n += count
		case law.Added:
			m += count
		default:
			end()
			i, j = i+count, j+count
		}
	}
	end()
	return out
}

// spaced returns terms as a text, with a blank behind each.
func spaced(terms []term) string {
	var b strings.Builder
	for _, t := range terms {
		b.WriteString(t.text + " ")
	}
	return b.String()
}

// otherWords reports whether the terms that a page shows say something else.
func otherWords(left, shown []term) bool {
	a, b := joined(left), joined(shown)
	number := func(t term) bool { return t.number }
	if slices.ContainsFunc(left, number) && slices.ContainsFunc(shown, number) {
		return a != b && figures(a) != figures(b)
	}
	alike := strings.NewReplacer("l", "1", "i", "1", "o", "0")
	a, b = alike.Replace(a), alike.Replace(b)
	long := max(len(a), len(b))
	return long > 1 && 2*law.Distance(a, b) > long
}

// figures returns the digits of a text.
func figures(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

func joined(terms []term) string { return strings.ReplaceAll(spaced(terms), " ", "") }
