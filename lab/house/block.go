package house

// align is how the lines of a block stand in their column.
type align int

const (
	inherit align = iota // the style's: justified or ragged
	ragged
	centered
	right
)

// run is a stretch of a block's text in one setting.
type run struct {
	text       string
	bold, ital bool
}

// block is a paragraph, a heading, a table: what is typeset as one. Lengths are in
// the size of the style's text, so that a block looks alike in every style.
type block struct {
	label  Label // of its first line
	rest   Label // of the others, "" for the same
	owner  int   // the text it belongs to, -1 for none
	runs   []run
	align  align
	size   float64 // as a share of the text's size, 0 for 1
	first  float64 // indent of the first line
	left   float64 // indent of all lines
	right  float64 // from the right edge
	before float64 // white space above
	wide   bool    // across all columns
	keep   bool    // stays with what follows
	fresh  bool    // begins a new page
	narrow bool    // a caption or head that is never hyphenated

	dots bool   // dots lead to tail
	tail string // at the right edge of the last line: a summary's page number
	ref  int    // the mark of what the tail is the page of, 0 for none
	mark int    // known by this mark

	cells   [][]string // a table
	edges   []float64  // its columns' left edges, as shares of the width
	beside  [][]block  // stands side by side: signatures, two languages
	shares  []float64  // their left edges
	article string     // the number of the article that begins here
	inset   *block     // set in the margin to the left of the first line: a date of a summary
}

// para is a block of plain text.
func para(l Label, text string) block { return block{label: l, owner: -1, runs: []run{{text: text}}} }

// in returns blocks as parts of a text.
func in(owner int, blocks ...block) []block {
	for i := range blocks {
		blocks[i].owner = owner
		for _, side := range blocks[i].beside {
			in(owner, side...)
		}
	}
	return blocks
}

// text is a block's text as it would stand on one line.
func (b *block) text() string {
	s := ""
	for i, r := range b.runs {
		if i > 0 {
			s += " "
		}
		s += r.text
	}
	return s
}
