package segment

import (
	"math"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// LabeledLine is a line of the file and what the cutting takes it for.
type LabeledLine struct {
	Page       int
	Rect       law.Rect
	Text       string
	Label      string  // one of Labels
	Confidence float64 // of the model in what it took the line for, 0 to 1; 1 for what was set aside
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
	LabelLoose     = "loose"
)

// Labels lists every label.
func Labels() []string {
	return []string{LabelHead, LabelPreamble, LabelArticle, LabelSection, LabelSignature, LabelAnnex, LabelLoose}
}

// labelOf is the label of a piece's lines.
var labelOf = map[role]string{titleRole: LabelHead, preambleRole: LabelPreamble, articleRole: LabelArticle, sectionRole: LabelSection,
	signatureRole: LabelSignature, annexRole: LabelAnnex, looseRole: LabelLoose}

// label tells of each line of the file, in reading order, where it came to.
func (m *mending) label(drafts []*draft) []LabeledLine {
	type where struct {
		text int
		of   labeled
	}
	known := map[spot]where{}
	for i, d := range drafts {
		for n, of := range d.labels() {
			if of.label != LabelLoose {
				known[spotOf(d.lines[n].Line)] = where{i, of}
			}
		}
	}
	var out []LabeledLine
	for _, p := range m.read {
		for _, l := range p.Lines {
			if len(l.Words) == 0 {
				continue
			}
			w, ok := known[spotOf(l)]
			if !ok {
				w = where{-1, labeled{LabelLoose, -1}}
			}
			sure, seen := m.sure[spotOf(l)]
			if !seen {
				sure = 1
			}
			out = append(out, LabeledLine{Page: l.Page, Rect: l.Rect, Text: l.Text(), Label: w.of.label, Confidence: sure, TextIndex: w.text, Article: w.of.article})
		}
	}
	return out
}

// labeled is what a line of a text is, and of which article.
type labeled struct {
	label   string
	article int // index in Text.Articles, -1 for none
}

// labels tells what each of the text's lines is. A line that became a heading or an
// article's head is in no piece: it belongs to what follows it.
func (d *draft) labels() []labeled {
	of := map[spot]labeled{}
	for i, p := range d.pieces {
		for _, l := range p.lines {
			of[spotOf(l.Line)] = labeled{labelOf[p.role], i}
		}
	}
	for _, l := range d.repeat {
		of[spotOf(l.Line)] = labeled{LabelLoose, -1}
	}
	out := make([]labeled, len(d.lines))
	next := labeled{LabelSection, -1} // of the lines behind
	for n := len(d.lines) - 1; n >= 0; n-- {
		known, ok := of[spotOf(d.lines[n].Line)]
		switch {
		case n < d.head.lines:
			known = labeled{LabelHead, -1}
		case !ok:
			known = next
		}
		out[n], next = known, known
	}
	under := false // a division's heading, with its title
	for n := d.head.lines; n < len(out); n++ {
		l := d.lines[n]
		_, inPiece := of[spotOf(l.Line)]
		_, division := l.heading()
		_, _, article := l.article("")
		if under = !inPiece && (division || under && !article); under {
			out[n] = labeled{LabelSection, -1}
		}
	}
	return out
}

// spotOf is where a line ends, which stays when its beginning is taken off.
func spotOf(l layout.Line) spot {
	return spot{l.Page, l.Words[len(l.Words)-1].Rect}
}

// remember keeps how sure the model is of each line.
func (m *mending) remember(lines []line, marks marked) {
	for i, l := range lines {
		m.sure[spotOf(l.Line)] = math.Round(marks.path.Prob(i, int(marks.labels[i]))*100) / 100
	}
}
