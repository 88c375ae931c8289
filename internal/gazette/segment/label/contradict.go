package label

import (
	"iter"
	"slices"
	"strings"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// NoBegin allows every label except those that begin a text.
const NoBegin = 1<<labels - 1 - Begins

// Contradict forbids, in masks, beginnings of texts that the reading has and that the content of the texts contradicts.
// It reports whether it changed a mask. begins returns the probability that a text begins at a line.
func (m Labeling) Contradict(lines []line.Line, masks, given []chain.Mask, begins func(i int) float64) (mended bool) {
	texts := m.Texts(lines)
	return m.ContradictIn(lines, texts, Span{0, len(texts)}, masks, given, begins)
}

// Span is the range of indexes [from,to).
type Span struct{ From, To int }

// ContradictIn is contradict for the texts of a span.
func (m Labeling) ContradictIn(lines []line.Line, texts []Extent, span Span, masks, given []chain.Mask, begins func(i int) float64) (mended bool) {
	decided := func(i int) bool { return len(given) > i && given[i] != 0 }
	var named, mentioned []Extent
	for _, s := range texts {
		if inSentence(lines, s) {
			mentioned = append(mentioned, s)
		} else {
			named = append(named, s)
		}
	}
	for _, s := range mentioned {
		if len(named) > 0 && !decided(s.From) {
			masks[s.From], mended = NoBegin, true
		}
	}
	for _, i := range m.findNameless(lines, named, begins) {
		if !decided(i) {
			masks[i], mended = NoBegin, true
		}
	}
	for i := span.From; i < min(span.To, len(texts)-1); i++ {
		a, b := texts[i], texts[i+1]
		if decided(a.From) || decided(b.From) {
			continue
		}
		switch m.sameNameTwice(lines, a, b) {
		case firstOnly:
			masks[b.From], mended = NoBegin, true
		case secondOnly:
			masks[a.From], mended = NoBegin, true
		case announcing:
			for j := a.From; j < b.From; j++ {
				masks[j] = LooseLabels
			}
			masks[b.From], mended = Begins, true
		case overSeveral:
			for j := a.From; j < b.From; j++ {
				masks[j] = 1 << Rubric
			}
			masks[b.From], mended = Begins, true
		}
	}
	for i := range linesAround(texts, span, len(lines)) {
		if !m.Labels[i].BeginsText() && !decided(i) && namedAlone(lines, i) {
			masks[i], mended = Begins, true
		}
	}
	for _, s := range texts[span.From:span.To] {
		if i := m.beginsBehind(lines, s); i >= 0 && !decided(i) {
			masks[i], mended = Begins, true
		}
		body := m.bodyAfter(s)
		if len(texts) == 1 && !m.has(s, Article) && !s.Title.Abridged {
			body = max(body, m.firstHead(lines, s))
		}
		for i, end := s.Own, max(m.countsTo(lines, s), body); i < end; i++ {
			if !decided(i) {
				masks[i], mended = NoBegin&^LooseLabels, true
			}
		}
	}
	return mended
}

// listItem matches the dash of an item of a list.
var listItem = law.Pattern(`^~ *\p{L}`)

// inSentence reports whether the name of a text stands in a sentence (« conformément aux dispositions du / Traité du 17
// octobre »), in a list, whose items begin with a dash or end with a semicolon, or in a note on where an article comes from (« (Loi n° 98-746 du 23
// décembre 1998) »).
func inSentence(lines []line.Line, s Extent) bool {
	if titles.OriginNote.MatchString(lines[s.From].Text) || listItem.MatchString(lines[s.From].Text) {
		return true
	}
	if s.Title.Abridged && !s.Title.By {
		end := slices.IndexFunc(lines[s.From:s.Own], func(l line.Line) bool { return line.Ends(l.Text) })
		return end >= 0 && strings.HasSuffix(lines[s.From+end].Text, ";")
	}
	for i := s.From; i < s.From+s.Title.Lines; i++ {
		if _, _, ok := titles.ReadNature(lines[i].Text); ok {
			return i > 0 && !lines[i].Opens && titles.Dangling.MatchString(lines[i-1].Text) || strings.HasSuffix(lines[s.From+s.Title.Lines-1].Text, ";")
		}
	}
	return false
}

// firstReach is the maximum number of lines from the name of a text to its first article, visa or formula, and so to
// anything else that is printed between.
const firstReach = 40

// linesAround yields the lines of a span of texts, and the lines before and after them that belong to no text.
func linesAround(texts []Extent, span Span, lines int) iter.Seq[int] {
	start, end := 0, lines
	if span.From > 0 && span.From < len(texts) {
		start = texts[span.From].From
	}
	if span.To < len(texts) {
		end = texts[span.To].From
	}
	return func(yield func(int) bool) {
		for i := start; i < end && yield(i); i++ {
		}
	}
}

// LooseLabels allows the labels of lines that belong to no text.
const LooseLabels = 1<<(Furniture+1) - 1

// sameName reports whether two texts have the same nature, number and date.
func sameName(a, b Extent) bool {
	return a.Title.Kind == b.Title.Kind && a.Title.Number == b.Title.Number && a.Title.Date.Equal(b.Title.Date)
}

// countsTo looks at the lines after a text that were taken for the gazette's. It returns the index after the last of
// these lines that continues the numbering of the text's articles, and s.Own if none does. A line with the next number
// continues it whatever its label is. One that the chain itself labels Article continues it with any later number: no
// text begins with it, so it is no other's.
func (m Labeling) countsTo(lines []line.Line, s Extent) int {
	last, end := "", s.Own
	for i := s.From; i < s.To; i++ {
		if i < s.Own && m.Labels[i] != Article {
			continue
		}
		number, pos, ok := m.numbers.numberAt(lines, i, last)
		if !ok || !line.MayHead(line.Before(lines, i), lines[i]) {
			continue
		}
		if i < s.Own {
			last = number
			continue
		}
		n, _ := heads.LeadingNumber(number)
		previous, _ := heads.LeadingNumber(last)
		follows := heads.MayFollow(number, last) || m.Labels[i] == Article && n > previous
		if last != "" && n > 1 && follows && !heads.MarksNew(lines[i].Text, pos) {
			last, end = number, i+1
		}
	}
	return end
}

// bodyAfter looks for the body of a title without an article among the lines after it, which were taken for the
// gazette's. It returns the index of the visa, formula or article with which the body continues, s.own if there is
// none. Only the formula of promulgation may come between, in any words. The name of a text in a summary is no title.
func (m Labeling) bodyAfter(s Extent) int {
	if m.has(s, Article) || s.Title.Abridged {
		return s.Own
	}
	for i := s.Own; i < min(s.Own+firstReach, s.To); i++ {
		switch m.Labels[i] {
		case Summary, Rubric:
			return s.Own
		case Visa, Formula, Article:
			return i
		}
	}
	return s.Own
}

// firstHead returns the index of the line after the only text of a file with which its articles begin, s.Own if there is none.
// They can be no other's, whatever a reader's page prints between: contents, or how the text was adopted.
func (m Labeling) firstHead(lines []line.Line, s Extent) int {
	for i := s.Own; i < s.To; i++ {
		if number, _, ok := m.numbers.numberAt(lines, i, ""); ok && m.Labels[i] == Article && heads.MayFollow(number, "") {
			return i
		}
	}
	return s.Own
}

// namedAlone reports whether line i is a title that names nothing but a nature, with its object below: « ARRÊTÉ /
// NOMMANT LE DIRECTEUR DU SEL ». The authority or the basis of the act follows. Such acts have their date at the
// signature. The formula « ARRÊTE » is no title: an article follows it.
func namedAlone(lines []line.Line, i int) bool {
	l := lines[i]
	if len(l.Text) > mostAlone || !line.AllCaps(l.Text) || i+2 >= len(lines) {
		return false
	}
	n, end, ok := titles.ReadNature(l.Text)
	if !ok || n.Type == "" || n.Unsure || titles.Agreements[n.Folded] || strings.Trim(l.Text[end:], " .") != "" {
		return false
	}
	if positions := titles.ObjectStart.FindStringIndex(lines[i+1].Text); len(positions) == 0 || positions[0] > 0 {
		return false
	}
	for _, o := range lines[i+2 : min(i+2+aloneReach, len(lines))] {
		if line.Visa.MatchString(o.Text) || titles.PreambleStart.MatchString(o.Text) {
			return true
		}
		if o.IsHead() {
			return false
		}
	}
	return false
}

// beginsBehind returns the line of a text, behind its signatures, that names another text whose articles begin with the
// first, -1 if there is none.
func (m Labeling) beginsBehind(lines []line.Line, s Extent) int {
	named, signed := -1, false
	for i := s.From + s.Title.Lines; i < s.Own; i++ {
		switch m.Labels[i] {
		case PlaceLine, Signature:
			signed = true
		case Article:
			number, _, ok := m.numbers.numberAt(lines, i, "")
			if n, _ := heads.LeadingNumber(number); ok && named >= 0 && i < named+firstReach && (n == 1 || number == "unique") {
				return named
			}
			signed, named = false, -1
		}
		if signed && named < 0 && line.MayHead(line.Before(lines, i), lines[i]) && titles.NamesText(lines[i]) {
			named = i
		}
	}
	return -1
}

// The longest line that names a nature alone, in bytes, and how many lines its object takes.
const (
	mostAlone  = 40
	aloneReach = 6
)

// isSigned reports whether a text says where and on which day it was signed.
func (m Labeling) isSigned(lines []line.Line, s Extent) bool {
	for i := s.From; i < s.Own; i++ {
		if m.Labels[i] == PlaceLine {
			if _, ok := titles.FindDate(lines[i].Text); ok {
				return true
			}
		}
	}
	return false
}

// findNameless returns the beginnings of texts that lack a nature, or both a number and a date. Codes, constitutions and
// treaties may lack number and date if they have articles or divisions. If all texts are nameless, it leaves out the
// likeliest beginning, because a file has at least one text.
func (m Labeling) findNameless(lines []line.Line, texts []Extent, begins func(i int) float64) []int {
	var out []int
	likeliest := -1
	for _, s := range texts {
		h := s.Title
		if namedAlone(lines, s.From) && m.isSigned(lines, s) {
			continue // it is dated where it is signed
		}
		if law.Fold(h.Kind.Label) == titles.Coordinated && !m.hasDivisions(s) {
			// a heading over the texts that it announces
		} else if printed := line.Join(lines[s.From : s.From+h.Lines]); titles.KnownByName(h) && line.StartsLower(printed) {
			// words within a sentence or within an entry of the contents
		} else if h.Kind.Type != "" && (h.Number != "" || !h.Date.IsZero() || h.Corrects || (titles.KnownByName(h) || h.IsTreaty()) && m.hasDivisions(s)) {
			continue
		}
		if out = append(out, s.From); likeliest < 0 || begins(s.From) > begins(likeliest) {
			likeliest = s.From
		}
	}
	if len(out) == len(texts) {
		out = slices.DeleteFunc(out, func(i int) bool { return i == likeliest })
	}
	return out
}

// hasDivisions reports whether a text has articles or divisions, as a text that is known by its name alone must
// have: « Code » over the column of a table names no text.
func (m Labeling) hasDivisions(s Extent) bool {
	return slices.ContainsFunc(m.Labels[s.From:s.Own], func(l Label) bool { return l == Article || l == Division })
}

// doubled is how two beginnings with the same name are related.
type doubled int

const (
	twoTexts    doubled = iota
	firstOnly           // a heading, then the act that repeats its name: the first counts
	secondOnly          // a title page, then the title: the second counts
	overSeveral         // a heading in the plural over several acts, then the first of them
	announcing          // a bill or the contents of the text, then the text
)

// sameNameTwice compares two consecutive beginnings that may belong to the same text: they have one name, and no body
// between them.
func (m Labeling) sameNameTwice(lines []line.Line, a, b Extent) doubled {
	heading := b.Title.By && !a.Title.By && (!a.Title.Abridged || a.Title.Entitled) && !NamesActs(lines[a.From+1:a.Own])
	switch {
	case a.Title.MakesCode() && titles.KnownByName(b.Title) && b.Title.Number == "" && b.Title.Date.IsZero() && !m.has(a, Article):
		return firstOnly // the law that enacts a code, then the code's name
	case a.Title.Number != "" && sameName(a, b) && (!m.has(a, Article) && m.has(b, Article) || !m.enacts(a) && m.enacts(b)):
		return announcing
	case !sameName(a, b) || m.hasBody(a):
		return twoTexts
	case heading && a.Title.Plural:
		return overSeveral
	case heading:
		return firstOnly
	case a.Title.Number != "":
		return secondOnly
	}
	return twoTexts
}

// NamesActs reports whether one of the lines begins with the name of an act after « Par »: « Par arrêté … ».
func NamesActs(lines []line.Line) bool {
	return slices.ContainsFunc(lines, func(l line.Line) bool {
		m := titles.ByWord.FindString(l.Text)
		if m == "" || !heads.StartsBig(l.Text) {
			return false
		}
		_, _, ok := titles.ReadNature(l.Text[len(m):])
		return ok
	})
}

// has reports whether a line of the text has label l.
func (m Labeling) has(s Extent, l Label) bool { return slices.Contains(m.Labels[s.From:s.Own], l) }

// enacts reports whether a text has what the contents of a text lack: visas, a formula or a place.
func (m Labeling) enacts(s Extent) bool {
	return m.has(s, Visa) || m.has(s, Formula) || m.has(s, PlaceLine)
}

// hasBody reports whether a text has a line that belongs to a body: an article, a visa, a formula or a place.
func (m Labeling) hasBody(s Extent) bool {
	return slices.ContainsFunc(m.Labels[s.From:s.Own], func(l Label) bool {
		return l == Article || l == Visa || l == Formula || l == PlaceLine
	})
}
