package main

// The page, in points: A4, two columns with a rule between them.
const (
	pageWidth    = 595.28
	pageHeight   = 841.89
	marginLeft   = 42.0
	marginRight  = 42.0
	marginTop    = 64.0
	marginBottom = 50.0
	gutter       = 20.0
	fullWidth    = pageWidth - marginLeft - marginRight
	columnWidth  = (fullWidth - gutter) / 2
	wideGap      = 8.0 // below rows of full width
	pageFoot     = pageHeight - marginBottom
)

// placedRow is a row with its place: the top left corner, from the page's.
type placedRow struct {
	*row
	X, Y float64
}

// page is what stands between running head and foot.
type page struct {
	Rows  []placedRow
	Notes []placedRow // at the feet of the columns, drawn last
	// The columns' rule; none when ColumnTop is ColumnFoot.
	ColumnTop, ColumnFoot float64
}

// flow stacks rows into columns and columns into pages.
type flow struct {
	pages  []*page
	column int
	top    float64 // of the columns of this page
	y      float64
	notes  []row // of the column that is being filled
}

func newFlow() *flow {
	f := &flow{}
	f.newPage()
	return f
}

func (f *flow) newPage() {
	f.pages = append(f.pages, &page{})
	f.column, f.top, f.y = 0, marginTop, marginTop
}

func (f *flow) page() *page { return f.pages[len(f.pages)-1] }

// wide places rows over the full width, on a fresh page when this one has
// columns already; the columns go on below.
func (f *flow) wide(rows []row) {
	if f.page().ColumnFoot > 0 {
		f.endColumn()
		f.newPage()
	}
	for i := range rows {
		if f.y+chain(rows[i:]) > pageFoot && f.y > marginTop {
			f.newPage()
		}
		f.put(&rows[i], marginLeft, f.y == marginTop)
	}
	f.y = min(f.y+wideGap, pageFoot)
	f.top = f.y
}

// columns places rows in the columns, going on where the last call ended.
func (f *flow) columns(rows []row) {
	for i := range rows {
		if need := chain(rows[i:]) + height(f.notes) + height(rows[i].Notes); f.y+need > pageFoot && f.y > f.top {
			f.nextColumn()
		}
		f.notes = append(f.notes, rows[i].Notes...)
		f.put(&rows[i], marginLeft+float64(f.column)*(columnWidth+gutter), f.y == f.top)
		p := f.page()
		p.ColumnTop, p.ColumnFoot = f.top, max(p.ColumnFoot, f.y)
	}
}

// endColumn sets the notes of the column at its foot.
func (f *flow) endColumn() {
	f.y = pageFoot - height(f.notes)
	for i := range f.notes {
		f.put(&f.notes[i], marginLeft+float64(f.column)*(columnWidth+gutter), i == 0)
	}
	p, n := f.page(), len(f.page().Rows)-len(f.notes)
	p.Rows, p.Notes = p.Rows[:n], append(p.Notes, p.Rows[n:]...)
	f.notes = nil
}

func height(rows []row) (sum float64) {
	for _, r := range rows {
		sum += r.Before + r.Height
	}
	return sum
}

func (f *flow) nextColumn() {
	f.endColumn()
	if f.column == 1 {
		f.newPage()
		return
	}
	f.column, f.y = 1, f.top
}

// chain is the height of the first row and of those that must stay with it.
func chain(rows []row) float64 {
	height := rows[0].Before
	for i := range rows {
		if i > 0 {
			height += rows[i].Before
		}
		height += rows[i].Height
		if !rows[i].Keep {
			break
		}
	}
	return height
}

func (f *flow) put(r *row, x float64, first bool) {
	if !first {
		f.y += r.Before
	}
	p := f.page()
	p.Rows = append(p.Rows, placedRow{row: r, X: x, Y: f.y})
	f.y += r.Height
	for _, e := range r.Extents {
		e.see(len(f.pages))
	}
}
