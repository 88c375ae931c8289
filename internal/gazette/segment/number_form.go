package segment

import (
	"strings"
	"unicode"

	"vigueur/internal/gazette/remarks"
)

// The texts of a type have numbers of one form in an issue: « 2019-12 », « 19/005/PM ». A number of another form was misread,
// or is another text's.

// fewNumbers is how many other texts of a type must agree on the form of their numbers.
const fewNumbers = 3

// compareNumbers doubts the number of a text whose form no other text of its type has, if all others have one form.
func compareNumbers(drafts []*draft) {
	for _, d := range drafts {
		own, form, others := numberForm(d.Document.OfficialNumber), "", 0
		for _, o := range drafts {
			if o == d || o.head.kind.label != d.head.kind.label || o.Document.OfficialNumber == "" {
				continue
			}
			if f := numberForm(o.Document.OfficialNumber); others == 0 || f == form {
				form, others = f, others+1
			} else {
				others = -len(drafts) // they do not agree
			}
		}
		if own != "" && others >= fewNumbers && own != form {
			d.note("numero_officiel", d.printed, d.Document.FirstPage, asGuessed, remarks.Of(remarks.NumberMisprinted))
		}
	}
}

// numberForm returns a number with « Y » for a year, « 9 » for any other figures and « A » for letters.
func numberForm(number string) string {
	var out strings.Builder
	for i := 0; i < len(number); {
		j := i + 1
		switch c := rune(number[i]); {
		case unicode.IsDigit(c):
			for j < len(number) && unicode.IsDigit(rune(number[j])) {
				j++
			}
			if run := number[i:j]; len(run) == 4 && (run[:2] == "19" || run[:2] == "20") {
				out.WriteByte('Y')
			} else {
				out.WriteByte('9')
			}
		case unicode.IsLetter(c):
			for j < len(number) && !unicode.IsDigit(rune(number[j])) {
				j++
			}
			out.WriteByte('A')
		default:
			out.WriteByte(number[i])
		}
		i = j
	}
	return strings.TrimSuffix(out.String(), "/A")
}
