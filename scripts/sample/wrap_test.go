package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

const pangram = "L’employeur qui envisage un licenciement convoque le salarié à un entretien par lettre remise contre " +
	"décharge, au plus tard le 6 avril, et lui verse 12 000 écus « sans délai » ; l’indemnité compensatrice demeure due."

func plain(t *testing.T, r row) string {
	t.Helper()
	var words []string
	for _, p := range r.Pieces {
		words = append(words, p.Text)
	}
	s, err := charmap.Windows1252.NewDecoder().String(strings.Join(words, " "))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every justified line but the last ends at the right edge, none sticks out,
// and the lines joined give the words back.
func TestWrapFillsTheLine(t *testing.T) {
	t.Parallel()
	m := loadMetrics()
	for _, width := range []float64{120, 180, columnWidth} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			set := setting{Width: width, Size: bodySize, Leading: bodyLeading, Indent: paraIndent}
			rows, err := m.wrap([]span{{"Art. 29.", bold}, {"—", roman}, {pangram, roman}}, set)
			if err != nil {
				t.Fatal(err)
			}
			joined := ""
			for i, r := range rows {
				last := r.Pieces[len(r.Pieces)-1]
				end := last.X + m.width(last.Text, last.Face, last.Size) + last.WordSpace*float64(strings.Count(last.Text, " "))
				if end > width+0.01 || i < len(rows)-1 && math.Abs(end-width) > 0.01 {
					t.Errorf("line %d ends at %.2f of %.2f: %q", i, end, width, plain(t, r))
				}
				joined += plain(t, r)
				if cut, ok := strings.CutSuffix(joined, "-"); ok {
					joined = cut
				} else {
					joined += " "
				}
			}
			if want := "Art. 29. — " + pangram + " "; joined != want {
				t.Errorf("joined\n%q, want\n%q", joined, want)
			}
		})
	}
}

func TestWrapKeepsGluedTogether(t *testing.T) {
	t.Parallel()
	m := loadMetrics()
	for width := 60.0; width < 200; width += 7 {
		rows, err := m.wrap([]span{{pangram, roman}}, setting{Width: width, Size: bodySize, Leading: bodyLeading})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			s := plain(t, r)
			if strings.HasSuffix(s, "«") || strings.HasSuffix(s, "12") || strings.HasPrefix(s, ";") || strings.HasPrefix(s, "»") {
				t.Errorf("at %.0f points a line is %q", width, s)
			}
		}
	}
}

func TestWrapNamesTheCharacterItLacks(t *testing.T) {
	t.Parallel()
	_, err := loadMetrics().wrap([]span{{"un ☃ ici", roman}}, setting{Width: 100, Size: 10})
	if err == nil || !strings.Contains(err.Error(), "☃") {
		t.Errorf("error %v", err)
	}
}

func TestTableRowsShareTheWidth(t *testing.T) {
	t.Parallel()
	c := &composer{metrics: loadMetrics(), width: columnWidth}
	c.table([][]string{{"Rubrique", "Désignation"}, {"01", strings.Repeat("marchandises ", 12)}})
	if c.err != nil || len(c.rows) != 2 {
		t.Fatalf("%d rows, error %v", len(c.rows), c.err)
	}
	if !c.rows[0].Keep || c.rows[1].Height < 3*tableLeading {
		t.Errorf("head keeps %t, a long cell is %.1f high", c.rows[0].Keep, c.rows[1].Height)
	}
	for _, l := range c.rows[1].Rules {
		if l.X2 > columnWidth+0.01 {
			t.Errorf("a rule ends at %.2f of %.2f", l.X2, columnWidth)
		}
	}
}
