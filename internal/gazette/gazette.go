// Package gazette is the door to reading gazettes: the bytes of a PDF file go in, and the
// texts of the issue come out, cut into articles and passages, each with its place on the
// page, its evidence and its doubts.
//
// The package itself holds what cutting a file takes and gives: Hints and Edits, Issues with their
// Texts, Places and Signals. pdfhead recognizes a file by its beginning, pdftext reads words with their places in a
// child process, ocr reads scanned pages, layout orders words into columns and lines, heads
// reads the heads of articles and repairs misread ones, segment cuts lines into texts (with
// the labels of chain), and recheck reads contradicted places of scans again. remarks writes
// in French what they doubt. Nothing here opens a store.
package gazette

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// Hints holds what is known about a file before it is read: the operator's metadata and the file's name. In a
// file of one text, a field that the operator gave overrides what is printed and settles its doubt.
type Hints struct {
	Filename       string
	Title          string
	Type           law.DocType
	Nature         string
	OfficialNumber string
	Domain         string
	Promulgated    *time.Time
	EntersInForce  *time.Time
	Published      *time.Time // the issue's date; also the date of a text that shows none
	Is             FileKind   // what a person says that the file is, "" for nothing
	Country        string     // whose law a person says that its texts are, by the code of the country, "" for nothing
	Today          time.Time  // no text is dated later; zero if it is not known
	Edits          []Edit     // corrections that people made to its lines, in order
}

// FileKind is what a file is as a person says it.
type FileKind string

// The kinds of files. Files of law are cut into texts, whatever they look like; those of no law have none.
const (
	FileOfLaw       FileKind = "law"
	FileOfNoLaw     FileKind = "no_law"
	FileDraft       FileKind = "draft"       // its texts wait for a person
	FileCoordinated FileKind = "coordinated" // a text as it stands after its amendments
	FileCompilation FileKind = "compilation" // texts of several years, printed together
)

// Issue is one file, cut into its texts.
type Issue struct {
	Name   string        // the name of the gazette as it is printed, "" when the file is no gazette
	Number string        // the gazette's number, "" when it shows none
	Date   *time.Time    // the gazette's date, nil when it shows none
	Texts  []Text        // in the order of the file
	Loose  []layout.Line // lines that belong to no text
	// Remains locates the end of a text that begins before the file; its lines are in Loose. It is nil if
	// there is none, or if that end is one of Texts.
	Remains *Remains
	// NoLaw says what the file holds if it holds no law. Then it has no texts, and all its lines are in Loose.
	NoLaw remarks.Remark
	// Is says what the file is, if it is neither an issue of a gazette nor acts: a draft, a text after its amendments.
	Is []remarks.Remark

	Lines     []LabeledLine // every line, in reading order
	Unapplied []Unapplied   // edits that no longer change anything
}

// Remains locates the end of a text that begins before the file.
type Remains struct {
	First               Place // its first line
	FirstPage, LastPage int
	Articles            []string // numbers of the articles that begin in it
}

// Text is one legal text and everything that was cut from it. The caller assigns ids; positions of articles
// count from 0.
type Text struct {
	Document law.Document
	Head     []layout.Line // its title as printed
	Doubts   []remarks.Doubt
	// Signals are the signs that the text may be cut or read wrongly, including those too weak to make a
	// doubt.
	Signals  []Signal
	Evidence []law.Evidence // the words that each datum was read from
	// Signatories lists who signed, the authority that issued the text first: « Le Premier ministre : Jean
	// VILLEDIEU ».
	Signatories []string
	Articles    []law.Article
	Absent      []string // article numbers missing from the numbering: « 16 », « 12–33 »
	Relations   []Relation
	Wordings    []Wording // new wordings of other texts' articles, in order

	First Place // its first line
	// Origin is the index of this text when the file is cut without edits, -1 for a text that edits created.
	Origin int
	Edited map[string]string // fields of the catalogue that edits set, with their values
}

// Relation is a change that an article of the text makes to another text.
type Relation struct {
	Article int // index in Text.Articles of the article that makes the change
	law.Relation
}

// EditKind is what an edit changes in the way a file is cut.
type EditKind string

// The kinds of edits.
const (
	SplitHere   EditKind = "split"    // a text begins at the line
	MergeBefore EditKind = "merge"    // no text begins at the line: it continues the text before
	MoveLines   EditKind = "move"     // the lines belong elsewhere, or to no text
	Renumber    EditKind = "renumber" // the article of the line has another number
	Retitle     EditKind = "retitle"  // the text of the line, or its article, has another title
	Correct     EditKind = "correct"  // the line, or its whole article, has other words
)

// Edit is a person's correction of the way a file is cut. Edits are applied in order whenever the file is
// cut: words of lines are corrected and moved lines removed before anything is read, texts are begun and
// merged when their heads have been found, and articles and titles are changed at the end. Split stays pure:
// the same pages and edits give the same texts.
//
// An edit identifies lines by their place, and so finds them again after the file was read again. An edit
// whose line is missing, or is no longer what the edit needs, changes nothing: Issue.Unapplied lists it, and
// the text on its page gets a doubt.
type Edit struct {
	Kind  EditKind  `json:"-"`
	Made  time.Time `json:"-"`
	Lines []Place   `json:"lines"` // split: the lines of the title, when more than one
	// After is the line after which moved lines go; nil means that they belong to no text.
	After *Place `json:"after,omitempty"`
	// Whole makes retitle and correct apply to the article of the line.
	Whole bool `json:"article,omitempty"`
	// Begins makes renumber begin an article at the line; Onward numbers the articles after it in turn.
	Begins bool `json:"begins,omitempty"`
	Onward bool `json:"onward,omitempty"`

	Text   string `json:"text,omitempty"`   // correct: the new words; a line end begins an alinea of an article
	Number string `json:"number,omitempty"` // renumber: the article's new number; split: the text's number
	Title  string `json:"title,omitempty"`  // retitle, split

	// What a person says about a text that a split creates.
	Type        law.DocType `json:"doc_type,omitempty"`
	Nature      string      `json:"nature,omitempty"` // what it calls itself: « Ordonnance »
	Promulgated *time.Time  `json:"date_promulgation,omitempty"`
}

// The fields of a text that an edit may set, as the catalogue names them.
const (
	TitleField  = "title"
	TypeField   = "doc_type"
	NumberField = "numero_officiel"
	DateField   = "date_promulgation"

	// CorrectionField is the field of a doubt about an edit that no longer applies.
	CorrectionField = "correction"
)

// Unapplied is an edit that no longer changes anything.
type Unapplied struct {
	Edit int // index in Hints.Edits
	Why  remarks.Remark
}

// LabeledLine is a line of the file, with its place in the cut texts.
type LabeledLine struct {
	Page       int
	Rect       law.Rect
	Text       string
	Label      string  // LabelHead … LabelAside
	Confidence float64 // probability of its label, 0 to 1; 1 for lines that were set aside
	TextIndex  int     // in Issue.Texts, -1 for none
	Article    int     // index in that text's Articles, -1 for none
}

// The labels of lines.
const (
	LabelHead      = "head"
	LabelPreamble  = "preamble"
	LabelArticle   = "article"
	LabelSection   = "section"
	LabelSignature = "signature"
	LabelAnnex     = "annex"
	LabelReasons   = "reasons" // the reasons that a government gives for an act, before it or in its preamble
	LabelLoose     = "loose"   // in no text
	LabelAside     = "aside"   // in no text, but in the head of the file, a summary, a note or lines that were set aside
)

// This file names the places of a file that its texts contradict, so that they may be read again.

// GapLines is a gap in the numbering of a text's articles, and the lines where their heads may be printed.
type GapLines struct {
	heads.Gap     // Before and Next are indexes in Text.Articles
	Text      int // index in Issue.Texts
	// FromLine and UntilLine are the range [FromLine, UntilLine) of Issue.Lines: from the line that begins the
	// article before the gap, or the text if there is no such article, up to the line that begins the article after
	// it.
	FromLine, UntilLine int
}

// Gaps returns the unexplained gaps in the numbering of articles, in file order. It skips lettered numbers, and gaps
// beside a head that is not at the beginning of a line.
func (issue Issue) Gaps() []GapLines {
	var out []GapLines
	for t := range issue.Texts {
		for _, g := range heads.Gaps(issue.Texts[t].Articles) {
			start, limit := issue.lineOf(t, g.Before), issue.lineOf(t, g.Next)
			if g.Plain() && start >= 0 && limit > start {
				out = append(out, GapLines{g, t, start, limit})
			}
		}
	}
	return out
}

// lineOf returns the index of the first line of an article or, if article is -1, of a text. It returns -1 if
// there is none.
func (issue Issue) lineOf(text, article int) int {
	return slices.IndexFunc(issue.Lines, func(l LabeledLine) bool {
		return l.TextIndex == text && (article < 0 || l.Article == article)
	})
}

// Undated is a text whose date was not read or is in doubt.
type Undated struct {
	Text int // index in Issue.Texts
	// Places are the non-empty ranges [from, to) of Issue.Lines where the date may be printed: the title, and
	// the end of the text from its last article on, where it is signed.
	Places [][2]int
}

// undatedReach is the maximum number of lines of a text's end in Undated.Places: an article and a page of signatures.
const undatedReach = 80

// Undated returns the texts whose date was not read or is in doubt, in file order.
func (issue Issue) Undated() []Undated {
	var out []Undated
	for t := range issue.Texts {
		if !slices.ContainsFunc(issue.Texts[t].Doubts, func(d remarks.Doubt) bool { return d.Field == DateField }) {
			continue
		}
		u := Undated{Text: t}
		first := issue.lineOf(t, -1)
		title, end := first, first
		for i := max(first, 0); i < len(issue.Lines); i++ {
			switch l := issue.Lines[i]; {
			case l.TextIndex != t:
				continue
			case l.Label == LabelHead && i == title:
				title++
			}
			end = i + 1
		}
		if first >= 0 && title > first {
			u.Places = append(u.Places, [2]int{first, title})
		}
		last := title
		for a, article := range issue.Texts[t].Articles {
			if _, counted := heads.LeadingNumber(article.Number); counted {
				last = max(last, issue.lineOf(t, a))
			}
		}
		if last = max(last, end-undatedReach); last >= 0 && last < end {
			u.Places = append(u.Places, [2]int{last, end})
		}
		out = append(out, u)
	}
	return out
}

// Place identifies a line by where it is printed and by its words.
type Place struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect"`
	Hash string   `json:"hash"` // hash of its words
	Text string   `json:"text"` // the beginning of its words, for people
}

// placeText is how many characters of a line's words a Place keeps.
const placeText = 120

// PlaceOf returns the place of a line.
func PlaceOf(l layout.Line) Place { return PlaceAt(l.Page, l.Rect, l.Text()) }

// PlaceAt returns the place of the line with the given page number, rectangle and words.
func PlaceAt(number int, rect law.Rect, text string) Place {
	return Place{Page: number, Rect: rect, Hash: wordsHash(text), Text: law.Clip(text, placeText)}
}

// wordsHash returns a short hash of a line's words that ignores blanks, accents and case.
func wordsHash(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(law.Fold(text)), " ")))
	return hex.EncodeToString(sum[:8])
}

// Find returns the index of the line at the place, -1 if there is none. The bytes of a file never change, so
// the line that covers the same rectangle is the one that was meant, however its words were read. If lines
// were separated differently and none covers it, Find returns the nearest line of the page that has the same
// words.
func (p Place) Find(lines []layout.Line) int {
	pos, most := -1, 0.0
	for i := range lines {
		if lines[i].Page != p.Page || len(lines[i].Words) == 0 {
			continue
		}
		if shared := overlap(lines[i].Rect, p.Rect); shared > most && mostly(shared, lines[i].Rect) && mostly(shared, p.Rect) {
			pos, most = i, shared
		}
	}
	if pos >= 0 {
		return pos
	}
	nearest := 0.0
	for i := range lines {
		if lines[i].Page != p.Page || len(lines[i].Words) == 0 || wordsHash(lines[i].Text()) != p.Hash {
			continue
		}
		if away := apart(lines[i].Rect, p.Rect); pos < 0 || away < nearest {
			pos, nearest = i, away
		}
	}
	return pos
}

// overlap returns the area that two rectangles share.
func overlap(a, b law.Rect) float64 {
	return max(0, min(a[2], b[2])-max(a[0], b[0])) * max(0, min(a[3], b[3])-max(a[1], b[1]))
}

// mostly reports whether an area is more than half of a rectangle. Since lines do not cover each other, at
// most one line covers most of a place.
func mostly(area float64, r law.Rect) bool { return 2*area > (r[2]-r[0])*(r[3]-r[1]) }

// apart returns the squared distance between the centers of two rectangles.
func apart(a, b law.Rect) float64 {
	dx, dy := (a[0]+a[2]-b[0]-b[2])/2, (a[1]+a[3]-b[1]-b[3])/2
	return dx*dx + dy*dy
}

// SignalKind names what a signal has found in a text.
type SignalKind string

// The kinds of signals.
const (
	NoArticle    SignalKind = "no article"    // a formula announces articles, and there are none
	NoBody       SignalKind = "no body"       // there are neither a formula nor articles
	MeasureOnly  SignalKind = "measure only"  // neither a formula nor articles, but one sentence says everything
	GapIn        SignalKind = "gap"           // article numbers are missing
	CountAgain   SignalKind = "count again"   // the numbering of articles begins again
	PassedOver   SignalKind = "passed over"   // a line reads as an article that the numbering does not expect
	WeakBegin    SignalKind = "weak begin"    // the chain is not sure that the text begins where it does
	InnerBegin   SignalKind = "inner begin"   // another text may begin within this one
	NotAnnounced SignalKind = "not announced" // the summary names other texts, and not this one
	Unfound      SignalKind = "unfound"       // the summary names a text after this one that was not found
	OddWords     SignalKind = "odd words"     // letters and signs that no French word has
	OtherReading SignalKind = "other reading" // another way to cut the text is nearly as probable
	Scanned      SignalKind = "scanned"       // recognized on an image, which alone is no sign of a fault
)

// SignalKinds lists every kind.
func SignalKinds() []SignalKind {
	return []SignalKind{NoArticle, NoBody, MeasureOnly, GapIn, CountAgain, PassedOver, WeakBegin, InnerBegin, NotAnnounced, Unfound, OddWords, OtherReading, Scanned}
}

// Signal is a sign that a text may be cut or read wrongly. scripts/train witness learns which signs together
// make a doubt.
type Signal struct {
	Kind  SignalKind
	Value float64       // above 0, at most 1
	Doubt remarks.Doubt // the doubt that the signal may become; if its Why is empty, the signal becomes none
}

// Wording is the new text that an article gives to an article of another text, or an article that it adds there:
// « Article 5 (nouveau) ». Its words stay in the text of the enclosing article, and it is no article of the text that is
// being read.
type Wording struct {
	Article  int    // index in Text.Articles of the enclosing article
	Relation int    // index in Text.Relations of the change that it belongs to
	Number   string // number of the article that it words, as law.ArticleNumber writes it
	Part     string // the part of this article, « premier alinéa », if only a part gets a new wording
	Inserted bool   // the wording is added, and replaces no other
	// Byte ranges of the enclosing article's text: [Start,End) holds the wording's own words, [From,To) also
	// the head and the marks around them.
	Start, End int
	From, To   int
}

// Wording returns a new wording as an article; the caller sets its position.
func (t Text) Wording(w Wording) law.Article {
	a := t.Articles[w.Article]
	out := law.Article{Number: law.NewNumber(w.Number, w.Part), Path: slices.Clone(a.Path), Page: a.Page,
		Text: a.Text[w.Start:w.End], Spans: law.SpansWithin(a.Spans, w.Start, w.End)}
	if len(out.Spans) > 0 {
		out.Page = out.Spans[0].Page
	}
	return out
}

// Headings of articles without a number.
const (
	PreambleHeading   = "Préambule"
	SignaturesHeading = "Signatures"
)
