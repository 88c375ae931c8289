package milvus

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

// expression returns the filter of a search for what is law on a day in Milvus's syntax, equivalent to
// the filters of the in-memory index; the zero time admits any day.
func expression(q *memindex.Query, day time.Time) string {
	var all []string
	f := &q.Filters
	equal := func(field, value string) {
		if value != "" {
			all = append(all, field+" == "+quote(value))
		}
	}
	equal(fieldDomain, f.Domain)
	equal(fieldType, string(f.Type))
	equal(fieldStatus, string(f.Status))
	if f.DocumentID != nil {
		equal(fieldDocument, f.DocumentID.String())
	}
	if f.Country != "" {
		all = append(all, ofCountries(q.Countries))
	}
	if !q.Repealed && f.Status == "" {
		all = append(all, fieldStatus+" != "+quote(string(law.Repealed)))
	}
	if !day.IsZero() {
		n := days(day)
		all = append(all, fmt.Sprintf("%s <= %d", fieldFrom, n), fmt.Sprintf("%s > %d", fieldTo, n))
	}
	return and(all...)
}

// ofCountries returns a filter for the law of countries, of unions that they are members of, and of texts whose
// country is unknown; "" for no countries.
func ofCountries(asked []country.Code) string {
	if len(asked) == 0 {
		return ""
	}
	any := []string{fieldCountries + ` == ""`}
	for _, c := range country.Fitting(asked) {
		if !strings.ContainsAny(string(c), `%_,"\\`) { // no country has such a code
			any = append(any, fieldCountries+` like "%,`+string(c)+`,%"`)
		}
	}
	return "(" + strings.Join(any, " || ") + ")"
}

// countries encodes the countries of a text for ofCountries: « ,bf,ml, », "" for none.
func countries(of []country.Code) string {
	if len(of) == 0 {
		return ""
	}
	var b strings.Builder
	for _, c := range of {
		b.WriteString("," + string(c))
	}
	return b.String() + ","
}

// days returns the number of days from 1970-01-01 to t.
func days(t time.Time) int64 { return int64(math.Floor(float64(t.Unix()) / 86400)) }

// in returns a filter for rows whose field has one of the values.
func in(field string, values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return field + " in [" + strings.Join(quoted, ", ") + "]"
}

// before returns a filter for rows of texts that were made from a catalogue earlier than
// version.
func before(documents []uuid.UUID, version int64) string {
	names := make([]string, len(documents))
	for i, d := range documents {
		names[i] = d.String()
	}
	return and(in(fieldDocument, names), fmt.Sprintf("%s < %d", fieldVersion, version))
}

// and joins filters; an empty one matches all.
func and(filters ...string) string {
	return strings.Join(slices.DeleteFunc(filters, func(f string) bool { return f == "" }), " && ")
}

// meaning matches rows that have a vector.
var meaning = fmt.Sprintf("%s >= 0", fieldPlace)

// marks matches the mark.
var marks = fmt.Sprintf("%s == %d", fieldPlace, placeMark)

// firsts matches the first row of each passage.
var firsts = fmt.Sprintf("%s <= 0 && %s > %d", fieldPlace, fieldPlace, placeMark)

// markOrLacking matches the mark, and the filtered rows whose vectors are still missing.
func markOrLacking(filter string) string {
	return marks + " || (" + and(fmt.Sprintf("%s == %d", fieldPlace, placeLacking), filter) + ")"
}

// quote encodes a string literal of Milvus's syntax. Milvus has no parameters: every
// external string must be quoted here. Its servers agree only on the escapes of the
// quotation mark and the backslash, so control characters, which no valid value contains,
// become U+FFFD.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if unicode.IsControl(r) || !unicode.IsPrint(r) && !unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
			r = unicode.ReplacementChar
		}
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}
