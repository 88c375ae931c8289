// Package form reads what a request says: the fields of a JSON object, the parameters of a query,
// and the ids in a path. All faults in a request's form are collected and returned together (422).
package form

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	// echoLimit is the maximum size of the input in a fault, and of a name in its location, in
	// bytes.
	echoLimit = 256
	// mostFaults is the maximum number of faults in a response, so that a response is never
	// much larger than its request. If there are more, the last one says so.
	mostFaults = 50
)

// EmailLimit is the longest e-mail address in characters (RFC 5321).
const EmailLimit = 254

// FarthestPage is beyond any catalogue and prevents the offset from overflowing.
const FarthestPage = 1_000_000_000

// Fault is one error in a request's form. type and loc are those of Pydantic v2, for
// clients that know FastAPI; msg is for people.
type Fault struct {
	Type  string          `json:"type"`
	Loc   []any           `json:"loc"`
	Msg   string          `json:"msg"`
	Input json.RawMessage `json:"input,omitempty"`
}

// Faults holds all errors in a request's form; as an error, it has the status 422.
type Faults []Fault

// Error lists the faults without the input, for the log.
func (f Faults) Error() string {
	list := make([]string, len(f))
	for i, one := range f {
		list[i] = fmt.Sprintf("%s at %v", one.Type, one.Loc)
	}
	return "invalid request: " + strings.Join(list, ", ")
}

// Err returns the faults as an error, nil if there are none.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Add records a fault. input is the JSON of the value that was sent; nil: the fault has no
// input.
func (f *Faults) Add(kind string, loc []any, input json.RawMessage, format string, args ...any) {
	if len(*f) == mostFaults {
		f.append(Fault{})
		return
	}
	if len(input) > echoLimit {
		input = nil
	}
	loc = slices.Clone(loc)
	for i, part := range loc {
		if name, ok := part.(string); ok && len(name) > echoLimit {
			loc[i] = strings.ToValidUTF8(name[:echoLimit], "") + "…"
		}
	}
	f.append(Fault{Type: kind, Loc: loc, Msg: fmt.Sprintf(format, args...), Input: input})
}

// append records faults up to mostFaults.
func (f *Faults) append(more ...Fault) {
	room := mostFaults - len(*f)
	if len(more) <= room {
		*f = append(*f, more...)
		return
	}
	*f = append(*f, more[:room]...)
	(*f)[mostFaults-1] = Fault{Type: "value_error", Loc: (*f)[mostFaults-1].Loc[:1], Msg: "La requête a d’autres fautes, qui ne sont pas listées."}
}

// Missing records that a required field is absent.
func (f *Faults) Missing(loc []any) { f.Add("missing", loc, nil, "Ce champ est obligatoire.") }

// Choose records that a value is not in allowed.
func (f *Faults) Choose(loc []any, input json.RawMessage, allowed []string) {
	f.Add("enum", loc, input, "Valeur attendue : %s.", either(allowed))
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

// Strings converts strings of a named type.
func Strings[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// Quote returns a string of a query or a path as JSON.
func Quote(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil // strings can always be encoded
	}
	return raw
}
