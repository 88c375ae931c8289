package judge

import (
	"regexp"
	"strings"
	"vigueur/scripts/corpora"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
)

// slack is how many words may stand between two words of a fact: « trois (3)
// mois », « deux (2) à cinq (5) ans ».
const slack = 2

// Holds reports whether a text holds a fact, however it writes it: « trois mois »
// is « Trois (3) mois » and « 3 mois », « 50.000.000 » is « cinquante millions ».
func Holds(text, fact string) bool {
	wanted, has := terms(fact, false), terms(text, false)
	if len(wanted) == 0 { // « en aucun cas »
		wanted, has = terms(fact, true), terms(text, true)
	}
	if len(wanted) == 0 {
		return false
	}
	for i := range has {
		if has[i] == wanted[0] && follows(has[i+1:], wanted[1:]) {
			return true
		}
	}
	return false
}

func follows(has, wanted []string) bool {
	at := 0
	for _, w := range wanted {
		found := -1
		for k := at; k < min(len(has), at+slack+1); k++ {
			if has[k] == w {
				found = k
				break
			}
		}
		if found < 0 {
			return false
		}
		at = found + 1
	}
	return true
}

// terms are those of a text, with or without the words that say nothing, but the
// number one, which « une seule fois » has and « une (1) seule fois » has
// otherwise.
func terms(text string, all bool) []string {
	var out []string
	for _, t := range french.Analyze(text) {
		if (all || !t.Stop) && t.Term != "1" {
			out = append(out, t.Term)
		}
	}
	return out
}

// Cited is a source that an answer cites.
type Cited struct {
	File    string // the gazette's file, as corpora.Gold names it
	Number  string // official number of the text
	Article string // "" for a preamble or an annex
}

// goldArticle reads « art. 23 » and « (art. 28 nouveau) » in what names a text or
// another article first.
var goldArticle = regexp.MustCompile(`(?i)\bart(?:icle|\.)? *([^),]+)`)

// Fits reports whether a source is the one of a gold answer: the file's, and in it
// the article's, by whichever of its two numbers is given. « Loi n° 10-2025, art.
// 23 » is article 23 of that text, « Arrêté n° 1499 » any article of it.
func Fits(g corpora.Gold, c Cited) bool {
	if c.File != g.Document {
		return false
	}
	if refs := read.Printed(g.Article); len(refs) > 0 && refs[0].Number != "" {
		if law.TextNumber(refs[0].Number) != law.TextNumber(c.Number) {
			return false
		}
		inner := goldArticle.FindStringSubmatch(g.Article)
		return len(inner) == 0 || sameArticle(inner[1], c.Article)
	}
	own, _, _ := strings.Cut(g.Article, "(")
	inner := goldArticle.FindStringSubmatch(g.Article)
	return sameArticle(own, c.Article) || len(inner) > 0 && sameArticle(inner[1], c.Article)
}

func sameArticle(a, b string) bool { return law.ArticleKey(a) == law.ArticleKey(b) }
