package recheck

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

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

// compare reads lines of a page again, and marks their words in whose place all readings have the same others.
func (r Reader) compare(ctx context.Context, p *layout.Page, lines []layout.Line) (marked bool, err error) {
	doubted := make([][]difference, len(lines)) // of each line
	for pass, s := range settings {
		var rect law.Rect
		for i, l := range lines {
			if pass == 0 || doubted[i] != nil {
				box := piece{rect: straightLine(*p, l)}.margin()
				if s.Only = append(s.Only, box); len(s.Only) == 1 {
					rect = box
				}
				rect = union(rect, box)
			}
		}
		if len(s.Only) == 0 {
			return false, nil
		}
		read, err := r.Part(ctx, *p, rect, s)
		if errs.Is(err, errs.Unprocessable) && ctx.Err() == nil {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		words := slices.Concat(read...)
		for i, l := range lines {
			if pass == 0 || doubted[i] != nil {
				found := differences(l.Words, words, p.Words)
				doubted[i] = slices.DeleteFunc(found, func(d difference) bool { return pass > 0 && !slices.Contains(doubted[i], d) })
				if len(doubted[i]) == 0 {
					doubted[i] = nil
				}
			}
		}
	}
	for i, found := range doubted {
		for _, d := range found {
			for k := range p.Words {
				w := &p.Words[k]
				if slices.ContainsFunc(lines[i].Words[d.start:d.end], func(printed layout.Word) bool { return holds(printed.Rect, w.Rect) }) {
					w.Other, marked = true, true
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

// term is a run of letters or digits of a line, folded.
type term struct {
	text   string
	number bool // in figures or in words
	word   int  // index of its word
}

// terms returns the words and numbers of a line. Roman numbers are letters to recognition.
func terms(words []layout.Word) (out []term) {
	for i, w := range words {
		for text := range strings.FieldsFuncSeq(law.Fold(w.Text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			said := french.Analyze(text)
			number := figures(text) != "" || len(said) == 1 && said[0].Kind == french.Number && strings.Trim(text, "ivxlcdm") != ""
			out = append(out, term{text, number, i})
		}
	}
	return out
}

// differences returns where recognition reads something else in a line: another number, or other words than its slips make. What
// it reads in the place of a word counts as read there, and so do words that are printed elsewhere on the page.
func differences(line, read, page []layout.Word) (out []difference) {
	rect := line[0].Rect
	for _, w := range line[1:] {
		rect = union(rect, w.Rect)
	}
	seen := inside(read, rect)
	if len(seen) == 0 {
		return nil // it read nothing at all
	}
	a, b := terms(line), terms(seen)
	i, j := 0, 0 // terms that are the same so far
	n, m := 0, 0 // terms behind them that are not
	end := func() {
		left, shown := a[i:i+n], b[j:j+m]
		d := difference{start: len(line) - 1, shown: joined(shown)}
		if i < len(a) {
			d.start = a[i].word
		}
		d.end = d.start + 1
		if n > 0 {
			d.end = left[n-1].word + 1
		}
		switch {
		case m == 0 || !otherWords(left, shown) || unclear(line[d.start:d.end], d.shown, seen, shown):
		case n > 0 && slices.ContainsFunc(line[d.start:d.end], func(w layout.Word) bool { return !placed(w, read) }):
			out = append(out, d)
		case n == 0 && slices.ContainsFunc(shown, func(t term) bool { return !placed(seen[t.word], page) }):
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

// unclear reports whether recognition did not read the place of words as it reads words: it saw signs among the characters, or
// the mark of a note joined to a number.
func unclear(words []layout.Word, shown string, seen []layout.Word, terms []term) bool {
	const signs = "%&§$#@*?!|{}[]=<>~"
	printed := ""
	for _, w := range words {
		if w.Raised && printed != "" && strings.HasPrefix(shown, printed) {
			return true
		}
		printed += w.Text
	}
	return !strings.ContainsAny(printed, signs) && slices.ContainsFunc(terms, func(t term) bool { return strings.ContainsAny(seen[t.word].Text, signs) })
}

// placed reports whether words in the place of w say the same.
func placed(w layout.Word, words []layout.Word) bool {
	left := terms([]layout.Word{w})
	shown := terms(inside(words, w.Rect))
	return len(shown) > 0 && !otherWords(left, shown)
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
	alike := strings.NewReplacer("l", "1", "i", "1", "o", "0") // to recognition
	x, y := joined(left), joined(shown)
	a, b := alike.Replace(x), alike.Replace(y)
	number := func(t term) bool { return t.number }
	if slices.ContainsFunc(left, number) && slices.ContainsFunc(shown, number) {
		return a != b && (figures(x) != figures(y) && figures(a) != figures(b) || figures(x) == "")
	}
	long := max(len(a), len(b))
	return long > 2 && 2*law.Distance(a, b) > long
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
