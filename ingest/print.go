package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// clean makes foreign text harmless on a terminal: no control characters, which
// could move the cursor or worse, no signs that turn the direction of writing,
// no broken UTF-8. Line ends stay, tabs become blanks.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n':
			return r
		case '\t':
			return ' '
		case '\r':
			return -1
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// cleanLine is clean for what must stay on one line.
func cleanLine(s string) string { return clean(strings.Join(strings.Fields(s), " ")) }

// cut shortens s to at most n characters, the ellipsis included.
func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return strings.TrimRight(string(runes[:n-1]), " ") + "…"
	}
	return s
}

// writeJSON prints v as one JSON value.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// table is rows under a head, printed in columns.
type table struct {
	head []string
	rows [][]string
}

// add adds a row; each value is printed on one line.
func (t *table) add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = cleanLine(fmt.Sprint(v))
	}
	t.rows = append(t.rows, row)
}

// write prints the table; none says what is printed instead of an empty one.
func (t *table) write(w io.Writer, none string) error {
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(w, none)
		return err
	}
	var b strings.Builder
	columns := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.head}, t.rows...) {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// count is « 1 texte », « 3 textes ».
func count(n int, what string) string {
	if n < 2 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// isoDay prints a date.
func isoDay(t time.Time) string { return t.Format(time.DateOnly) }

// moment prints a time in the operator's zone.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// sortedKeys gives the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
