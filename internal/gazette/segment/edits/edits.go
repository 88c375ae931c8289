// Package edits applies the corrections that people made. Edits go in, with the lines, labels and drafts
// of a file at each stage of its cutting. Corrected lines and drafts come out, and the edits that no
// longer apply.
package edits

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/law"
)

// ApplyToArticles applies the edits of articles and titles. It runs before the texts are completed, because more is
// read from the changed words.
func (m *Applier) ApplyToArticles(drafts []*texts.Draft) {
	for i, e := range m.edits {
		if e.Kind == gazette.SplitHere || e.Kind == gazette.MergeBefore {
			m.markBounded(e, drafts)
		}
		switch {
		case e.Kind == gazette.Renumber, e.Whole && (e.Kind == gazette.Retitle || e.Kind == gazette.Correct):
			m.changeArticle(i, e, drafts)
		case e.Kind == gazette.Retitle, e.Kind == gazette.SplitHere:
			// What was said of a text that a later edit joined to the one before is not said of that one.
			if d, pos := m.textAt(i, e.Lines[0], drafts); d != nil && (pos == 0 || e.Kind == gazette.Retitle) {
				entitle(d, e)
			}
		}
	}
}

// markBounded marks the texts whose bounds were set by an edit.
func (m *Applier) markBounded(e gazette.Edit, drafts []*texts.Draft) {
	for _, d := range drafts {
		d.BoundsSet = d.BoundsSet || m.index(e.Lines[0], d.Lines) >= 0
	}
}

// textAt returns the text that contains the line at a place, and the line's index in it. If no text does, it
// returns nil and records a fault of edit i.
func (m *Applier) textAt(i int, p gazette.Place, drafts []*texts.Draft) (d *texts.Draft, line int) {
	for _, d := range drafts {
		if line := m.index(p, d.Lines); line >= 0 {
			return d, line
		}
	}
	m.addFault(i, remarks.LineOutside, p)
	return nil, 0
}

// changeArticle changes the number, title or wording of the article that contains the edit's line.
func (m *Applier) changeArticle(i int, e gazette.Edit, drafts []*texts.Draft) {
	p := e.Lines[0]
	d, pos := m.textAt(i, p, drafts)
	if d == nil {
		return
	}
	labeled := labels(d)[pos]
	if labeled.article < 0 {
		m.addFault(i, remarks.LineNoArticle, p)
		return
	}
	if e.Begins {
		k := slices.IndexFunc(d.Pieces[labeled.article].Lines, func(l line.Line) bool { return line.SpotOf(l.Line) == line.SpotOf(d.Lines[pos].Line) })
		if k > 0 { // otherwise the article begins at the line already
			beginArticle(d, labeled.article, k, e.Number)
			labeled.article++
		}
	}
	a := &d.Articles[labeled.article]
	switch e.Kind {
	case gazette.Renumber:
		a.Number = e.Number
		if e.Onward {
			renumberAfter(d, labeled.article)
		}
	case gazette.Retitle:
		a.Heading = e.Title
	case gazette.Correct:
		a.Text, a.Spans = reword(e.Text, a.Spans)
		d.ReadWords()
	}
}

// beginArticle makes line k of a piece begin an article of its own. It leaves the head of an article on this line out
// of the words.
func beginArticle(d *texts.Draft, piece, k int, number string) {
	previous := d.Pieces[piece]
	following := previous.From(k, number)
	previous.Lines = previous.Lines[:k:k]
	d.Pieces[piece] = previous
	d.Pieces = slices.Insert(d.Pieces, piece+1, following)
	cut := previous.Article()
	d.Articles[piece].Text, d.Articles[piece].Spans = cut.Text, cut.Spans
	d.Articles = slices.Insert(d.Articles, piece+1, following.Article())
	for i := range d.Articles {
		d.Articles[i].Position = i
	}
	d.ArticleCount++
	d.ReadWords()
}

// renumberAfter numbers the articles after one in turn, up to the end of the text or to the first article whose number
// is not a number alone.
func renumberAfter(d *texts.Draft, article int) {
	plain := func(number string) (int, bool) {
		n, err := strconv.Atoi(strings.TrimSuffix(number, "er"))
		return n, err == nil
	}
	n, ok := plain(d.Articles[article].Number)
	for i := article + 1; ok && i < len(d.Articles) && d.Pieces[i].Role == articles.ArticleRole; i++ {
		if _, ok = plain(d.Articles[i].Number); ok {
			n++
			d.Articles[i].Number = strconv.Itoa(n)
		}
	}
}

// entitle sets the title and the other fields that a person gave.
func entitle(d *texts.Draft, e gazette.Edit) {
	d.Edited = addEdited(d.Edited, e)
	if e.Title != "" {
		d.Document.Title = e.Title
		d.ReadWords()
	}
	if e.Type != "" {
		d.Document.Type = e.Type
	}
}

// addEdited adds to a map of fields those that an edit sets, with their values.
func addEdited(fields map[string]string, e gazette.Edit) map[string]string {
	if fields == nil {
		fields = map[string]string{}
	}
	for field, value := range map[string]string{gazette.TitleField: e.Title, gazette.TypeField: string(e.Type), gazette.NumberField: e.Number} {
		if value != "" {
			fields[field] = value
		}
	}
	if e.Promulgated != nil {
		fields[gazette.DateField] = e.Promulgated.Format(time.DateOnly)
	}
	return fields
}

// reword distributes new words over the lines of an article. Which words belong to which line is unknown, so
// each line gets its share of them, in order.
func reword(text string, spans []law.Span) (string, []law.Span) {
	var alineas []string
	for a := range strings.Lines(text) {
		if a = strings.Join(strings.Fields(a), " "); a != "" {
			alineas = append(alineas, a)
		}
	}
	text = strings.Join(alineas, "\n")
	room := 0
	for _, s := range spans {
		room += s.End - s.Start
	}
	var out []law.Span
	start, seen := 0, 0
	for i, s := range spans {
		seen += s.End - s.Start
		end := len(text)
		if i+1 < len(spans) {
			end = wordEnd(text, len(text)*seen/max(room, 1))
		}
		if end > start {
			s.Start, s.End, s.Words = start, end, ""
			out = append(out, s)
			start = end
		}
	}
	return text, out
}

// wordEnd returns the first byte, from the byte with index at on, at which a word of the text ends.
func wordEnd(text string, pos int) int {
	for pos < len(text) && (!utf8.RuneStart(text[pos]) || text[pos] != ' ' && text[pos] != '\n') {
		pos++
	}
	return min(pos, len(text))
}

// Finish records what the edits have settled, which of them do not apply, and the Origin of each text.
func (m *Applier) Finish(issue *gazette.Issue, drafts []*texts.Draft) {
	issue.Loose = append(issue.Loose, line.LayoutOf(m.loose)...)
	issue.Lines = m.labelLines(drafts)
	for i, d := range drafts {
		d.Origin = i + m.Aside
		if len(d.Lines) > 0 {
			d.First = gazette.PlaceOf(d.Lines[0].Line)
		}
	}
	if len(m.edits) == 0 {
		return
	}
	for _, d := range drafts {
		acceptEdited(d)
	}
	for i, why := range m.faults {
		if why.Kind != remarks.None {
			m.reportFault(issue, i, why, drafts)
		}
	}
	m.trace(issue, drafts)
}

// acceptEdited removes the doubts about fields that a person set. The printed words stay as evidence, because
// they distinguish the text from others.
func acceptEdited(d *texts.Draft) {
	for field, value := range d.Edited {
		d.Doubts = slices.DeleteFunc(d.Doubts, func(x remarks.Doubt) bool { return x.Field == field })
		for k := range d.Evidence {
			if d.Evidence[k].Field == field {
				d.Evidence[k].Confidence = 1
			}
		}
		switch field { // hints about the file have been applied before
		case gazette.TitleField:
			d.Document.Title = value
		case gazette.TypeField:
			d.Document.Type = law.DocType(value)
		case gazette.NumberField:
			d.Document.OfficialNumber = value
		}
	}
}

// reportFault reports an edit that does not apply, as a doubt of the text on its page.
func (m *Applier) reportFault(issue *gazette.Issue, i int, why remarks.Remark, drafts []*texts.Draft) {
	e := m.edits[i]
	issue.Unapplied = append(issue.Unapplied, gazette.Unapplied{Edit: i, Why: why})
	draft := drafts[0]
	for _, d := range drafts {
		if d.Document.FirstPage <= e.Lines[0].Page {
			draft = d
		}
	}
	draft.Doubts = append(draft.Doubts, remarks.Doubt{Field: gazette.CorrectionField, Why: why, Words: e.Lines[0].Text, Page: e.Lines[0].Page})
}

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
	reasons := false
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
			guess := m.labels[line.SpotOf(l)]
			if !ok && (!seen || guess == label.Masthead || guess == label.Summary || guess == label.Furniture || guess == label.Note) {
				w.of.label = gazette.LabelAside
			}
			if reasons = inReasons(reasons, l.Text(), guess, w.of.label); reasons {
				w.of.label = gazette.LabelReasons
			}
			out = append(out, gazette.LabeledLine{Page: l.Page, Rect: l.Rect, Text: l.Text(), Label: w.of.label, Confidence: sure, TextIndex: w.text, Article: w.of.article})
		}
	}
	return out
}

// inReasons reports whether a line, labeled by the chain and by its place in the texts, is among the reasons for an act: they begin
// with their heading, and end where an act or a part of one begins.
func inReasons(reasons bool, text string, guess label.Label, place string) bool {
	switch place {
	case gazette.LabelLoose, gazette.LabelAside:
		reasons = reasons && guess != label.Rubric
	case gazette.LabelPreamble:
		reasons = reasons && guess != label.Visa && guess != label.Formula && guess != label.PlaceLine
	default:
		return false
	}
	return reasons || label.ReasonsHeading.MatchString(text)
}

// labeled is the label of a text's line, and the article that the line belongs to.
type labeled struct {
	label   string
	article int // index in Text.Articles, -1 for none
}

// labels returns the label of each line of the text. The heads of divisions and articles are in no piece.
// Their lines have the label of the next line.
func labels(d *texts.Draft) []labeled {
	byPlace := map[line.Spot]labeled{}
	for i, p := range d.Pieces {
		for _, l := range p.Lines {
			byPlace[line.SpotOf(l.Line)] = labeled{labelOf[p.Role], i}
		}
	}
	out := make([]labeled, len(d.Lines))
	next := labeled{gazette.LabelSection, -1} // label of the following line
	for n := len(d.Lines) - 1; n >= 0; n-- {
		known, ok := byPlace[line.SpotOf(d.Lines[n].Line)]
		switch {
		case n < d.Title.Lines:
			known = labeled{gazette.LabelHead, -1}
		case !ok:
			known = next
		}
		out[n], next = known, known
	}
	lower := false // within a division's heading and its title
	for n := d.Title.Lines; n < len(out); n++ {
		l := d.Lines[n]
		_, inPiece := byPlace[line.SpotOf(l.Line)]
		_, division := l.Heading()
		_, _, article := l.Article("")
		if lower = !inPiece && (division || lower && !article); lower {
			out[n] = labeled{gazette.LabelSection, -1}
		}
	}
	return out
}

// Remember stores the probability of each line's label.
func (m *Applier) Remember(lines []line.Line, marks label.Labeling) {
	for i, l := range lines {
		of := marks.Labels[i]
		m.sure[line.SpotOf(l.Line)] = math.Round(marks.Path.Prob(i, int(of))*100) / 100
		m.labels[line.SpotOf(l.Line)] = of
	}
}

// trace finds the Origin of each text among the texts of the file as cut without edits, so that edits of one text leave
// the other texts as they were. The origin is the text that begins with the same line, else a text whose first line is
// in this text, else the text that contains this text's first line. Each text as cut without edits is the origin of one
// text only, and a text without an origin is new.
func (m *Applier) trace(issue *gazette.Issue, drafts []*texts.Draft) {
	hints := m.Hints
	hints.Edits = nil
	plain := m.split(m.given, hints)
	first := map[line.Spot]int{} // by its first line, the origin of each text as cut without edits
	for _, t := range plain.Texts {
		first[line.Spot{Page: t.First.Page, Rect: t.First.Rect}] = t.Origin
	}
	was, values := map[line.Spot]int{}, map[int]int{} // origin by line without edits; origin by index of text
	for _, l := range plain.Lines {
		was[line.Spot{Page: l.Page, Rect: l.Rect}] = -1
		if l.TextIndex >= 0 {
			was[line.Spot{Page: l.Page, Rect: l.Rect}] = plain.Texts[l.TextIndex].Origin
		}
	}
	taken := map[int]bool{}
	claim := func(text, origin int) {
		if _, known := values[text]; !known && !taken[origin] {
			values[text], taken[origin] = origin, true
		}
	}
	for i, d := range drafts {
		if origin, ok := first[line.Spot{Page: d.First.Page, Rect: d.First.Rect}]; ok {
			claim(i, origin)
		}
	}
	for _, l := range issue.Lines {
		if origin, begins := first[line.Spot{Page: l.Page, Rect: l.Rect}]; begins && l.TextIndex >= 0 {
			claim(l.TextIndex, origin)
		}
	}
	for i, d := range drafts {
		if origin, ok := was[line.Spot{Page: d.First.Page, Rect: d.First.Rect}]; ok && origin >= 0 {
			claim(i, origin)
		}
	}
	for i, d := range drafts {
		d.Origin = -1
		if origin, ok := values[i]; ok {
			d.Origin = origin
		}
	}
	if d := drafts[0]; d.Headless && d.Origin < 0 && plain.Remains != nil { // a person made a text of these remains
		d.Origin = 0
	}
}
