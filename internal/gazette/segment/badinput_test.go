package segment_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

// boundTogether concatenates pages and renumbers them.
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
func cutWhole(t *testing.T, pages []layout.Page) gazette.Issue {
	t.Helper()
	issue := segment.Split(pages, gazette.Hints{})
	if len(issue.Texts) == 0 {
		t.Fatal("no text")
	}
	for _, x := range issue.Texts {
		checkShape(t, x)
	}
	return issue
}

// common counts the texts of generated issues that were cut.
func common(issue gazette.Issue, made ...madeIssue) (found, all int) {
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
	a, b := issueOf(t, "justified-910001"), issueOf(t, "hijriPairs-910002")
	issue := cutWhole(t, boundTogether(a.Pages, b.Pages))
	if found, all := common(issue, a, b); found*10 < all*8 || len(issue.Texts) > all+all/10+1 {
		t.Errorf("%d of %d texts, %d were cut", found, all, len(issue.Texts))
	}
}

// TestAnIssueOverTwoFiles checks that an issue whose second file begins within a text has all its texts in
// both files together.
func TestAnIssueOverTwoFiles(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "titledOrders-910003")
	half := len(made.Pages) / 2
	first, second := cutWhole(t, boundTogether(made.Pages[:half])), cutWhole(t, boundTogether(made.Pages[half:]))
	both := gazette.Issue{Texts: append(slices.Clone(first.Texts), second.Texts...)}
	if found, all := common(both, made); found*10 < all*8 || len(both.Texts) > all+2 {
		t.Errorf("%d of %d texts, %d were cut", found, all, len(both.Texts))
	}
}

// TestASummaryOfAnotherIssue checks that the summary of another issue adds and removes no texts.
func TestASummaryOfAnotherIssue(t *testing.T) {
	t.Parallel()
	a, b := issueOf(t, "justified-910004"), issueOf(t, "justified-910005")
	alone := cutWhole(t, b.Pages)
	together := cutWhole(t, boundTogether(a.Pages[:1], b.Pages))
	previous, all := common(alone, b)
	after, _ := common(together, b)
	if after < previous-1 || len(together.Texts) > len(alone.Texts)+2 {
		t.Errorf("%d of %d texts alone, %d after the summary of another issue; %d texts and %d", previous, all, after, len(alone.Texts), len(together.Texts))
	}
}

func TestAPageOfTablesOnlyHoldsNoText(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "budget-910006")
	last := made.Pages[len(made.Pages)-1]
	issue := segment.Split(boundTogether([]layout.Page{last}), gazette.Hints{})
	if len(issue.Texts) != 0 || issue.NoLaw.Sentence() == "" {
		t.Errorf("%d texts, said to be %q", len(issue.Texts), issue.NoLaw.Sentence())
	}
}

// TestAnIssueOfAnnouncements checks that announcements do not become texts.
func TestAnIssueOfAnnouncements(t *testing.T) {
	t.Parallel()
	found, all, cut := 0, 0, 0
	for _, name := range []string{"advertiser-910010", "advertiser-910011", "advertiser-910012"} {
		made := issueOf(t, name)
		issue := cutWhole(t, made.Pages)
		f, n := common(issue, made)
		found, all, cut = found+f, all+n, cut+len(issue.Texts)
	}
	if found < all-1 || cut > all+1 {
		t.Errorf("%d of %d texts, %d were cut", found, all, cut)
	}
}

// TestATextAmongAnnouncements checks that the printed texts are found where 95 % of the words are announcements, and
// that no text continues into an announcement.
func TestATextAmongAnnouncements(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "advertiser-910030")
	var notices []layout.Page
	own, all := 0, 0
	count := func(owner []int) (index int) {
		for _, text := range owner {
			if text >= 0 {
				index++
			}
		}
		return index
	}
	for i, owner := range made.Owner {
		own, all = own+count(owner), all+len(owner)
		if count(owner) == 0 && i > 0 && i+1 < len(made.Owner) {
			notices = append(notices, made.Pages[i])
		}
	}
	if len(notices) == 0 {
		t.Fatal("no page of announcements alone")
	}
	parts := [][]layout.Page{made.Pages}
	for own*20 > all {
		parts = append(parts, notices)
		for _, p := range notices {
			all += len(p.Words)
		}
	}
	pages := boundTogether(parts...)
	issue := cutWhole(t, pages)
	sure := 0
	for _, x := range issue.Texts {
		if len(x.Doubts) == 0 {
			sure++
		}
	}
	if found, want := common(issue, made); found < want || sure > want {
		t.Errorf("%d of %d texts, %d were cut, %d without a doubt", found, want, len(issue.Texts), sure)
	}
	words := 0
	for _, x := range issue.Texts {
		for _, a := range x.Articles {
			words += len(strings.Fields(a.Text))
		}
	}
	if words > own+all/100 {
		t.Errorf("%d words are in texts, which have %d", words, own)
	}
}

// TestFifteenHundredPages checks that each article is found on its page, up to the last one.
func TestFifteenHundredPages(t *testing.T) {
	t.Parallel()
	const many = 1500
	var b strings.Builder
	b.WriteString("                 DÉCRET N° 2019-12/PM DU 1ER MARS 2019\n                 fixant le prix du sel.\n\n                          DÉCRÈTE :\n\n")
	for n := 1; n <= many; n++ {
		if n > 1 {
			b.WriteByte('\f')
		}
		fmt.Fprintf(&b, "  Article %d. — Le prix du sel de la saline numéro %d est de dix\nécus le kilogramme dans les marchés de plein air.\n", n, n)
	}
	issue := cutWhole(t, typed(b.String()))
	if len(issue.Texts) != 1 || issue.Texts[0].Document.LastPage != many || len(issue.Texts[0].Absent) > 0 {
		t.Fatalf("%d texts, the first up to page %d, without %v", len(issue.Texts), issue.Texts[0].Document.LastPage, issue.Texts[0].Absent)
	}
	n := 0
	for _, a := range issue.Texts[0].Articles {
		if a.Number == "" {
			continue
		}
		if n++; a.Number != law.ArticleNumber(strconv.Itoa(n)) || a.Page != n || !strings.Contains(a.Text, fmt.Sprintf("numéro %d est", n)) {
			t.Fatalf("article %s on page %d is the %dth: %.80s", a.Number, a.Page, n, a.Text)
		}
	}
	if n != many {
		t.Errorf("%d articles", n)
	}
}

// TestPagesFromTheRightToTheLeft checks that Arabic words beside French pages do not become words of a French
// text.
func TestPagesFromTheRightToTheLeft(t *testing.T) {
	t.Parallel()
	made := issueOf(t, "bilingualArabic-910020")
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
