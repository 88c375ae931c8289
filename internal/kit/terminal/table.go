package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/uuid"
)

const (
	// between is the number of blanks between two columns.
	between = 2
	// Roomy is the width below which a column of words is not narrowed while other columns can
	// be left out.
	Roomy = 24
	// Narrowest is the minimum width of a column of words.
	Narrowest = 8
)

// Table is a list of rows with a header, printed in columns. On a terminal it fits the
// width of the screen: columns of words are narrowed and wrapped, and if that is not
// enough, the columns in Omit are left out, one after the other. If even the rest does not
// fit without breaking a word, each row is printed as a list of its values. No value is
// ever shortened, because names and ids are needed for the next command.
type Table struct {
	Head []string
	rows [][]cell
	Omit []string             // Columns that may be left out, in this order
	IDs  map[uuid.UUID]string // short forms of ids, for a terminal
}

// cell is one value of a table.
type cell struct {
	text string
	id   uuid.UUID // uuid.Nil: not an id
}

// Add adds a row. Each value is printed on one line.
func (t *Table) Add(values ...any) {
	row := make([]cell, len(values))
	for i, v := range values {
		row[i].text = Line(fmt.Sprint(v))
		if id, ok := v.(uuid.UUID); ok {
			row[i].id = id
		}
	}
	t.rows = append(t.rows, row)
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Write prints the table, or the text none if the table is empty.
func (t *Table) Write(w io.Writer, none string) error {
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(w, none)
		return err
	}
	width := Width(w)
	lines := t.texts(width > 0)
	shown, left := t.fit(lines, width)
	if width > 0 && leastOf(shown) > width {
		return writeRecords(w, lines)
	}
	var b strings.Builder
	for _, line := range lines {
		writeRow(&b, line, shown)
	}
	if len(left) > 0 {
		for _, line := range Wrap("(Faute de place, sans : "+strings.Join(left, ", ")+".)", width) {
			b.WriteString(line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// texts returns the header and the rows as texts. If short is set, ids are shortened.
func (t *Table) texts(short bool) [][]string {
	lines := [][]string{t.Head}
	for _, row := range t.rows {
		line := make([]string, len(row))
		for i, c := range row {
			line[i] = c.text
			if known := t.IDs[c.id]; short && known != "" {
				line[i] = known
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// column is a printed column.
type column struct {
	at    int // index in each row
	width int
	part  int // width of the longest part that cannot be wrapped
	least int // minimum width; for a column without words its full width
}

// fit chooses the columns and their widths. left contains the headers of the omitted
// Columns.
func (t *Table) fit(lines [][]string, width int) (shown []column, left []string) {
	for i := range t.Head {
		c := column{at: i}
		for _, line := range lines {
			if i < len(line) {
				c.width, c.part = max(c.width, Columns(line[i])), max(c.part, longestPart(line[i]))
			}
		}
		if c.least = c.width; t.words(i) {
			c.least = min(c.width, max(c.part, Roomy))
		}
		shown = append(shown, c)
	}
	if width == 0 {
		return shown, nil
	}
	for _, name := range t.Omit {
		if leastOf(shown) <= width {
			break
		}
		shown = slices.DeleteFunc(shown, func(c column) bool { return t.Head[c.at] == name })
		left = append(left, name)
	}
	if leastOf(shown) > width {
		for i := range shown {
			if t.words(shown[i].at) {
				shown[i].least = min(shown[i].width, max(shown[i].part, Narrowest))
			}
		}
	}
	shrink(shown, width)
	return shown, left
}

// words reports whether a column contains words, which may be wrapped, rather than numbers,
// dates or ids.
func (t *Table) words(pos int) bool {
	for _, row := range t.rows {
		if pos < len(row) && row[pos].id == uuid.Nil && Columns(row[pos].text) > Roomy {
			return true
		}
	}
	return false
}

// longestPart returns the width of the longest part of s that broken does not break.
func longestPart(s string) (n int) {
	for word := range strings.FieldsSeq(s) {
		for part := range strings.SplitAfterSeq(word, "/") {
			n = max(n, Columns(part))
		}
	}
	return n
}

// writeRecords prints each row as a list of names and values. The first line has the names.
func writeRecords(w io.Writer, lines [][]string) error {
	indent := 0
	for _, name := range lines[0] {
		indent = max(indent, Columns(name)+between)
	}
	for n, line := range lines[1:] {
		if n > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		for i, value := range line {
			if value != "" {
				Field(w, indent, lines[0][i], value)
			}
		}
	}
	return nil
}

// leastOf returns the minimum width of a table with these columns.
func leastOf(shown []column) int {
	n := -between
	for _, c := range shown {
		n += c.least + between
	}
	return n
}

// shrink narrows the widest column of words repeatedly until all columns fit.
func shrink(shown []column, width int) {
	excess := -between - width
	for _, c := range shown {
		excess += c.width + between
	}
	for ; excess > 0; excess-- {
		widest := -1
		for i, c := range shown {
			if c.width > c.least && (widest < 0 || c.width > shown[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			return // writeRecords prints such a table
		}
		shown[widest].width--
	}
}

// writeRow prints a row, on as many lines as its longest value needs.
func writeRow(b *strings.Builder, row []string, shown []column) {
	values := make([][]string, len(shown))
	height := 1
	for i, c := range shown {
		if c.at < len(row) {
			values[i] = Wrap(row[c.at], c.width)
		}
		height = max(height, len(values[i]))
	}
	for n := range height {
		var line strings.Builder
		for i, c := range shown {
			value := ""
			if n < len(values[i]) {
				value = values[i][n]
			}
			line.WriteString(value + strings.Repeat(" ", max(c.width-Columns(value), 0)+between))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
