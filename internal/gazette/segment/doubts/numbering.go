package doubts

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
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
// first article that repeats one, nil if there is none. It ignores annexes, and all earlier numbers
// when the numbering begins anew, as in the parts of a code.
func printedTwice(d *texts.Draft) (runs []string, again *law.Article) {
	seen := map[string]bool{}
	start, last := 0, 0
	end := func() {
		if start > 0 {
			runs = append(runs, heads.Run(start, last))
		}
		start = 0
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
		case start > 0 && n == last+1:
			last = n
		default:
			end()
			start, last = n, n
			if again == nil {
				again = &d.Articles[i]
			}
		}
		seen[key] = true
	}
	end()
	return runs, again
}

// beforeGap returns the article before the first missing number, where that is to be looked for; nil if there is none.
func beforeGap(d *texts.Draft) *law.Article {
	if gaps := heads.Gaps(d.Articles); len(gaps) > 0 && gaps[0].Before >= 0 {
		return &d.Articles[gaps[0].Before]
	}
	return nil
}

// addCount adds the signal of a contradictory numbering at an article, or at the beginning of the text.
func addCount(d *texts.Draft, a *law.Article, why remarks.Remark) {
	words, page := "", d.Document.FirstPage
	if a != nil {
		words, page = "Article "+a.Number, a.Page
	}
	addSignal(d, gazette.GapIn, 1, "articles", words, page, why)
}

// noteCount adds signals of a contradictory numbering of articles: missing numbers, repeated numbers, and a
// numbering that begins again, as in another text. It skips texts whose bounds a person has set. A code is
// the result of many changes, so its numbering proves nothing, with one exception: on a scan, missing numbers
// may be heads that recognition lost.
func noteCount(d *texts.Draft) {
	if d.BoundsSet {
		return
	}
	if d.Headless {
		noteAgain(d, true)
		return
	}
	code := d.Document.Type == law.Code
	scan := len(d.Lines) > 0 && d.Lines[0].Scanned
	if len(d.Absent) > 0 && (!code || scan) {
		addCount(d, beforeGap(d), remarks.Remark{Kind: remarks.NumbersMissing, Numbers: d.Absent})
	}
	if runs, again := printedTwice(d); again != nil {
		addCount(d, again, remarks.Remark{Kind: remarks.NumbersTwice, Numbers: runs, Page: again.Page})
	}
	if !code {
		noteAgain(d, slices.ContainsFunc(d.Pieces, beginsAbove))
	}
}

// beginsAbove reports whether a preamble has the head of a first article: the articles below it are another text's.
func beginsAbove(p articles.Piece) bool {
	return p.Role == articles.PreambleRole && slices.ContainsFunc(p.Lines, func(l line.Line) bool {
		number, _, ok := l.Article("")
		return ok && l.Opens && (number == "1er" || number == "unique")
	})
}

// noteAgain doubts a numbering that begins again. begun tells whether it began before the text.
func noteAgain(d *texts.Draft, begun bool) {
	for i, a := range d.Articles {
		if d.Pieces[i].Role != articles.ArticleRole || !IsFirst(a) {
			continue
		}
		if begun {
			// An act has each number once: what begins again is another's, so the doubt needs no other sign.
			addSignal(d, gazette.CountAgain, 1, "articles", "", a.Page, remarks.Remark{})
			d.Doubts = append(d.Doubts, remarks.Doubt{Field: "articles", Why: remarks.OnPage(remarks.NumbersAgain, a.Page), Words: "Article " + a.Number, Page: a.Page})
			return
		}
		begun = true
	}
}

// IsFirst reports whether an article has the first number of a text.
func IsFirst(a law.Article) bool { return a.Number == "1er" || a.Number == "unique" }

// fewNumbers is how many other texts of a type must agree on the form of their numbers: two outvote one.
const fewNumbers = 2

// CompareNumbers doubts the number of a text whose form no other text of its type has, if all others have one form.
func CompareNumbers(drafts []*texts.Draft) {
	for _, d := range drafts {
		own, form, others := numberForm(d.Document.OfficialNumber), "", 0
		for _, o := range drafts {
			if o == d || o.Title.Kind.Label != d.Title.Kind.Label || o.Document.OfficialNumber == "" {
				continue
			}
			if f := numberForm(o.Document.OfficialNumber); others == 0 || f == form {
				form, others = f, others+1
			} else {
				others = -len(drafts) // they do not agree
			}
		}
		if own != "" && others >= fewNumbers && own != form {
			Note(d, "numero_officiel", d.Printed, d.Document.FirstPage, remarks.AsGuessed, remarks.Of(remarks.NumberMisprinted))
		}
	}
}

// numberForm returns a number with « Y » for a year, « 9 » for any other figures and « A » for letters.
func numberForm(number string) string {
	var out strings.Builder
	for i := 0; i < len(number); {
		j := i + 1
		switch c := rune(number[i]); {
		case unicode.IsDigit(c):
			for j < len(number) && unicode.IsDigit(rune(number[j])) {
				j++
			}
			if run := number[i:j]; len(run) == 4 && (run[:2] == "19" || run[:2] == "20") {
				out.WriteByte('Y')
			} else {
				out.WriteByte('9')
			}
		case unicode.IsLetter(c):
			for j < len(number) && !unicode.IsDigit(rune(number[j])) {
				j++
			}
			out.WriteByte('A')
		default:
			out.WriteByte(number[i])
		}
		i = j
	}
	return strings.TrimSuffix(out.String(), "/A")
}

// otherFigures reports whether two numbers have one form and other figures, whatever signs separate these.
func otherFigures(a, b string) bool {
	form := func(number string) string { return strings.ReplaceAll(numberForm(number), "/", "-") }
	return form(a) == form(b) && figures(a) != figures(b)
}

// figures returns the figures of a number, each part without the zeros before it.
func figures(number string) string {
	parts := strings.FieldsFunc(number, func(r rune) bool { return !unicode.IsDigit(r) })
	for i := range parts {
		parts[i] = strings.TrimLeft(parts[i], "0")
	}
	return strings.Join(parts, " ")
}

// oddYear reports whether the number begins with a year that cannot be the text's.
func oddYear(d *texts.Draft) bool {
	n := d.Document.OfficialNumber
	if d.Date.IsZero() {
		return false
	}
	if n == strconv.Itoa(d.Date.Year()) {
		return true // the year is all that was read of the number
	}
	if m := titles.YearAtEnd.FindString(n); m != "" {
		year, _ := strconv.Atoi(m[len(m)-4:])
		return year < d.Date.Year()-1 || year > d.Date.Year()
	}
	m := titles.NumberYear.FindStringSubmatch(n)
	if m == nil {
		return false
	}
	year, _ := strconv.Atoi(m[1])
	switch len(m[1]) {
	case 3: // a year that lost a digit, or a number without a year
		return heads.Slips(m[1], strconv.Itoa(d.Date.Year())) == 1
	case 4:
		return year > 1900 && year < 2100 && (year < d.Date.Year()-1 || year > d.Date.Year())
	}
	return false
}

// correctedNumber returns the number with the text's year in place of the year that cannot be right, "" if more than
// one digit would change.
func correctedNumber(d *texts.Draft) string {
	n, year := d.Document.OfficialNumber, strconv.Itoa(d.Date.Year())
	m := titles.NumberYear.FindStringSubmatch(n)
	if len(m) < 2 || heads.Slips(m[1], year) != 1 {
		return ""
	}
	return year + n[len(m[1]):]
}
