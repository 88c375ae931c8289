package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fault is one error in a request's form. type and loc are those of Pydantic v2, for
// clients that know FastAPI; msg is for people.
type fault struct {
	Type  string          `json:"type"`
	Loc   []any           `json:"loc"`
	Msg   string          `json:"msg"`
	Input json.RawMessage `json:"input,omitempty"`
}

// faults holds all errors in a request's form; as an error, it has the status 422.
type faults []fault

// Error lists the faults without the input, for the log.
func (f faults) Error() string {
	list := make([]string, len(f))
	for i, one := range f {
		list[i] = fmt.Sprintf("%s at %v", one.Type, one.Loc)
	}
	return "invalid request: " + strings.Join(list, ", ")
}

// err returns the faults as an error, nil if there are none.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// joinFaults joins the faults of several parts of a request. An error that is not a fault
// is returned alone.
func joinFaults(parts ...error) error {
	var all faults
	for _, err := range parts {
		var f faults
		switch {
		case errors.As(err, &f):
			all.append(f...)
		case err != nil:
			return err
		}
	}
	return all.err()
}

const (
	// echoLimit is the maximum size of the input in a fault, and of a name in its location, in
	// bytes.
	echoLimit = 256
	// mostFaults is the maximum number of faults that are told, so that a response is never
	// much larger than its request. If there are more, the last one says so.
	mostFaults = 50
)

// add records a fault. input is the JSON of the value that was sent; nil: the fault has no
// input.
func (f *faults) add(kind string, loc []any, input json.RawMessage, format string, args ...any) {
	if len(*f) == mostFaults {
		f.append(fault{})
		return
	}
	if len(input) > echoLimit {
		input = nil
	}
	loc = slices.Clone(loc)
	for i, part := range loc {
		if name, is := part.(string); is && len(name) > echoLimit {
			loc[i] = strings.ToValidUTF8(name[:echoLimit], "") + "…"
		}
	}
	f.append(fault{Type: kind, Loc: loc, Msg: fmt.Sprintf(format, args...), Input: input})
}

// append records faults up to mostFaults.
func (f *faults) append(more ...fault) {
	room := mostFaults - len(*f)
	if len(more) <= room {
		*f = append(*f, more...)
		return
	}
	*f = append(*f, more[:room]...)
	(*f)[mostFaults-1] = fault{Type: "value_error", Loc: (*f)[mostFaults-1].Loc[:1], Msg: "La requête a d’autres fautes, qui ne sont pas listées."}
}

// missing records that a required field is absent.
func (f *faults) missing(loc []any) { f.add("missing", loc, nil, "Ce champ est obligatoire.") }

// choose records that a value is not in allowed.
func (f *faults) choose(loc []any, input json.RawMessage, allowed []string) {
	f.add("enum", loc, input, "Valeur attendue : %s.", either(allowed))
}

// either formats a list as « 'a', 'b' ou 'c' ».
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

// texts converts strings of a named type.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// quoted returns a string of a query or a path as JSON.
func quoted(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil // strings can always be encoded
	}
	return raw
}
