package doubts

import (
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
)

// The texts of a type have numbers of one form in an issue: « 2019-12 », « 19/005/PM ». A number of another form was misread,
// or is another text's.

// fewNumbers is how many other texts of a type must agree on the form of their numbers: two outvote one.
const fewNumbers = 2

// CompareNumbers doubts the number of a text whose form no other text of its type has, if all others have one form.
func CompareNumbers(drafts []*texts.Draft) {
	for _, d := range drafts {
		own, form, others := numberForm(d.Document.OfficialNumber), "", 0
		for _, o := range drafts {
			if o == d || o.Title.Kind.Label != d.Title.Kind.Label || o.Document.OfficialNumber == "" {
				continue
			}
			if f := numberForm(o.Document.OfficialNumber); others == 0 || f == form {
				form, others = f, others+1
			} else {
				others = -len(drafts) // they do not agree
			}
		}
		if own != "" && others >= fewNumbers && own != form {
			Note(d, "numero_officiel", d.Printed, d.Document.FirstPage, remarks.AsGuessed, remarks.Of(remarks.NumberMisprinted))
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

// oddYear reports whether the number begins with a year that cannot be the text's.
func oddYear(d *texts.Draft) bool {
	n := d.Document.OfficialNumber
	if d.Date.IsZero() {
		return false
	}
	if n == strconv.Itoa(d.Date.Year()) {
		return true // the year is all that was read of the number
	}
	if m := titles.YearAtEnd.FindString(n); m != "" {
		year, _ := strconv.Atoi(m[len(m)-4:])
		return year < d.Date.Year()-1 || year > d.Date.Year()
	}
	m := titles.NumberYear.FindStringSubmatch(n)
	if m == nil {
		return false
	}
	year, _ := strconv.Atoi(m[1])
	switch len(m[1]) {
	case 3: // a year that lost a digit, or a number without a year
		return heads.Slips(m[1], strconv.Itoa(d.Date.Year())) == 1
	case 4:
		return year > 1900 && year < 2100 && (year < d.Date.Year()-1 || year > d.Date.Year())
	}
	return false
}

// correctedNumber returns the number with the text's year in place of the year that cannot be right, "" if more than
// one digit would change.
func correctedNumber(d *texts.Draft) string {
	n, year := d.Document.OfficialNumber, strconv.Itoa(d.Date.Year())
	m := titles.NumberYear.FindStringSubmatch(n)
	if len(m) < 2 || heads.Slips(m[1], year) != 1 {
		return ""
	}
	return year + n[len(m[1]):]
}
