package law

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// articles maps the folded word for a kind of text to its French article.
var articles = func() map[string]string {
	all := map[string]string{}
	for article, words := range map[string]string{
		"la": "loi lettre note circulaire constitution convention charte directive decision deliberation resolution recommandation declaration proclamation",
		"le": "decret code dahir reglement traite protocole pacte statut communique rectificatif memorandum",
		"l’": "ordonnance arrete acte avis accord avenant instruction arrangement additif edit",
	} {
		for _, w := range strings.Fields(words) {
			all[w] = article
		}
	}
	return all
}()

// kindWord returns the first word of a title, folded, without a part after a hyphen:
// « decret » for « Décret-loi n° 5 ».
func kindWord(title string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(Fold(title)), " ")
	word, _, _ = strings.Cut(word, "-")
	return strings.TrimRight(word, ".,:;")
}

// Title writes a title on one line and removes a repeated word for its kind. If the heading
// « CODE CIVIL » was found under the kind « Code », the result is « CODE CIVIL », not
// « Code CODE CIVIL ». If it was found under the kind « Loi », that word is removed, too.
func Title(printed string) string {
	words := strings.Fields(printed)
	for len(words) > 1 {
		first, again := kindWord(words[0]), 1
		if _, kind := articles[first]; !kind {
			break
		}
		if a := Fold(words[1]); (a == "le" || a == "la") && len(words) > 2 {
			again = 2 // « LE CODE CIVIL »
		}
		if name := kindWord(words[again]); name != first && name != "code" && name != "constitution" {
			break
		}
		words = words[again:]
	}
	return strings.Join(words, " ")
}

// OfTitle writes a title with « de » for use within a sentence: « de la loi n° 2010-05 »,
// « du Code civil », « de l’acte uniforme ». ok is false if the title does not begin with a
// known word for a kind of text.
func OfTitle(title string) (of string, ok bool) {
	article, ok := articles[kindWord(Title(title))]
	if !ok {
		return Title(title), false
	}
	return map[string]string{"la": "de la ", "le": "du ", "l’": "de l’"}[article] + Within(title), true
}

// Within writes a title for use within a sentence: « loi n° 2010-05 ». A code and a
// constitution keep their capital, because it is part of their name. A title that does not
// begin with a word for a kind of text also stays as it is.
func Within(title string) string {
	title = Title(title)
	kind := kindWord(title)
	if _, known := articles[kind]; !known || kind == "code" || kind == "constitution" {
		return title
	}
	return Small(title)
}

// Capital writes the first letter as a capital, as at the beginning of a sentence.
func Capital(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// Small writes the first word in small letters: only its first letter, or the whole word if
// it is in capitals. « LOI n° 5 » becomes « loi n° 5 ».
func Small(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		word, rest, more := strings.Cut(s, " ")
		if word = strings.ToLower(word); more {
			word += " "
		}
		return word + rest
	}
	return string(unicode.ToLower(first)) + s[size:]
}
