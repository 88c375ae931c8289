package law

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// articles are those of the words by which texts call themselves, folded.
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

// kindWord is the first word of a title, folded, without what a hyphen adds to it:
// « decret » of « Décret-loi n° 5 ».
func kindWord(title string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(Fold(title)), " ")
	word, _, _ = strings.Cut(word, "-")
	return strings.TrimRight(word, ".,:;")
}

// Title writes a title in one line, with the word for its kind once: a heading «
// CODE CIVIL » that was found under the kind « Code » is « CODE CIVIL », not « Code
// CODE CIVIL », and a code that was found under the kind « Loi » is none.
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

// OfTitle puts « de » before a title as it stands within a sentence: « de la loi n°
// 2010-05 », « du Code civil », « de l’acte uniforme ». ok is false where the title
// does not begin with what texts call themselves.
func OfTitle(title string) (of string, ok bool) {
	article, ok := articles[kindWord(Title(title))]
	if !ok {
		return Title(title), false
	}
	return map[string]string{"la": "de la ", "le": "du ", "l’": "de l’"}[article] + Within(title), true
}

// Within writes a title as it stands within a sentence: « loi n° 2010-05 ». A code
// and a constitution keep their capital, for they are called so, and so does what
// does not begin with a word for its kind.
func Within(title string) string {
	title = Title(title)
	kind := kindWord(title)
	if _, known := articles[kind]; !known || kind == "code" || kind == "constitution" {
		return title
	}
	return Small(title)
}

// Small takes the capital off the first word, all of them where the word is in
// capitals: « LOI n° 5 » is « loi n° 5 » within a sentence.
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
