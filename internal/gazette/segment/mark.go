package segment

import (
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
)

// marked holds the labels of a file's lines.
type marked struct {
	labels []Label
	path   chain.Path // with the probabilities that hold under the last masks of markScored
	heads  headsRead
	// numbers caches which lines read as the heads of articles.
	numbers numbersRead
	// seconds holds, by line, the most probable change that was tried and not made.
	seconds map[int]second
}

// second is a change to a reading that was tried and not made.
type second struct {
	kind proposalKind
	p    float64 // probability that it is right
}

// mostReadings is the maximum number of times that markScored labels a file. Each time it forbids the beginnings that
// the texts of the previous reading contradict.
const mostReadings = 8

// markedUnder is a reading, and the masks under which it is the most probable one.
type markedUnder struct {
	marked
	masks   []chain.Mask
	changed []chain.Mask // by line, a mask of the label to which reread changed the line; 0 if it did not
}

// markScored labels lines by the model's scores. It takes the most probable reading in which every text, if there are
// several, has a nature and a number or a date.
//
// given restricts the labels of each line to those that edits allow; 0, or a nil slice, allows any. So a
// beginning that an edit set or removed stays as it is.
func markScored(scored chain.Scored, lines []line.Line, given []chain.Mask) markedUnder {
	masks := make([]chain.Mask, len(lines))
	copy(masks, given)
	m := marked{heads: headsRead{}, numbers: numbersRead{}}
	for range mostReadings {
		m.path = chain.Path{Labels: scored.Best(masks)}
		m.labels = labelsOf(m.path.Labels)
		begins := func(i int) float64 {
			if m.path.Probs == nil {
				m.path.Probs = scored.Probs(masks)
			}
			return m.begin(i)
		}
		if !m.contradict(lines, masks, given, begins) {
			break
		}
		m.path.Probs = nil
	}
	if m.path.Probs == nil {
		m.path.Probs = scored.Probs(masks)
	}
	return markedUnder{marked: m, masks: masks}
}

func labelsOf(path []int) []Label {
	out := make([]Label, len(path))
	for i, l := range path {
		out[i] = Label(l)
	}
	return out
}

// begin returns the probability that a text begins at line i.
func (m marked) begin(i int) float64 {
	return m.path.Prob(i, int(Head)) + m.path.Prob(i, int(Abridged))
}

// firstBegin returns the index of the first line at which a text begins, the number of lines if none does.
func (m marked) firstBegin() int {
	for i, l := range m.labels {
		if l.beginsText() {
			return i
		}
	}
	return len(m.labels)
}

// textLines locates the lines of one text: [from,own) are its own, [own,to) are the gazette's, up to the next
// text.
type textLines struct {
	head          titles.Title
	from, own, to int
}

// bodies finds the texts among lines.
func (m marked) bodies(lines []line.Line) []textLines {
	var out []textLines
	for i := m.firstBegin(); i < len(lines); {
		s := textLines{from: i, to: i + 1}
		for s.to < len(lines) && !m.labels[s.to].beginsText() {
			s.to++
		}
		for s.own = i + 1; s.own < s.to && (!m.labels[s.own].loose() || m.labels[s.own] == Furniture); {
			s.own++
		}
		s.head = m.heads.headAt(m, lines, i)
		out, i = append(out, m.underOneHead(s)...), s.to
	}
	return out
}

// underOneHead splits a text whose heading is in the plural (« Arrêtés du 13 mai … ») where visas follow a
// signature. Each of the acts has that heading.
func (m marked) underOneHead(s textLines) []textLines {
	out := []textLines{s}
	if !s.head.Plural {
		return out
	}
	articles, signed := false, false
	for i := s.from + s.head.Lines; i < s.own; i++ {
		switch m.labels[i] {
		case Article:
			articles = true
		case PlaceLine:
			signed = articles
		case Visa:
			if !signed {
				continue
			}
			articles, signed = false, false
			out[len(out)-1].own, out[len(out)-1].to = i, i
			next := textLines{head: s.head, from: i, own: s.own, to: s.to}
			next.head.At, next.head.Lines = i, 0
			out = append(out, next)
		}
	}
	return out
}

// abridgedReach is the maximum number of lines that the name at the beginning of an act without a title takes.
const abridgedReach = 5

// partHeading matches the heading of a part of a text, alone on its line. A title never contains such a line,
// however close it is below.
var partHeading = line.OptionalAccents(`^(?i:préambule|exposé des motifs|rapport de présentation|sommaire|table des matières) *[:.]? *$`)

// titleLines returns the number of lines of the title that begins at line i. These are the lines labeled
// Title, lines after one that cannot end a title, and the subject that a circular names below.
func (m marked) titleLines(lines []line.Line, i int) int {
	n := 1
	more := func(ok func(l line.Line) bool) {
		for i+n < len(lines) && !m.labels[i+n].loose() && !m.labels[i+n].beginsText() && ok(lines[i+n]) {
			n++
		}
	}
	more(func(l line.Line) bool {
		return m.labels[i+n] == Title && !partHeading.MatchString(l.Text) || titles.Dangling.MatchString(lines[i+n-1].Text)
	})
	if i+n < len(lines) && titles.Subject.MatchString(lines[i+n].Text) {
		n++
		more(func(l line.Line) bool { return !l.Opens })
	}
	return n
}
