package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
)

// Object is a JSON object of a request, read field by field. Faults are collected in a list
// that nested objects share; unknown fields are ignored.
type Object struct {
	Fields map[string]json.RawMessage
	Loc    []any
	Faults *Faults

	unread error // why there is no object
}

// Unread is in place of the object of a body that cannot be read, because of err: it has no fields, and its Err is err.
func Unread(err error) *Object {
	return &Object{Loc: []any{"body"}, Faults: &Faults{}, unread: err}
}

// ParseObject parses a JSON object; if body is not one, it records the fault and returns
// nil.
func ParseObject(body []byte, f *Faults) *Object {
	loc := []any{"body"}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || bytes.Equal(body, []byte("null")) {
		f.Missing(loc)
		return nil
	}
	if pos := firstInvalid(body); pos >= 0 {
		f.Add("json_invalid", append(loc, pos), nil, "Le corps de la requête n’est pas de l’UTF-8.")
		return nil
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(body, &fields)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		f.Add("json_invalid", append(loc, max(0, int(syntax.Offset)-1)), nil, "Le corps de la requête n’est pas du JSON.")
		return nil
	case err != nil:
		f.Add("dict_type", loc, nil, "Un objet est attendu.")
		return nil
	}
	return &Object{Fields: fields, Loc: loc, Faults: f}
}

// firstInvalid is the offset of the first byte that is not UTF-8, -1 if there is none.
func firstInvalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// Err returns why the body could not be read, or else the faults found so far.
func (o *Object) Err() error {
	if o.unread != nil {
		return o.unread
	}
	return o.Faults.Err()
}

// At is the location of a field.
func (o *Object) At(name string) []any { return append(slices.Clone(o.Loc), name) }

// Only records a fault for every field that is not one of those known. It is for objects
// whose unknown fields must not be ignored: a misspelled filter would widen the question
// without a word.
func (o *Object) Only(known ...string) {
	for _, name := range slices.Sorted(maps.Keys(o.Fields)) {
		if !slices.Contains(known, name) {
			o.Faults.Add("extra_forbidden", o.At(name), o.Fields[name], "Ce champ n’existe pas. Champs admis : %s.", either(known))
		}
	}
}

// Optional returns a field's JSON; ok is false if it is absent or null.
func (o *Object) Optional(name string) (raw json.RawMessage, ok bool) {
	raw, ok = o.Fields[name]
	return raw, ok && !bytes.Equal(raw, []byte("null"))
}

// required returns a field's JSON; if it is absent, it records the fault and ok is false.
func (o *Object) required(name string) (raw json.RawMessage, ok bool) {
	if raw, ok = o.Fields[name]; !ok {
		o.Faults.Missing(o.At(name))
	}
	return raw, ok
}

// Text reads a required text of least to most code points, after trimming white space.
func (o *Object) Text(name string, least, most int) string {
	raw, ok := o.required(name)
	if !ok {
		return ""
	}
	value, ok := o.Str(name, raw, raw)
	if !ok {
		return ""
	}
	value = strings.TrimSpace(value)
	o.Length(name, raw, value, least, most)
	return value
}

// Name reads a required text of one line, as Text does: a name stands in letters and on terminals, where a control
// character or a change of direction could make it read as something else.
func (o *Object) Name(name string, least, most int) string {
	value := o.Text(name, least, most)
	odd := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
	if strings.ContainsFunc(value, odd) {
		o.Faults.Add("value_error", o.At(name), o.Fields[name], notAdmitted)
	}
	return value
}

// Secret reads a required text unchanged; faults do not repeat it.
func (o *Object) Secret(name string, least, most int) string {
	raw, ok := o.required(name)
	if !ok {
		return ""
	}
	value, ok := o.Str(name, raw, nil)
	if ok {
		o.Length(name, nil, value, least, most)
	}
	return value
}

const notAdmitted = "Ce texte contient un caractère qui n’est pas admis."

// Str decodes a string; faults repeat echo.
func (o *Object) Str(name string, raw, echo json.RawMessage) (string, bool) {
	var value string
	if raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		o.Faults.Add("string_type", o.At(name), echo, "Un texte est attendu.")
		return "", false
	}
	if strings.ContainsRune(value, 0) || loneSurrogate(raw) {
		o.Faults.Add("value_error", o.At(name), echo, notAdmitted)
		return "", false
	}
	return value, true
}

// Length records a fault unless a text has least to most code points; the fault repeats echo.
func (o *Object) Length(name string, echo json.RawMessage, value string, least, most int) {
	switch n := utf8.RuneCountInString(value); {
	case n < least:
		o.Faults.Add("string_too_short", o.At(name), echo, "Au moins %d %s.", least, characters(least))
	case n > most:
		o.Faults.Add("string_too_long", o.At(name), echo, "Au plus %d %s.", most, characters(most))
	}
}

func characters(n int) string {
	if n < 2 {
		return "caractère"
	}
	return "caractères"
}

// Word reads an optional text of any length; "" if it is absent.
func (o *Object) Word(name string) string {
	raw, ok := o.Optional(name)
	if !ok {
		return ""
	}
	value, _ := o.Str(name, raw, raw)
	return strings.TrimSpace(value)
}

// Country reads the optional code of a country or union; "" if it is absent.
func (o *Object) Country(name string) string {
	raw, ok := o.Optional(name)
	if !ok {
		return ""
	}
	value, ok := o.Str(name, raw, raw)
	code, valid := country.Parse(value)
	if ok && (!valid || string(code) != value) {
		o.Faults.Add("value_error", o.At(name), raw, "Un code de pays en deux lettres est attendu, comme « bf ».")
	}
	return string(code)
}

// MaybeCountry reads the optional code of a country or union, or "" for none; nil if it is absent.
func (o *Object) MaybeCountry(name string) *string {
	raw, given := o.Optional(name)
	if !given {
		return nil
	}
	code := ""
	if string(raw) != `""` {
		code = o.Country(name)
	}
	return &code
}

// UpTo reads an optional text of at most a number of code points, after trimming white
// space; nil if it is absent or empty.
func (o *Object) UpTo(name string, most int) *string {
	value := o.Word(name)
	o.Length(name, o.Fields[name], value, 0, most)
	if value == "" {
		return nil
	}
	return &value
}

// Email reads a required e-mail address, after trimming white space, by a simplified rule:
// one @ with something before it, a dot in the domain, no blanks, at most emailLimit code
// points.
func (o *Object) Email(name string) string {
	raw, ok := o.required(name)
	if !ok {
		return ""
	}
	value, ok := o.Str(name, raw, raw)
	if !ok {
		return ""
	}
	value = strings.TrimSpace(value)
	if !LikeEmail(value) {
		o.Faults.Add("value_error", o.At(name), raw, "Une adresse e-mail est attendue.")
	}
	return value
}

// LikeEmail reports whether s has the form of an e-mail address; see Email.
func LikeEmail(s string) bool {
	local, domain, _ := strings.Cut(s, "@")
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return local != "" && !strings.Contains(domain, "@") && strings.Contains(strings.Trim(domain, "."), ".") &&
		!strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") &&
		!strings.ContainsFunc(s, odd) && utf8.RuneCountInString(s) <= EmailLimit
}

// One reads an optional text, one of those allowed; "" if it is absent.
func (o *Object) One(name string, allowed []string) string {
	raw, ok := o.Optional(name)
	if !ok {
		return ""
	}
	var value string
	if json.Unmarshal(raw, &value) != nil || !slices.Contains(allowed, value) {
		o.Faults.Choose(o.At(name), raw, allowed)
		return ""
	}
	return value
}

// Flag reads an optional boolean; false if it is absent.
func (o *Object) Flag(name string) (value bool) {
	raw, ok := o.Optional(name)
	if ok && json.Unmarshal(raw, &value) != nil {
		o.Faults.Add("bool_type", o.At(name), raw, "true ou false est attendu.")
	}
	return value
}

// ID reads an optional UUID; nil if it is absent.
func (o *Object) ID(name string) *uuid.UUID {
	return parse(o, name, parseID, "uuid_parsing", "Un UUID est attendu.")
}

// Day reads an optional date of the form YYYY-MM-DD; nil if it is absent.
func (o *Object) Day(name string) *time.Time {
	return parse(o, name, parseDay, "date_from_datetime_parsing", "Une date de la forme AAAA-MM-JJ est attendue.")
}

func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil && day.Year() > 0
}

// parse reads an optional text with parse; nil if it is absent. kind and message are those
// of the fault if parse fails.
func parse[T any](o *Object, name string, parse func(string) (T, bool), kind, message string) *T {
	raw, ok := o.Optional(name)
	if !ok {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if value, ok := parse(text); ok {
			return &value
		}
	}
	o.Faults.Add(kind, o.At(name), raw, "%s", message)
	return nil
}

// Object reads an optional object; nil if it is absent.
func (o *Object) Object(name string) *Object {
	raw, ok := o.Optional(name)
	if !ok {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		o.Faults.Add("dict_type", o.At(name), raw, "Un objet est attendu.")
		return nil
	}
	return &Object{Fields: fields, Loc: o.At(name), Faults: o.Faults}
}

// loneSurrogate reports whether the JSON of a string escapes a surrogate (\ud83d) without
// its other half: no text contains that, and the decoder would silently replace it by
// U+FFFD.
func loneSurrogate(raw []byte) bool {
	high := false // the previous escape was a high surrogate
	for i := 0; i < len(raw); i++ {
		var first, second bool
		if raw[i] == '\\' {
			i++
			if i+4 < len(raw) && raw[i] == 'u' {
				first, second = halves(raw[i+1 : i+5])
				i += 4
			}
		}
		if high != second {
			return true
		}
		high = first
	}
	return high
}

// halves reports whether four hexadecimal digits are a high or a low surrogate.
func halves(digits []byte) (first, second bool) {
	d := bytes.ToLower(digits)
	if d[0] != 'd' {
		return false, false
	}
	return d[1] >= '8' && d[1] <= 'b', d[1] >= 'c' && d[1] <= 'f'
}
