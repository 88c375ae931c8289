package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"syscall"
	"text/template"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
)

// outcome returns the output of the sentences that say that a command did its work. With --quiet, they, remarks and
// progress go nowhere; errors, questions and the data that were asked for stay.
func (a *app) outcome() io.Writer {
	if a.silent {
		return io.Discard
	}
	return a.out
}

// reasons are frequent causes of errors of the file system, in French.
var reasons = []struct {
	of   error
	said string
}{
	{fs.ErrNotExist, "introuvable"}, {fs.ErrPermission, "accès refusé"}, {fs.ErrExist, "il existe déjà"}, {syscall.ENOSPC, "plus de place"},
	{syscall.EISDIR, "c’est un dossier"}, {syscall.ENOTDIR, "un dossier du chemin n’en est pas un"}, {io.ErrUnexpectedEOF, "la fin manque"},
}

// reasonOf describes the cause of an error of the file system. The path and the call are left out, because the sentence
// around it names the file.
func reasonOf(err error) string {
	for _, r := range reasons {
		if errors.Is(err, r.of) {
			return r.said
		}
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return fmt.Sprintf("ce n’est pas du JSON, à l’octet %d", syntax.Offset)
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// writeJSON prints v as one JSON value.
func writeJSON(w io.Writer, v any) error { return writeIndented(w, "  ", v) }

// writeJSONLine prints v on one line. Commands that print many values use it.
func writeJSONLine(w io.Writer, v any) error { return writeIndented(w, "", v) }

// writeIndented prints v as JSON in which characters that are unsafe for a terminal are escaped.
func writeIndented(w io.Writer, indent string, v any) error {
	var written strings.Builder
	e := json.NewEncoder(&written)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	var safe strings.Builder
	for _, r := range written.String() {
		if r != '\n' && terminal.Unsafe(r) {
			fmt.Fprintf(&safe, `\u%04x`, r)
		} else {
			safe.WriteRune(r)
		}
	}
	_, err := io.WriteString(w, safe.String())
	return err
}

// listing is the JSON form of every list.
type listing[T any] struct {
	Items []T `json:"items"`
	Total int `json:"total"` // number of items, including those that are not listed
}

// writeList prints a list. total is the number of items, including those that are not
// listed.
func writeList[T any](w io.Writer, items []T, total int) error {
	return writeJSON(w, listing[T]{append([]T{}, items...), total})
}

// fault is an error in JSON.
type fault struct {
	Kind   string `json:"kind"`   // name of the kind in package errs
	Detail string `json:"detail"` // French message
}

func faultOf(err error) fault { return fault{errs.KindOf(err).String(), sentence(err)} }

// writeFault prints an error on one line.
func writeFault(w io.Writer, f fault) error {
	return writeJSONLine(w, map[string]fault{"error": f})
}

// count formats a number with a French noun: « 1 texte », « 3 textes ».
func count(n int, what string) string {
	if n < 2 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// moment formats a time in the operator's time zone.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// momentOf formats a time of the API; what is no time is returned unchanged.
func momentOf(written string) string {
	if t := timeOf(written); !t.IsZero() {
		return moment(t)
	}
	return terminal.Line(written)
}

// timeOf parses a time of the API; the zero time if it is none.
func timeOf(written string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, written)
	return t
}

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
			fields, _ := item.(map[string]any)
			v, _ := fields[field].(int)
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
func rendered(text string, value any) string {
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
		if err := parsed.Execute(&b, value); err != nil {
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
	fields := map[string]any{}
	if all, ok := plain(r.raw).(map[string]any); ok {
		maps.Copy(fields, all)
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
	fields["sent"], fields["first"], fields["listed"], fields["more"], fields["given"] = sent, r.first, len(r.items), r.more, terminal.Line(strings.Join(r.words, " "))
	if r.items != nil {
		fields["total"] = r.total
	}
	return rendered(text, fields)
}

// kindOfText names what a text is.
func kindOfText(docType, nature string) string { return law.Kind(law.DocType(docType), nature) }

// joinedBy joins the values of a list.
func joinedBy(gap string, values any) string {
	list, _ := values.([]any)
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, gap)
}

// withoutAccount reports whether a line of the log without an account is of somebody who has none or could not sign in,
// and not of the operator: as the page tells it.
func withoutAccount(action string, details any) bool {
	fields, _ := details.(map[string]any)
	return strings.HasPrefix(action, "auth.") || fields["anonymous"] == true
}

const (
	// listed is the maximum number of files that the summary lists one by one.
	listed = 200
	// known is the beginning of the remark about a file that was added before.
	known = "Déjà connu"
)

// summary prints the result of each file, and then the totals. If there are many files, it
// prints only the results of those that need attention.
func (r *adding) summary() error {
	if r.json {
		return writeList(r.out, r.files, len(r.files))
	}
	t := terminal.Table{Head: []string{"FICHIER", "ÉTAT", "PAGES", "TEXTES", "ARTICLES", "REMARQUE"}}
	none, left := "Aucun fichier.", 0
	for _, f := range r.files {
		switch {
		case len(r.files) > listed && f.State == "done" && (f.Reason == "" || strings.HasPrefix(f.Reason, known)):
			none = ""
		case t.Len() >= listed:
			left++
		default:
			t.Add(f.File, stateName(f.State), fmt.Sprintf("%d/%d", f.PagesDone, f.PagesTotal), f.texts, f.Articles, f.Reason)
		}
	}
	out := r.summaryTo()
	if t.Len() > 0 || none != "" {
		if err := t.Write(out, none); err != nil {
			return err
		}
	}
	if left > 0 {
		fmt.Fprintf(out, "… et %s encore : ingest status --state failed, ou --json.\n", count(left, "fichier"))
	}
	_, err := fmt.Fprintf(out, "%s (%s).\n", count(len(r.files), "fichier"), byState(r.files))
	return err
}

// summaryTo returns the output of the summary: with --quiet, it is printed only if a file needs attention.
func (r *adding) summaryTo() io.Writer {
	for _, f := range r.files {
		if f.State != "done" {
			return r.out
		}
	}
	return r.outcome()
}

// byState formats the number of files in each state: « terminé : 4, échec : 1 ».
func byState(files []*added) string {
	var parts []string
	for _, state := range states {
		n := 0
		for _, f := range files {
			if f.State == state[0] {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s : %d", state[1], n))
		}
	}
	return strings.Join(parts, ", ")
}
