package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// TestLinesOfAGap checks that a missing head is searched for between the heads before and after the gap.
func TestLinesOfAGap(t *testing.T) {
	t.Parallel()
	issue := segment.Split(scanned(lawOf("Article 1er :", "Article 2 :", "Le", "Le", "Article 5 :")), gazette.Hints{})
	if len(issue.Texts) != 1 {
		t.Fatalf("%d texts", len(issue.Texts))
	}
	gaps := issue.Gaps()
	if len(gaps) != 1 {
		t.Fatalf("gaps %+v, absent %v", gaps, issue.Texts[0].Absent)
	}
	p := gaps[0]
	if p.Text != 0 || p.From != 3 || p.To != 4 {
		t.Errorf("%+v", p)
	}
	first, rest := issue.Lines[p.FromLine].Text, issue.Lines[p.UntilLine].Text
	if !strings.HasPrefix(first, "Article 2") || !strings.HasPrefix(rest, "Article 5") {
		t.Errorf("from %q to %q", first, rest)
	}
	whole := segment.Split(scanned(lawOf("Article 1er :", "Article 2 :", "Article 3 :")), gazette.Hints{})
	if gaps := whole.Gaps(); len(gaps) != 0 {
		t.Errorf("there is no gap: %+v", gaps)
	}
}

// TestGapBeforeTheFirst checks that the search begins at the text's first line if the numbering begins
// with 2.
func TestGapBeforeTheFirst(t *testing.T) {
	t.Parallel()
	issue := segment.Split(scanned(lawOf("Le", "Article 2 :", "Article 3 :")), gazette.Hints{})
	gaps := issue.Gaps()
	if len(gaps) != 1 || gaps[0].From != 1 || gaps[0].To != 1 || gaps[0].FromLine != 0 && issue.Lines[gaps[0].FromLine-1].TextIndex == 0 {
		t.Fatalf("%+v", gaps)
	}
}

// TestUndated checks that a doubtful date is searched for in the title, and from the last article on.
func TestUndated(t *testing.T) {
	t.Parallel()
	const body = "\nrelatif au sel.\n\nVu la Constitution ;\n\nDécrète :\n\n  Article 1 : Le sel est gris dans toutes les communes du pays.\n" +
		"  Article 2 : Le présent décret sera publié au Journal officiel.\n\nFait à Dakar, le 11 avril 2016.\n\nJean VILLEDIEU\n"
	issue := segment.Split(scanned("Décret n° 2016-413 du 1 avril 2016"+body), gazette.Hints{})
	undated := issue.Undated()
	if len(undated) != 1 || undated[0].Text != 0 || len(undated[0].Places) != 2 {
		t.Fatalf("%+v of %+v", undated, issue.Texts)
	}
	for i, want := range []string{"Décret n° 2016-413", "Article 2"} {
		place := undated[0].Places[i]
		if first := issue.Lines[place[0]].Text; !strings.HasPrefix(first, want) || place[1] <= place[0] {
			t.Errorf("place %d is %v, from %q", i, place, first)
		}
	}
	if end := undated[0].Places[1][1]; end != len(issue.Lines) {
		t.Errorf("the end is before line %d of %d", end, len(issue.Lines))
	}
	sure := segment.Split(scanned("Décret n° 2016-413 du 11 avril 2016"+body), gazette.Hints{})
	if undated := sure.Undated(); len(undated) != 0 {
		t.Errorf("nothing is doubted: %+v", undated)
	}
}
