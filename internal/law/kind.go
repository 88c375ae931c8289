package law

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NatureLimit is how many characters a nature has at most.
const NatureLimit = 100

var typeWords = map[DocType]string{Constitution: "constitution", Code: "code", Loi: "loi", Decret: "décret", Arrete: "arrêté", Circulaire: "circulaire"}

// Word is what people call texts of the type: « décret ».
func (t DocType) Word() string { return typeWords[t] }

// Kind is what people call a text, in small letters: what it calls itself where
// the type does not tell that (« ordonnance », « acte uniforme »), else the type's
// word. A code and a constitution are known by their type: the act that made them
// calls itself a law.
func Kind(t DocType, nature string) string {
	nature = strings.Join(strings.Fields(nature), " ")
	if nature == "" || t == Code || t == Constitution || Fold(nature) == Fold(t.Word()) {
		return t.Word()
	}
	first, size := utf8.DecodeRuneInString(nature)
	if next, _ := utf8.DecodeRuneInString(nature[size:]); unicode.IsUpper(next) {
		return nature // an abbreviation, or all in capitals
	}
	return string(unicode.ToLower(first)) + nature[size:]
}
