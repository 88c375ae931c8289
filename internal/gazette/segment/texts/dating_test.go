package texts

import (
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// TestACodeHasTheDayOfTheLawThatEnactsIt checks that a code printed after the act that enacts it has its day: for sure if both
// have one number or the act makes the code of that name, proposed if the code has no number, and not if it has another.
func TestACodeHasTheDayOfTheLawThatEnactsIt(t *testing.T) {
	t.Parallel()
	day := time.Date(1962, 11, 26, 0, 0, 0, 0, time.UTC)
	for number, want := range map[string]struct{ dated, proposed bool }{"1-59-413": {true, false}, "": {true, true}, "1-59-414": {}} {
		act := &Draft{Date: day, Lines: make([]line.Line, 1)}
		act.Document.OfficialNumber = "1-59-413"
		code := &Draft{Lines: make([]line.Line, 1)}
		code.Document.Type, code.Document.OfficialNumber = law.Code, number
		FindDates([]*Draft{act, code}, []layout.Page{}, gazette.Issue{}, time.Time{})
		if code.Date.Equal(day) != want.dated || code.DateProposed != want.proposed {
			t.Errorf("number %q: %v, proposed %v", number, code.Date, code.DateProposed)
		}
	}
	for object, proposed := range map[string]bool{"portant promulgation du code des salines": false, "portant réorganisation de quelques dispositions du code des salines": true, "relative au code des eaux": true} {
		act := &Draft{Date: day, Lines: make([]line.Line, 1), Title: titles.Title{Kind: titles.ActKind{Type: law.Loi}, Object: object}}
		act.Document.Title = "Loi n° 62-26 " + object
		code := &Draft{Lines: make([]line.Line, 1)}
		code.Document.Type, code.Document.Title = law.Code, "Code des salines"
		FindDates([]*Draft{act, code}, []layout.Page{}, gazette.Issue{}, time.Time{})
		if !code.Date.Equal(day) || code.DateProposed != proposed {
			t.Errorf("%s: %v, proposed %v", object, code.Date, code.DateProposed)
		}
	}
}
