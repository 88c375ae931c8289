package heads

import (
	"fmt"
	"slices"
	"strings"

	"vigueur/internal/law"
)

// Gap is a run of numbers that a numbering leaves out. The heads of these articles were misread or lost, or never
// existed.
type Gap struct {
	From, To int // the first and the last missing number, of one part if articles are counted by parts
	// Before and Next are indexes among the articles or heads that were counted. Before is the last one before the gap
	// that belongs to the numbering, -1 if there is none; Next is the first one after the gap.
	Before, Next int
	// Explained is set if the gap need not mean that articles were lost: the text says that they are repealed, or all
	// their numbers came earlier.
	Explained bool

	part byParts // for a code that counts by parts, the number after the gap; else zero
}

// gapReach is the maximum difference between the numbers around a gap: if they differ more, the second one was misread
// or belongs to another text.
const gapReach = 100

// Between returns the gap between two plain numbers. ok is false if there is none.
func Between(last, next int) (g Gap, ok bool) {
	g = Gap{From: last + 1, To: next - 1}
	return g, g.len() > 0 && g.len() < gapReach
}

// len returns the number of missing numbers.
func (g Gap) len() int { return g.To - g.From + 1 }

// Plain reports whether the missing numbers have no letter.
func (g Gap) Plain() bool { return g.part.letter == 0 }

// String returns the missing numbers as they are printed: « 16 », « 12–33 », « L. 1-3–L. 1-5 ».
func (g Gap) String() string {
	switch {
	case g.Plain():
		return Run(g.From, g.To)
	case g.From == g.To:
		return g.part.at(g.From).String()
	}
	return g.part.at(g.From).String() + "–" + g.part.at(g.To).String()
}

// Run writes a run of plain numbers: « 12–33 ».
func Run(from, to int) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// numbered is an article or a head in a numbering.
type numbered struct {
	number  string // "" for headings and signatures
	repeals bool   // it says that the articles after it are repealed
}

// Gaps returns the gaps in the numbering of a text's articles that nothing explains. There is no gap where the
// numbering starts again.
func Gaps(articles []law.Article) []Gap {
	count := make([]numbered, len(articles))
	for i, a := range articles {
		count[i] = numbered{a.Number, saysRepealed(lastAlinea(a.Text)) || i > 0 && a.Number == "" && saysRepealed(a.Text+" "+a.Heading)}
	}
	return slices.DeleteFunc(gapsIn(count), func(g Gap) bool { return g.Explained })
}

// gapsIn returns the gaps in a numbering.
func gapsIn(count []numbered) []Gap {
	var out []Gap
	last, at, repealed := 0, -1, false
	parts, partsAt, mostByParts := byParts{}, -1, countsByParts(count)
	for i, c := range count {
		told := i > 0 && count[i-1].repeals
		if n, ok := partsOf(c.number); ok && mostByParts {
			if g, ok := n.gapAfter(parts); ok {
				g.Before, g.Next, g.Explained = partsAt, i, repealed || told
				out = append(out, g)
			}
			parts, partsAt, repealed = n, i, false
			continue
		}
		n, ok := LeadingNumber(c.number)
		if !ok || Lettered(c.number) {
			repealed = repealed || i > 0 && c.number == "" && c.repeals
			continue
		}
		if g, ok := Between(last, n); ok {
			g.Before, g.Next, g.Explained = at, i, repealed || told || containAll(count[:i], g)
			out = append(out, g)
		}
		last, at, repealed = n, i, false
	}
	return out
}

// gapAfter returns the gap between last and n if both are in the same part. Between two parts there is no gap, because
// the last number of a part is unknown.
func (n byParts) gapAfter(last byParts) (g Gap, ok bool) {
	if n.letter != last.letter || (n.item == 0) != (last.item == 0) || n.item > 0 && n.part != last.part {
		return g, false
	}
	if g, ok = Between(last.item, n.item); n.item == 0 {
		g, ok = Between(last.part, n.part)
	}
	g.part = n
	return g, ok
}

// at returns number i of the same part or, in a code without numbers within parts, part i.
func (n byParts) at(i int) byParts {
	if n.item == 0 {
		return byParts{n.letter, i, 0}
	}
	return byParts{n.letter, n.part, i}
}

// containAll reports whether articles have all numbers of a gap. A numbering that went back and then continues where it
// had been has lost none of these numbers.
func containAll(count []numbered, g Gap) bool {
	has := map[int]bool{}
	for _, c := range count {
		if n, ok := LeadingNumber(c.number); ok && !Lettered(c.number) {
			has[n] = true
		}
	}
	for n := g.From; n <= g.To; n++ {
		if !has[n] {
			return false
		}
	}
	return true
}

// countsByParts reports whether most articles are counted by parts. A minority may be articles that the text merely
// quotes.
func countsByParts(count []numbered) bool {
	n, all := 0, 0
	for _, c := range count {
		if c.number != "" {
			all++
		}
		if _, ok := partsOf(c.number); ok {
			n++
		}
	}
	return 2*n > all
}

// saysRepealed reports whether text explains why articles are missing: it mentions a repeal, or has the mark
// « (*) ».
func saysRepealed(text string) bool {
	return strings.Contains(law.Fold(text), "abrog") || strings.Contains(text, "(*)")
}

// lastAlinea returns the last paragraph of an article, where notes about the next articles are printed.
func lastAlinea(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// After returns what remains of a plain gap once a head was found in it. ok is false if the head is not in the
// gap.
func (g Gap) After(h Head) (rest Gap, ok bool) {
	n, counted := LeadingNumber(h.Number)
	if !counted || n < g.From || n > g.To {
		return g, false
	}
	g.From = n + 1
	return g, true
}

// FilledBy reports whether another reading of a text confirms the heads found in a plain gap. before and after are the
// article numbers of the two readings. They must be the same, except for added numbers of the gap, each at most once.
func (g Gap) FilledBy(before, after []string) bool {
	rest := slices.Clone(after)
	for n := g.From; n <= g.To; n++ {
		if i := slices.Index(rest, writeNumber(n)); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return len(after) > len(before) && slices.Equal(before, rest)
}
