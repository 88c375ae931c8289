package form

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/google/uuid"
)

// MaybeText reads an optional text of least to most code points; it returns nil if the
// field is absent.
func (o *Object) MaybeText(name string, least, most int) *string {
	raw, given := o.Optional(name)
	if !given {
		return nil
	}
	value, ok := o.Str(name, raw, raw)
	if !ok {
		return nil
	}
	value = strings.TrimSpace(value)
	o.Length(name, raw, value, least, most)
	return &value
}

// maybe returns what read returns, nil if the field is absent.
func maybe[T any](o *Object, name string, read func() T) *T {
	if _, given := o.Optional(name); !given {
		return nil
	}
	return new(read())
}

// MaybeName reads an optional text of one line, see Name; it returns nil if the field is absent.
func (o *Object) MaybeName(name string, least, most int) *string {
	return maybe(o, name, func() string { return o.Name(name, least, most) })
}

// MaybeOne reads an optional text that must be in allowed; it returns nil if the field is
// absent.
func (o *Object) MaybeOne(name string, allowed []string) *string {
	return maybe(o, name, func() string { return o.One(name, allowed) })
}

// MustOne reads a required text that must be in allowed.
func (o *Object) MustOne(name string, allowed []string) string {
	if raw, ok := o.required(name); ok && string(raw) == "null" {
		o.Faults.Choose(o.At(name), raw, allowed)
	}
	return o.One(name, allowed)
}

// Refuse records that a field's value is not valid.
func (o *Object) Refuse(name, why string) {
	o.Faults.Add("value_error", o.At(name), o.Fields[name], "%s", why)
}

// items reads a required list.
func (o *Object) items(name string) (items []json.RawMessage, ok bool) {
	raw, ok := o.required(name)
	if ok && (json.Unmarshal(raw, &items) != nil || items == nil) {
		o.Faults.Add("list_type", o.At(name), raw, "Une liste est attendue.")
		return nil, false
	}
	return items, ok
}

// Objects reads a required list of one to most objects.
func (o *Object) Objects(name string, most int) (list []*Object) {
	items, ok := o.items(name)
	if !ok {
		return nil
	}
	if len(items) < 1 || len(items) > most {
		o.Faults.Add("value_error", o.At(name), nil, "De 1 à %d éléments sont attendus.", most)
		return nil
	}
	for i, item := range items {
		at := append(o.At(name), i)
		var fields map[string]json.RawMessage
		if json.Unmarshal(item, &fields) != nil || fields == nil || !bytes.HasPrefix(bytes.TrimSpace(item), []byte("{")) {
			o.Faults.Add("dict_type", at, item, "Un objet est attendu.")
			continue
		}
		list = append(list, &Object{Fields: fields, Loc: at, Faults: o.Faults})
	}
	return list
}

// MustID reads a required UUID.
func (o *Object) MustID(name string) uuid.UUID {
	if raw, ok := o.required(name); ok && string(raw) == "null" {
		o.Faults.Add("uuid_parsing", o.At(name), raw, "Un UUID est attendu.")
	}
	if id := o.ID(name); id != nil {
		return *id
	}
	return uuid.Nil
}

// WholeNumber parses a JSON number without a fraction.
func WholeNumber(raw json.RawMessage) (int, bool) {
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
		return 0, false
	}
	return int(min(max(f, -1), math.MaxInt32)), true
}
