package texts

import (
	"strings"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Object is the subject of a text whose title names no subject.
type Object struct {
	Title string // « fixant le statut général des établissements publics »
	Words string // the words it was read from
	Page  int
}

var (
	// « Le présent décret fixe le statut général des …, conformément à … »
	aboutItself = line.OptionalAccents(`^(?i:le|la) +(?i:présente?) +(?i:loi|décret|arrêté|ordonnance|règlement|circulaire|décision|instruction|convention)(?: +\p{Ll}+)? +(` +
		`fixe|détermine|définit|régit|précise|organise|institue|crée|établit|règlemente|réglemente|porte|modifie|complète|abroge|approuve|autorise|a pour objet) +(.*)$`)
	// Where the object ends and the rest of the sentence begins.
	aboutEnds = law.Pattern(`(?i)[.;:\n]|, | +(?:conformément|en application|en vertu|tels?~|ainsi que|au sens|dans les conditions) .*`)
)

// participles maps the verbs of aboutItself to the form that titles use.
var participles = map[string]string{"fixe": "fixant", "determine": "déterminant", "definit": "définissant", "regit": "régissant", "precise": "précisant",
	"organise": "organisant", "institue": "instituant", "cree": "créant", "etablit": "établissant", "reglemente": "réglementant", "porte": "portant",
	"modifie": "modifiant", "complete": "complétant", "abroge": "abrogeant", "approuve": "approuvant", "autorise": "autorisant", "a pour objet": "ayant pour objet"}

// The minimum and the maximum number of characters of an object.
const (
	leastObject = 12
	mostObject  = 240
)

// objectOf reads the subject of a text from the first paragraph of its first article.
func objectOf(articles []law.Article) (Object, bool) {
	for _, a := range articles {
		if a.Number == "" {
			continue
		}
		first, _, _ := strings.Cut(a.Text, "\n")
		m := aboutItself.FindStringSubmatch(first)
		if m == nil {
			return Object{}, false
		}
		what := m[2]
		if at := aboutEnds.FindStringIndex(what); at != nil {
			what = what[:at[0]]
		}
		if n := len([]rune(what)); n < leastObject || n > mostObject {
			return Object{}, false
		}
		return Object{Title: participles[law.Fold(m[1])] + " " + strings.TrimSpace(what), Words: first, Page: a.Page}, true
	}
	return Object{}, false
}
