package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fault is one thing wrong with a request's shape. type and loc are Pydantic
// v2's, for clients that know FastAPI; msg is for people.
type fault struct {
	Type  string          `json:"type"`
	Loc   []any           `json:"loc"`
	Msg   string          `json:"msg"`
	Input json.RawMessage `json:"input,omitempty"`
}

// faults are all that is wrong with a request: an error of status 422.
type faults []fault

// Error names the faults without what was sent, for the log.
func (f faults) Error() string {
	list := make([]string, len(f))
	for i, one := range f {
		list[i] = fmt.Sprintf("%s at %v", one.Type, one.Loc)
	}
	return "invalid request: " + strings.Join(list, ", ")
}

// err is the faults as an error, nil when there are none.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// joinFaults tells the faults of several parts of a request at once. An error
// that is no fault comes alone.
func joinFaults(parts ...error) error {
	var all faults
	for _, err := range parts {
		var f faults
		switch {
		case errors.As(err, &f):
			all = append(all, f...)
		case err != nil:
			return err
		}
	}
	return all.err()
}

// echoLimit is the longest input, in bytes of JSON, that a fault repeats.
const echoLimit = 256

// add notes a fault. input is the JSON of what was sent; nil is not repeated.
func (f *faults) add(kind string, loc []any, input json.RawMessage, format string, args ...any) {
	if len(input) > echoLimit {
		input = nil
	}
	*f = append(*f, fault{Type: kind, Loc: slices.Clone(loc), Msg: fmt.Sprintf(format, args...), Input: input})
}

// missing notes that a required field is not there.
func (f *faults) missing(loc []any) { f.add("missing", loc, nil, "Ce champ est obligatoire.") }

// choose notes that value is none of those allowed.
func (f *faults) choose(loc []any, input json.RawMessage, allowed []string) {
	f.add("enum", loc, input, "Valeur attendue : %s.", either(allowed))
}

// either spells « 'a', 'b' ou 'c' ».
func either(list []string) string {
	quoted := make([]string, len(list))
	for i, v := range list {
		quoted[i] = "'" + v + "'"
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " ou " + quoted[last]
}

// texts gives strings of a named kind as plain ones.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// quoted is the JSON of a string that came in a query or a path.
func quoted(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil // strings always have JSON
	}
	return raw
}
