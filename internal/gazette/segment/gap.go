package segment

import (
	"fmt"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// gapReach is the widest gap in a count that is told: beyond, the number was
// misread or is another text's.
const gapReach = 100

// leftOut is a run of numbers that the count of a text's articles leaves out.
type leftOut struct {
	from, to int    // 0 where the articles have letters
	behind   int    // index of the article behind it
	text     string // as printed: « 16 », « 12–33 », « A-4 »
}

// absent returns the numbers that the count of a text's articles leaves out, as texts.
func absent(articles []law.Article) []string {
	var out []string
	for _, run := range runsLeftOut(articles) {
		out = append(out, run.text)
	}
	return out
}

// runsLeftOut returns the numbers that the count of a text's articles leaves out. A count
// that begins anew leaves nothing out; neither does one whose
// missing articles are said to be repealed. Whether they are lost or were never
// there is not known: it is told, and no doubt.
func runsLeftOut(articles []law.Article) []leftOut {
	var out []leftOut
	last, repealed := 0, false
	parts, byParts := letteredNumber{}, countsByParts(articles)
	for i, a := range articles {
		n, counted := leading(a.Number)
		if in, ok := letteredOf(a.Number); ok && byParts {
			if run := in.leftOut(parts); run != "" && !repealed && !tellsRepeal(lastAlinea(articles[i-1].Text)) {
				out = append(out, leftOut{behind: i, text: run})
			}
			parts, repealed = in, false
			continue
		}
		if !counted || lettered(a.Number) {
			repealed = repealed || a.Number == "" && i > 0 && tellsRepeal(a.Text+" "+a.Heading)
			continue
		}
		repealed = repealed || i > 0 && tellsRepeal(lastAlinea(articles[i-1].Text))
		if n > last+1 && n <= last+gapReach && !repealed && !standBefore(articles[:i], last+1, n-1) {
			out = append(out, leftOut{last + 1, n - 1, i, numbersFrom(last+1, n-1)})
		}
		last, repealed = n, false
	}
	return out
}

// numbersFrom writes the numbers from one to another, both included: « 12–33 ».
func numbersFrom(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// standBefore reports whether articles have all numbers of a run: a count that went back and
// goes on where it was has lost none of them.
func standBefore(articles []law.Article, from, to int) bool {
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

// printedTwice are the numbers of a text's own articles that stand before them too, the runs
// as « 29–59 », with the page where the first of them comes again, 0 for none. An annex counts
// for itself, and a code may number its parts.
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
			clear(seen) // a count that begins anew is told by another witness
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

// countsByParts reports whether most articles have numbers with a letter, as the articles
// that a text merely quotes are not.
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

// tellsRepeal tells of words that account for articles which are not there.
func tellsRepeal(text string) bool {
	f := law.Fold(text)
	return strings.Contains(f, "abrog") || strings.Contains(text, "(*)")
}

// lastAlinea is the end of an article, where notes about the next ones stand.
func lastAlinea(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// noteCount says what the count of a text's articles contradicts: numbers that are
// left out, and a count that begins again, as another text's would. A code is what
// is left of many changes, and where a person has said that a text begins or goes
// on its bounds are known: their counts tell nothing. But recognition loses heads of
// articles, which a text layer does not: what a scanned code leaves out is a sign.
func (d *draft) noteCount() {
	if d.headless || d.bounded {
		return
	}
	code := d.Document.Type == law.Code
	scan := len(d.lines) > 0 && d.lines[0].scan
	if len(d.Absent) > 0 && (!code || scan) {
		d.sign(GapIn, 1, "articles", "", d.Document.FirstPage, "Les articles ne se suivent pas : il manque "+strings.Join(d.Absent, ", ")+".")
	}
	if code {
		return
	}
	if runs, page := d.printedTwice(); len(runs) > 0 {
		d.sign(GapIn, 1, "articles", "", page, fmt.Sprintf("Des articles se lisent deux fois : %s (page %d).", strings.Join(runs, ", "), page))
	}
	first := false
	for i, a := range d.Articles {
		if d.pieces[i].role != articleRole || strings.HasPrefix(a.Number, "Annexe") || a.Number != "1er" && a.Number != "unique" {
			continue
		}
		if first {
			d.sign(CountAgain, 1, "articles", "Article "+a.Number, a.Page, fmt.Sprintf("Les articles recommencent à la page %d : un autre texte y commence peut-être.", a.Page))
			return
		}
		first = true
	}
}
