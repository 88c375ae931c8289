package texts

import (
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// TestACodeHasTheDayOfTheLawThatEnactsIt checks that a code printed after the act that enacts it has its day: for sure if both
// have one number, proposed if the code has none, and not if it has another.
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
}
