package law

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NatureLimit is the maximum number of characters of a nature.
const NatureLimit = 100

var typeWords = map[DocType]string{Constitution: "constitution", Code: "code", Loi: "loi", Decret: "décret", Arrete: "arrêté", Circulaire: "circulaire"}

// Word returns the French word for texts of the type: « décret ».
func (t DocType) Word() string { return typeWords[t] }

// Kind returns the French word for a text, in small letters. It is the text's nature, if
// this says more than the type (« ordonnance », « acte uniforme »), else the word of the
// type. For a code or constitution it is always the word of the type, because the nature is
// that of the act that made it, a law.
func Kind(t DocType, nature string) string {
	nature = strings.Join(strings.Fields(nature), " ")
	if nature == "" || t == Code || t == Constitution || Fold(nature) == Fold(t.Word()) {
		return t.Word()
	}
	first, size := utf8.DecodeRuneInString(nature)
	if next, _ := utf8.DecodeRuneInString(nature[size:]); unicode.IsUpper(next) {
		return nature // an abbreviation, or a word in capitals
	}
	return string(unicode.ToLower(first)) + nature[size:]
}
