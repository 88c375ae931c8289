package segment

import (
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
)

func TestDatesInTextsAreNotTheIssues(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Furniture, "JOURNAL OFFICIEL DES MERS"},
		labeledText{Paragraph, "du 27 décembre 1981 et de l’article 28 sont applicables aux salines."},
		labeledText{Masthead, "12 mars 1994"},
		labeledText{Head, "Décret n° 3 du 2 février 1994 fixant le prix du sel"})
	pages := []layout.Page{{Number: 1, Width: 595, Height: 842}}
	got := readMasthead(pages, lines, m, time.Time{})
	if !got.gazette || got.date == nil || got.date.Format(time.DateOnly) != "1994-03-12" {
		t.Errorf("%+v", got)
	}
}
