package main

import "strings"

const (
	cellPad      = 3.0
	tableSize    = 9.0
	tableLeading = 10.8
	minCell      = 34.0
)

// tableText is a table as plain text: a line a row, cells parted by « | ».
func tableText(rows [][]string) string {
	lines := make([]string, len(rows))
	for i, cells := range rows {
		lines[i] = strings.Join(cells, " | ")
	}
	return strings.Join(lines, "\n")
}

// table sets a ruled table; its first row is the head, in bold, and stays with
// the second.
func (c *composer) table(cells [][]string) {
	if c.err != nil {
		return
	}
	widths, err := c.tableWidths(cells)
	if err != nil {
		c.err = err
		return
	}
	for i, line := range cells {
		f, before := roman, 0.0
		if i == 0 {
			f, before = bold, 5
		}
		r, err := c.tableRow(line, widths, f)
		if err != nil {
			c.err = err
			return
		}
		c.append(before, i == 0, []row{r})
	}
}

// tableWidths shares the width by each column's widest cell; no column takes
// more than half.
func (c *composer) tableWidths(cells [][]string) ([]float64, error) {
	widths, sum := make([]float64, len(cells[0])), 0.0
	for col := range widths {
		widths[col] = minCell
		for _, line := range cells {
			code, err := encode(line[col])
			if err != nil {
				return nil, err
			}
			widths[col] = max(widths[col], min(c.width/2, c.metrics.width(code, bold, tableSize)+2*cellPad))
		}
		sum += widths[col]
	}
	for col := range widths {
		widths[col] *= c.width / sum
	}
	return widths, nil
}

func (c *composer) tableRow(cells []string, widths []float64, f face) (row, error) {
	r, lines, x := row{}, 1, 0.0
	for col, text := range cells {
		set := setting{Width: widths[col] - 2*cellPad, Size: tableSize, Leading: tableLeading, Align: ragged}
		made, err := c.metrics.wrap([]span{{text, f}}, set)
		if err != nil {
			return r, err
		}
		lines = max(lines, len(made))
		for n, line := range made {
			for _, p := range line.Pieces {
				p.X, p.Down = p.X+x+cellPad, cellPad/2+float64(n)*tableLeading
				r.Pieces = append(r.Pieces, p)
			}
		}
		x += widths[col]
	}
	r.Height = float64(lines)*tableLeading + 4
	r.Rules = frame(widths, r.Height)
	return r, nil
}

// frame draws the box of each cell.
func frame(widths []float64, height float64) []rule {
	total := 0.0
	rules := []rule{{0, 0, 0, height}}
	for _, w := range widths {
		total += w
		rules = append(rules, rule{total, 0, total, height})
	}
	return append(rules, rule{0, 0, total, 0}, rule{0, height, total, height})
}
