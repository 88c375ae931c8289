package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/segment"
	"vigueur/scripts/gazettes"
)

// score is what came of some files.
type score struct {
	files, review  int // files, and those of which a text waits for a person
	texts          int // that begin in the files
	right          int // kind, number, date and count of articles as noted
	sure           int // of these: without a doubt
	invented       int
	counted, exact int // texts whose articles were counted, and those cut into as many
	data, wrong    int // data told without a doubt, and those of them that are wrong
	faults         []string
}

func (s *score) add(o score) {
	s.files, s.review = s.files+o.files, s.review+o.review
	s.texts, s.right, s.sure, s.invented = s.texts+o.texts, s.right+o.right, s.sure+o.sure, s.invented+o.invented
	s.counted, s.exact = s.counted+o.counted, s.exact+o.exact
	s.data, s.wrong = s.data+o.data, s.wrong+o.wrong
}

func (s score) String() string {
	return fmt.Sprintf("%3d of %3d texts right (%d without a doubt), %2d invented, articles %d of %d, wrong without a doubt %d of %d data, %d of %d files in review",
		s.right, s.texts, s.sure, s.invented, s.exact, s.counted, s.wrong, s.data, s.review, s.files)
}

func (s score) figures() map[string]int {
	return map[string]int{"files": s.files, "in_review": s.review, "texts": s.texts, "right": s.right, "invented": s.invented,
		"articles_counted": s.counted, "articles_exact": s.exact, "data": s.data, "data_wrong": s.wrong}
}

// judge holds the texts of a file against the truth.
func judge(f gazettes.File, issue segment.Issue) score {
	s := score{files: 1}
	left := slices.Clone(issue.Texts)
	if slices.ContainsFunc(left, func(x segment.Text) bool { return len(x.Doubts) > 0 }) {
		s.review = 1
	}
	var rest []gazettes.Text
	for _, t := range f.Texts {
		if t.EndOnly() {
			// A system that makes no text of it is not wrong.
			if i := slices.IndexFunc(left, headless); i >= 0 {
				left = slices.Delete(left, i, i+1)
			}
			continue
		}
		s.texts++
		i := slices.IndexFunc(left, func(x segment.Text) bool { return len(faultsOf(t, x)) == 0 && near(t, x) })
		if i < 0 {
			rest = append(rest, t)
			continue
		}
		s.right++
		s.take(t, left[i])
		left = slices.Delete(left, i, i+1)
	}
	for _, t := range rest {
		i := slices.IndexFunc(left, func(x segment.Text) bool {
			return t.Number != "" && law.TextNumber(t.Number) == x.Document.OfficialNumber || t.Number == "" && near(t, x) && sameType(t.Type, x.Document.Type)
		})
		if i < 0 {
			s.faults = append(s.faults, fmt.Sprintf("missing: p%d %s %s %s %s", t.Page, t.Type, t.Number, t.Date, short(t.Title)))
			continue
		}
		s.take(t, left[i])
		s.faults = append(s.faults, fmt.Sprintf("wrong: p%d %s %s %s: %s [%s]", t.Page, t.Type, t.Number, t.Date, strings.Join(faultsOf(t, left[i]), ", "), doubts(left[i])))
		left = slices.Delete(left, i, i+1)
	}
	for _, x := range left {
		s.invented++
		if len(x.Doubts) == 0 {
			s.data, s.wrong = s.data+1, s.wrong+1
		}
		d := x.Document
		s.faults = append(s.faults, fmt.Sprintf("invented: p%d %s %s %s %s [%s]", d.FirstPage, d.Type, d.OfficialNumber, d.Promulgated.Format(time.DateOnly), short(d.Title), doubts(x)))
	}
	return s
}

// take counts the data of a text that was found.
func (s *score) take(t gazettes.Text, x segment.Text) {
	faults := faultsOf(t, x)
	if t.Articles > 0 {
		s.counted++
		if numbered(x) == t.Articles {
			s.exact++
		}
	}
	if len(x.Doubts) > 0 {
		return
	}
	if len(faults) == 0 {
		s.sure++
	}
	s.data, s.wrong = s.data+3, s.wrong+len(faults)
	if t.Articles > 0 {
		s.data++
	}
}

func headless(x segment.Text) bool {
	return slices.ContainsFunc(x.Doubts, func(d law.Doubt) bool { return d.Field == "complet" }) && len(x.Head) == 0
}

// near tells whether a text without number begins on the page noted.
func near(t gazettes.Text, x segment.Text) bool {
	d := t.Page - x.Document.FirstPage
	return t.Number != "" || t.Page == 0 || d >= -1 && d <= 1
}

// faultsOf is what of a text is not as noted.
func faultsOf(t gazettes.Text, x segment.Text) []string {
	var out []string
	d := x.Document
	if !sameType(t.Type, d.Type) {
		out = append(out, "type "+string(d.Type))
	}
	if d.OfficialNumber != law.TextNumber(t.Number) {
		out = append(out, "number "+d.OfficialNumber)
	}
	if got := d.Promulgated.Format(time.DateOnly); t.Date != "" && got != t.Date {
		out = append(out, "date "+got)
	}
	if n := numbered(x); t.Articles > 0 && n != t.Articles {
		out = append(out, fmt.Sprintf("%d articles and not %d", n, t.Articles))
	}
	return out
}

// sameType allows a law that makes a code or a constitution to be called one.
func sameType(want string, got law.DocType) bool {
	return want == string(got) || want == string(law.Loi) && (got == law.Code || got == law.Constitution)
}

// numbered counts a text's articles, annexes left out.
func numbered(x segment.Text) int {
	n := 0
	for _, a := range x.Articles {
		if a.Number != "" && !strings.HasPrefix(a.Number, "Annexe") {
			n++
		}
	}
	return n
}

func doubts(x segment.Text) string {
	var out []string
	for _, d := range x.Doubts {
		out = append(out, d.Field)
	}
	return strings.Join(out, " ")
}

func short(title string) string {
	if r := []rune(title); len(r) > 70 {
		return string(r[:69]) + "…"
	}
	return title
}
