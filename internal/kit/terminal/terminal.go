// Package terminal prints on a terminal, or on an output that is none: foreign text made safe, tables and fields that fit
// the width of the screen, and a line of progress.
package terminal

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// Screen is an output that knows the width of its lines. An output that is not a terminal
// has no width, and nothing on it is shortened or wrapped.
type Screen struct {
	io.Writer
	Width func() int // returns 0 if the output is not a terminal
}

// ScreenOf returns a file as a screen. Its width follows that of the terminal.
func ScreenOf(f *os.File) Screen {
	return Screen{f, func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}}
}

// Width returns the width of a line of w, 0 if w is not a terminal.
func Width(w io.Writer) int {
	if s, ok := w.(Screen); ok {
		return max(s.Width(), 0)
	}
	return 0
}

// Cut shortens s to at most n columns, including the ellipsis.
func Cut(s string, n int) string {
	if text.StringWidth(s) <= n {
		return s
	}
	return strings.TrimRight(text.Trim(s, n-1), " ") + "…"
}

// Wrap wraps s into lines of at most n columns, at blanks and after the slashes of paths.
func Wrap(s string, n int) string {
	if strings.Contains(s, "/ ") {
		return text.WrapSoft(s, n)
	}
	lines := strings.Split(text.WrapSoft(strings.ReplaceAll(s, "/", "/ "), n), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.ReplaceAll(line, "/ ", "/"), " ")
	}
	return strings.Join(lines, "\n")
}

// Field prints « name  value ». If the screen is too narrow, the value is wrapped and
// indented. The name takes indent columns.
func Field(w io.Writer, indent int, name, value string) {
	if width := Width(w); width >= 2*indent {
		value = Wrap(value, width-indent)
	}
	for line := range strings.SplitSeq(value, "\n") {
		fmt.Fprintln(w, strings.TrimRight(text.Pad(name, max(indent, text.StringWidth(name)+1), ' ')+line, " "))
		name = ""
	}
}

// Table is a list of rows with a header, printed in columns. On a terminal, columns of
// words are wrapped so that the table fits the width of the screen. No value is ever
// shortened, because names and ids are needed for the next command.
type Table struct {
	Head []string
	rows []table.Row
	IDs  map[uuid.UUID]string // short forms of ids, for a terminal
}

// Add adds a row. Each value is printed on one line.
func (t *Table) Add(values ...any) { t.rows = append(t.rows, values) }

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// column is the width of a column, and the least to which it is narrowed.
type column struct{ width, least int }

// longestWord is the width beyond which words are broken; an id fits.
const longestWord = 36

// Write prints the table, or the text none if the table is empty.
func (t *Table) Write(w io.Writer, none string) error {
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(w, none)
		return err
	}
	screen := Width(w)
	columns := make([]column, len(t.Head))
	show := func(row table.Row) table.Row {
		shown := make(table.Row, len(row))
		for i, value := range row {
			said := Line(fmt.Sprint(value))
			if id, ok := value.(uuid.UUID); ok && screen > 0 {
				said = cmp.Or(t.IDs[id], said)
			}
			shown[i], columns[i].width = said, max(columns[i].width, text.StringWidth(said))
			for word := range strings.FieldsSeq(strings.ReplaceAll(said, "/", "/ ")) {
				columns[i].least = max(columns[i].least, min(text.StringWidth(word), longestWord))
			}
		}
		return shown
	}
	head := make(table.Row, len(t.Head))
	for i, name := range t.Head {
		head[i] = name
	}
	p := table.NewWriter()
	p.AppendHeader(show(head))
	for _, row := range t.rows {
		p.AppendRow(show(row))
	}
	const between = "  "
	if screen > 0 {
		p.SetColumnConfigs(narrow(columns, screen-len(between)*(len(columns)-1)))
	}
	p.SetStyle(table.Style{Box: table.BoxStyle{PaddingRight: between}, Options: table.OptionsNoBordersAndSeparators})
	p.SuppressTrailingSpaces()
	_, err := fmt.Fprintln(w, p.Render())
	return err
}

// narrow takes from the widest columns until all fit the screen, or none can be narrowed: the terminal wraps such a table.
func narrow(columns []column, screen int) []table.ColumnConfig {
	sum := 0
	for _, c := range columns {
		sum += c.width
	}
	all := make([]table.ColumnConfig, len(columns))
	for ; sum > screen; sum-- {
		widest := -1
		for i, c := range columns {
			if c.width > c.least && (widest < 0 || c.width > columns[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		columns[widest].width--
	}
	for i, c := range columns {
		all[i] = table.ColumnConfig{Number: i + 1, WidthMax: c.width, WidthMaxEnforcer: Wrap}
	}
	return all
}

// Status is a line of the terminal that is written again and again.
type Status struct{ Writer io.Writer }

// Show replaces the line. It is shortened to fit the terminal.
func (s Status) Show(line string) {
	if line = Line(line); Width(s.Writer) > 0 {
		line = Cut(line, Width(s.Writer)-1)
	}
	fmt.Fprint(s.Writer, "\r", line, text.EraseLine.Sprint())
}

// Clean makes foreign text safe for a terminal. It removes control characters, which could
// move the cursor or do worse, marks that change the direction of text, and invalid UTF-8.
// Line ends stay, and tabs become blanks.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n':
			return r
		case '\t':
			return ' '
		case '\r':
			return -1
		}
		if Unsafe(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// Unsafe reports whether a terminal would do more than show a character.
func Unsafe(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Line cleans a text that must stay on one line.
func Line(s string) string { return Clean(strings.Join(strings.Fields(s), " ")) }

// Bytes formats a number of bytes for people.
func Bytes(n int64) string {
	const step = 1024
	units := []string{"o", "Kio", "Mio", "Gio", "Tio"}
	v, i := float64(n), 0
	for v >= step && i < len(units)-1 {
		v /= step
		i++
	}
	digits := 1
	if i == 0 {
		digits = 0
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), ".", ",", 1) + " " + units[i]
}
