package amend

import (
	"cmp"
	"slices"
	"strings"

	"vigueur/internal/law"
)

// insert puts a new article after the last one whose number is smaller.
func (a *Assembly) insert(h *History) {
	at := len(a.Articles)
	for i, other := range slices.Backward(a.Articles) {
		if CompareNumbers(other.Number, h.Number) < 0 {
			at = i + 1
			break
		}
	}
	if at < len(a.Articles) {
		h.Path = a.Articles[max(at-1, 0)].Path
	}
	a.Articles = slices.Insert(a.Articles, at, h)
}

// renumber moves the articles of a step to their new numbers, all at once.
func (a *Assembly) renumber(s step) {
	type move struct {
		op   Operation
		from *History
		last Version
	}
	var moves []move
	for _, op := range s.ops {
		if op.Kind != RenumberArticle || op.Doubt != "" {
			continue
		}
		from := a.byKey[law.ArticleKey(op.Article)]
		switch {
		case from == nil || from.Versions[len(from.Versions)-1].Gone:
			a.wait(s.act.ID, op, ArticleMissing, nil)
		case from.waits || from.undated:
			a.wait(s.act.ID, op, EarlierWaits, nil)
		default:
			moves = append(moves, move{op, from, from.Versions[len(from.Versions)-1]})
		}
	}
	for _, m := range moves {
		gone := Version{Gone: true, From: s.day, Act: s.act.ID}
		gone.describe([]Operation{m.op})
		a.append(m.op.Article, law.ArticleKey(m.op.Article), gone)
	}
	for _, m := range moves {
		key := law.ArticleKey(m.op.Number)
		if _, exists := a.last(key); exists {
			a.wait(s.act.ID, m.op, ArticleExists, nil)
			continue
		}
		v := Version{Text: m.last.Text, From: s.day, Act: s.act.ID}
		v.describe([]Operation{m.op})
		a.append(m.op.Number, key, v)
	}
}

// CompareNumbers compares the numbers of articles as they follow one another in a text: « L.
// 9 » is before « L. 10 », « 5 » before « 5-1 » and « 5 bis ».
func CompareNumbers(a, b string) int {
	x, y := numberParts(a), numberParts(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if c := cmp.Or(cmp.Compare(len(x[i]), len(y[i])), strings.Compare(x[i], y[i])); c != 0 {
			if isFigure(x[i]) && isFigure(y[i]) {
				return c
			}
			if isFigure(x[i]) != isFigure(y[i]) && i > 0 { // « 2 bis » is before « 2-1 »
				if isFigure(x[i]) {
					return 1
				}
				return -1
			}
			return cmp.Or(suffixPlace(x[i])-suffixPlace(y[i]), strings.Compare(x[i], y[i]))
		}
	}
	return cmp.Compare(len(x), len(y))
}

func isFigure(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// suffixPlace orders the parts of numbers that are no figures: suffixes in their order.
func suffixPlace(s string) int {
	if i := slices.Index(suffixOrder, s); i >= 0 {
		return i + 1
	}
	return 0
}

// numberParts splits the number of an article into figures and words, without zeros in
// front.
func numberParts(number string) (out []string) {
	key := law.ArticleKey(number)
	for i := 0; i < len(key); {
		j := i
		for j < len(key) && isFigure(key[j:]) == isFigure(key[i:]) && key[j] != '-' {
			j++
		}
		if j > i {
			out = append(out, key[i:j])
		}
		i = max(j, i+1)
		if j < len(key) && key[j] != '-' {
			i = j
		}
	}
	return out
}
