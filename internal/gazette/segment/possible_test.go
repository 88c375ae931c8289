package segment_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// A day that is too late for a text is a doubt.
func TestADayHasToBePossible(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, text, day string
		doubted         bool
	}{
		{"as printed", decree, "2019-03-01", false},
		{"a misread year", strings.Replace(decree, "DU 1ER MARS 2019", "DU 1ER MARS 2079", 1), "2079-03-01", true},
		{"after the issue", "  JOURNAL OFFICIEL\n  N° 3 du 2 mars 2019\n\n" + strings.Replace(decree, "DU 1ER MARS 2019", "DU 7 MARS 2019", 1), "2019-03-07", true},
		{"the issue's own is misread", "  JOURNAL OFFICIEL\n  N° 3 du 2 mars 2079\n\n" + decree, "2019-03-01", false},
	} {
		x := segment.Split(typed(c.text), gazette.Hints{Today: today}).Texts[0]
		if got := x.Document.Promulgated.Format(time.DateOnly); got != c.day || (len(x.Doubts) > 0) != c.doubted {
			t.Errorf("%s: %s, doubts %+v", c.name, got, x.Doubts)
		}
	}
}

// A number that recognition broke up, or of which only the year was read, is a doubt.
func TestANumberHasToBePossible(t *testing.T) {
	t.Parallel()
	for number, doubted := range map[string]bool{"2019-12/PM": false, "2019_12/PM": false, "2019-_ 12/PM": false, "2 Ü ? 6-0 8": true, "2019": true, "12-2019": false, "12-2016": true, "12/2020": true, "12": false} {
		x := split(t, strings.Replace(decree, "2019-12/PM", number, 1), gazette.Hints{})
		if (len(x.Doubts) > 0) != doubted {
			t.Errorf("%q: read as %q, doubts %+v", number, x.Document.OfficialNumber, x.Doubts)
		}
	}
}
