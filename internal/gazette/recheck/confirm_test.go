package recheck

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// cut returns a file of texts, given by the numbers of their articles; « ? » is a doubt.
func cut(texts ...string) (issue gazette.Issue) {
	for _, articles := range texts {
		var t gazette.Text
		for n := range strings.FieldsSeq(articles) {
			if n == "?" {
				t.Doubts = append(t.Doubts, remarks.Doubt{Field: "x"})
				continue
			}
			t.Articles = append(t.Articles, law.Article{Number: strings.Trim(n, "-")}) // « - » makes an article without a number, as a section is
		}
		issue.Texts = append(issue.Texts, t)
	}
	return issue
}

func TestClosesGap(t *testing.T) {
	t.Parallel()
	previous := cut("1er 2 5 - ?", "1er 2")
	for name, c := range map[string]struct {
		after gazette.Issue
		want  bool
	}{
		"all of it":                   {cut("1er 2 3 4 5 - -", "1er 2"), true},
		"a part of it":                {cut("1er 2 4 5 - ?", "1er 2"), true},
		"nothing":                     {cut("1er 2 5 - ?", "1er 2"), false},
		"a heading more":              {cut("1er 2 5 - - ?", "1er 2"), false},
		"one lost for it":             {cut("1er 3 4 5 -", "1er 2"), false},
		"another number":              {cut("1er 2 3 4 5 6 -", "1er 2"), false},
		"the same twice":              {cut("1er 2 3 3 4 5 -", "1er 2"), false},
		"in another order":            {cut("2 1er 3 4 5 -", "1er 2"), false},
		"another text's":              {cut("1er 2 5 - ?", "1er 2 3"), false},
		"another text's in addition":  {cut("1er 2 3 4 5 -", "1er 2 3"), false},
		"a text more":                 {cut("1er 2 3 4 5 -", "1er 2", "1er"), false},
		"a text less":                 {cut("1er 2 3 4 5 -"), false},
		"a doubt more":                {cut("1er 2 3 4 5 - ?", "1er 2 ?"), false},
		"a doubt in another's place":  {cut("1er 2 3 4 5 - ?", "1er 2"), true},
		"the text of another kind":    {withDocument(cut("1er 2 3 4 5 -", "1er 2"), 0, law.Document{Type: law.Code}), false},
		"the other of another number": {withDocument(cut("1er 2 3 4 5 -", "1er 2"), 1, law.Document{OfficialNumber: "7"}), false},
		"the text of another title":   {withDocument(cut("1er 2 3 4 5 -", "1er 2"), 0, law.Document{Title: "x"}), false},
		"the text of another day":     {withDocument(cut("1er 2 3 4 5 -", "1er 2"), 0, law.Document{Promulgated: time.Unix(0, 0)}), false},
	} {
		if got := closesGap(previous, c.after, gazette.GapLines{Gap: heads.Gap{From: 3, To: 4}}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSettlesDate(t *testing.T) {
	t.Parallel()
	day := time.Date(2016, 4, 11, 0, 0, 0, 0, time.UTC)
	previous := withDocument(cut("1er 2 ?", "1er"), 0, law.Document{Title: "Décret du 1 avril", Promulgated: day.AddDate(0, 0, -10)})
	dated := law.Document{Title: "Décret du 11 avril", Promulgated: day}
	for name, c := range map[string]struct {
		after gazette.Issue
		want  bool
	}{
		"its day":         {withDocument(cut("1er 2", "1er"), 0, dated), true},
		"a heading more":  {withDocument(cut("1er 2 -", "1er"), 0, dated), true},
		"still doubted":   {withDocument(cut("1er 2 ?", "1er"), 0, dated), false},
		"another day":     {withDocument(cut("1er 2", "1er"), 0, law.Document{Promulgated: day.AddDate(0, 0, 1)}), false},
		"an article less": {withDocument(cut("1er", "1er"), 0, dated), false},
		"another number":  {withDocument(cut("1er 2", "1er"), 0, law.Document{Promulgated: day, OfficialNumber: "7"}), false},
		"the other's day": {withDocument(withDocument(cut("1er 2", "1er"), 0, dated), 1, law.Document{Promulgated: day}), false},
		"a text less":     {withDocument(cut("1er 2"), 0, dated), false},
	} {
		if got := settlesDate(previous, c.after, 0, day); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// withDocument sets the catalogue data of a text.
func withDocument(issue gazette.Issue, text int, d law.Document) gazette.Issue {
	issue.Texts[text].Document = d
	return issue
}
