package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/lab/gazettes"
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
	doubted        []doubted
	waiting        []waiting // files in review
	faulty         int       // files of which a text is not as noted
}

func (s *score) add(o score) {
	s.files, s.review = s.files+o.files, s.review+o.review
	s.texts, s.right, s.sure, s.invented = s.texts+o.texts, s.right+o.right, s.sure+o.sure, s.invented+o.invented
	s.counted, s.exact = s.counted+o.counted, s.exact+o.exact
	s.data, s.wrong = s.data+o.data, s.wrong+o.wrong
	s.doubted = append(s.doubted, o.doubted...)
	s.waiting, s.faulty = append(s.waiting, o.waiting...), s.faulty+o.faulty
}

func (s score) String() string {
	return fmt.Sprintf("%3d of %3d texts right (%d without a doubt), %2d invented, articles %d of %d, wrong without a doubt %d of %d data, %d of %d files in review",
		s.right, s.texts, s.sure, s.invented, s.exact, s.counted, s.wrong, s.data, s.review, s.files)
}

func (s score) figures() map[string]int {
	return map[string]int{"files": s.files, "in_review": s.review, "texts": s.texts, "right": s.right, "invented": s.invented,
		"articles_counted": s.counted, "articles_exact": s.exact, "data": s.data, "data_wrong": s.wrong}
}

// held holds the texts of a file against the truth.
func held(f gazettes.File, issue gazette.Issue) score {
	s := score{files: 1}
	if slices.ContainsFunc(issue.Texts, func(x gazette.Text) bool { return len(x.Doubts) > 0 }) {
		s.review = 1
	}
	verdicts := gazettes.Judge(f, issue)
	s.wait(verdicts)
	for _, v := range verdicts {
		if v.Noted != nil {
			s.texts++
		}
		if v.Cut != nil {
			s.note(v)
			s.take(v)
		}
		s.tell(v)
	}
	return s
}

// take counts the data of a text that was cut.
func (s *score) take(v gazettes.Verdict) {
	doubted := len(v.Cut.Doubts) > 0
	if v.Noted == nil {
		s.invented++
		if !doubted {
			s.data, s.wrong = s.data+1, s.wrong+1
		}
		return
	}
	if v.Right() {
		s.right++
	}
	if v.Noted.Counted() {
		s.counted++
		if n := gazettes.Numbered(v.Cut); n == v.Noted.Articles || slices.Contains(v.Noted.ArticlesAlso, n) {
			s.exact++
		}
	}
	if doubted {
		return
	}
	if v.Right() {
		s.sure++
	}
	s.data, s.wrong = s.data+3, s.wrong+len(v.Faults)
	if v.Noted.Counted() {
		s.data++
	}
}

// tell names what is wrong with a text, or in review for nothing.
func (s *score) tell(v gazettes.Verdict) {
	t := v.Noted
	switch {
	case v.Cut == nil:
		s.faults = append(s.faults, fmt.Sprintf("missing: p%d %s %s %s %s", t.Page, t.Type, t.Number, t.Date, short(t.Title)))
	case t == nil:
		d := v.Cut.Document
		s.faults = append(s.faults, fmt.Sprintf("invented: p%d %s %s %s %s [%s]", d.FirstPage, d.Type, d.OfficialNumber, d.Promulgated.Format(time.DateOnly), short(d.Title), reasons(v.Cut)))
	case !v.Right():
		s.faults = append(s.faults, fmt.Sprintf("wrong: p%d %s %s %s: %s [%s]", t.Page, t.Type, t.Number, t.Date, strings.Join(v.Faults, ", "), reasons(v.Cut)))
	case len(v.Cut.Doubts) > 0:
		s.faults = append(s.faults, fmt.Sprintf("right, but doubted: p%d %s %s %s %s [%s]", t.Page, t.Type, t.Number, t.Date, short(v.Cut.Document.Title), reasons(v.Cut)))
	}
}

// reasons is why a text is doubted.
func reasons(x *gazette.Text) string {
	var out []string
	for _, d := range x.Doubts {
		reason := d.Why.Sentence()
		if d.Words != "" {
			reason += " « " + short(d.Words) + " »"
		}
		out = append(out, reason)
	}
	return strings.Join(out, " ")
}

func short(title string) string {
	if r := []rune(title); len(r) > 70 {
		return string(r[:69]) + "…"
	}
	return title
}
