package ingestion

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// made returns the lines of two texts on two pages, with a line outside any text between
// them.
func made() fileLines {
	y := 0.0
	line := func(text int, label, article, words string) postgres.Line {
		y += 20
		l := postgres.Line{Rect: law.Rect{10, y, 90, y + 10}, Text: words, Label: label, Confidence: 1}
		if text >= 0 {
			l.TextIndex = &text
		}
		if text == 0 || text == 1 {
			l.DocumentID = &uuid.Nil
		}
		if article != "" {
			l.Article = &article
		}
		return l
	}
	return fileLines{
		{Page: 1, Lines: []postgres.Line{line(0, "head", "", "LOI 1"), line(0, "article", "1er", "Art. 1er"), line(-1, "loose", "", "AVIS")}},
		{Page: 2, Lines: []postgres.Line{}},
		{Page: 3, Lines: []postgres.Line{line(1, "head", "", "LOI 2"), line(1, "article", "1er", "Art. 1er"), line(1, "signature", "", "Le ministre"),
			line(2, "head", "", "AVIS rejeté"), line(2, "article", "1er", "Art. 1er"), line(3, "head", "", "LOI 4")}},
	}
}

func TestWishesBecomeEdits(t *testing.T) {
	t.Parallel()
	s := made()
	ref := func(page, n int) LineRef {
		l := s[page-1].Lines[n]
		return LineRef{Page: page, Rect: l.Rect, Text: l.Text}
	}
	to := func(page, n int) *LineRef { r := ref(page, n); return &r }
	nowhere := LineRef{Page: 1, Rect: law.Rect{500, 500, 510, 510}}
	for name, c := range map[string]struct {
		wish   EditRequest
		after  string // words of the line after which the moved lines are inserted
		lines  int
		refuse string
	}{
		"split":               {wish: EditRequest{Kind: gazette.SplitHere, Line: ref(1, 1), Number: "2019 - 3"}, lines: 1},
		"split, two lines":    {wish: EditRequest{Kind: gazette.SplitHere, Line: ref(1, 1), Through: to(1, 2)}, lines: 2},
		"backwards":           {wish: EditRequest{Kind: gazette.SplitHere, Line: ref(1, 1), Through: to(1, 0)}, refuse: "through"},
		"over pages":          {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), Through: to(3, 0), To: ToLoose}, refuse: "through"},
		"nowhere":             {wish: EditRequest{Kind: gazette.SplitHere, Line: nowhere}, refuse: "line"},
		"no page":             {wish: EditRequest{Kind: gazette.SplitHere, Line: LineRef{Page: 9}}, refuse: "line"},
		"merge":               {wish: EditRequest{Kind: gazette.MergeBefore, Line: ref(3, 0)}, lines: 1},
		"merge the first":     {wish: EditRequest{Kind: gazette.MergeBefore, Line: ref(1, 0)}, refuse: "line"},
		"merge in the middle": {wish: EditRequest{Kind: gazette.MergeBefore, Line: ref(3, 1)}, refuse: "line"},
		"merge nothing":       {wish: EditRequest{Kind: gazette.MergeBefore, Line: ref(1, 2)}, refuse: "line"},
		"out":                 {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), Through: to(1, 2), To: ToLoose}, lines: 2},
		"out twice":           {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 2), To: ToLoose}, refuse: "to"},
		"loose, back":         {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 2), To: ToPrevious}, lines: 1, after: "Art. 1er"},
		"loose, on":           {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 2), To: ToNext}, lines: 1, after: "LOI 2"},
		"on":                  {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), To: ToNext}, lines: 1, after: "LOI 2"},
		"back":                {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(3, 2), To: ToPrevious}, lines: 1, after: "Art. 1er"},
		"back from the first": {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), To: ToPrevious}, refuse: "to"},
		"on from the last":    {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(3, 5), To: ToNext}, refuse: "to"},
		"to a rejected one":   {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(3, 1), To: ToNext}, refuse: "to"},
		"behind a rejected":   {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(3, 1), To: ToAfter, After: to(3, 4)}, refuse: "after"},
		"from a rejected one": {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(3, 4), To: ToLoose}, lines: 1},
		"split a rejected":    {wish: EditRequest{Kind: gazette.SplitHere, Line: ref(3, 4)}, lines: 1},
		"begin a rejected":    {wish: EditRequest{Kind: gazette.SplitHere, Line: ref(3, 3)}, refuse: "line"},
		"title of a rejected": {wish: EditRequest{Kind: gazette.Retitle, Line: ref(3, 4), Title: "x"}, refuse: "line"},
		"merge with rejected": {wish: EditRequest{Kind: gazette.MergeBefore, Line: ref(3, 5)}, refuse: "line"},
		"behind":              {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 2), To: ToAfter, After: to(3, 2)}, lines: 1, after: "Le ministre"},
		"behind itself":       {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), To: ToAfter, After: to(1, 1)}, refuse: "after"},
		"behind a loose one":  {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), To: ToAfter, After: to(1, 2)}, refuse: "after"},
		"behind nothing":      {wish: EditRequest{Kind: gazette.MoveLines, Line: ref(1, 1), To: ToAfter}, refuse: "after"},
		"renumber":            {wish: EditRequest{Kind: gazette.Renumber, Line: ref(3, 1), Number: "ARTICLE PREMIER"}, lines: 1},
		"renumber a title":    {wish: EditRequest{Kind: gazette.Renumber, Line: ref(3, 0), Number: "2"}, refuse: "line"},
		"renumber to nothing": {wish: EditRequest{Kind: gazette.Renumber, Line: ref(3, 1), Number: " . "}, refuse: "number"},
		"retitle":             {wish: EditRequest{Kind: gazette.Retitle, Line: ref(3, 2), Title: " Loi  2 "}, lines: 1},
		"retitle no article":  {wish: EditRequest{Kind: gazette.Retitle, Line: ref(3, 2), Title: "Objet", Article: true}, refuse: "line"},
		"no title":            {wish: EditRequest{Kind: gazette.Retitle, Line: ref(3, 2)}, refuse: "title"},
		"correct":             {wish: EditRequest{Kind: gazette.Correct, Line: ref(1, 2), Text: "AVIS 2"}, lines: 1},
		"correct in two":      {wish: EditRequest{Kind: gazette.Correct, Line: ref(1, 2), Text: "AVIS\n2"}, refuse: "text"},
		"correct an article":  {wish: EditRequest{Kind: gazette.Correct, Line: ref(1, 1), Text: "Un.\nDeux.", Article: true}, lines: 1},
		"to nothing":          {wish: EditRequest{Kind: gazette.Correct, Line: ref(1, 1)}, refuse: "text"},
	} {
		e, err := s.edit(c.wish)
		var refused *Refused
		if errors.As(err, &refused) {
			if refused.Field != c.refuse || refused.Reason == "" {
				t.Errorf("%s: refused for %s: %v", name, refused.Field, err)
			}
			continue
		}
		if err != nil || c.refuse != "" || len(e.Lines) != c.lines || (e.After != nil) != (c.after != "") || e.After != nil && e.After.Text != c.after {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}
