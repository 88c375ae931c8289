package main

import (
	"errors"
	"fmt"
	"strings"
)

const (
	country   = "RÉPUBLIQUE D’ASTREVALLE"
	motto     = "Mesure — Ouvrage — Clarté"
	sheetName = "JOURNAL OFFICIEL"
)

// typeset lays an issue out. The summary on its first page needs the pages of
// the texts, so the layout is made until they stay: the second time, unless a
// page number changes a line of the summary.
func (m metrics) typeset(is *issue) ([]*page, *issueTruth, error) {
	numbers := make([]int, len(is.Texts))
	for range 5 {
		pages, truth, err := m.layout(is, numbers)
		if err != nil {
			return nil, nil, err
		}
		stable := true
		for i, t := range truth.texts {
			printed := t.pages.First + is.FirstPage - 1
			stable = stable && numbers[i] == printed
			numbers[i] = printed
		}
		if stable {
			truth.Pages = len(pages)
			return pages, truth, nil
		}
	}
	return nil, nil, errors.New("the page numbers of the summary do not settle")
}

// layout makes the issue once, with these page numbers in its summary.
func (m metrics) layout(is *issue, numbers []int) ([]*page, *issueTruth, error) {
	truth := newIssueTruth(is)
	f := newFlow()
	c := &composer{metrics: m, width: fullWidth}
	c.masthead(is)
	c.summary(is, numbers)
	f.wide(c.take(true).Rows)
	c.width = columnWidth
	rubric := ""
	for i, t := range is.Texts {
		if t.Rubric != rubric {
			rubric = t.Rubric
			c.rubric(rubric)
		}
		for _, p := range c.text(t, truth.texts[i]) {
			if p.Wide {
				f.wide(p.Rows)
			} else {
				f.columns(p.Rows)
			}
		}
	}
	c.imprint()
	f.columns(c.take(false).Rows)
	f.endColumn()
	return f.pages, truth, c.err
}

// masthead is the head of the first page.
func (c *composer) masthead(is *issue) {
	c.center(0, 13, bold, true, country)
	c.center(1, 9, italic, true, motto)
	c.center(8, 26, bold, true, sheetName)
	line := fmt.Sprintf("%s  —  N° %s  —  %s %s", is.Volume, is.Number, weekdays[is.Date.Weekday()], frenchDate(is.Date))
	c.center(4, 10, bold, true, line)
	c.center(1, 8.5, italic, true, "Paraissant le quinze et le dernier jour de chaque mois à Clairmonde — Le numéro : 4 écus")
	c.line()
}

// line is a rule over the whole width.
func (c *composer) line() {
	c.append(4, false, []row{{Height: 4, Rules: []rule{{0, 2, c.width, 2}}}})
}

// summary lists the texts with the printed numbers of their pages.
func (c *composer) summary(is *issue, numbers []int) {
	c.center(6, 12, bold, true, "SOMMAIRE")
	rubric := ""
	for i, t := range is.Texts {
		if t.Rubric != rubric {
			rubric = t.Rubric
			c.add(5, true, setting{Size: 9, Leading: 11, Align: ragged}, span{rubric, bold})
		}
		c.summaryLine(t, numbers[i])
	}
	c.line()
}

func (c *composer) summaryLine(t *legalText, number int) {
	const size, numberRoom = 9.0, 44.0
	if c.err != nil {
		return
	}
	set := setting{Size: size, Leading: 10.8, Width: c.width - numberRoom, Align: ragged}
	rows, err := c.metrics.wrap([]span{{t.designation(), bold}, {t.Object, roman}}, set)
	if err != nil {
		c.err = err
		return
	}
	last := &rows[len(rows)-1]
	end := last.Pieces[len(last.Pieces)-1]
	from := end.X + c.metrics.width(end.Text, end.Face, size) + 3
	digits := fmt.Sprint(number)
	right := c.width - c.metrics.width(digits, roman, size)
	dot := c.metrics.width(".", roman, size)
	dots := max(0, int((right-4-from)/dot))
	last.Pieces = append(last.Pieces,
		piece{X: right - 4 - float64(dots)*dot, Text: strings.Repeat(".", dots), Size: size},
		piece{X: right, Text: digits, Size: size})
	c.append(1, false, rows)
}

// rubric heads a part of the issue.
func (c *composer) rubric(name string) {
	c.center(16, 12, bold, true, name)
}

func (c *composer) imprint() {
	c.append(14, true, []row{{Height: 3, Rules: []rule{{60, 1, c.width - 60, 1}}}})
	c.center(2, 8, italic, false, "Imprimerie de la République, quai des Mesures, Clairmonde. Dépôt légal à parution.")
}
