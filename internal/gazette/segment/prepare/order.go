package prepare

import (
	"cmp"
	"slices"
	"strconv"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// leastFolios is the minimum number of pages of a file whose printed page numbers are trusted to show the order.
const leastFolios = 3

// folio matches the printed number of a page, alone on its line.
var folio = law.Pattern(`^(?: |~|[.|])*(?i:page|p\.)? *(\d{1,4})(?: *(?:/|sur|de) *\d{1,4})?(?: |~|[.|])*$`)

// inOrder puts the pages of a wrongly bound file into reading order. Printed page numbers prove the order. The numbers
// of articles are a weaker proof: if the order comes from them, toConfirm says what a person has to confirm; otherwise
// it is of kind remarks.None.
func inOrder(pages []layout.Page) (ordered []layout.Page, toConfirm remarks.Remark) {
	if by := folios(pages); by != nil {
		return by, toConfirm
	}
	by := byArticles(pages)
	if by == nil {
		return pages, toConfirm
	}
	toConfirm.Kind = remarks.PagesReordered
	for _, p := range by {
		toConfirm.Pages = append(toConfirm.Pages, p.Number)
	}
	return by, toConfirm
}

// folios returns the pages in the order of their printed numbers. It returns nil unless every page has a
// number, the numbers are consecutive, and the order differs from that of the file.
func folios(pages []layout.Page) []layout.Page {
	numbers := map[int]int{} // file page -> printed number
	for _, p := range pages {
		n, ok := folioOf(p)
		if !ok {
			return nil
		}
		numbers[p.Number] = n
	}
	if len(pages) < leastFolios {
		return nil
	}
	by := slices.SortedStableFunc(slices.Values(pages), func(a, b layout.Page) int { return cmp.Compare(numbers[a.Number], numbers[b.Number]) })
	for i := 1; i < len(by); i++ {
		if numbers[by[i].Number] != numbers[by[i-1].Number]+1 {
			return nil
		}
	}
	if slices.IsSortedFunc(pages, func(a, b layout.Page) int { return cmp.Compare(numbers[a.Number], numbers[b.Number]) }) {
		return nil
	}
	return by
}

// folioOf returns the printed number of a page; ok is false if the page shows none or several.
func folioOf(p layout.Page) (n int, ok bool) {
	for _, l := range p.Aside {
		m := folio.FindStringSubmatch(l.Text())
		if m == nil {
			continue
		}
		if ok {
			return 0, false // ambiguous
		}
		n, _ = strconv.Atoi(m[1])
		ok = true
	}
	return n, ok
}

// run is the range of articles that begin on a page.
type run struct {
	page        int // index of the page in the file
	first, last int
}

// byArticles returns the pages of one text in the order of the articles that begin on them. It returns nil
// unless the numbers on each page increase, those of all pages together count from one without gaps or
// overlaps, only the first page begins a text, and the order differs from that of the file.
func byArticles(pages []layout.Page) []layout.Page {
	var runs []run
	for i := range pages {
		r, ok := runOf(pages[i])
		if !ok {
			return nil
		}
		r.page = i
		runs = append(runs, r)
	}
	if len(runs) < 2 || slices.IsSortedFunc(runs, compareRuns) {
		return nil
	}
	slices.SortFunc(runs, compareRuns)
	out := []layout.Page{pages[runs[0].page]}
	if runs[0].first != 1 || !textBegins(out[0]) {
		return nil
	}
	for i, r := range runs[1:] {
		if r.first != runs[i].last+1 || textBegins(pages[r.page]) {
			return nil
		}
		out = append(out, pages[r.page])
	}
	return out
}

func compareRuns(a, b run) int { return cmp.Compare(a.first, b.first) }

// textBegins reports whether a text begins on a page.
func textBegins(p layout.Page) bool {
	lines := line.Flatten([]layout.Page{p})
	for i, l := range lines {
		n, ok := titles.ReadName(line.Join(lines[i:min(i+3, len(lines))]))
		if ok && l.Opens && heads.StartsBig(l.Text) && (n.Number != "" || !n.Date.IsZero()) {
			return true
		}
	}
	return false
}

// runOf returns the range of articles that begin on a page; ok is false if none do, or if their numbers
// decrease.
func runOf(p layout.Page) (r run, ok bool) {
	lines := line.Flatten([]layout.Page{p})
	for i, l := range lines {
		number, _, is := l.Article("")
		if !is || !line.MayHead(line.Before(lines, i), l) {
			continue
		}
		n, counted := heads.Leading(number)
		switch {
		case !counted:
		case heads.Lettered(number) || ok && n < r.last:
			return r, false
		default:
			if !ok {
				r.first = n
			}
			r.last, ok = n, true
		}
	}
	return r, ok
}
