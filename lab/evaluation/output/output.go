// Package output prints what an evaluation found: a table for people, or JSON.
package output

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is rows under a head, in columns that are as wide as their widest value.
type Table struct {
	head string
	rows []string
}

// NewTable makes an empty table with the names of its columns.
func NewTable(columns ...string) *Table {
	return &Table{head: strings.Join(columns, "\t")}
}

// Add adds a row; white space inside a value becomes single blanks.
func (t *Table) Add(values ...any) {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	}
	t.rows = append(t.rows, strings.Join(cells, "\t"))
}

// Write prints the table; nothing of one without rows.
func (t *Table) Write(out io.Writer) error {
	if len(t.rows) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, line := range append([]string{t.head}, t.rows...) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return w.Flush()
}

// JSON prints a value, indented, without escaping what only HTML would need.
func JSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Remarks prints a line for each remark on a file.
func Remarks(out io.Writer, file, what string, remarks []string) error {
	for _, r := range remarks {
		if _, err := fmt.Fprintf(out, "  %s: %s: %s\n", file, what, strings.Join(strings.Fields(r), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Percent is a share with one decimal; of nothing it is 0.
func Percent(n, of int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of)))
}
