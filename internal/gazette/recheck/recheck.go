// Package recheck reads places of scanned pages again, in other ways, if the texts that were cut from the first reading
// contradict it:
//
//   - Numbers are missing from the numbering of a text's articles. Their heads are often printed, but were misread. The
//     lines between the two heads around the gap are read again. Package heads says what a gap is, reads the heads, and
//     confirms them.
//   - A text's date is in doubt, and its title and its end show different dates, or only one of these places shows a
//     date. The line of the title, or of the end, is read again.
//
// A new reading is used only if something else that is printed confirms it: heads with exactly the missing numbers, in
// order, or the date that the other place shows. The file, cut again with the new reading, must have the same texts and
// articles as before, plus missing articles only, and not more doubts than before. Places without a contradiction, and
// pages that are no scans, are never read again.
package recheck

import (
	"context"
	"slices"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Limits for one file.
const (
	mostPlaces = 24
	mostParts  = 72  // recognized parts; each takes a second or two
	mostLines  = 240 // maximum length of a place, four full columns; a gap over more lines is not a misread head
)

// settings are the ways in which a place is read again, in this order: the one in which recognition is best, a finer
// one for small print, and a coarser one for worn or noisy print.
var settings = []ocr.Setting{{DPI: 300}, {DPI: 400}, {DPI: 200}}

// Reader reads places again.
type Reader struct {
	// Part recognizes a part of a page, as ocr.Reader.Part does.
	Part func(ctx context.Context, p layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error)
	// Split cuts arranged pages into texts.
	Split func(pages []layout.Page) gazette.Issue
}

// Pages reads the places again at which the texts contradict the first reading. It returns the numbers of the pages
// whose words it changed, in place, even if there is an error. If no page is Rereadable, it does nothing;
// otherwise all pages are arranged afterwards. Errors are those of Part, except errs.Unprocessable, after which the place stays as it was.
func (r Reader) Pages(ctx context.Context, pages []layout.Page) (changed []int, err error) {
	if !slices.ContainsFunc(pages, layout.Page.Rereadable) {
		return nil, nil
	}
	c := check{Reader: r, pages: pages, tried: map[spot]bool{}}
	layout.Arrange(pages)
	c.issue = r.Split(pages)
	if err = c.findArticles(ctx); err == nil {
		err = c.findDates(ctx)
	}
	slices.Sort(c.changed)
	return slices.Compact(c.changed), err
}

// findArticles looks for the articles that are missing from numberings.
func (c *check) findArticles(ctx context.Context) error {
	for range mostPlaces {
		gap, ok := c.nextGap()
		if !ok {
			break
		}
		if err := c.rereadGap(ctx, gap); err != nil {
			return err
		}
	}
	return nil
}

// check is the state of the work on a file while places of the file are read again.
type check struct {
	Reader
	pages   []layout.Page // arranged
	issue   gazette.Issue // the issue as cut from the pages
	tried   map[spot]bool
	parts   int // number of parts recognized so far
	changed []int
}

// spot identifies a gap by its text and its numbers, which stay the same when lines around it change.
type spot struct {
	text     gazette.Place
	from, to int
}

// nextGap returns the first gap that has not been tried.
func (c *check) nextGap() (gazette.GapLines, bool) {
	for _, gap := range c.issue.Gaps() {
		s := spot{c.issue.Texts[gap.Text].First, gap.From, gap.To}
		if !c.tried[s] && gap.UntilLine-gap.FromLine <= mostLines {
			c.tried[s] = true
			return gap, true
		}
	}
	return gazette.GapLines{}, false
}

// rereadGap reads the lines of a gap again in each way until a reading is confirmed.
func (c *check) rereadGap(ctx context.Context, gap gazette.GapLines) error {
	pieces := c.pieces(gap.FromLine, gap.UntilLine)
	for _, s := range settings {
		var read []reading
		rest := gap.Gap
		for _, p := range pieces {
			lines, err := c.recognize(ctx, p, s)
			if err != nil {
				return err
			}
			got := reading{piece: p, lines: lines}
			rest = got.findHeads(rest)
			if len(got.heads) > 0 {
				read = append(read, got)
			}
		}
		closed := func(following gazette.Issue) bool { return closesGap(c.issue, following, gap) }
		if len(read) > 0 && (c.applyReadings(read, reading.replaceWhole, closed) || c.applyReadings(read, reading.headsOnly, closed)) {
			return nil
		}
	}
	return nil
}

// recognize reads a piece in one way and returns its lines. It returns no lines if recognition fails or the limit for
// the file is reached.
func (c *check) recognize(ctx context.Context, p piece, s ocr.Setting) ([][]layout.Word, error) {
	if c.parts++; c.parts > mostParts {
		return nil, nil
	}
	lines, err := c.Part(ctx, c.pages[p.page], p.margin(), s)
	if errs.Is(err, errs.Unprocessable) && ctx.Err() == nil {
		return nil, nil
	}
	return p.linesIn(c.pages[p.page], lines), err
}

// applyReadings applies readings to the pages, by the given method, if the file cut with them is confirmed.
func (c *check) applyReadings(read []reading, put func(reading, layout.Page) ([]layout.Word, bool), confirmed func(following gazette.Issue) bool) bool {
	trial := slices.Clone(c.pages)
	for _, r := range read {
		words, ok := put(r, trial[r.page])
		if !ok {
			return false
		}
		trial[r.page].Words = words
	}
	layout.Arrange(trial)
	issue := c.Split(trial)
	if !confirmed(issue) {
		return false
	}
	copy(c.pages, trial)
	c.issue = issue
	for _, r := range read {
		c.changed = append(c.changed, c.pages[r.page].Number)
	}
	return true
}

// closesGap reports whether a file was cut better with another reading of a gap's lines: heads.Gap.FilledBy confirms
// the text with the gap, the other texts and their articles are the same, and the number of doubts has not grown.
func closesGap(previous, following gazette.Issue, gap gazette.GapLines) bool {
	if len(following.Texts) != len(previous.Texts) || doubts(following) > doubts(previous) {
		return false
	}
	for t := range previous.Texts {
		a, b := previous.Texts[t], following.Texts[t]
		if !sameText(a.Document, b.Document) {
			return false
		}
		same := slices.Equal[[]string]
		if t == gap.Text {
			same = gap.FilledBy
		}
		if !same(articleNumbers(a), articleNumbers(b)) {
			return false
		}
	}
	return true
}

// articleNumbers returns the numbers of a text's articles. Headings and signatures have none.
func articleNumbers(t gazette.Text) (out []string) {
	for _, a := range t.Articles {
		if a.Number != "" {
			out = append(out, a.Number)
		}
	}
	return out
}

func doubts(issue gazette.Issue) (n int) {
	for _, t := range issue.Texts {
		n += len(t.Doubts)
	}
	return n
}

// settlesDate reports whether a file was cut better with another reading of a text's date: the texts and their
// articles are the same, the text has this date, and there are fewer doubts.
func settlesDate(previous, following gazette.Issue, text int, day time.Time) bool {
	if len(following.Texts) != len(previous.Texts) || doubts(following) >= doubts(previous) || !following.Texts[text].Document.Promulgated.Equal(day) {
		return false
	}
	for t := range previous.Texts {
		a, b := previous.Texts[t].Document, following.Texts[t].Document
		if t == text { // the date of this text changes, and so does a title that contains the date
			b.Promulgated, b.Title = a.Promulgated, a.Title
		}
		if !sameText(a, b) || !slices.Equal(articleNumbers(previous.Texts[t]), articleNumbers(following.Texts[t])) {
			return false
		}
	}
	return true
}

func sameText(a, b law.Document) bool {
	return a.Type == b.Type && a.OfficialNumber == b.OfficialNumber && a.Title == b.Title && a.FirstPage == b.FirstPage &&
		a.Promulgated.Equal(b.Promulgated)
}

// findDates looks for the dates of texts that were not read or are in doubt, once for each text.
func (c *check) findDates(ctx context.Context) error {
	tried := map[int]bool{} // by text; the search adds and removes no texts
	for range mostPlaces {
		undated := c.issue.Undated() // again, because the lines of an arranged page are new
		i := slices.IndexFunc(undated, func(u gazette.Undated) bool { return !tried[u.Text] })
		if i < 0 {
			break
		}
		tried[undated[i].Text] = true
		if err := c.findDate(ctx, undated[i].Text, undated[i].Places); err != nil {
			return err
		}
	}
	return nil
}

// findDate reads the title of a text again if the end shows another date, and the end if the title does. A line that
// was read again is used if it shows the date of the other place and the text, cut again with this line, has that date.
// That two ways of reading the same place agree is not enough: then a person decides.
func (c *check) findDate(ctx context.Context, text int, places [][2]int) error {
	known := make([][]time.Time, len(places))
	for i, place := range places {
		for _, l := range c.issue.Lines[place[0]:place[1]] {
			if day, _, _, ok := law.FindDate(l.Text); ok {
				known[i] = append(known[i], day)
			}
		}
	}
	for i, place := range places {
		wanted := slices.Concat(slices.Delete(slices.Clone(known), i, i+1)...)
		wanted = slices.DeleteFunc(wanted, func(day time.Time) bool { return slices.ContainsFunc(known[i], day.Equal) })
		if len(wanted) == 0 {
			continue
		}
		for _, p := range c.pieces(place[0], place[1]) {
			if done, err := c.dateFrom(ctx, text, p, wanted); done || err != nil {
				return err
			}
		}
	}
	return nil
}

// dateFrom looks for one of the wanted dates in a piece.
func (c *check) dateFrom(ctx context.Context, text int, p piece, wanted []time.Time) (done bool, err error) {
	for _, s := range settings {
		lines, err := c.recognize(ctx, p, s)
		if err != nil {
			return false, err
		}
		for i, words := range lines {
			day, _, _, ok := law.FindDate(layout.Line{Words: words}.Text())
			if !ok || !slices.ContainsFunc(wanted, day.Equal) {
				continue
			}
			line := reading{piece: p, lines: lines, heads: []int{i}}
			if c.applyReadings([]reading{line}, reading.headsOnly, func(following gazette.Issue) bool { return settlesDate(c.issue, following, text, day) }) {
				return true, nil
			}
		}
	}
	return false, nil
}

// pad is the white space around letters that recognition needs, in points.
const pad = 4

// piece is the part of a place in one column of one page.
type piece struct {
	page   int // index of the page
	column int
	rect   law.Rect // on the straightened page
	high   float64  // height of the tallest line in it
}

// pieces returns the parts of a place, lines [start,end) of the issue, that are on scanned pages, in reading order.
func (c *check) pieces(start, end int) []piece {
	var out []piece
	for i := start; i < end; i++ {
		l := c.issue.Lines[i]
		page := slices.IndexFunc(c.pages, func(p layout.Page) bool { return p.Number == l.Page })
		if page < 0 || !c.pages[page].Rereadable() {
			continue
		}
		pos := slices.IndexFunc(c.pages[page].Lines, func(line layout.Line) bool { return line.Rect == l.Rect && line.Text() == l.Text })
		if pos < 0 {
			continue // a person corrected the line
		}
		line := c.pages[page].Lines[pos]
		r := straightLine(c.pages[page], line)
		n := len(out) - 1
		if n < 0 || out[n].page != page || out[n].column != line.Column {
			out = append(out, piece{page: page, column: line.Column, rect: r})
			n++
		}
		out[n].rect = union(out[n].rect, r)
		out[n].high = max(out[n].high, r[3]-r[1])
	}
	for i := range out {
		c.widen(&out[i], i == 0, i == len(out)-1)
	}
	return out
}

// widen extends a piece to the width of its column and, where the place continues in another piece, by two lines,
// because a head may have been lost completely there.
func (c *check) widen(p *piece, first, last bool) {
	for _, l := range c.pages[p.page].Lines {
		if l.Column == p.column && len(l.Words) > 0 {
			r := straightLine(c.pages[p.page], l)
			p.rect[0], p.rect[2] = min(p.rect[0], r[0]), max(p.rect[2], r[2])
		}
	}
	if !first {
		p.rect[1] = max(0, p.rect[1]-2*p.high)
	}
	if !last {
		p.rect[3] = min(c.pages[p.page].Height, p.rect[3]+2*p.high)
	}
}

// straightLine returns the rectangle of a line on its straightened page.
func straightLine(p layout.Page, l layout.Line) law.Rect {
	out := ocr.Straight(p, l.Words[0].Rect)
	for _, w := range l.Words[1:] {
		out = union(out, ocr.Straight(p, w.Rect))
	}
	return out
}

// margin returns the rectangle of the piece with the white space around it.
func (p piece) margin() law.Rect {
	return law.Rect{max(0, p.rect[0]-pad), max(0, p.rect[1]-pad), p.rect[2] + pad, p.rect[3] + pad}
}

// contains reports whether the center of a rectangle, as displayed, is in the piece.
func (p piece) contains(page layout.Page, r law.Rect) bool {
	s := ocr.Straight(page, r)
	x, y := (s[0]+s[2])/2, (s[1]+s[3])/2
	return x >= p.rect[0] && x <= p.rect[2] && y >= p.rect[1] && y <= p.rect[3]
}

// linesIn returns the lines whose center is in the piece.
func (p piece) linesIn(page layout.Page, lines [][]layout.Word) [][]layout.Word {
	return slices.DeleteFunc(slices.Clone(lines), func(words []layout.Word) bool { return !p.contains(page, around(words)) })
}

func union(a, b law.Rect) law.Rect {
	return law.Rect{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

func around(words []layout.Word) law.Rect {
	r := words[0].Rect
	for _, w := range words[1:] {
		r = union(r, w.Rect)
	}
	return r
}

// reading is a second reading of a piece.
type reading struct {
	piece
	lines [][]layout.Word
	heads []int // indexes in lines of the heads of missing articles
}

// findHeads sets heads to the lines that are heads of the gap's articles, in increasing order. It returns what remains
// of the gap.
func (r *reading) findHeads(gap heads.Gap) heads.Gap {
	for i, words := range r.lines {
		h, ok := heads.In(layout.Line{Words: words}.Text())
		if !ok {
			continue
		}
		rest, ok := gap.After(h)
		if !ok {
			continue
		}
		gap = rest
		r.heads = append(r.heads, i)
	}
	return gap
}

// replaceWhole replaces the piece's words by the reading. It returns false if the reading contains less French.
func (r reading) replaceWhole(page layout.Page) ([]layout.Word, bool) {
	var old []layout.Word
	rest := slices.DeleteFunc(slices.Clone(page.Words), func(w layout.Word) bool {
		inside := r.contains(page, w.Rect)
		if inside {
			old = append(old, w)
		}
		return inside
	})
	words := slices.Concat(r.lines...)
	return append(rest, words...), frenchWords(words) >= frenchWords(old)
}

// frenchWords returns the number of small French words among words, minus those that are misread.
func frenchWords(words []layout.Word) float64 {
	q := layout.Judge(words)
	return (q.Stop - q.Odd) * float64(q.Words)
}

// headsOnly replaces the words at the height of each head by the head alone.
func (r reading) headsOnly(page layout.Page) ([]layout.Word, bool) {
	words := slices.Clone(page.Words)
	for _, h := range r.heads {
		line := straightLine(page, layout.Line{Words: r.lines[h]})
		words = slices.DeleteFunc(words, func(w layout.Word) bool {
			s := ocr.Straight(page, w.Rect)
			middle := (s[1] + s[3]) / 2
			return r.contains(page, w.Rect) && middle > line[1] && middle < line[3]
		})
		words = append(words, r.lines[h]...)
	}
	return words, true
}
