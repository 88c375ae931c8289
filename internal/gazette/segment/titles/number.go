package titles

import (
	"path/filepath"
	"strings"

	"vigueur/internal/law"
)

// The number of a text may show its year, and the name of a file may show both: people who knew the text
// chose names such as « loi-2000-015-financement.pdf ».

var (
	fileName = law.Pattern(`(?i)(?:^|~|_| )(ordonnance~loi|decret~loi|arrete~loi|loi~organique|loi|decret|arrete|circulaire|code|constitution|ordonnance|dahir)s?(?:~|_| )+(?:n(?:~|_| |o)?)?(\d{1,4}(?:~|_)\d{1,5})?`)
	// NumberYear matches a number that begins with a year: « 2023-07 », « 2000/015 », « 98-97 », « 200/015 ».
	NumberYear = law.Pattern(`^(\d{2,4})[-/.]\d{1,5}\b`)
	// YearAtEnd matches a number that ends with a year: « 15-2019 ».
	YearAtEnd = law.Pattern(`^\d{1,5}[-/.](?:19|20)\d\d\b`)
)

// nameOf reads the kind and the number in a file's name.
func nameOf(path string) (kindName, number string) {
	base := filepath.Base(path)
	m := fileName.FindStringSubmatch(law.Fold(strings.TrimSuffix(base, filepath.Ext(base))))
	if m == nil {
		return "", ""
	}
	return m[1], law.TextNumber(m[2])
}

// NameNumber returns the number in a file's name, "" if it has none.
func NameNumber(path string) string {
	_, number := nameOf(path)
	return number
}

// SameDigits reports whether numbers have the same digits, whatever the signs between them.
func SameDigits(a, b string) bool {
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s)
	}
	return digits(a) != "" && digits(a) == digits(b)
}
