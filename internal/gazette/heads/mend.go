package heads

import (
	"slices"

	"vigueur/internal/law"
)

// Mend reads the misread heads of articles among the lines of a file: « Artic1e 8 », « Aficle 11 : », « Art icle 9 »,
// and clear heads with a misread number. It returns a misread head if the clear heads around it leave a gap for exactly
// its number. The package comment describes the steps after Mend.
func Mend(lines []Line) []Head {
	var out []Head
	var all []counted
	for i, l := range lines {
		if !l.Apart {
			continue
		}
		if c, ok := countedOn(l); ok {
			c.Line = i
			all = append(all, c)
		}
	}
	for k := 0; k < len(all); {
		if all[k].trusted(all, k) {
			k++
			continue
		}
		found, n := mendRun(all, k)
		out, k = append(out, found...), k+n
	}
	return out
}

// Resembles reports whether a line is, or resembles, the head of an article.
func Resembles(l Line) bool {
	_, ok := countedOn(l)
	return ok
}

// counted is a line that is, or resembles, the head of an article with a plain number.
type counted struct {
	Head
	n     int  // its number, 0 if it is illegible
	clear bool // it reads as a head, with a number
	scan  bool // on a scan, with a plain number, which may be misread
}

// countedOn reads a line as a head with a plain number, or as a line that resembles such a head.
func countedOn(l Line) (c counted, ok bool) {
	if number, end, ok := Read(l.Text, ""); ok {
		n, ok := LeadingNumber(number)
		otherText := MarksNew(l.Text, end) // it heads a wording for another text
		return counted{Head{Number: number, End: end}, n, ok, l.Scan && law.OnlyDigits(number) && !otherText}, true
	}
	if l.Taken {
		return c, false
	}
	h, ok := readSlipped(l.Text)
	if !ok || !l.Opens && h.Number == "" && !numberless.MatchString(l.Text) {
		return c, false
	}
	n, _ := LeadingNumber(h.Number)
	return counted{Head: h, n: n, scan: l.Scan}, true
}

// specks matches what recognition reads from dirt before the first word of a line.
var specks = law.Pattern(`^[^\p{L}\d«"(]{1,3} *`)

// WithoutSpecks returns a line's text without what recognition read from dirt before its first word.
func WithoutSpecks(text string) string { return text[len(specks.FindString(text)):] }

// trusted reports whether a head needs no repair: it was read well, and its number follows the number before or is not
// contradicted by the heads around it.
func (c counted) trusted(all []counted, k int) bool {
	if !c.clear {
		return false
	}
	if !c.scan || k == 0 || k+1 == len(all) {
		return true // misprints are kept
	}
	prev, next := all[k-1].n, all[k+1].n
	return c.n == prev+1 || next != prev+2 || !all[k-1].clear || !all[k+1].clear
}

// mendRun gives numbers to the heads of a run, from the doubtful head k up to the next clear head, where the numbers
// fit. It returns the repaired heads, and the number of heads in the run.
func mendRun(all []counted, k int) (out []Head, n int) {
	last := 0
	if k > 0 {
		last = all[k-1].n
	}
	own := ownCount(all[:k])
	from, end := k, k+1
	for end < len(all) && !all[end].clear {
		end++
	}
	fits := end < len(all) && leavesOut(last, all[end].n, end-k)
	for ; k < end; k++ {
		c := &all[k]
		switch {
		case fits || c.n == last+1 || confirmedLater(all[k:end], last):
			c.n = last + 1
		case c.n > 1 && c.n == own+1 && c.scan && !comesAgain(all[end:], c.n): // after a wording for another text
		case c.n == 1 && !c.clear: // the first article of another text
		case c.clear:
			last = c.n
			continue
		default:
			c.n = last // not an article: the next head is compared with the same number
			continue
		}
		last = c.n
		out = append(out, Head{Line: c.Line, Number: writeNumber(last), End: c.End})
	}
	return out, end - from
}

// leavesOut reports whether the gap between two numbers has exactly the given number of articles.
func leavesOut(last, next, articles int) bool {
	g, ok := Between(last, next)
	return ok && g.len() == articles
}

// ownCount returns the number of the last article that belongs to the text itself. It skips articles of wordings for
// other texts, which interrupt the numbering.
func ownCount(all []counted) int {
	n := 0
	for _, c := range all {
		if c.n == n+1 {
			n++
		}
	}
	return n
}

// comesAgain reports whether one of the heads is clear and has the given number.
func comesAgain(all []counted, number int) bool {
	return slices.ContainsFunc(all, func(c counted) bool { return c.clear && c.n == number })
}

// confirmedLater reports whether a later head of the run has the number that it must have if the first head is article
// last+1.
func confirmedLater(run []counted, last int) bool {
	for i, c := range run[1:] {
		if c.n == last+i+2 {
			return true
		}
	}
	return false
}
