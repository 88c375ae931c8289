package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Sizes of the body, in points.
const (
	bodySize    = 10.0
	bodyLeading = 12.0
	paraIndent  = 12.0
)

// composer turns the blocks of one text into rows and records its truth.
// The first error sticks; later calls do nothing.
type composer struct {
	metrics metrics
	width   float64 // of the column now
	rows    []row
	extents []*extent // what the next rows belong to
	err     error
}

// part is a stretch of rows that goes into the columns, or over both.
type part struct {
	Rows []row
	Wide bool
}

// take ends the part being made.
func (c *composer) take(wide bool) part {
	p := part{Rows: c.rows, Wide: wide}
	c.rows = nil
	return p
}

// add sets spans as rows, with white space above the first.
func (c *composer) add(before float64, keep bool, set setting, spans ...span) {
	if c.err != nil {
		return
	}
	set.Width = c.width
	rows, err := c.metrics.wrap(spans, set)
	if err != nil {
		c.err = err
		return
	}
	c.append(before, keep, rows)
}

func (c *composer) append(before float64, keep bool, rows []row) {
	for i := range rows {
		rows[i].Extents = append([]*extent{}, c.extents...)
		rows[i].Keep = rows[i].Keep || keep
	}
	if len(rows) > 0 {
		rows[0].Before = before
	}
	c.rows = append(c.rows, rows...)
}

func (c *composer) center(before, size float64, f face, keep bool, text string) {
	c.add(before, keep, setting{Size: size, Leading: size * 1.2, Align: centered}, span{text, f})
}

func (c *composer) para(before float64, spans ...span) {
	c.add(before, false, setting{Size: bodySize, Leading: bodyLeading, Indent: paraIndent}, spans...)
}

// text sets one legal text: title, body, signatures, annexes.
func (c *composer) text(t *legalText, truth *textTruth) []part {
	var parts []part
	c.extents = []*extent{&truth.pages}
	if !t.Abridged {
		c.title(t)
	}
	w := &walker{composer: c, text: t, truth: truth}
	for i, b := range t.Blocks {
		if b.Kind == blockAnnex {
			if !w.signed {
				w.sign()
			}
			parts = append(parts, c.take(w.inAnnex))
			w.inAnnex, c.width = true, fullWidth
		}
		w.block(i, b)
	}
	if !w.signed {
		w.sign()
	}
	parts = append(parts, c.take(w.inAnnex))
	c.width, c.extents = columnWidth, nil
	if c.err != nil {
		c.err = fmt.Errorf("%s: %w", t.File, c.err)
	}
	return parts
}

func (c *composer) title(t *legalText) {
	if t.Ministry != "" {
		c.center(16, 9, bold, true, strings.ToUpper(t.Ministry))
	}
	designation := t.designation()
	if t.Type == "loi" || t.Type == "code" {
		designation = strings.ToUpper(designation)
	}
	c.center(14, 11, bold, true, designation)
	c.center(2, 10.5, bold, true, t.Object+".")
}

// walker goes through the blocks of a text and keeps the heading path and the
// article it is in.
type walker struct {
	*composer
	text    *legalText
	truth   *textTruth
	path    []heading
	article *articleTruth
	inAnnex bool
	signed  bool
}

type heading struct {
	level int
	words string
}

func (w *walker) block(i int, b block) {
	switch b.Kind {
	case blockHeading:
		w.heading(b)
	case blockCentered:
		w.leaveArticle()
		w.center(6, bodySize, bold, true, b.Text)
	case blockAnnex:
		w.annex(b)
	case blockNote:
		w.note(b.Text)
	case blockTable:
		w.record(tableText(b.Rows))
		w.table(b.Rows)
	default:
		w.alinea(i, b)
	}
}

func (w *walker) heading(b block) {
	w.leaveArticle()
	for len(w.path) > 0 && w.path[len(w.path)-1].level >= b.Level {
		w.path = w.path[:len(w.path)-1]
	}
	w.path = append(w.path, heading{b.Level, b.Label + " — " + b.Text})
	size := map[int]float64{1: 11, 2: 10.5}[b.Level]
	words := bold
	if size == 0 {
		size, words = bodySize, italic
	}
	w.center(map[int]float64{1: 12, 2: 9}[b.Level]+3, size, bold, true, b.Label)
	w.center(1, size, words, true, b.Text)
}

func (w *walker) annex(b block) {
	w.leaveArticle()
	w.center(14, 12, bold, true, b.Label)
	w.center(2, 11, bold, true, b.Text)
	w.truth.Annexes = append(w.truth.Annexes, &annexTruth{Title: b.Label + " — " + b.Text})
	a := w.truth.Annexes[len(w.truth.Annexes)-1]
	w.extents = []*extent{&w.truth.pages, &a.pages}
	for i := range w.rows {
		w.rows[i].Extents = w.extents
	}
}

// leaveArticle ends the article: what follows belongs to the text only.
func (w *walker) leaveArticle() {
	w.article = nil
	if !w.inAnnex {
		w.extents = []*extent{&w.truth.pages}
	}
}

func (w *walker) enterArticle(number string) {
	if number == "premier" {
		number = "1er" // the two spellings of the one article
	}
	w.article = &articleTruth{Number: number, Path: []string{}}
	for _, h := range w.path {
		w.article.Path = append(w.article.Path, h.words)
	}
	w.truth.Articles = append(w.truth.Articles, w.article)
	w.extents = []*extent{&w.truth.pages, &w.article.pages}
}

// alinea sets a paragraph; the one that opens an article gets the head of the
// article, one that opens or ends a quotation its guillemets.
func (w *walker) alinea(i int, b block) {
	if b.Article != "" && !b.Quoted {
		w.enterArticle(b.Article)
	}
	text, before := b.Text, 2.0
	var spans []span
	if b.Article != "" {
		before = 5
		if b.Quoted {
			spans = w.quotedHead(i, b)
		} else {
			spans = w.articleHead(b.Article)
		}
	} else if b.Quoted && w.opensQuotation(i) {
		text = "« " + text
	}
	if b.Quoted && w.closesQuotation(i) {
		text += " »"
	}
	w.recordAlinea(b, spans, text)
	w.para(before, append(spans, span{text, roman})...)
}

// articleHead is what stands before the first alinea of an article.
func (w *walker) articleHead(number string) []span {
	switch w.text.Style {
	case styleColon:
		return []span{{"Article " + number + " :", bold}}
	case styleLine:
		w.center(7, bodySize, bold, true, "Article "+number)
		return nil
	}
	return []span{{"Art. " + number + ".", bold}, {"—", roman}}
}

func (w *walker) quotedHead(i int, b block) []span {
	open := ""
	if w.opensQuotation(i) {
		open = "« "
	}
	return []span{{open + "Art. " + b.Article + ". —", roman}}
}

func (w *walker) opensQuotation(i int) bool { return i == 0 || !w.text.Blocks[i-1].Quoted }

func (w *walker) closesQuotation(i int) bool {
	return i == len(w.text.Blocks)-1 || !w.text.Blocks[i+1].Quoted
}

// recordAlinea keeps the printed words of an alinea as truth. The head of the
// article itself is no part of its text; the head of a quoted one is.
func (w *walker) recordAlinea(b block, head []span, text string) {
	if b.Quoted && b.Article != "" {
		text = head[0].Text + " " + text
	}
	w.record(text)
}

// noteMarks are the raised digits by which the words of the law call notes, which are no part of it.
const noteMarks = "¹²³"

// note sets a note at the foot of the column in which its mark, with which it begins, was set last.
func (w *walker) note(text string) {
	if w.err != nil {
		return
	}
	mark, err := encode(string([]rune(text)[:1]))
	rows, wrapped := w.metrics.wrap([]span{{text, roman}}, setting{Width: w.width, Size: 7.5, Leading: 9})
	if w.err = errors.Join(err, wrapped); w.err != nil {
		return
	}
	for i := len(w.rows) - 1; i >= 0; i-- {
		if slices.ContainsFunc(w.rows[i].Pieces, func(p piece) bool { return strings.Contains(p.Text, mark) }) {
			w.rows[i].Notes = append(w.rows[i].Notes, rows...)
			return
		}
	}
	w.err = fmt.Errorf("no mark of the note %q", text)
}

func (w *walker) record(text string) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(noteMarks, r) {
			return -1
		}
		return r
	}, text)
	switch {
	case w.inAnnex:
		a := w.truth.Annexes[len(w.truth.Annexes)-1]
		a.Text = joinLines(a.Text, text)
	case w.article != nil:
		w.article.Text = joinLines(w.article.Text, text)
	default:
		w.truth.Preamble = joinLines(w.truth.Preamble, text)
	}
}

func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// sign sets place, date and signatories.
func (w *walker) sign() {
	w.signed = true
	w.leaveArticle()
	if w.text.Abridged {
		return
	}
	w.add(7, true, setting{Size: bodySize, Leading: bodyLeading, Indent: paraIndent, Align: ragged},
		span{fmt.Sprintf("Fait à %s, le %s.", w.text.SignedAt, frenchDate(w.text.Signed)), roman})
	for _, s := range w.text.Signatories {
		w.center(6, bodySize, roman, true, s.Office+",")
		w.center(2, bodySize, bold, false, s.Name)
	}
}
