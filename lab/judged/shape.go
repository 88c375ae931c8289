package judged

import (
	"encoding/gob"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// EncodeShaped writes v as gob, behind a description of its type and of whatever else its
// meaning depends on.
func EncodeShaped(w io.Writer, v any, depends ...string) error {
	e := gob.NewEncoder(w)
	if err := e.Encode(shape(v, depends)); err != nil {
		return err
	}
	return e.Encode(v)
}

// DecodeShaped reads into the value to which v points what EncodeShaped wrote. It refuses
// a value of another shape: gob drops a field that was renamed, and leaves empty one that
// is new, without an error.
func DecodeShaped(r io.Reader, v any, depends ...string) error {
	d := gob.NewDecoder(r)
	var kept string
	if err := d.Decode(&kept); err != nil {
		return fmt.Errorf("it was not kept by this program, or by an earlier version: remove it, so that it is made again (%w)", err)
	}
	if want := shape(reflect.ValueOf(v).Elem().Interface(), depends); kept != want {
		return fmt.Errorf("it was kept by another version, which knew other fields: remove it, so that it is made again")
	}
	return d.Decode(v)
}

// shape describes the type of v: its exported fields by name and type, in order and to
// any depth.
func shape(v any, depends []string) string {
	var b strings.Builder
	describe(&b, reflect.TypeOf(v), make(map[reflect.Type]bool))
	for _, d := range depends {
		b.WriteString("\n" + d)
	}
	return b.String()
}

func describe(b *strings.Builder, t reflect.Type, seen map[reflect.Type]bool) {
	b.WriteString(t.String())
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		b.WriteString("(")
		describe(b, t.Elem(), seen)
		b.WriteString(")")
	case reflect.Array:
		fmt.Fprintf(b, "(%d ", t.Len())
		describe(b, t.Elem(), seen)
		b.WriteString(")")
	case reflect.Map:
		b.WriteString("(")
		describe(b, t.Key(), seen)
		b.WriteString(" ")
		describe(b, t.Elem(), seen)
		b.WriteString(")")
	case reflect.Struct:
		b.WriteString("{")
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				b.WriteString(f.Name + " ")
				describe(b, f.Type, seen)
				b.WriteString("; ")
			}
		}
		b.WriteString("}")
	}
}
