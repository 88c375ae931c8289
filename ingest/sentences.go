package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"text/template"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
)

// sentenceFuncs are the functions of the templates of declarations.
var sentenceFuncs = template.FuncMap{
	"moment": momentOf, "count": count, "cut": func(n int, s string) string { return terminal.Cut(s, n) }, "kind": kindOfText, "state": stateName,
	"join":  joinedBy,
	"pages": func(total, size int) int { return (total + size - 1) / max(size, 1) },
	"add":   func(a, b int) int { return a + b },
	"past":  func(moment string) bool { return time.Now().After(timeOf(moment)) }, // by this machine's clock
	"ended": endedState,
	"sum": func(list []any, field string) (n int) {
		for _, item := range list {
			of, _ := item.(map[string]any)
			v, _ := of[field].(int)
			n += v
		}
		return n
	},
	"anonymous": withoutAccount,
	"asjson":    func(v any) (string, error) { raw, err := json.Marshal(v); return string(raw), err },
	"choose": func(value string, pairs ...string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == value {
				return pairs[i+1]
			}
		}
		return value
	},
	// Words of the help.
	"exitcodes": func() string { return exitHelp }, "types": func() string { return joined(law.DocTypes()) }, "statuses": func() string { return joined(law.Statuses()) },
	"fields": fieldNames, "several": func() string { return severalHelp },
}

// shared has the templates that those of declarations may name.
var shared = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Option("missingkey=zero").Funcs(sentenceFuncs).ParseFS(commandFiles, "commands/*.tmpl"))
})

// templates are the parsed templates by their texts.
var templates sync.Map

// rendered returns a template with a value of the API. It panics if the template cannot be parsed, which is
// a defect, or if the value does not fill it (see unreadable).
func rendered(text string, of any) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	known, ok := templates.Load(text)
	if !ok {
		known = template.Must(shared().New("").Parse(text))
		templates.Store(text, known)
	}
	var b strings.Builder
	if parsed, ok := known.(*template.Template); ok {
		if err := parsed.Execute(&b, of); err != nil {
			panic(unreadable{fmt.Errorf("%s: %w", text, err)})
		}
	}
	return strings.ReplaceAll(b.String(), "<no value>", "")
}

// unreadable is the panic of a template that a value of the API does not fill: that of a server of another version.
type unreadable struct{ error }

// explain makes such a panic the error of the command.
func explain(err *error) {
	switch p := recover().(type) {
	case nil:
	case unreadable:
		*err = errs.Wrap(errs.Unavailable, "La réponse du serveur n’a pas la forme que cette commande attend : l’un des deux est peut-être plus ancien.", p.error)
	default:
		panic(p)
	}
}

// written returns a text of the help.
func written(text string) string { return rendered(text, nil) }

// told returns a sentence about a request: the fields of the response, those that were sent as .sent, the object that
// was fetched before as .first, the words that named objects as .given, and for a list .listed, .total and .more.
func told(text string, r *request) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	of := map[string]any{}
	if all, ok := plain(r.raw).(map[string]any); ok {
		maps.Copy(of, all)
	}
	sent := map[string]any{} // also what was not
	for name, o := range r.Flags {
		sent[cmp.Or(o.Field, name)] = ""
	}
	for name, value := range r.fields {
		if text, ok := value.(string); ok {
			value = terminal.Line(text)
		}
		sent[name] = value
	}
	of["sent"], of["first"], of["listed"], of["more"], of["given"] = sent, r.first, len(r.items), r.more, terminal.Line(strings.Join(r.words, " "))
	if r.items != nil {
		of["total"] = r.total
	}
	return rendered(text, of)
}

// kindOfText names what a text is.
func kindOfText(docType, nature string) string { return law.Kind(law.DocType(docType), nature) }

// joinedBy joins the values of a list.
func joinedBy(between string, values any) string {
	list, _ := values.([]any)
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, between)
}

// withoutAccount reports whether a line of the log without an account is of somebody who has none or could not sign in,
// and not of the operator: as the page tells it.
func withoutAccount(action string, details any) bool {
	of, _ := details.(map[string]any)
	return strings.HasPrefix(action, "auth.") || of["anonymous"] == true
}
