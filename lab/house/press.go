package house

import (
	"math"
	"strconv"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// draft is what was composed, before it is typeset.
type draft struct {
	blocks []block
	texts  []Text
	day    Issue // Number and Date of the issue
	first  int   // the printed number of its first page
	heads  heads
}

// press puts rows on pages.
type press struct {
	*pen
	draft  draft
	issue  Issue
	top    float64     // where the band of columns begins on the current page
	band   []row       // rows that wait to be put into columns
	pages  []int       // the page where each text begins, by text
	marks  map[int]int // the page of each mark
	frames float64     // width of a column
}

// typeset puts a draft on pages.
func (p *pen) typeset(d draft) Issue {
	s := p.style
	w := &press{pen: p, draft: d, pages: make([]int, len(d.texts)), marks: map[int]int{}}
	w.frames = (s.page[0] - 2*s.margin - float64(s.columns-1)*s.gutter) / float64(s.columns)
	w.issue = Issue{Texts: d.texts, Number: d.day.Number, Date: d.day.Date}
	w.newPage()
	narrow, wide := setter{s, w.frames}, setter{s, s.page[0] - 2*s.margin}
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.fresh {
			w.flush(true)
			if len(w.issue.Pages[len(w.issue.Pages)-1].Words) > 0 {
				w.newPage()
			}
		}
		if b.wide && s.columns > 1 {
			w.flush(true)
			w.across(wide.rows(b))
			continue
		}
		w.band = append(w.band, narrow.rows(b)...)
	}
	w.flush(true)
	w.fill()
	w.furnish()
	if s.language == arabic {
		p.facing(&w.issue)
	}
	return w.issue
}

// newPage begins a page.
func (w *press) newPage() {
	w.issue.Pages = append(w.issue.Pages, layout.Page{
		Number: len(w.issue.Pages) + 1, Width: w.style.page[0], Height: w.style.page[1], Source: layout.Layer,
	})
	w.issue.Labels = append(w.issue.Labels, nil)
	w.issue.Owner = append(w.issue.Owner, nil)
	w.top = w.style.top
}

func (w *press) bottom() float64 { return w.style.page[1] - w.style.bottom }

// across puts rows over all columns, on the next page where there is no room.
func (w *press) across(rows []row) {
	for i := range rows {
		r := &rows[i]
		need := r.before + r.height
		for k := i; rows[k].keep && k+1 < len(rows) && k < i+6; k++ {
			need += rows[k+1].before + rows[k+1].height
		}
		if w.top+need > w.bottom() && w.top > w.style.top {
			w.newPage()
			w.resume(r)
		}
		if w.top > w.style.top {
			w.top += r.before
		}
		w.put(r, w.style.margin, w.top)
		w.top += r.height
	}
}

// resume heads a page on which a summary goes on.
func (w *press) resume(r *row) {
	if len(r.words) == 0 || r.words[0].label != Summary || !w.style.summary.groups {
		return
	}
	title := w.middle(Summary, "SOMMAIRE (suite)", true)
	for _, head := range (setter{w.style, w.style.page[0] - 2*w.style.margin}).rows(&title) {
		w.put(&head, w.style.margin, w.top)
		w.top += head.height + w.style.size
	}
}

// flush puts the rows that wait into columns, page by page; on the last page the
// columns are made even where level asks for it.
func (w *press) flush(level bool) {
	for len(w.band) > 0 {
		room := w.bottom() - w.top
		if room < 6*w.style.size {
			w.newPage()
			continue
		}
		n := w.fit(room)
		if n == len(w.band) && level && w.style.columns > 1 {
			room = w.even(room)
		}
		w.columns(room)
		if len(w.band) > 0 {
			w.newPage()
		}
	}
}

// fit is how many of the rows that wait go into columns of the given height.
func (w *press) fit(room float64) int {
	at := 0
	for range w.style.columns {
		at += w.column(w.band[at:], room)
	}
	return at
}

// even is the least height of columns that hold all rows that wait.
func (w *press) even(room float64) float64 {
	total := 0.0
	for i := range w.band {
		total += w.band[i].before + w.band[i].height
	}
	for try := total / float64(w.style.columns); try < room; try += w.style.size {
		if w.fit(try) == len(w.band) {
			return try
		}
	}
	return room
}

// column is how many rows go into a column, none of which is kept from the next.
func (w *press) column(rows []row, room float64) int {
	y, n := 0.0, 0
	for n < len(rows) {
		need := rows[n].height
		if n > 0 {
			need += rows[n].before
		}
		if y+need > room+0.01 {
			break
		}
		y += need
		n++
	}
	if n == len(rows) {
		return n
	}
	if w.style.form == Torn {
		return max(n, 1)
	}
	for k := n; k > 0 && n-k < 8; k-- {
		if !rows[k-1].keep {
			return k
		}
	}
	return max(n, 1) // a row higher than the page sticks out
}

// columns puts as many rows as fit into the columns of the page.
func (w *press) columns(room float64) {
	start, end := w.top, w.top
	for c := range w.style.columns {
		y := start
		n := w.column(w.band, room)
		if len(w.band) == 0 {
			break
		}
		x := w.style.margin + float64(c)*(w.frames+w.style.gutter)
		for i := range n {
			if i > 0 {
				y += w.band[i].before
			}
			w.put(&w.band[i], x, y)
			y += w.band[i].height
		}
		w.band = w.band[n:]
		end = max(end, y)
	}
	w.top = end + w.style.size
}

// put puts the words of a row on the current page.
func (w *press) put(r *row, x, y float64) {
	n := len(w.issue.Pages)
	for i := range r.words {
		o := &r.words[i]
		w.word(n-1, o, x, y)
		if o.owner >= 0 && w.pages[o.owner] == 0 {
			w.pages[o.owner] = n
			w.issue.Texts[o.owner].Page = n
		}
		if o.mark != 0 {
			w.marks[o.mark] = n
		}
		if o.article != "" && o.owner >= 0 {
			t := &w.issue.Texts[o.owner]
			t.Articles = append(t.Articles, o.article)
		}
	}
}

// word puts one word on a page. A reference to a page keeps its place until the
// pages are known.
func (w *press) word(at int, o *placed, x, y float64) {
	p := &w.issue.Pages[at]
	text := o.text
	if o.ref != 0 {
		text = pending + strconv.Itoa(o.ref)
	}
	p.Words = append(p.Words, layout.Word{
		Text: text, Size: hundredth(o.size), Bold: o.bold, Ital: o.ital,
		Rect: law.Rect{hundredth(x + o.x0), hundredth(y + o.base - 0.9*o.size), hundredth(x + o.x1), hundredth(y + o.base + 0.25*o.size)},
	})
	w.issue.Labels[at] = append(w.issue.Labels[at], o.label)
	w.issue.Owner[at] = append(w.issue.Owner[at], o.owner)
}

func hundredth(x float64) float64 { return math.Round(x*100) / 100 }
