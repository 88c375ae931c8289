// Package label labels the lines of a file: title, visa, article, signature and so on. The prepared
// lines go in. Out come the most probable labels by the linear chain (weights.bin) that the texts
// they make do not contradict, with the probability of each, and the lines of each text with its title.
package label

import (
	_ "embed"
	"sync"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Label is the kind of a printed line of a gazette.
type Label int

// The labels of lines. Head begins a text with a title, Title continues it, and
// Abridged begins an act that is printed without a title of its own: « Par arrêté
// du 8 octobre 2025, … est nommé … ».
const (
	Masthead  Label = iota // the gazette's name, number, prices
	Summary                // an entry of the summary or of a table of contents
	Rubric                 // a heading of the gazette over texts: a ministry, « DÉCRETS »
	Notice                 // an announcement, which is no legal text
	Furniture              // running heads and page numbers that were not set aside
	Note                   // a footnote
	Head
	Title
	Abridged
	Visa      // the basis of a text, which it cites: « Vu la loi … »
	Formula   // « DÉCRÈTE : », « promulgue la loi dont la teneur suit : »
	Article   // the first line of an article
	Division  // « TITRE II », and its title
	Paragraph // any other line of a text
	Table     // a table's row
	PlaceLine // « Fait à Alger, le 12 mars 2002 »
	Signature // an office or a name under a text
	Annex     // the head of an annex
	labels    // number of labels
)

// LabelCount is the number of labels.
const LabelCount = int(labels)

var labelNames = [labels]string{"masthead", "summary", "rubric", "notice", "furniture", "note", "head", "title", "abridged", "visa", "formula",
	"article", "division", "paragraph", "table", "place", "signature", "annex"}

// String returns the label's name.
func (l Label) String() string {
	if l < 0 || l >= labels {
		return ""
	}
	return labelNames[l]
}

// BeginsText reports whether a text begins at a line of this label.
func (l Label) BeginsText() bool { return l == Head || l == Abridged }

// Loose reports whether a line of this label belongs to no text.
func (l Label) Loose() bool { return l <= Furniture }

// Begins allows the labels of lines at which a text begins.
const Begins = chain.Mask(1<<Head | 1<<Abridged)

// ChangeKind is what a proposal changes in a reading.
type ChangeKind string

// The kinds of proposals.
const (
	BeginText ChangeKind = "begin" // a text begins at the line
	JoinText  ChangeKind = "join"  // no text begins at the line: the text before continues
	SetAside  ChangeKind = "aside" // the line is the gazette's, and belongs to no text
)

// ChangeKinds returns every kind of change.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{BeginText, JoinText, SetAside}
}

// Labeling holds the labels of a file's lines.
type Labeling struct {
	Labels []Label
	Path   chain.Path // with the probabilities that hold under the last masks of Assign
	titles titleCache
	// numbers caches which lines read as the heads of articles.
	numbers numberCache
	// seconds holds, by line, the most probable change that was tried and not made.
	Rejected map[int]Rejected
}

// Rejected is a change to a reading that was tried and not made.
type Rejected struct {
	Kind ChangeKind
	Prob float64 // probability that it is right
}

// mostReadings is the maximum number of times that Assign labels a file. Each time it forbids the beginnings that
// the texts of the previous reading contradict.
const mostReadings = 8

// Masked is a reading, and the masks under which it is the most probable one.
type Masked struct {
	Labeling
	Masks   []chain.Mask
	Changed []chain.Mask // by line, a mask of the label to which reread changed the line; 0 if it did not
}

// Assign labels lines by the model's scores. It takes the most probable reading in which every text, if there are
// several, has a nature and a number or a date.
//
// given restricts the labels of each line to those that edits allow; 0, or a nil slice, allows any. So a
// beginning that an edit set or removed stays as it is.
func Assign(scored chain.Scored, lines []line.Line, given []chain.Mask) Masked {
	masks := make([]chain.Mask, len(lines))
	copy(masks, given)
	m := Labeling{titles: titleCache{}, numbers: numberCache{}}
	for range mostReadings {
		m.Path = chain.Path{Labels: scored.Best(masks)}
		m.Labels = labelsOf(m.Path.Labels)
		begins := func(i int) float64 {
			if m.Path.Probs == nil {
				m.Path.Probs = scored.Probs(masks)
			}
			return m.BeginProb(i)
		}
		if !m.Contradict(lines, masks, given, begins) {
			break
		}
		m.Path.Probs = nil
	}
	if m.Path.Probs == nil {
		m.Path.Probs = scored.Probs(masks)
	}
	return Masked{Labeling: m, Masks: masks}
}

func labelsOf(path []int) []Label {
	out := make([]Label, len(path))
	for i, l := range path {
		out[i] = Label(l)
	}
	return out
}

// BeginProb returns the probability that a text begins at line i.
func (m Labeling) BeginProb(i int) float64 {
	return m.Path.Prob(i, int(Head)) + m.Path.Prob(i, int(Abridged))
}

// FirstBegin returns the index of the first line at which a text begins, the number of lines if none does.
func (m Labeling) FirstBegin() int {
	for i, l := range m.Labels {
		if l.BeginsText() {
			return i
		}
	}
	return len(m.Labels)
}

// Extent locates the lines of one text: [from,own) are its own, [own,to) are the gazette's, up to the next
// text.
type Extent struct {
	Title         titles.Title
	From, Own, To int
}

// Texts finds the texts among lines.
func (m Labeling) Texts(lines []line.Line) []Extent {
	var out []Extent
	for i := m.FirstBegin(); i < len(lines); {
		s := Extent{From: i, To: i + 1}
		for s.To < len(lines) && !m.Labels[s.To].BeginsText() {
			s.To++
		}
		signed := 0 // the line after the last one of the signatures
		for s.Own = i + 1; s.Own < s.To && (!m.Labels[s.Own].Loose() || m.Labels[s.Own] == Furniture); s.Own++ {
			if signed > 0 && ReasonsHeading.MatchString(lines[s.Own].Text) { // of an act that is not printed here
				s.Own = signed
				break
			}
			if m.Labels[s.Own] == PlaceLine || m.Labels[s.Own] == Signature {
				signed = s.Own + 1
			}
		}
		s.Title = m.titles.titleAt(m, lines, i)
		out, i = append(out, m.underOneHead(s)...), s.To
	}
	return out
}

// underOneHead splits a text whose heading is in the plural (« Arrêtés du 13 mai … ») where visas follow a
// signature. Each of the acts has that heading.
func (m Labeling) underOneHead(s Extent) []Extent {
	out := []Extent{s}
	if !s.Title.Plural {
		return out
	}
	articles, signed := false, false
	for i := s.From + s.Title.Lines; i < s.Own; i++ {
		switch m.Labels[i] {
		case Article:
			articles = true
		case PlaceLine:
			signed = articles
		case Visa:
			if !signed {
				continue
			}
			articles, signed = false, false
			out[len(out)-1].Own, out[len(out)-1].To = i, i
			next := Extent{Title: s.Title, From: i, Own: s.Own, To: s.To}
			next.Title.At, next.Title.Lines = i, 0
			out = append(out, next)
		}
	}
	return out
}

// abridgedReach is the maximum number of lines that the name at the beginning of an act without a title takes.
const abridgedReach = 5

// partHeading matches the heading of a part of a text, alone on its line. A title never contains such a line,
// however close it is below. ReasonsHeading matches that of the reasons that a government gives for an act.
var (
	partHeading    = line.OptionalAccents(`^(?i:préambule|exposé des motifs|rapport de présentation|sommaire|table des matières) *[:.]? *$`)
	ReasonsHeading = line.OptionalAccents(`^(?i:exposé des motifs|rapport de présentation) *[:.]? *$`)
)

// titleLines returns the number of lines of the title that begins at line i. These are the lines labeled
// Title, the lines that go on with its sentence, and the subject that a circular names below.
func (m Labeling) titleLines(lines []line.Line, i int) int {
	n := 1
	more := func(ok func(l line.Line) bool) {
		for i+n < len(lines) && !m.Labels[i+n].Loose() && !m.Labels[i+n].BeginsText() && ok(lines[i+n]) {
			n++
		}
	}
	more(func(l line.Line) bool {
		return m.Labels[i+n] == Title && !partHeading.MatchString(l.Text) && !titles.Published.MatchString(lines[i+n-1].Text) || titles.Dangling.MatchString(lines[i+n-1].Text) || m.goesOn(lines, i+n)
	})
	if i+n < len(lines) && titles.Subject.MatchString(lines[i+n].Text) {
		n++
		more(func(l line.Line) bool { return !l.Opens })
	}
	return n
}

// goesOn reports whether line i continues the sentence of the line above it, in one block with it: it begins with a lower-case
// letter or with a genitive, no paragraph begins there, or both lines are in centered capitals.
func (m Labeling) goesOn(lines []line.Line, i int) bool {
	prev, l := lines[i-1], lines[i]
	if m.Labels[i] == Article || titles.PreambleStart.MatchString(l.Text) || !line.GoesOn(prev, l) {
		return false
	}
	return line.StartsLower(l.Text) || genitive.MatchString(l.Text) || m.Labels[i] == Paragraph || m.Labels[i] == Formula && l.Centered && line.AllCaps(l.Text)
}

// genitive matches how no sentence begins in capitals: « DES LOIS DE FINANCES », « ET DU SEL ».
var genitive = law.Pattern(`^(?:D[EU]|DES|ET|OU|D') *\p{Lu}`)

// View holds what the chain knows of a line of a text.
type View struct {
	Label       Label
	Prob        float64 // the probability of its label
	BeginProb   float64 // the probability that a text begins there
	ArticleProb float64 // the probability that an article begins there; negative if the line is the gazette's
}

// Views returns the views of lines [start,end).
func (m Labeling) Views(start, end int) []View {
	out := make([]View, end-start)
	for i := range out {
		label := m.Labels[start+i]
		out[i] = View{Label: label, Prob: m.Path.Prob(start+i, int(label)), BeginProb: m.BeginProb(start + i),
			ArticleProb: m.Path.Prob(start+i, int(Article))}
		if label == Article {
			out[i].ArticleProb = max(out[i].ArticleProb, EvenOdds) // the reading chose this label as the likelier one
		}
		if label.Loose() && label != Furniture || label.BeginsText() { // an edit may begin a text at an article
			out[i].ArticleProb = -1
		}
	}
	return out
}

// EvenOdds is the minimum probability of a line that a reading labels Article: the reading found the label at
// least as likely as not.
const EvenOdds = 0.5

// weights are those of the chain that labels lines, learned by scripts/train segment.
//
//go:embed weights.bin
var weights []byte

// StandardModel returns the chain with the weights that come with the program.
var StandardModel = sync.OnceValue(func() *chain.Model {
	m, err := chain.Read(weights)
	if err != nil {
		panic(err) // the data is embedded, so every test would fail
	}
	return m
})
