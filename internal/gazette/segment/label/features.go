package label

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// sight holds the features of a line alone, without its neighbors.
type sight struct {
	words    []string // folded tokens, figures as « # »
	ends     string   // class of its last character
	kind     bool     // it begins with the name of a kind of text
	byKind   bool     // « Par arrêté », « Par décret »
	numbered bool     // its first words contain « n° »
	dated    bool     // it contains a month and a year
	capitals bool
	starts   string // class of its first character
	article  string // for the head of an article, how its number follows the number of the head before
	heading  bool
	length   string
	shape    string // indent, width and place in the column
	gap      string
	size     string
	repeat   string // whether other lines of the file begin with the same letters
}

// Features returns the features of each line.
func Features(lines []line.Line) []chain.Item {
	seen := sights(lines)
	quote, worded := line.InQuotes(lines), line.AwaitedHeads(lines)
	out := make([]chain.Item, len(lines))
	for i := range lines {
		f := featureList{item: make(chain.Item, 0, 96)}
		f.addOwn(&lines[i], &seen[i], quote[i])
		if worded[i] {
			f.addFeature("awaited", seen[i].article)
		}
		f.addPlace(lines, i)
		if i > 0 {
			f.addNeighbor("p", &lines[i-1], &seen[i-1])
			f.addPair(&seen[i-1], &seen[i])
			f.addFeature("pks", seen[i-1].ends, flag(line.IsShort(lines[i-1])), flag(seen[i].kind), flag(seen[i].numbered), seen[i].starts)
		} else {
			f.addFeature("p", "none")
		}
		if i+1 < len(lines) {
			f.addNeighbor("n", &lines[i+1], &seen[i+1])
			f.addFeature("kn", flag(seen[i].kind), nthWord(seen[i+1].words, 0))
		} else {
			f.addFeature("n", "none")
		}
		for j := i + 2; j <= i+3 && j < len(lines); j++ {
			f.addFeature("nn", nthWord(seen[j].words, 0), flag(seen[i].kind || seen[i].byKind))
			f.addFeature("na", seen[j].article, flag(seen[i].kind))
		}
		if i > 1 {
			f.addFeature("pp", nthWord(seen[i-2].words, 0), flag(seen[i].kind || seen[i].byKind))
		}
		out[i] = f.item
	}
	return out
}

// featureList collects the features of a line.
type featureList struct{ item chain.Item }

func (f *featureList) addFeature(parts ...string) { f.item = append(f.item, chain.Hash(parts...)) }

// addOwn adds the features of the line alone.
func (f *featureList) addOwn(l *line.Line, s *sight, quoted bool) {
	f.addFeature("bias")
	set := flag(l.Centered) + flag(l.Bold) + flag(s.capitals)
	f.addFeature("set", set)
	f.addFeature("opens", flag(l.Opens))
	f.addFeature("starts", s.starts, flag(l.Opens))
	f.addFeature("ends", s.ends)
	f.addFeature("length", s.length)
	f.addFeature("shape", s.shape)
	f.addFeature("gap", s.gap)
	f.addFeature("size", s.size)
	f.addFeature("gapsize", s.gap, s.size, set)
	f.addFeature("wide", flag(l.Spaced), s.starts)
	f.addFeature("scan", flag(l.Scanned), set)
	f.addFeature("quoted", flag(quoted))
	f.addFeature("repeat", s.repeat)
	f.addFeature("repeatkind", s.repeat, flag(s.kind), flag(s.byKind))
	f.addFeature("article", s.article, flag(l.Opens || l.Centered), flag(quoted))
	f.addFeature("heading", flag(s.heading), set)
	f.addFeature("kind", flag(s.kind), flag(s.numbered), flag(s.dated), flag(l.Opens || l.Centered))
	f.addFeature("kindset", flag(s.kind), set, flag(s.numbered))
	f.addFeature("by", flag(s.byKind), flag(s.dated), flag(l.Opens))
	w := s.words
	f.addFeature("w0", nthWord(w, 0))
	f.addFeature("w0o", nthWord(w, 0), flag(l.Opens), set)
	f.addFeature("w01", nthWord(w, 0), nthWord(w, 1))
	f.addFeature("w012", nthWord(w, 0), nthWord(w, 1), nthWord(w, 2))
	f.addFeature("w1", nthWord(w, 1))
	f.addFeature("w2", nthWord(w, 2))
	f.addFeature("wl", nthLastWord(w, 0))
	f.addFeature("wll", nthLastWord(w, 1), nthLastWord(w, 0))
	for i, t := range w {
		if i < 14 {
			f.addFeature("w", t)
		}
		if i > 0 && i < 8 {
			f.addFeature("ww", w[i-1], t)
		}
	}
}

// addPlace adds the features of the line's place in the file.
func (f *featureList) addPlace(lines []line.Line, i int) {
	l := &lines[i]
	switch {
	case i == 0:
		f.addFeature("at", "first")
	case lines[i-1].Page != l.Page:
		f.addFeature("at", "page", flag(l.Opens))
	case lines[i-1].Column != l.Column:
		f.addFeature("at", "column", flag(l.Opens))
	}
	f.addFeature("across", flag(l.Column < 0))
	f.addFeature("page", bucket(float64(l.Page-lines[0].Page), 0, 1, 2, 4, 9))
	f.addFeature("line", bucket(float64(i), 2, 5, 10, 20, 40))
	f.addFeature("left", bucket(float64(len(lines)-1-i), 0, 2, 5, 15))
}

// addNeighbor adds the features of the line before (side « p ») or after (« n »).
func (f *featureList) addNeighbor(side string, l *line.Line, s *sight) {
	set := flag(l.Centered) + flag(l.Bold) + flag(s.capitals)
	f.addFeature(side, "set", set)
	f.addFeature(side, "w0", nthWord(s.words, 0))
	f.addFeature(side, "w01", nthWord(s.words, 0), nthWord(s.words, 1))
	f.addFeature(side, "wl", nthLastWord(s.words, 0))
	f.addFeature(side, "ends", s.ends, flag(line.IsShort(*l)))
	f.addFeature(side, "starts", s.starts)
	f.addFeature(side, "kind", flag(s.kind), flag(s.byKind), flag(s.numbered))
	f.addFeature(side, "article", s.article)
	f.addFeature(side, "heading", flag(s.heading))
	f.addFeature(side, "gap", s.gap)
	f.addFeature(side, "length", s.length)
	f.addFeature(side, "size", s.size)
	f.addFeature(side, "opens", flag(l.Opens))
}

// addPair adds the features that combine a line with the one before.
func (f *featureList) addPair(previous, s *sight) {
	f.addFeature("pk", previous.ends, flag(s.kind), flag(s.byKind), s.starts)
	f.addFeature("pw", nthLastWord(previous.words, 0), nthWord(s.words, 0))
	f.addFeature("ps", previous.size, s.size, s.gap)
	f.addFeature("pc", flag(previous.capitals), flag(s.capitals), flag(previous.kind), flag(s.kind))
	f.addFeature("pkk", nthWord(previous.words, 0), flag(s.kind), flag(s.numbered))
}

// sights returns the sight of each line.
func sights(lines []line.Line) []sight {
	out := make([]sight, len(lines))
	count := beginnings(lines)
	number := 0
	var on pageMeasure
	for i := range lines {
		l := &lines[i]
		if i == 0 || lines[i-1].Page != l.Page {
			on = measurePage(lines[i:])
		}
		s := &out[i]
		s.words = tokens(l.Text)
		s.starts, s.ends = startOf(l.Text), endOf(l.Text)
		s.capitals = line.AllCaps(l.Text)
		s.kind = titles.KindWord(nthWord(s.words, 0))
		s.byKind = nthWord(s.words, 0) == "par" && titles.KindWord(nthWord(s.words, 1))
		s.numbered, s.dated = numberAndMonth(s.words)
		s.length = bucket(float64(len(l.Text)), 2, 8, 16, 30, 50, 80)
		s.shape = shapeOf(l)
		s.gap, s.size = on.gapBucket(l), on.sizeBucket(l)
		s.repeat = count.repeatFlags(l.Text)
		if n, _, ok := l.Article(""); ok {
			s.article, number = countsOn(n, number)
		} else if _, ok := l.Heading(); ok {
			s.heading = true
		}
	}
	return out
}

// countsOn classifies how an article's printed number follows the number of the article before. It also returns the
// number with which the next article's number is to be compared.
func countsOn(printed string, previous int) (class string, number int) {
	n, ok := heads.LeadingNumber(printed)
	switch {
	case printed == "unique":
		return "unique", 0
	case !ok:
		return "other", previous
	case n == 1:
		return "one", 1
	case n == previous+1:
		return "next", n
	case n == previous:
		return "same", n
	case n < previous:
		return "back", n
	}
	return "jump", n
}

// tokens returns the first folded words of a line. A run of digits becomes up to four « # », and any other
// sign is a token of its own.
func tokens(text string) []string {
	folded := law.Fold(text)
	var out []string
	for i := 0; i < len(folded) && len(out) < 24; {
		r, n := utf8.DecodeRuneInString(folded[i:])
		class := runeClass(r)
		j := i + n
		for class < 2 && j < len(folded) {
			next, m := utf8.DecodeRuneInString(folded[j:])
			if runeClass(next) != class {
				break
			}
			j += m
		}
		switch class {
		case 0:
			out = append(out, folded[i:j])
		case 1:
			out = append(out, "####"[:min(j-i, 4)])
		case 2:
			out = append(out, folded[i:j])
		}
		i = j
	}
	return out
}

// runeClass returns 0 for letters, 1 for digits, 2 for signs, 3 for blanks.
func runeClass(r rune) int {
	switch {
	case unicode.IsLetter(r):
		return 0
	case unicode.IsDigit(r):
		return 1
	case unicode.IsSpace(r):
		return 3
	}
	return 2
}

// numberAndMonth reports whether the words contain « n° » (numbered), and whether they contain a month (dated).
func numberAndMonth(words []string) (numbered, dated bool) {
	for i, w := range words {
		if i < 12 && (w == "n" || w == "no") && i+1 < len(words) && !unicode.IsLetter(rune(words[i+1][0])) {
			numbered = true
		}
		if titles.MonthNames[w] {
			dated = true
		}
	}
	return numbered, dated
}

func nthWord(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

func nthLastWord(words []string, i int) string {
	if i < len(words) {
		return words[len(words)-1-i]
	}
	return ""
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// bucket returns a letter for the first limit that v does not exceed.
func bucket(v float64, limits ...float64) string {
	for i, l := range limits {
		if v <= l {
			return string(rune('a' + i))
		}
	}
	return string(rune('a' + len(limits)))
}

func startOf(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsUpper(r):
		return "A"
	case unicode.IsLower(r):
		return "a"
	case unicode.IsDigit(r):
		return "0"
	case strings.ContainsRune("«“\"", r):
		return "«"
	case strings.ContainsRune("-–—", r):
		return "-"
	}
	return string(r)
}

func endOf(text string) string {
	r, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case unicode.IsLetter(r):
		return "a"
	case unicode.IsDigit(r):
		return "0"
	}
	return string(r)
}

// pageMeasure holds the usual type size and gap of a page. The type size and the gap of each line of the page are
// compared to them.
type pageMeasure struct{ scale, space float64 }

// measurePage measures the page of lines[0].
func measurePage(lines []line.Line) pageMeasure {
	n := 1
	for n < len(lines) && lines[n].Page == lines[0].Page {
		n++
	}
	scales, gaps := make([]float64, 0, n), make([]float64, 0, n)
	for i := range lines[:n] {
		scales = append(scales, lines[i].Scale)
		if i > 0 && lines[i].Column == lines[i-1].Column {
			gaps = append(gaps, lines[i].Gap)
		}
	}
	return pageMeasure{scale: median(scales), space: median(gaps)}
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// gapBucket returns a bucket for the white space above a line, minus the usual gap, in heights of a line.
func (m pageMeasure) gapBucket(l *line.Line) string {
	return bucket((l.Gap-m.space)/max(m.scale, 4), -0.25, 0.15, 0.5, 1, 2, 4)
}

// sizeBucket returns a bucket for the type size of a line, relative to the usual type size.
func (m pageMeasure) sizeBucket(l *line.Line) string {
	return bucket(l.Scale/max(m.scale, 1), 0.8, 0.93, 1.07, 1.25, 1.6)
}

// shapeOf returns buckets for the place of a line in its column: its indent, the space after it, and the
// width of the column.
func shapeOf(l *line.Line) string {
	width := max(l.Rect[2]-l.Rect[0]+l.Indent+l.Slack, 1)
	size := max(l.Scale, 4)
	return bucket(l.Indent/size, 0.3, 1.2, 3, 8) + bucket(l.Slack/width, 0.03, 0.15, 0.5) + bucket(width/size, 20, 40)
}

// prefixes counts the lines of a file that begin alike.
type prefixes struct {
	seen  map[string]int
	total map[string]int
}

// prefixLetters is how many letters and digits are compared.
const prefixLetters = 28

// beginnings counts the beginnings of all lines.
func beginnings(lines []line.Line) prefixes {
	p := prefixes{seen: map[string]int{}, total: map[string]int{}}
	for i := range lines {
		if key := prefixOf(lines[i].Text); key != "" {
			p.total[key]++
		}
	}
	return p
}

// repeatFlags reports, as two flags, whether an earlier line begins with the same letters as the given one, and whether
// a later line does: an entry of a summary comes again later, as a title. Call it once for each line, in order.
func (p prefixes) repeatFlags(text string) string {
	key := prefixOf(text)
	if key == "" {
		return "none"
	}
	previous := p.seen[key]
	p.seen[key]++
	return flag(previous > 0) + flag(p.total[key]-previous > 1)
}

// prefixOf returns the first letters and digits of a line, "" if it has fewer than prefixLetters.
func prefixOf(text string) string {
	var b strings.Builder
	for _, r := range law.Fold(text) {
		if runeClass(r) < 2 {
			b.WriteRune(r)
			if b.Len() >= prefixLetters {
				return b.String()
			}
		}
	}
	return ""
}
