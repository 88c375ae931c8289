package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"mime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
)

// object is a JSON object of a request, read field by field. Faults are collected in a list
// that nested objects share; unknown fields are ignored.
type object struct {
	fields map[string]json.RawMessage
	loc    []any
	faults *faults
}

// readBody reads the JSON object in the request's body. The error is TooLarge, Unsupported,
// or the faults of a body that is not a JSON object, or has too many values.
func readBody(c *fiber.Ctx) (*object, error) {
	body, err := jsonBody(c)
	if err != nil {
		return nil, err
	}
	var f faults
	o := parseObject(body, &f)
	return o, f.err()
}

// jsonBody returns the bytes of a JSON body of at most mostValues values.
func jsonBody(c *fiber.Ctx) ([]byte, error) {
	if c.Request().Header.ContentLength() > BodyLimit {
		return nil, fiber.ErrRequestEntityTooLarge
	}
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationJSON {
		return nil, errs.New(errs.Unsupported, "Le corps de la requête doit être du JSON (Content-Type: application/json).")
	}
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return nil, errs.New(errs.Unsupported, "Le corps de la requête ne doit pas être compressé.")
	}
	if err := eventOf(c).gather(c); err != nil {
		return nil, err
	}
	body := c.Request().Body()
	if !fewValues(body) {
		var f faults
		f.add("value_error", []any{"body"}, nil, "Le corps de la requête a plus de %d valeurs.", mostValues)
		return nil, f
	}
	return body, nil
}

// parseObject parses a JSON object; if body is not one, it records the fault and returns
// nil.
func parseObject(body []byte, f *faults) *object {
	loc := []any{"body"}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || bytes.Equal(body, []byte("null")) {
		f.missing(loc)
		return nil
	}
	if at := firstInvalid(body); at >= 0 {
		f.add("json_invalid", append(loc, at), nil, "Le corps de la requête n’est pas de l’UTF-8.")
		return nil
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(body, &fields)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		f.add("json_invalid", append(loc, max(0, int(syntax.Offset)-1)), nil, "Le corps de la requête n’est pas du JSON.")
		return nil
	case err != nil:
		f.add("dict_type", loc, nil, "Un objet est attendu.")
		return nil
	}
	return &object{fields: fields, loc: loc, faults: f}
}

// mostValues is the maximum number of values, fields and elements, of a body. A decoded value
// takes many times the bytes that it has in JSON. The largest correction has some thousands.
const mostValues = 20_000

// fewValues reports whether JSON has at most mostValues values: a comma or an opening bracket
// outside of strings comes before each but the first.
func fewValues(body []byte) bool {
	values, inside := 1, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			inside = !inside
		case inside && c == '\\':
			i++
		case !inside && (c == ',' || c == '{' || c == '['):
			if values++; values > mostValues {
				return false
			}
		}
	}
	return true
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

// err returns the faults found so far.
func (o *object) err() error { return o.faults.err() }

// at is the location of a field.
func (o *object) at(name string) []any { return append(slices.Clone(o.loc), name) }

// only records a fault for every field that is not one of those known. It is for objects
// whose unknown fields must not be ignored: a misspelled filter would widen the question
// without a word.
func (o *object) only(known ...string) {
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if !slices.Contains(known, name) {
			o.faults.add("extra_forbidden", o.at(name), o.fields[name], "Ce champ n’existe pas. Champs admis : %s.", either(known))
		}
	}
}

// optional returns a field's JSON; ok is false if it is absent or null.
func (o *object) optional(name string) (raw json.RawMessage, ok bool) {
	raw, ok = o.fields[name]
	return raw, ok && !bytes.Equal(raw, []byte("null"))
}

// text reads a required text of least to most code points, after trimming white space.
func (o *object) text(name string, least, most int) string {
	raw, ok := o.fields[name]
	if !ok {
		o.faults.missing(o.at(name))
		return ""
	}
	value, ok := o.str(name, raw, raw)
	if !ok {
		return ""
	}
	value = strings.TrimSpace(value)
	o.length(name, raw, value, least, most)
	return value
}

// secret reads a required text unchanged; faults do not repeat it.
func (o *object) secret(name string, least, most int) string {
	raw, ok := o.fields[name]
	if !ok {
		o.faults.missing(o.at(name))
		return ""
	}
	value, ok := o.str(name, raw, nil)
	if ok {
		o.length(name, nil, value, least, most)
	}
	return value
}

// str decodes a string; faults repeat echo.
func (o *object) str(name string, raw, echo json.RawMessage) (string, bool) {
	var value string
	if raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		o.faults.add("string_type", o.at(name), echo, "Un texte est attendu.")
		return "", false
	}
	if strings.ContainsRune(value, 0) || loneSurrogate(raw) {
		o.faults.add("value_error", o.at(name), echo, "Ce texte contient un caractère qui n’est pas admis.")
		return "", false
	}
	return value, true
}

func (o *object) length(name string, echo json.RawMessage, value string, least, most int) {
	switch n := utf8.RuneCountInString(value); {
	case n < least:
		o.faults.add("string_too_short", o.at(name), echo, "Au moins %d %s.", least, plural(least, "caractère"))
	case n > most:
		o.faults.add("string_too_long", o.at(name), echo, "Au plus %d %s.", most, plural(most, "caractère"))
	}
}

func plural(n int, word string) string {
	if n < 2 {
		return word
	}
	return word + "s"
}

// word reads an optional text of any length; "" if it is absent.
func (o *object) word(name string) string {
	raw, ok := o.optional(name)
	if !ok {
		return ""
	}
	value, _ := o.str(name, raw, raw)
	return strings.TrimSpace(value)
}

// country reads the optional code of a country or union; "" if it is absent.
func (o *object) country(name string) string {
	raw, ok := o.optional(name)
	if !ok {
		return ""
	}
	value, ok := o.str(name, raw, raw)
	code, valid := country.Parse(value)
	if ok && (!valid || string(code) != value) {
		o.faults.add("value_error", o.at(name), raw, "Un code de pays en deux lettres est attendu, comme « bf ».")
	}
	return string(code)
}

// maybeCountry reads the optional code of a country or union, or "" for none; nil if it is absent.
func (o *object) maybeCountry(name string) *string {
	raw, given := o.optional(name)
	if !given {
		return nil
	}
	code := ""
	if string(raw) != `""` {
		code = o.country(name)
	}
	return &code
}

// upTo reads an optional text of at most a number of code points, after trimming white
// space; nil if it is absent or empty.
func (o *object) upTo(name string, most int) *string {
	value := o.word(name)
	o.length(name, o.fields[name], value, 0, most)
	if value == "" {
		return nil
	}
	return &value
}

// choice reads a required text, one of those allowed.
func (o *object) choice(name string, allowed []string) string {
	raw, ok := o.fields[name]
	if !ok {
		o.faults.missing(o.at(name))
		return ""
	}
	if _, given := o.optional(name); !given {
		o.faults.choose(o.at(name), raw, allowed)
	}
	return o.one(name, allowed)
}

// email reads a required e-mail address, after trimming white space, by a simplified rule:
// one @ with something before it, a dot in the domain, no blanks, at most emailLimit code
// points.
func (o *object) email(name string) string { //nolint:unparam // a field is named where it is read, as those of other kinds are
	raw, ok := o.fields[name]
	if !ok {
		o.faults.missing(o.at(name))
		return ""
	}
	value, ok := o.str(name, raw, raw)
	if !ok {
		return ""
	}
	value = strings.TrimSpace(value)
	if !likeEmail(value) {
		o.faults.add("value_error", o.at(name), raw, "Une adresse e-mail est attendue.")
	}
	return value
}

func likeEmail(s string) bool {
	local, domain, _ := strings.Cut(s, "@")
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return local != "" && !strings.Contains(domain, "@") && strings.Contains(strings.Trim(domain, "."), ".") &&
		!strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") &&
		!strings.ContainsFunc(s, odd) && utf8.RuneCountInString(s) <= emailLimit
}

// one reads an optional text, one of those allowed; "" if it is absent.
func (o *object) one(name string, allowed []string) string {
	raw, ok := o.optional(name)
	if !ok {
		return ""
	}
	var value string
	if json.Unmarshal(raw, &value) != nil || !slices.Contains(allowed, value) {
		o.faults.choose(o.at(name), raw, allowed)
		return ""
	}
	return value
}

// flag reads an optional boolean; false if it is absent.
func (o *object) flag(name string) (value bool) {
	raw, ok := o.optional(name)
	if ok && json.Unmarshal(raw, &value) != nil {
		o.faults.add("bool_type", o.at(name), raw, "true ou false est attendu.")
	}
	return value
}

// id reads an optional UUID; nil if it is absent.
func (o *object) id(name string) *uuid.UUID {
	return parsed(o, name, parseID, "uuid_parsing", "Un UUID est attendu.")
}

// day reads an optional date of the form YYYY-MM-DD; nil if it is absent.
func (o *object) day(name string) *time.Time {
	return parsed(o, name, parseDay, "date_from_datetime_parsing", "Une date de la forme AAAA-MM-JJ est attendue.")
}

func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil && day.Year() > 0
}

// parsed reads an optional text with parse; nil if it is absent. kind and message are those
// of the fault if parse fails.
func parsed[T any](o *object, name string, parse func(string) (T, bool), kind, message string) *T {
	raw, ok := o.optional(name)
	if !ok {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if value, ok := parse(text); ok {
			return &value
		}
	}
	o.faults.add(kind, o.at(name), raw, "%s", message)
	return nil
}

// object reads an optional object; nil if it is absent.
func (o *object) object(name string) *object {
	raw, ok := o.optional(name)
	if !ok {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		o.faults.add("dict_type", o.at(name), raw, "Un objet est attendu.")
		return nil
	}
	return &object{fields: fields, loc: o.at(name), faults: o.faults}
}

// parseID parses a UUID in its usual form, or without hyphens; the library's other forms
// are rejected.
func parseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 && len(s) != 32 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
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
