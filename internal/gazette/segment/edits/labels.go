package edits

import (
	"math"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
)

// labelOf maps the role of a piece to the label of its lines.
var labelOf = map[articles.Role]string{articles.TitleRole: gazette.LabelHead, articles.PreambleRole: gazette.LabelPreamble, articles.ArticleRole: gazette.LabelArticle, articles.SectionRole: gazette.LabelSection,
	articles.SignatureRole: gazette.LabelSignature, articles.AnnexRole: gazette.LabelAnnex, articles.LooseRole: gazette.LabelLoose}

// labelLines returns the lines of the file in reading order, each with its place in the texts.
func (m *Applier) labelLines(drafts []*texts.Draft) []gazette.LabeledLine {
	type where struct {
		text int
		of   labeled
	}
	known := map[line.Spot]where{}
	for i, d := range drafts {
		for n, of := range labels(d) {
			if of.label != gazette.LabelLoose {
				known[line.SpotOf(d.Lines[n].Line)] = where{i, of}
			}
		}
	}
	var out []gazette.LabeledLine
	for _, p := range m.read {
		for _, l := range p.Lines {
			if len(l.Words) == 0 {
				continue
			}
			w, ok := known[line.SpotOf(l)]
			if !ok {
				w = where{-1, labeled{gazette.LabelLoose, -1}}
			}
			sure, seen := m.sure[line.SpotOf(l)]
			if !seen {
				sure = 1
			}
			out = append(out, gazette.LabeledLine{Page: l.Page, Rect: l.Rect, Text: l.Text(), Label: w.of.label, Confidence: sure, TextIndex: w.text, Article: w.of.article})
		}
	}
	return out
}

// labeled is the label of a text's line, and the article that the line belongs to.
type labeled struct {
	label   string
	article int // index in Text.Articles, -1 for none
}

// labels returns the label of each line of the text. The heads of divisions and articles are in no piece.
// Their lines have the label of the next line.
func labels(d *texts.Draft) []labeled {
	of := map[line.Spot]labeled{}
	for i, p := range d.Pieces {
		for _, l := range p.Lines {
			of[line.SpotOf(l.Line)] = labeled{labelOf[p.Role], i}
		}
	}
	out := make([]labeled, len(d.Lines))
	next := labeled{gazette.LabelSection, -1} // label of the following line
	for n := len(d.Lines) - 1; n >= 0; n-- {
		known, ok := of[line.SpotOf(d.Lines[n].Line)]
		switch {
		case n < d.Title.Lines:
			known = labeled{gazette.LabelHead, -1}
		case !ok:
			known = next
		}
		out[n], next = known, known
	}
	under := false // within a division's heading and its title
	for n := d.Title.Lines; n < len(out); n++ {
		l := d.Lines[n]
		_, inPiece := of[line.SpotOf(l.Line)]
		_, division := l.Heading()
		_, _, article := l.Article("")
		if under = !inPiece && (division || under && !article); under {
			out[n] = labeled{gazette.LabelSection, -1}
		}
	}
	return out
}

// Remember stores the probability of each line's label.
func (m *Applier) Remember(lines []line.Line, marks label.Reading) {
	for i, l := range lines {
		m.sure[line.SpotOf(l.Line)] = math.Round(marks.Path.Prob(i, int(marks.Labels[i]))*100) / 100
	}
}
