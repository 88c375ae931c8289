package amend

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// structure is the text of an article as lines and enumerated parts.
type structure struct {
	text   string
	lines  []line
	parts  []part // in the order of their first lines, a part before those within it
	headed int    // number of lines before the first alinea that may be headings
}

// line is an alinea.
type line struct {
	Span
	body int // byte after the labels
}

// part is an enumerated part of an article.
type part struct {
	kind        labelKind
	label       string
	first, last int  // lines
	wide        int  // last line if the unlabeled lines after last belong to the part
	depth       int  // number of parts that it is in
	loose       bool // the unlabeled lines after last may belong to the part
}

// parseStructure reads the structure of an article's text.
func parseStructure(text string) *structure {
	s := &structure{text: text}
	for _, span := range paragraphs(text) {
		if note.MatchString(text[span.Start:span.End]) {
			continue
		}
		if n := len(s.lines); n > 0 && s.continues(s.lines[n-1], span) {
			s.lines[n-1].End = span.End
			continue
		}
		s.lines = append(s.lines, line{Span: span, body: span.Start})
	}
	s.enumerate()
	for s.headed < len(s.lines)-1 && s.mayHead(s.lines[s.headed]) {
		s.headed++
	}
	return s
}

// mayHead reports whether a line may be a heading that is printed above the words of an article: nothing ends it. It may be
// an alinea too, whose full stop was lost.
func (s *structure) mayHead(l line) bool {
	last, _ := utf8.DecodeLastRuneInString(s.text[l.Start:l.End])
	return l.body == l.Start && wordRune(last)
}

// headings reports whether a region begins with lines that may be headings, so that its alineas cannot be counted from
// its beginning.
func (s *structure) headings(at region) bool { return at.first < s.headed }

// listed reports whether the lines before the n-th one of a region, from 0, have a list without labels: its items are
// alineas in one country, and parts of one alinea in another.
func (s *structure) listed(at region, n int) bool {
	for i := at.first; i < at.first+n; i++ {
		if s.listBelow(i) {
			return true
		}
	}
	return false
}

// listBelow reports whether a line ends with a colon, and lines of a list without labels follow it.
func (s *structure) listBelow(i int) bool {
	if i+1 >= len(s.lines) || !strings.HasSuffix(strings.TrimRightFunc(s.text[s.lines[i].Start:s.lines[i].End], blankOrInvisible), ":") {
		return false
	}
	next := s.lines[i+1]
	return next.body == next.Start && unicode.IsLower(firstRune(s.text[next.Start:next.End]))
}

// note matches a line that an editor has added to a consolidated text and that is no alinea:
// « (Loi du 3 mars 2009) ».
var note = law.Pattern(`^\((?:(?:Loi|L\.|D[ée]cret|Ordonnance|R[èe]gl\.|R[èe]glement|Arr[êe]t[ée]|Dahir)\b|(?i:modifi|ajout|ins[ée]r|remplac|abrog)\pL+ (?:par|dans))[^()]{0,120}\)\.?$`)

// linkWords are the words that no paragraph ends with.
var linkWords = []string{"a", "au", "aux", "de", "du", "des", "le", "la", "les", "l'", "d'", "et", "ou", "par", "dans", "en", "sur", "pour", "qu'", "article", "articles"}

// continues reports whether a line goes on with the paragraph before it: consolidated texts
// break lines around links.
func (s *structure) continues(previous line, span Span) bool {
	head := s.text[previous.Start:previous.End]
	last, _ := utf8.DecodeLastRuneInString(head)
	if !wordRune(last) && !law.Apostrophe(last) {
		return false
	}
	word := head[strings.LastIndexFunc(strings.TrimRightFunc(head, law.Apostrophe), func(r rune) bool { return !wordRune(r) })+1:]
	if slices.Contains(linkWords, law.Fold(word)) {
		return true
	}
	first, size := utf8.DecodeRuneInString(s.text[span.Start:])
	second, _ := utf8.DecodeRuneInString(s.text[span.Start+size:])
	return unicode.IsLower(first) && (unicode.IsLetter(second) || law.Apostrophe(second))
}

// enumerate finds the enumerated parts.
func (s *structure) enumerate() {
	var open []int // the parts that the line is in, the outermost first
	following := func(kind labelKind) string {
		for _, i := range slices.Backward(open) {
			if s.parts[i].kind == kind {
				return s.parts[i].label
			}
		}
		return ""
	}
	labeled := make([]bool, len(s.lines))
	for n := range s.lines {
		l := &s.lines[n]
		for range 4 { // « II. - A. - 1° »
			kind, label, length := labelOf(s.text[l.body:l.End], following)
			if length == 0 || l.body+length >= l.End && kind == dash {
				break
			}
			if l.body > l.Start && kind == dash {
				l.body += length
				break
			}
			keep := len(open)
			for k, i := range open {
				if s.parts[i].kind == kind {
					keep = k
					break
				}
			}
			for _, i := range open[keep:] {
				s.parts[i].last = max(n-1, s.parts[i].first)
				s.parts[i].wide = s.parts[i].last
			}
			for k, i := range open[keep:] {
				if k > 0 {
					s.trim(i, labeled)
				}
			}
			open = open[:keep]
			s.parts = append(s.parts, part{kind: kind, label: label, first: n, last: len(s.lines) - 1, wide: len(s.lines) - 1, depth: keep})
			open = append(open, len(s.parts)-1)
			l.body += length
			labeled[n] = true
		}
	}
	for _, i := range open {
		s.trim(i, labeled)
	}
}

// trim ends the last part of an enumeration where its own lines end. Unlabeled lines after
// it are lines of the larger part if the enumeration ends with a full stop. Where a smaller
// enumeration ends too, they may be lines of either.
func (s *structure) trim(i int, labeled []bool) {
	p := &s.parts[i]
	if p.kind == roman || p.kind == capital {
		return
	}
	inside := p.last > p.first && !labeled[p.first+1] // an unlabeled line comes before a smaller enumeration
	if inside && s.endsList(i) {
		p.last = p.first
		return
	}
	last := p.last
	for last > p.first && !labeled[last] {
		last--
	}
	if last == p.last {
		p.loose = inside
		return
	}
	if p.kind == figure {
		p.loose = false
		return
	}
	p.loose = last > p.first || !s.stops(last)
	p.last = last
}

// endsList reports whether the first line of the last part of an enumeration ends it: with a full stop, where the part before
// ends with a semicolon.
func (s *structure) endsList(i int) bool {
	for k := i - 1; k >= 0 && s.parts[k].depth >= s.parts[i].depth; k-- {
		if previous := s.parts[k]; previous.depth == s.parts[i].depth && previous.kind == s.parts[i].kind {
			return s.stops(s.parts[i].first) && strings.HasSuffix(s.signsOf(previous.last), ";")
		}
	}
	return false
}

// stops reports whether a line ends with a full stop.
func (s *structure) stops(n int) bool { return strings.HasSuffix(s.signsOf(n), ".") }

// signsOf returns a line up to its last sign that is no quotation mark.
func (s *structure) signsOf(n int) string {
	return strings.TrimRight(s.text[s.lines[n].Start:s.lines[n].End], " »\"”")
}

// region is a range of an article: its bytes, its lines, and whether its end is unclear.
type region struct {
	Span
	first, last int
	sentence    bool
	loose       bool
	wide        int // last line if the lines that may belong to the place do
	path        Path
}

// whole returns the region of the whole article.
func (s *structure) whole() region {
	if len(s.lines) == 0 {
		return region{last: -1}
	}
	return s.ofLines(0, len(s.lines)-1)
}

func (s *structure) ofLines(first, last int) region {
	return region{Span: Span{s.lines[first].Start, s.lines[last].End}, first: first, last: last, wide: last}
}

// resolve finds a place in the article.
func (s *structure) resolve(path Path) (region, Reason) {
	at := s.whole()
	if at.last < 0 {
		return at, NoSuchPlace
	}
	for i, step := range path {
		var why Reason
		switch step.Level {
		case Item:
			at, why = s.item(at, step)
		case Alinea:
			if at.loose && step.Index < 0 || step.Index > 0 && s.headings(at) {
				return at, PlaceUnclear
			}
			n, ok := counted(step.Index, at.last-at.first+1)
			if !ok && step.Index > 0 { // the act shows that the lines belong to the place
				n, ok = counted(step.Index, at.wide-at.first+1)
			}
			switch {
			case !ok:
				return at, NoSuchPlace
			case step.Index > 0 && s.listed(at, n):
				return at, PlaceUnclear
			}
			at = s.ofLines(at.first+n, at.first+n)
		case Sentence:
			at, why = s.sentenceOf(at, step)
		default:
			why = NoSuchPlace
		}
		if why != "" {
			return at, why
		}
		at.path = path[:i+1]
	}
	return at, ""
}

// counted returns the index from 0 of the n-th of count things; n below 0 counts from the
// end.
func counted(n, count int) (int, bool) {
	if n < 0 {
		n += count + 1
	}
	return n - 1, n >= 1 && n <= count
}

// item finds an enumerated part within a region: the outermost one with the label. There
// must be only one.
func (s *structure) item(within region, step Step) (region, Reason) {
	var dashes []part
	for _, kind := range kindsOfStep(step) {
		var found []part
		for _, p := range s.parts {
			inside := p.first >= within.first && p.last <= within.last && (p.first > within.first || !s.covers(within, p))
			if !inside || p.kind != kind {
				continue
			}
			if kind == dash {
				dashes = append(dashes, p)
				continue
			}
			if !sameLabel(p.label, step.Label) {
				continue
			}
			switch {
			case len(found) == 0 || p.depth < found[0].depth:
				found = []part{p}
			case p.depth == found[0].depth:
				found = append(found, p)
			}
		}
		if kind == dash {
			n, ok := counted(step.Index, len(dashes))
			if !ok {
				return within, NoSuchPlace
			}
			found = dashes[n : n+1]
		}
		if len(found) > 1 {
			return within, PlaceUnclear
		}
		if len(found) == 1 {
			at := s.ofLines(found[0].first, found[0].last)
			at.loose, at.wide = found[0].loose, found[0].wide
			return at, ""
		}
	}
	if n, _, ok := rank(step.Label); ok && step.Or && !slices.ContainsFunc(s.parts, func(p part) bool { return p.kind == figure }) {
		if n, ok := counted(n, within.last-within.first+1); ok {
			if s.headings(within) || s.listed(within, n) {
				return within, PlaceUnclear
			}
			return s.ofLines(within.first+n, within.first+n), ""
		}
	}
	return within, NoSuchPlace
}

// covers reports whether a region is a part itself, or within it: a part is not within
// itself.
func (s *structure) covers(within region, p part) bool {
	if len(within.path) == 0 {
		return false
	}
	last := within.path[len(within.path)-1]
	return last.Level == Item && sameLabel(last.Label, p.label) && slices.Contains(kindsOfStep(last), p.kind)
}

func kindsOfStep(step Step) []labelKind {
	if step.Label == "-" {
		return []labelKind{dash}
	}
	kinds := kindsOfLabel(step.Label)
	if slices.Contains(kinds, figure) {
		kinds = append(slices.Clone(kinds), degree)
	}
	return kinds
}

// sameLabel compares labels; the two spellings of the ninth suffix are one, and « 1 » is
// « 1° ».
func sameLabel(a, b string) bool {
	plain := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "°", ""), "novies", "nonies") }
	return plain(a) == plain(b)
}

// sentenceOf finds a sentence within a region.
func (s *structure) sentenceOf(within region, step Step) (region, Reason) {
	if within.loose && step.Index < 0 || step.Index > 0 && s.headings(within) {
		return within, PlaceUnclear
	}
	var all []region
	for n := within.first; n <= within.last; n++ {
		for _, span := range s.sentences(n) {
			all = append(all, region{Span: span, first: n, last: n, sentence: true})
		}
	}
	n, ok := counted(step.Index, len(all))
	if !ok {
		return within, NoSuchPlace
	}
	return all[n], ""
}

// sentences returns the sentences of a line, without its labels.
func (s *structure) sentences(n int) (out []Span) {
	l := s.lines[n]
	for _, span := range french.Sentences(s.text[l.body:l.End]) {
		out = append(out, Span{l.body + span.Start, l.body + span.End})
	}
	return out
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
