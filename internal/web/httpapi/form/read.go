package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/country"
)

// Enumerated is a text type with a few values.
type Enumerated interface{ Values() []string }

// Checked is an input with rules that no tag says. Check is called with the faults found so far.
type Checked interface{ Check(f *Faults) }

// Read fills the struct that input points to. The tags of a field say where its value comes from (json, query, path,
// header or cookie; texts of the last two are taken as they come) and what it may be:
//
//	minLength, maxLength  code points of a text; in JSON after trimming white space. With minLength something of it is seen
//	minimum, maximum      of a whole number
//	enum                  the values of a text, or of the items of a list
//	minItems, maxItems    of a list
//	default               of a whole number or a text that is absent
//	given                 of a bool: whether a field of JSON, which it names, was given, if only as null
//	format                email, password (as it is, and not repeated in faults), line (a text without control
//	                      characters), title (a text that turns no direction of writing), country (with or:"x" also x), path (both as they are), date; in a query also
//	                      date-time (400 if it is none) and moment (a day or an instant; with last:"true" a day means
//	                      its end)
//
// The field _ says what concerns the object: additionalProperties:"false" that unknown fields are faults, either:"a,b" that a
// or b has to be given. A JSON field without omitempty is required, and so is a parameter with required:"true". body is the JSON object that is
// read, nil if no field comes from it. All faults are returned together.
func Read(c *fiber.Ctx, body []byte, input any) error {
	r := reader{c: c}
	v := reflect.ValueOf(input).Elem()
	if !HasBody(v.Type()) {
		return r.read(v, nil)
	}
	return r.read(v, r.parse(body))
}

// ReadFields is like Read for fields that came otherwise than as a body of JSON. The faults that were found in them are
// returned with the others.
func ReadFields(c *fiber.Ctx, fields map[string]json.RawMessage, found Faults, input any) error {
	r := reader{c: c, faults: found}
	return r.read(reflect.ValueOf(input).Elem(), &object{fields, []any{"body"}})
}

// HasBody reports whether an input of a type is read from a JSON object.
func HasBody(t reflect.Type) bool {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			return true
		}
	}
	return false
}

// reader reads one request.
type reader struct {
	c       *fiber.Ctx
	faults  Faults
	invalid error // of a parameter for which the contract has no 422
}

// object is a JSON object of a request.
type object struct {
	fields map[string]json.RawMessage
	loc    []any
}

// at returns the location of a field.
func (o *object) at(name string) []any { return append(slices.Clone(o.loc), name) }

// has reports whether a field is given, and not as null.
func (o *object) has(name string) bool {
	raw, given := o.fields[name]
	return given && string(raw) != "null"
}

// read fills a struct; o is nil if no field comes from JSON, or the body is no object.
func (r *reader) read(v reflect.Value, o *object) error {
	if o != nil {
		r.rules(v.Type(), o)
	}
	r.fields(v, o)
	if checked, has := v.Addr().Interface().(Checked); has {
		checked.Check(&r.faults)
	}
	if err := r.faults.Err(); err != nil {
		return err
	}
	return r.invalid
}

// parse parses the object of a body. If there is none, it records the fault and returns nil.
func (r *reader) parse(body []byte) *object {
	loc := []any{"body"}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || string(body) == "null" {
		r.faults.Missing(loc)
		return nil
	}
	if pos := firstInvalid(body); pos >= 0 {
		r.faults.Add("json_invalid", append(loc, pos), nil, "Le corps de la requête n’est pas de l’UTF-8.")
		return nil
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(body, &fields)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		r.faults.Add("json_invalid", append(loc, max(0, int(syntax.Offset)-1)), nil, "Le corps de la requête n’est pas du JSON.")
		return nil
	case err != nil:
		r.faults.Add("dict_type", loc, nil, "Un objet est attendu.")
		return nil
	}
	return &object{fields, loc}
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

// rules checks what the field _ of a type says of an object: that it has no unknown fields, and that one of some is given.
func (r *reader) rules(t reflect.Type, o *object) {
	f, has := t.FieldByName("_")
	if !has {
		return
	}
	if either := f.Tag.Get("either"); either != "" {
		if names := strings.Split(either, ","); !slices.ContainsFunc(names, o.has) {
			r.faults.Missing(o.at(names[0]))
		}
	}
	if f.Tag.Get("additionalProperties") != "false" {
		return
	}
	var known []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			known = append(known, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if !slices.Contains(known, name) {
			r.faults.Add("extra_forbidden", o.at(name), o.fields[name], "Ce champ n’existe pas. Champs admis : %s.", either(known))
		}
	}
}

// fields fills a struct, from o what comes from JSON.
func (r *reader) fields(v reflect.Value, o *object) {
	for i := range v.NumField() {
		f, tag := v.Type().Field(i), v.Type().Field(i).Tag
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			r.fields(v.Field(i), o)
		case name != "" && o != nil:
			raw, given := o.fields[name]
			switch optional := strings.Contains(options, "omitempty"); {
			case !given && !optional:
				r.faults.Missing(o.at(name))
			case !given || optional && string(raw) == "null":
				setDefault(v.Field(i), tag)
			default:
				r.value(v.Field(i), tag, o.at(name), raw, false)
			}
		case tag.Get("given") != "" && o != nil:
			_, given := o.fields[tag.Get("given")]
			v.Field(i).SetBool(given)
		case tag.Get("query") != "":
			r.parameter(v.Field(i), tag, []any{"query", tag.Get("query")}, r.c.Context().QueryArgs().PeekMulti(tag.Get("query")))
		case tag.Get("header") != "" && v.Field(i).Kind() != reflect.String:
			r.parameter(v.Field(i), tag, []any{"header", tag.Get("header")}, r.c.Request().Header.PeekAll(tag.Get("header")))
		case tag.Get("header") != "":
			v.Field(i).SetString(r.c.Get(tag.Get("header")))
		case tag.Get("cookie") != "":
			v.Field(i).SetString(r.c.Cookies(tag.Get("cookie")))
		case tag.Get("path") != "":
			text := r.c.Params(tag.Get("path"))
			if v.Field(i).Kind() == reflect.String {
				v.Field(i).SetString(text)
			} else {
				r.value(v.Field(i), tag, []any{"path", tag.Get("path")}, Quote(text), true)
			}
		}
	}
}

// parameter reads a parameter of the query or a header; if it is repeated, the last one counts.
func (r *reader) parameter(v reflect.Value, tag reflect.StructTag, loc []any, all [][]byte) {
	if len(all) == 0 {
		if setDefault(v, tag); tag.Get("required") != "" {
			r.faults.Missing(loc)
		}
		return
	}
	text := string(all[len(all)-1])
	if v.Kind() == reflect.String && allowed(v, tag) == nil && (strings.ContainsRune(text, 0) || !utf8.ValidString(text)) {
		r.faults.Add("value_error", loc, Quote(text), notAdmitted)
		return
	}
	r.value(v, tag, loc, Quote(text), true)
}

func setDefault(v reflect.Value, tag reflect.StructTag) {
	text := tag.Get("default")
	switch {
	case text == "":
	case v.Kind() == reflect.String:
		v.SetString(text)
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("form: the default %q", text))
		}
		v.SetInt(n)
	}
}

var (
	idType   = reflect.TypeFor[uuid.UUID]()
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

// value fills v from JSON. A parameter is a text.
func (r *reader) value(v reflect.Value, tag reflect.StructTag, loc []any, raw json.RawMessage, parameter bool) {
	switch t := v.Type(); {
	case t == rawType:
		v.SetBytes(raw)
	case v.Kind() == reflect.Pointer:
		made := reflect.New(t.Elem())
		r.value(made.Elem(), tag, loc, raw, parameter)
		v.Set(made)
	case t == idType:
		if id, ok := parseText(raw, parseID); ok {
			v.Set(reflect.ValueOf(id))
		} else {
			r.faults.Add("uuid_parsing", loc, raw, "Un UUID est attendu.")
		}
	case t == timeType:
		r.time(v, tag, loc, raw)
	case v.Kind() == reflect.String:
		r.text(v, tag, loc, raw, parameter)
	case v.Kind() == reflect.Bool:
		var value bool
		if raw[0] == 'n' || json.Unmarshal(raw, &value) != nil {
			r.faults.Add("bool_type", loc, raw, "true ou false est attendu.")
		}
		v.SetBool(value)
	case v.CanInt():
		r.number(v, tag, loc, raw, parameter)
	case v.Kind() == reflect.Slice:
		r.list(v, tag, loc, raw)
	case v.Kind() == reflect.Array: // of numbers
		var numbers []float64
		if json.Unmarshal(raw, &numbers) != nil || len(numbers) != v.Len() {
			r.faults.Add("list_type", loc, raw, "%d nombres sont attendus.", v.Len())
			return
		}
		reflect.Copy(v, reflect.ValueOf(numbers))
	case v.Kind() == reflect.Struct:
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil || fields == nil {
			r.faults.Add("dict_type", loc, raw, "Un objet est attendu.")
			return
		}
		o := &object{fields, loc}
		r.rules(t, o)
		r.fields(v, o)
	default:
		panic("form: a field of the type " + t.String())
	}
}

func parseText[T any](raw json.RawMessage, parse func(string) (T, bool)) (value T, ok bool) {
	var text string
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return value, false
	}
	return parse(text)
}

func (r *reader) time(v reflect.Value, tag reflect.StructTag, loc []any, raw json.RawMessage) {
	parse, kind := parseDay, "Une date de la forme AAAA-MM-JJ est attendue."
	switch tag.Get("format") {
	case "date-time":
		t, err := parseInstant(unquote(raw))
		if r.invalid == nil {
			r.invalid = err
		}
		v.Set(reflect.ValueOf(t))
		return
	case "moment":
		kind = "Une date (AAAA-MM-JJ) ou une date et une heure avec fuseau est attendue."
		parse = func(text string) (time.Time, bool) {
			if day, ok := parseDay(text); ok && tag.Get("last") != "" {
				return day.AddDate(0, 0, 1), true
			} else if ok {
				return day, true
			}
			t, err := parseInstant(text)
			return t, err == nil
		}
	}
	if t, ok := parseText(raw, parse); ok {
		v.Set(reflect.ValueOf(t))
	} else {
		r.faults.Add("date_from_datetime_parsing", loc, raw, "%s", kind)
	}
}

func unquote(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text) // Quote made it
	return text
}

func (r *reader) text(v reflect.Value, tag reflect.StructTag, loc []any, raw json.RawMessage, parameter bool) {
	if enum := allowed(v, tag); enum != nil {
		v.SetString(r.choice(enum, loc, raw))
		return
	}
	format, echo := tag.Get("format"), raw
	if format == "password" {
		echo = nil
	}
	var text string
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		r.faults.Add("string_type", loc, echo, "Un texte est attendu.")
		return
	}
	if strings.ContainsRune(text, 0) || loneSurrogate(raw) {
		r.faults.Add("value_error", loc, echo, notAdmitted)
		return
	}
	trimmed := text
	if format != "password" && format != "country" && format != "path" {
		trimmed = strings.TrimSpace(text)
	}
	if !parameter {
		text = trimmed
	}
	least, most := number(tag.Get("minLength"), 0), number(tag.Get("maxLength"), math.MaxInt)
	switch n := utf8.RuneCountInString(text); {
	case n < least:
		r.faults.Add("string_too_short", loc, echo, "Au moins %d %s.", least, characters(least))
	case least > 0 && format != "password" && !strings.ContainsFunc(text, Seen):
		r.faults.Add("string_too_short", loc, echo, "Rien de ce texte ne se voit.")
	case n > most:
		r.faults.Add("string_too_long", loc, echo, "Au plus %d %s.", most, characters(most))
	}
	odd := func(c rune) bool { return unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) }
	turning := func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) || unicode.Is(Turning, c) }
	switch {
	case format == "line" && strings.ContainsFunc(trimmed, odd), format == "title" && strings.ContainsFunc(trimmed, turning):
		r.faults.Add("value_error", loc, echo, notAdmitted)
	case format == "email" && !LikeEmail(trimmed):
		r.faults.Add("value_error", loc, echo, "Une adresse e-mail est attendue.")
	case format == "country":
		other, has := tag.Lookup("or")
		if code, valid := country.Parse(text); (!valid || string(code) != text) && !(has && text == other) {
			r.faults.Add("value_error", loc, echo, "Un code de pays en deux lettres est attendu, comme « bf ».")
		}
	}
	v.SetString(trimmed)
}

// allowed returns the values of a text, nil if there may be any.
func allowed(v reflect.Value, tag reflect.StructTag) []string {
	if enum := tag.Get("enum"); enum != "" {
		return strings.Split(enum, ",")
	}
	if e, ok := v.Interface().(Enumerated); ok {
		return e.Values()
	}
	return nil
}

// choice returns the text of raw if it is one of those allowed.
func (r *reader) choice(allowed []string, loc []any, raw json.RawMessage) (text string) {
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil || !slices.Contains(allowed, text) {
		r.faults.Choose(loc, raw, allowed)
		return ""
	}
	return text
}

// number returns the number of a tag, or fallback.
func number(text string, fallback int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return fallback
}

func (r *reader) number(v reflect.Value, tag reflect.StructTag, loc []any, raw json.RawMessage, parameter bool) {
	n, whole := 0, false
	if parameter {
		text := strings.TrimSpace(unquote(raw))
		parsed, err := strconv.Atoi(text)
		n, whole = parsed, (err == nil || errors.Is(err, strconv.ErrRange)) && !strings.HasPrefix(text, "+") // out of range, the nearest int
	} else {
		n, whole = wholeNumber(raw)
	}
	least, most := number(tag.Get("minimum"), math.MinInt), number(tag.Get("maximum"), math.MaxInt)
	switch {
	case !whole && parameter:
		r.faults.Add("int_parsing", loc, raw, "Un nombre entier est attendu.")
	case !whole:
		r.faults.Add("int_type", loc, raw, "Un nombre entier est attendu.")
	case n < least:
		r.faults.Add("greater_than_equal", loc, raw, "La valeur doit être au moins %d.", least)
	case n > most:
		r.faults.Add("less_than_equal", loc, raw, "La valeur doit être au plus %d.", most)
	}
	v.SetInt(int64(n))
}

func (r *reader) list(v reflect.Value, tag reflect.StructTag, loc []any, raw json.RawMessage) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || items == nil {
		r.faults.Add("list_type", loc, raw, "Une liste est attendue.")
		return
	}
	least, most := number(tag.Get("minItems"), 0), number(tag.Get("maxItems"), math.MaxInt)
	switch {
	case len(items) < least && most == math.MaxInt:
		r.faults.Add("value_error", loc, raw, "Au moins une valeur est attendue.")
	case len(items) < least || len(items) > most:
		r.faults.Add("value_error", loc, nil, "De %d à %d éléments sont attendus.", least, most)
		return
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		r.value(list.Index(i), tag, append(slices.Clone(loc), i), item, false)
		if tag.Get("uniqueItems") != "" && slices.ContainsFunc(items[:i], func(other json.RawMessage) bool { return string(other) == string(item) }) {
			r.faults.Add("value_error", loc, raw, "Une valeur est donnée deux fois.")
		}
	}
	v.Set(list)
}

// Refuse records that the value of a field of the body is not valid.
func (f *Faults) Refuse(name string, value any, why string) {
	raw, err := json.Marshal(value)
	if err != nil {
		raw = nil
	}
	f.Add("value_error", []any{"body", name}, raw, "%s", why)
}

// Refused is the error of a body in which the value of a field is not valid.
func Refused(name string, value any, why string) error {
	var f Faults
	f.Refuse(name, value, why)
	return f
}

// wholeNumber parses a JSON number without a fraction.
func wholeNumber(raw json.RawMessage) (int, bool) {
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
		return 0, false
	}
	return int(min(max(f, -1), math.MaxInt32)), true
}

const notAdmitted = "Ce texte contient un caractère qui n’est pas admis."

func characters(n int) string {
	if n < 2 {
		return "caractère"
	}
	return "caractères"
}
