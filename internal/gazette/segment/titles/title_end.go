package titles

import (
	"strings"
	"unicode"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// The lines of a title may be followed by lines that look the same: the formula that enacts the text, its first visa, a
// table of contents, its first division. The layout does not always distinguish them, so their words decide.
var (
	// What begins after a title wherever it occurs.
	afterTitle = line.OptionalAccents(`(?i)(?:^|[ .,;:~])(?:` +
		`l'assemblée +(?:\p{L}|'| |~){0,60}?(?:a|ont|ayant) +(?:\p{L}+ +et +)?(?:délibéré|adopté|voté)` +
		`|(?:le|la|les) +(?:parlement|sénat|congrès|chambre|conseil|peuple)(?:\p{L}|'|,| |~){0,60}? (?:a|ont|ayant) +(?:\p{L}+ +et +)?(?:délibéré|adopté|voté)` +
		`|le +(?:président|roi|premier +ministre|ministre|gouverneur)(?:\p{L}|'|,| |~){0,80}? (?:promulgue|décrète|arrête|ordonne)(?: |$)` +
		`|(?:promulgue +)?la +loi +dont +la +teneur +suit` +
		`|vu +(?:la|le|les|l') *(?:constitution|loi|décret|ordonnance|arrêté|charte|acte|traité|dahir)` +
		`|sommaire +(?:titre|chapitre|article|page|livre)|tables? +des +matières)`)
	// The head of a division, in capitals or with one, and the word before it.
	divided = law.Pattern(`(\p{L}*)(?:^|[ .,;:~']+)(?:TITRE|Titre|CHAPITRE|Chapitre|LIVRE|Livre|PARTIE|Partie) +(?:PREMIER|Premier|premier|PRÉLIMINAIRE|PRELIMINAIRE|[IVX1](?:er|ER)?)(?: |[.:~]|$)`)
)

// onlyNamed are the folded words before the name of a division that is only mentioned: « modifiant le TITRE I ».
var onlyNamed = line.WordSet("le la les du de des d l au aux et ou dudit ce son nouveau")

// TrimObject returns an object without what follows the title.
func TrimObject(object string) string {
	end := len(object)
	for _, m := range afterTitle.FindAllStringIndex(object, -1) {
		if before := law.Fold(line.LastWord(object[:m[0]])); before != "que" { // « le règlement que le Conseil a adopté »
			end = m[0]
			break
		}
	}
	if m := line.Leader.FindStringIndex(object[:end]); m != nil {
		end = m[0]
	}
	for _, m := range divided.FindAllStringSubmatchIndex(object[:end], -1) {
		if !onlyNamed[law.Fold(object[m[2]:m[3]])] && m[0] > 0 {
			end = m[3]
			break
		}
	}
	if end < len(object) {
		object = strings.TrimRight(object[:end], " .,;:–—-")
	}
	return object
}

// LeastShared is the minimum share of an entry's words that the title of its text must contain.
const LeastShared = 0.6

// SharedWords returns the share of the words of a that occur in b.
func SharedWords(a, b string) float64 {
	has := map[string]bool{}
	for _, w := range longWords(b) {
		has[w] = true
	}
	words := longWords(a)
	n := 0
	for _, w := range words {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(max(len(words), 1))
}

// longWords returns the folded words of a title that have more than three letters; shorter ones are mostly
// articles and prepositions.
func longWords(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}
