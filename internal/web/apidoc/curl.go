package apidoc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// curl returns a shell command that calls an operation. BASE is the variable with the
// service's address, TOKEN that with the access token; the parameters of the path are
// variables, too.
func curl(o operation) string {
	var parts []string
	switch {
	case o.streams():
		parts = append(parts, "curl -N")
	case o.Method == "HEAD":
		parts = append(parts, "curl -I")
	case o.Method == "GET", o.Method == "POST" && o.Body != nil:
		parts = append(parts, "curl")
	default:
		parts = append(parts, "curl -X "+o.Method)
	}
	parts = append(parts, `"$BASE`+variables(o.Path)+`"`)
	if o.Token {
		parts = append(parts, `-H "Authorization: Bearer $TOKEN"`)
	}
	if o.Body != nil && o.Body.Media == "multipart/form-data" {
		parts = append(parts, "-F file=@gazette.pdf")
	} else if o.Body != nil {
		parts = append(parts, "-H 'Content-Type: "+o.Body.Media+"'")
		if len(o.Body.Examples) > 0 {
			parts = append(parts, "-d "+quote(compact(o.Body.Examples[0].Text)))
		}
	}
	return strings.Join(parts, " \\\n  ")
}

// streams reports whether an answer of the operation is a stream of events.
func (o operation) streams() bool {
	for _, a := range o.Answers {
		for _, b := range a.Bodies {
			if len(b.Events) > 0 {
				return true
			}
		}
	}
	return false
}

// variables replaces each parameter of a path by a shell variable.
func variables(path string) string {
	var out strings.Builder
	for {
		left, rest, found := strings.Cut(path, "{")
		out.WriteString(left)
		if !found {
			return out.String()
		}
		name, right, _ := strings.Cut(rest, "}")
		out.WriteString("$" + strings.ToUpper(name))
		path = right
	}
}

// quote quotes a text as one word for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// compact removes white space between the tokens of JSON; it returns other texts unchanged.
func compact(s string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(s)) != nil {
		return s
	}
	return out.String()
}
