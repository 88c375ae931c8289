package gazettes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// Verdict is what became of one text: of the truth, of the cutting, or of both.
type Verdict struct {
	Noted  *Text         // nil for one that was invented
	Cut    *gazette.Text // nil for one that is missing
	Faults []string      // what of it is not as noted
}

// Right tells of a text that is there and as noted.
func (v Verdict) Right() bool { return v.Noted != nil && v.Cut != nil && len(v.Faults) == 0 }

// Wrong tells of a text that was cut and is not as noted, or is none.
func (v Verdict) Wrong() bool { return v.Cut != nil && !v.Right() }

// Judge holds the texts of a file against the truth: first the texts that are as
// noted, then those that are not, then what was invented. A text that begins before
// the file may be cut or not.
func Judge(f File, issue gazette.Issue) []Verdict {
	left := make([]*gazette.Text, 0, len(issue.Texts))
	for i := range issue.Texts {
		left = append(left, &issue.Texts[i])
	}
	var out []Verdict
	take := func(t *Text, is func(x *gazette.Text) bool) bool {
		i := slices.IndexFunc(left, is)
		if i < 0 {
			return false
		}
		if t != nil {
			out = append(out, Verdict{Noted: t, Cut: left[i], Faults: faultsOf(*t, left[i])})
		}
		left = slices.Delete(left, i, i+1)
		return true
	}
	var rest []*Text
	for i := range f.Texts {
		t := &f.Texts[i]
		switch {
		case t.EndOnly():
			take(nil, headless)
		case t.NoLaw():
			take(nil, func(x *gazette.Text) bool { return len(x.Doubts) > 0 && at(*t, x) })
		case !take(t, func(x *gazette.Text) bool { return len(faultsOf(*t, x)) == 0 && near(*t, x) }):
			rest = append(rest, t)
		}
	}
	for _, t := range rest {
		if !take(t, func(x *gazette.Text) bool {
			return t.Number != "" && law.TextNumber(t.Number) == x.Document.OfficialNumber || t.Number == "" && near(*t, x) && sameType(*t, x.Document.Type)
		}) && !t.Optional {
			out = append(out, Verdict{Noted: t, Faults: []string{"missing"}})
		}
	}
	for _, x := range left {
		out = append(out, Verdict{Cut: x, Faults: []string{"invented"}})
	}
	return out
}

// headless tells of the end of a text that begins before the file. Other doubts whether
// a text is all there may be about acts that are printed without a title.
func headless(x *gazette.Text) bool {
	return len(x.Head) == 0 && slices.ContainsFunc(x.Doubts, func(d remarks.Doubt) bool {
		return d.Field == "complet" && d.Why.Kind == remarks.BeginsBefore
	})
}

// near reports whether a text without number begins on the page noted.
func near(t Text, x *gazette.Text) bool { return t.Number != "" || t.Page == 0 || at(t, x) }

// at reports whether a text begins on a page noted, or beside it.
func at(t Text, x *gazette.Text) bool {
	return slices.ContainsFunc(append([]int{t.Page}, t.PageAlso...), func(page int) bool {
		d := page - x.Document.FirstPage
		return d >= -1 && d <= 1
	})
}

// faultsOf is what of a text is not as noted.
func faultsOf(t Text, x *gazette.Text) []string {
	var out []string
	d := x.Document
	if !sameType(t, d.Type) {
		out = append(out, "type "+string(d.Type))
	}
	if d.OfficialNumber != law.TextNumber(t.Number) {
		out = append(out, "number "+d.OfficialNumber)
	}
	if got := d.Promulgated.Format(time.DateOnly); t.Date != "" && got != t.Date && !slices.Contains(t.DateAlso, got) {
		out = append(out, "date "+got)
	}
	if n := Numbered(x); t.Counted() && n != t.Articles && !slices.Contains(t.ArticlesAlso, n) {
		out = append(out, fmt.Sprintf("%d articles and not %d", n, t.Articles))
	}
	return out
}

// Counted tells of a text whose articles a person has counted.
func (t Text) Counted() bool { return t.Articles > 0 && t.Unsure != "count" }

// sameType allows a law that makes a code or a constitution to be called one.
func sameType(t Text, got law.DocType) bool {
	return t.Type == string(got) || slices.Contains(t.TypeAlso, string(got)) || t.Type == string(law.Loi) && (got == law.Code || got == law.Constitution)
}

// Numbered counts a text's articles, annexes left out.
func Numbered(x *gazette.Text) int {
	n := 0
	for _, a := range x.Articles {
		if a.Number != "" && !strings.HasPrefix(a.Number, "Annexe") {
			n++
		}
	}
	return n
}
