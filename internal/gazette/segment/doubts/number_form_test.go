package doubts

import (
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
)

func TestFormsOfNumbers(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"2019-12": "Y-9", "2019-12/PM": "Y-9", "19/005/PRES/PM": "9/9", "12ter/2014": "9AY", "": "", "2-6-0-8": "9-9-9-9"} {
		if got := numberForm(number); got != want {
			t.Errorf("%q: %q, want %q", number, got, want)
		}
	}
}

// TestANumberBesideTheNameOfItsFile compares numbers with those that files are called by.
func TestANumberBesideTheNameOfItsFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number, file string
		doubted      bool
	}{
		{"2010-235/PRES/PM", "decret-2010-233-modificatif.pdf", true},
		{"2010-233/PRES/PM", "decret-2010-233-modificatif.pdf", false},
		{"2001/88", "decret-2001-088-minefi.pdf", false},
		{"1-09-15", "loi-09-15.pdf", false},           // another form
		{"2010-235", "decret-modificatif.pdf", false}, // a name without a number
	} {
		d := &texts.Draft{}
		d.Document.OfficialNumber = c.number
		for _, single := range []bool{true, false} {
			d.Doubts = nil
			noteNumber(d, gazette.Hints{Filename: c.file}, single, false)
			if got := len(d.Doubts) == 1 && d.Doubts[0].Why.Kind == remarks.NumberOfFilename; got != (single && c.doubted) {
				t.Errorf("%s in %s, single %v: %v", c.number, c.file, single, d.Doubts)
			}
		}
	}
}

// TestANumberOfAnotherForm checks that a number is doubted if all others of its type have another form, and only then.
func TestANumberOfAnotherForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		numbers []string
		doubted string
	}{
		{[]string{"2019-12", "2019-13", "2019-14/PM", "2-19-15"}, "2-19-15"},
		{[]string{"2019-12", "2019-13", "12/19"}, "12/19"},
		{[]string{"2019-12", "12/19"}, ""},
		{[]string{"2019-12", "2019-13", "2019-14", "12/19", "13/19"}, ""},
		{[]string{"2019-12", "2019-13", "2019-14", ""}, ""},
	} {
		var drafts []*texts.Draft
		for _, n := range c.numbers {
			d := &texts.Draft{Title: titles.Title{Kind: titles.KindOf("Décret")}}
			d.Document.OfficialNumber = n
			drafts = append(drafts, d)
		}
		CompareNumbers(drafts)
		for _, d := range drafts {
			if doubted := len(d.Doubts) == 1 && d.Doubts[0].Why.Kind == remarks.NumberMisprinted; doubted != (c.doubted != "" && d.Document.OfficialNumber == c.doubted) {
				t.Errorf("%v: %q %v", c.numbers, d.Document.OfficialNumber, d.Doubts)
			}
		}
	}
}

// TestOddYears compares the years in numbers with those of the texts.
func TestOddYears(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number string
		year   int
		odd    bool
		mended string
	}{
		{"2000-15", 2000, false, ""},
		{"200/015", 2000, true, "2000/015"}, // a digit was lost
		{"2001-15", 2002, false, ""},        // made in the year before
		{"2010-15", 2000, true, "2000-15"},  // a digit was misread
		{"1998-15", 2020, true, ""},         // no change of one digit repairs it
		{"10-2025", 2025, false, ""},        // the year comes last
		{"10-2025", 2024, true, ""},         // a text is numbered when it is made, or later
		{"10-2025", 2026, false, ""},
		{"2000", 2000, true, ""}, // nothing but the year was read
		{"98-97", 1998, false, ""},
		{"1373", 2025, false, ""},
	} {
		d := &texts.Draft{Date: time.Date(c.year, 5, 4, 0, 0, 0, 0, time.UTC)}
		d.Document.OfficialNumber = c.number
		if got := oddYear(d); got != c.odd {
			t.Errorf("%s of %d: odd %v", c.number, c.year, got)
		}
		if got := correctedNumber(d); c.odd && got != c.mended {
			t.Errorf("%s of %d: mended to %q, want %q", c.number, c.year, got, c.mended)
		}
	}
}
