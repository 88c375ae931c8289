package doubts

import (
	"slices"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/law"
)

// TestGapsAsSignals checks that gaps in a code are a sign on scans, where recognition loses heads, and not
// in a text layer, because a code is the result of many changes.
func TestGapsAsSignals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   law.DocType
		scan   bool
		absent []string
		sign   bool
	}{
		"a law":                    {law.Loi, false, []string{"3"}, true},
		"a scanned law":            {law.Loi, true, []string{"3"}, true},
		"a code":                   {law.Code, false, []string{"L. 1-3"}, false},
		"a scanned code":           {law.Code, true, []string{"L. 1-3"}, true},
		"a whole scanned code":     {law.Code, true, nil, false},
		"a law with every article": {law.Loi, true, nil, false},
	} {
		d := &texts.Draft{Lines: []line.Line{{Scanned: c.scan}}}
		d.Document.Type, d.Absent = c.kind, c.absent
		noteCount(d)
		if got := slices.ContainsFunc(d.Signals, func(w gazette.Signal) bool {
			return w.Kind == gazette.GapIn && slices.Equal(w.Doubt.Why.Numbers, c.absent)
		}); got != c.sign {
			t.Errorf("%s: a sign is %t", name, got)
		}
	}
}

// TestGapsLeadToTheirPage gives the doubt about missing numbers the page of the article before the first gap.
func TestGapsLeadToTheirPage(t *testing.T) {
	t.Parallel()
	d := &texts.Draft{}
	d.Document.Type, d.Document.FirstPage = law.Loi, 2
	d.Articles = []law.Article{{Number: "1er", Page: 2}, {Number: "2", Page: 5}, {Number: "4", Page: 6}}
	if got := gapPage(d); got != 5 {
		t.Errorf("the gap is on page %d", got)
	}
	if d.Articles = d.Articles[2:]; gapPage(d) != 2 {
		t.Errorf("a gap before the first article is on page %d", gapPage(d))
	}
}
