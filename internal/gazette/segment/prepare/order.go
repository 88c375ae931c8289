package prepare

import (
	"cmp"
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
)

// reorder puts the pages of a wrongly bound file into reading order. The numbers of articles are no proof of the order:
// toConfirm says what a person has to confirm; it is of kind remarks.None if the order is the file's.
func reorder(pages []layout.Page) (ordered []layout.Page, toConfirm remarks.Remark) {
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
		n, counted := heads.LeadingNumber(number)
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
