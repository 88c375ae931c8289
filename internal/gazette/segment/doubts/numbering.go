package doubts

import (
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/law"
)

// missingNumbers returns the numbers missing from the numbering of a text's articles, as they are printed. Whether they
// were lost or never existed is unknown.
func missingNumbers(articles []law.Article) []string {
	var out []string
	for _, g := range heads.Gaps(articles) {
		out = append(out, g.String())
	}
	return out
}

// printedTwice returns the numbers of the text's own articles that occur twice, runs as « 29–59 », and the
// page on which the first repetition begins, 0 if there is none. It ignores annexes, and all earlier numbers
// when the numbering begins anew, as in the parts of a code.
func printedTwice(d *texts.Draft) (runs []string, page int) {
	seen := map[string]bool{}
	from, last := 0, 0
	end := func() {
		if from > 0 {
			runs = append(runs, heads.Run(from, last))
		}
		from = 0
	}
	for i, a := range d.Articles {
		n, counted := heads.LeadingNumber(a.Number)
		if d.Pieces[i].Role != articles.ArticleRole || strings.HasPrefix(a.Number, "Annexe") || !counted {
			continue
		}
		key := law.ArticleKey(a.Number)
		if n == 1 {
			clear(seen) // CountAgain is the signal of a numbering that begins anew
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

// gapPage returns the page on which the first missing number is to be looked for: that of the article before it.
func gapPage(d *texts.Draft) int {
	if gaps := heads.Gaps(d.Articles); len(gaps) > 0 && gaps[0].Before >= 0 {
		return d.Articles[gaps[0].Before].Page
	}
	return d.Document.FirstPage
}

// noteCount adds signals of a contradictory numbering of articles: missing numbers, repeated numbers, and a
// numbering that begins again, as in another text. It skips texts whose bounds a person has set. A code is
// the result of many changes, so its numbering proves nothing, with one exception: on a scan, missing numbers
// may be heads that recognition lost.
func noteCount(d *texts.Draft) {
	if d.Headless || d.BoundsSet {
		return
	}
	code := d.Document.Type == law.Code
	scan := len(d.Lines) > 0 && d.Lines[0].Scanned
	if len(d.Absent) > 0 && (!code || scan) {
		addSignal(d, gazette.GapIn, 1, "articles", "", gapPage(d), remarks.Remark{Kind: remarks.NumbersMissing, Numbers: d.Absent})
	}
	if code {
		return
	}
	if runs, page := printedTwice(d); len(runs) > 0 {
		addSignal(d, gazette.GapIn, 1, "articles", "", page, remarks.Remark{Kind: remarks.NumbersTwice, Numbers: runs, Page: page})
	}
	first := false
	for i, a := range d.Articles {
		if d.Pieces[i].Role != articles.ArticleRole || strings.HasPrefix(a.Number, "Annexe") || a.Number != "1er" && a.Number != "unique" {
			continue
		}
		if first {
			// An act has each number once: what begins again is another's, so the doubt needs no other sign.
			addSignal(d, gazette.CountAgain, 1, "articles", "", a.Page, remarks.Remark{})
			d.Doubts = append(d.Doubts, remarks.Doubt{Field: "articles", Why: remarks.OnPage(remarks.NumbersAgain, a.Page), Words: "Article " + a.Number, Page: a.Page})
			return
		}
		first = true
	}
}
