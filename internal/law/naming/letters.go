package naming

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law"
)

// lookalikes are the letters of other scripts that look like Latin ones.
var lookalikes = strings.NewReplacer("а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "һ", "h", "і", "i", "ј", "j", "к", "k", "м", "m", "о", "o", "р", "p", "ԛ", "q", "ѕ", "s", "т", "t", "у", "y",
	"ѵ", "v", "ԝ", "w", "х", "x", "А", "A", "В", "B", "С", "C", "Е", "E", "Н", "H", "І", "I", "Ј", "J", "К", "K", "М", "M", "О", "O", "Р", "P", "Ѕ", "S", "Т", "T", "У", "Y", "Х", "X",
	"α", "a", "ο", "o", "ν", "v", "ρ", "p", "τ", "t", "υ", "u", "ι", "i", "κ", "k", "ϲ", "c", "Α", "A", "Β", "B", "Ε", "E", "Ζ", "Z", "Η", "H", "Ι", "I", "Κ", "K", "Μ", "M", "Ν", "N",
	"Ο", "O", "Ρ", "P", "Τ", "T", "Υ", "Y", "Χ", "X")

// Clean returns a given name as it is read: without what nobody sees, and with one form for each letter, so that no name
// looks like another.
func Clean(name string) string {
	name = strings.Map(func(r rune) rune {
		if law.Invisible(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return strings.Join(strings.Fields(lookalikes.Replace(name)), " ")
}
