package segment

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestMissingNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ numbers, want string }{
		{"1er 2 3", ""},
		{"1er 2 4", "3"},
		{"1er 2 9 10 12", "3–8 11"},
		{"3 4", "1–2"},
		{"1er 2 2 bis 3 3-1 4", ""},
		{"1er 2 1er 2 3", ""},      // a code after the law that enacts it
		{"1er 2 R. 19-1 3", ""},    // quoted
		{"1er unique", ""},         //
		{"1er 2 334 3", ""},        // too far to be a gap
		{"1er 2 * 9 10", ""},       // repealed, as a heading between them says
		{"1er 2 = 9 10", ""},       // repealed, as a note after article 2 says
		{"1er 2 + 9 11", "3–8 10"}, // the heading does not say so
		{"L. 1-1 L. 1-2 L. 1-4 L. 2-1 L. 2-2 L. 2-6", "L._1-3 L._2-3–L._2-5"},
		{"L. 1 L. 2 L. 4 R. 7 R. 9", "L._3 R._8"},
		{"L. 1-1 L. 1-2 L. 1-2 bis L. 1-3 L. 3-1 R. 3-5 L. 3-200", ""}, // the end of a part is unknown
		{"L. 1-1 * L. 1-5 = L. 1-9 L. 1-10", ""},                       // repealed
		{"1er 2 L. 1-1 L. 1-9 3 4 5", ""},                              // quoted
	} {
		var articles []law.Article
		for n := range strings.FieldsSeq(strings.NewReplacer(" bis", "_bis", "R. ", "R._", "L. ", "L._").Replace(c.numbers)) {
			a := law.Article{Number: strings.ReplaceAll(n, "_", " "), Text: "Le sel est gris."}
			switch n {
			case "*":
				a.Number, a.Text = "", "Chapitre III\n(abrogé)"
			case "+":
				a.Number, a.Text = "", "Chapitre III"
			case "=":
				articles[len(articles)-1].Text += "\n(Articles 3 à 8 abrogés par la loi n° 99-9)"
				continue
			}
			articles = append(articles, a)
		}
		if got := absent(articles); !slices.Equal(got, strings.Fields(c.want)) && strings.ReplaceAll(strings.Join(got, " "), ". ", "._") != c.want {
			t.Errorf("%s: %v, want %s", c.numbers, got, c.want)
		}
	}
}

// TestGapsAsWitnesses checks that gaps in a code are a sign on scans, where recognition loses heads, and not
// in a text layer, because a code is the result of many changes.
func TestGapsAsWitnesses(t *testing.T) {
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
		d := &draft{lines: []line{{scan: c.scan}}}
		d.Document.Type, d.Absent = c.kind, c.absent
		d.noteCount()
		if got := slices.ContainsFunc(d.Witnesses, func(w Witness) bool { return w.Kind == GapIn && strings.Contains(w.Doubt.Reason, c.absent[0]) }); got != c.sign {
			t.Errorf("%s: a sign is %t", name, got)
		}
	}
}
