package segment

import (
	"fmt"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// gapReach is the widest gap in a numbering that is reported: if more numbers are missing, the last one was
// misread or belongs to another text.
const gapReach = 100

// leftOut is a run of numbers missing from the numbering of a text's articles.
type leftOut struct {
	from, to int    // 0 if the articles have lettered numbers
	next     int    // index of the article after the gap
	text     string // as printed: « 16 », « 12–33 », « A-4 »
}

// absent returns the numbers missing from the numbering of a text's articles, as they are printed.
func absent(articles []law.Article) []string {
	var out []string
	for _, run := range runsLeftOut(articles) {
		out = append(out, run.text)
	}
	return out
}

// runsLeftOut returns the runs of numbers missing from the numbering of a text's articles. Nothing is missing
// where the numbering begins anew, or where missing articles are said to be repealed. Whether other missing
// articles were lost or never existed is unknown.
func runsLeftOut(articles []law.Article) []leftOut {
	var out []leftOut
	last, repealed := 0, false
	parts, byParts := letteredNumber{}, countsByParts(articles)
	for i, a := range articles {
		n, counted := leading(a.Number)
		if in, ok := letteredOf(a.Number); ok && byParts {
			if run := in.leftOut(parts); run != "" && !repealed && !tellsRepeal(lastAlinea(articles[i-1].Text)) {
				out = append(out, leftOut{next: i, text: run})
			}
			parts, repealed = in, false
			continue
		}
		if !counted || lettered(a.Number) {
			repealed = repealed || a.Number == "" && i > 0 && tellsRepeal(a.Text+" "+a.Heading)
			continue
		}
		repealed = repealed || i > 0 && tellsRepeal(lastAlinea(articles[i-1].Text))
		if n > last+1 && n <= last+gapReach && !repealed && !containNumbers(articles[:i], last+1, n-1) {
			out = append(out, leftOut{last + 1, n - 1, i, numbersFrom(last+1, n-1)})
		}
		last, repealed = n, false
	}
	return out
}

// numbersFrom writes a run of numbers: « 12–33 ».
func numbersFrom(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// containNumbers reports whether articles contain all numbers of a run. A numbering that went back, and
// continues where it was, has lost none of them.
func containNumbers(articles []law.Article, from, to int) bool {
	has := map[int]bool{}
	for _, a := range articles {
		if n, counted := leading(a.Number); counted && !lettered(a.Number) {
			has[n] = true
		}
	}
	for n := from; n <= to; n++ {
		if !has[n] {
			return false
		}
	}
	return true
}

// printedTwice returns the numbers of the text's own articles that occur twice, runs as « 29–59 », and the
// page on which the first repetition begins, 0 if there is none. It ignores annexes, and all earlier numbers
// when the numbering begins anew, as in the parts of a code.
func (d *draft) printedTwice() (runs []string, page int) {
	seen := map[string]bool{}
	from, last := 0, 0
	end := func() {
		if from > 0 {
			runs = append(runs, numbersFrom(from, last))
		}
		from = 0
	}
	for i, a := range d.Articles {
		n, counted := leading(a.Number)
		if d.pieces[i].role != articleRole || strings.HasPrefix(a.Number, "Annexe") || !counted {
			continue
		}
		key := law.ArticleKey(a.Number)
		if n == 1 {
			clear(seen) // CountAgain is the witness of a numbering that begins anew
		}
		switch {
		case !seen[key]:
			end()
		case from > 0 && n == last+1:
			last = n
		default:
			end()
			from, last = n, n
			if page == 0 {
				page = a.Page
			}
		}
		seen[key] = true
	}
	end()
	return runs, page
}

// countsByParts reports whether most articles have lettered numbers. A few of them may be articles that the
// text merely quotes.
func countsByParts(articles []law.Article) bool {
	n, all := 0, 0
	for _, a := range articles {
		if a.Number != "" {
			all++
		}
		if _, ok := letteredOf(a.Number); ok {
			n++
		}
	}
	return 2*n > all
}

// tellsRepeal reports whether text explains why articles are missing: it mentions a repeal, or has the mark
// « (*) ».
func tellsRepeal(text string) bool {
	f := law.Fold(text)
	return strings.Contains(f, "abrog") || strings.Contains(text, "(*)")
}

// lastAlinea returns the last paragraph of an article, where notes about the next articles are printed.
func lastAlinea(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// noteCount adds witnesses of a contradictory numbering of articles: missing numbers, repeated numbers, and a
// numbering that begins again, as in another text. It skips texts whose bounds a person has set. A code is
// the result of many changes, so its numbering proves nothing, with one exception: on a scan, missing numbers
// may be heads that recognition lost.
func (d *draft) noteCount() {
	if d.headless || d.bounded {
		return
	}
	code := d.Document.Type == law.Code
	scan := len(d.lines) > 0 && d.lines[0].scan
	if len(d.Absent) > 0 && (!code || scan) {
		d.addWitness(GapIn, 1, "articles", "", d.Document.FirstPage, "Les articles ne se suivent pas : il manque "+strings.Join(d.Absent, ", ")+".")
	}
	if code {
		return
	}
	if runs, page := d.printedTwice(); len(runs) > 0 {
		d.addWitness(GapIn, 1, "articles", "", page, fmt.Sprintf("Des articles se lisent deux fois : %s (page %d).", strings.Join(runs, ", "), page))
	}
	first := false
	for i, a := range d.Articles {
		if d.pieces[i].role != articleRole || strings.HasPrefix(a.Number, "Annexe") || a.Number != "1er" && a.Number != "unique" {
			continue
		}
		if first {
			d.addWitness(CountAgain, 1, "articles", "Article "+a.Number, a.Page, fmt.Sprintf("Les articles recommencent à la page %d : un autre texte y commence peut-être.", a.Page))
			return
		}
		first = true
	}
}
