package law

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// afterCode are the words that end the title of a code in a sentence: « le code du travail
// est modifié », « le code du travail relatif … ».
var afterCode = map[string]bool{
	"est": true, "sont": true, "a": true, "ont": true, "relatif": true, "relatifs": true, "relative": true, "relatives": true,
	"dans": true, "par": true, "pour": true, "sur": true, "qui": true, "que": true, "dont": true, "ne": true, "peut": true, "peuvent": true,
	"sera": true, "seront": true, "modifie": true, "modifiee": true, "susvise": true, "precite": true, "promulgue": true, "entre": true, "comporte": true,
	"approuve": true, "annexe": true, "promulguee": true, "mentionne": true, "vise": true, "s'applique": true, "s'appliquent": true, "prevoit": true, "fixe": true, "ainsi": true, "notamment": true, "tel": true, "ou": true, "il": true,
	"telles": true, "doit": true, "doivent": true, "avant": true, "apres": true, "lorsque": true, "si": true, "n'est": true, "portant": true, "applicable": true, "applicables": true,
	"sauf": true, "sans": true, "sous": true, "comme": true, "selon": true, "tout": true, "toute": true, "institue": true, "demeure": true, "demeurent": true, "reste": true, "restent": true,
	"dispose": true, "definit": true, "regit": true, "interdit": true, "impose": true, "lequel": true, "et": true, "en": true, "au": true, "aux": true, "le": true, "la": true, "les": true, "un": true, "une": true, "avec": true,
}

// withCode are the words that continue the title of a code after « et »: « code des
// pensions civiles et militaires ».
var withCode = map[string]bool{"militaires": true, "de": true, "des": true, "du": true, "d'arbitrage": true, "commerciale": true, "sociale": true, "administrative": true, "fiscales": true, "familiale": true}

// codeTitle returns the title of a code at the beginning of words.
func codeTitle(words string) string {
	end := len(words)
	fields := strings.Fields(Fold(words))
	at := fieldStarts(words)
	for i := 2; i < len(fields) && i < len(at); i++ {
		f := fields[i]
		if i == 2 && f == "la" && fields[1] == "de" {
			continue // « code de la famille »
		}
		if f == "et" && i+1 < len(fields) && withCode[fields[i+1]] {
			continue
		}
		if afterCode[f] {
			end = at[i]
			break
		}
	}
	return strings.TrimRight(words[:end], " \u00a0\u202f\n\t,;'’-")
}

// fieldStarts returns the byte at which each word begins.
func fieldStarts(s string) []int {
	var at []int
	rest, off := s, 0
	for _, f := range strings.Fields(s) {
		i := strings.Index(rest, f)
		at = append(at, off+i)
		off += i + len(f)
		rest = rest[i+len(f):]
	}
	return at
}

// Clip writes a text on one line and shortens it to at most n characters, including the ellipsis.
func Clip(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// CallText makes a name, in the form of a title, for a text of which only a reference is
// known: « Loi n° 99-4 du 2 mai 1999 », « Code du travail », « Loi du 2 mai 1999 ».
func CallText(kind DocType, number, title string, day time.Time) string {
	if number == "" && title != "" {
		first, size := utf8.DecodeRuneInString(title)
		return string(unicode.ToUpper(first)) + title[size:]
	}
	name := map[DocType]string{Loi: "Loi", Decret: "Décret", Arrete: "Arrêté", Circulaire: "Circulaire", Code: "Code", Constitution: "Constitution"}[kind]
	if name == "" {
		name = "Texte"
	}
	if number != "" {
		name += " n° " + number
	}
	if !day.IsZero() {
		name += " du " + WriteDate(day)
	}
	return name
}
