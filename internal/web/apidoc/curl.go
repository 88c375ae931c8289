package apidoc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// curl spells a call of an operation for a shell: BASE is the service's
// address, TOKEN the access token; what stands in the path is a variable too.
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

// streams reports whether the answer is a stream of events.
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

// variables puts a shell's variable for each parameter of a path.
func variables(path string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(path, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		out.WriteString("$" + strings.ToUpper(name))
		path = after
	}
}

// quote makes a text one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// compact takes the line breaks out of JSON.
func compact(s string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(s)) != nil {
		return s
	}
	return out.String()
}
