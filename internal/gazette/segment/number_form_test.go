package segment

import (
	"testing"

	"vigueur/internal/gazette/remarks"
)

func TestFormsOfNumbers(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"2019-12": "Y-9", "2019-12/PM": "Y-9", "19/005/PRES/PM": "9/9", "12ter/2014": "9AY", "": "", "2-6-0-8": "9-9-9-9"} {
		if got := numberForm(number); got != want {
			t.Errorf("%q: %q, want %q", number, got, want)
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
		{[]string{"2019-12", "2019-13", "12/19"}, ""},
		{[]string{"2019-12", "2019-13", "2019-14", "12/19", "13/19"}, ""},
		{[]string{"2019-12", "2019-13", "2019-14", ""}, ""},
	} {
		var drafts []*draft
		for _, n := range c.numbers {
			d := &draft{head: head{kind: kindOf("Décret")}}
			d.Document.OfficialNumber = n
			drafts = append(drafts, d)
		}
		compareNumbers(drafts)
		for _, d := range drafts {
			if doubted := len(d.Doubts) == 1 && d.Doubts[0].Why.Kind == remarks.NumberMisprinted; doubted != (c.doubted != "" && d.Document.OfficialNumber == c.doubted) {
				t.Errorf("%v: %q %v", c.numbers, d.Document.OfficialNumber, d.Doubts)
			}
		}
	}
}
