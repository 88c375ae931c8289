package segment_test

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/layout"
	"vigueur/internal/segment"
	"vigueur/scripts/house"
)

// style is the made house style of a name.
func style(t *testing.T, name string) house.Style {
	t.Helper()
	for _, s := range house.Styles() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no style %q", name)
	return house.Style{}
}

// issueOf is an arranged issue of a style, as it was printed.
func issueOf(t *testing.T, name string, seed uint64) house.Issue {
	t.Helper()
	made := house.Make(style(t, name), seed, house.Damage{})
	layout.Arrange(made.Pages)
	return made
}

// boundTogether puts pages behind each other and numbers them anew.
func boundTogether(parts ...[]layout.Page) []layout.Page {
	var out []layout.Page
	for _, part := range parts {
		for _, p := range part {
			p.Number = len(out) + 1
			p.Lines = slices.Clone(p.Lines)
			for i := range p.Lines {
				p.Lines[i].Page = p.Number
			}
			out = append(out, p)
		}
	}
	return out
}

// cutWhole cuts pages and checks that no words are lost.
func cutWhole(t *testing.T, pages []layout.Page) segment.Issue {
	t.Helper()
	issue := segment.Split(pages, segment.Hints{})
	if len(issue.Texts) == 0 {
		t.Fatal("no text")
	}
	for _, x := range issue.Texts {
		checkShape(t, x)
	}
	return issue
}

// common counts the texts of made issues that are among those that were cut.
func common(issue segment.Issue, made ...house.Issue) (found, all int) {
	names := map[string]int{}
	for _, x := range issue.Texts {
		names[x.Document.OfficialNumber+" "+day(x.Document.Promulgated)]++
	}
	for _, m := range made {
		for _, x := range m.Texts {
			all++
			key := law.TextNumber(x.Number) + " " + day(x.Date)
			if names[key] > 0 {
				names[key]--
				found++
			}
		}
	}
	return found, all
}

func TestTwoIssuesInOneFile(t *testing.T) {
	t.Parallel()
	a, b := issueOf(t, "justified", 910_001), issueOf(t, "hijriPairs", 910_002)
	issue := cutWhole(t, boundTogether(a.Pages, b.Pages))
	if found, all := common(issue, a, b); found*10 < all*8 || len(issue.Texts) > all+all/10+1 {
		t.Errorf("%d of %d texts, %d were cut", found, all, len(issue.Texts))
	}
}

// TestAnIssueOverTwoFiles: the second file begins in the middle of a text, and both
// together have the texts of the issue.
func TestAnIssueOverTwoFiles(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "titledOrders", 910_003)
	half := len(made.Pages) / 2
	first, second := cutWhole(t, boundTogether(made.Pages[:half])), cutWhole(t, boundTogether(made.Pages[half:]))
	both := segment.Issue{Texts: append(slices.Clone(first.Texts), second.Texts...)}
	if found, all := common(both, made); found*10 < all*8 || len(both.Texts) > all+2 {
		t.Errorf("%d of %d texts, %d were cut", found, all, len(both.Texts))
	}
}

// TestASummaryOfAnotherIssue: it makes no texts and takes none away.
func TestASummaryOfAnotherIssue(t *testing.T) {
	t.Parallel()
	a, b := issueOf(t, "justified", 910_004), issueOf(t, "justified", 910_005)
	alone := cutWhole(t, b.Pages)
	together := cutWhole(t, boundTogether(a.Pages[:1], b.Pages))
	before, all := common(alone, b)
	after, _ := common(together, b)
	if after < before-1 || len(together.Texts) > len(alone.Texts)+2 {
		t.Errorf("%d of %d texts alone, %d behind the summary of another issue; %d texts and %d", before, all, after, len(alone.Texts), len(together.Texts))
	}
}

func TestAPageOfTablesOnlyIsADoubtfulText(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "budget", 910_006)
	last := made.Pages[len(made.Pages)-1]
	issue := cutWhole(t, boundTogether([]layout.Page{last}))
	if len(issue.Texts) != 1 || len(issue.Texts[0].Doubts) == 0 {
		t.Errorf("%d texts, doubts %v", len(issue.Texts), issue.Texts[0].Doubts)
	}
}

// TestAnIssueOfAnnouncements: what is no text of law becomes none.
func TestAnIssueOfAnnouncements(t *testing.T) {
	t.Parallel()
	found, all, cut := 0, 0, 0
	for seed := range uint64(3) {
		made := issueOf(t, "advertiser", 910_010+seed)
		issue := cutWhole(t, made.Pages)
		f, n := common(issue, made)
		found, all, cut = found+f, all+n, cut+len(issue.Texts)
	}
	if found < all-1 || cut > all+1 {
		t.Errorf("%d of %d texts, %d were cut", found, all, cut)
	}
}

// TestPagesFromTheRightToTheLeft: words in Arabic beside French pages are no words of
// a French text.
func TestPagesFromTheRightToTheLeft(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "bilingualArabic", 910_020)
	issue := cutWhole(t, made.Pages)
	for _, x := range issue.Texts {
		for _, a := range x.Articles {
			if strings.ContainsFunc(a.Text, func(r rune) bool { return r >= 0x600 && r < 0x700 }) {
				t.Errorf("article %s of %s has words in Arabic: %.80s", a.Number, x.Document.Title, a.Text)
			}
		}
	}
	if found, all := common(issue, made); found*10 < all*6 {
		t.Errorf("%d of %d texts, %d were cut", found, all, len(issue.Texts))
	}
}
