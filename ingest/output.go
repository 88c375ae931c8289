package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"strings"
	"sync"
	"syscall"
	"text/template"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
)

// outputs opens what --quiet and --log-file say about the outputs of the command, before the command runs.
//
// With --quiet, remarks, progress and the sentence that says that a command did its work go nowhere; errors, questions and
// the data that were asked for stay. With --log-file, all of them except the data also go to the file.
func (a *app) outputs(c *cobra.Command) error {
	remarks := a.err
	if a.silent {
		remarks, a.terminal = io.Discard, false
	}
	if a.logPath != "" {
		file, err := os.OpenFile(a.logPath, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return usage("Le journal « %s » ne peut pas être ouvert : %v.", a.logPath, reasonOf(err))
		}
		a.log = &logFile{file: file, now: time.Now, began: time.Now()}
		fmt.Fprintf(a.log, "%s, processus %d\n", c.CommandPath(), os.Getpid())
		remarks = io.MultiWriter(remarks, a.log)
		a.terminal = false // a bar would fill the file with the codes that draw it
		a.always = io.MultiWriter(a.err, a.log)
	}
	a.err = remarks
	c.Root().SetErr(a.always)
	return nil
}

// outcome returns the output of the sentences that say that a command did its work.
func (a *app) outcome() io.Writer {
	switch {
	case a.silent && a.log != nil:
		return a.renaming(a.log)
	case a.silent:
		return io.Discard
	case a.log == nil:
		return a.renaming(a.out)
	}
	both := io.MultiWriter(a.out, a.log)
	if s, ok := a.out.(terminal.Screen); ok {
		return a.renaming(terminal.Screen{Writer: both, Width: s.Width}) // a table still fits the terminal
	}
	return a.renaming(both)
}

// closeLog ends the log of --log-file with the exit code. What could not be written is said once, at the end, because the
// work of the command does not depend on it.
func (a *app) closeLog(code int, screen io.Writer) {
	if a.log == nil {
		return
	}
	fmt.Fprintf(a.log, "fin, code %d, %s\n", code, time.Since(a.log.began).Round(time.Millisecond))
	if err := a.log.close(); err != nil {
		fmt.Fprintf(screen, "Le journal « %s » est incomplet : %v.\n", a.logPath, reasonOf(err))
	}
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

// logFile writes lines to a file, each behind its time. It never fails, because a full disk must not stop a command half-way.
type logFile struct {
	mu    sync.Mutex
	file  *os.File
	now   func() time.Time
	began time.Time
	rest  []byte // the line that is not complete yet
	fault error  // the first error of writing
}

// Write writes the complete lines of p, and keeps the rest until its end comes. A file that other commands write too gets each
// line whole.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if end < 0 {
			return len(p), nil
		}
		l.line(l.rest[:end])
		l.rest = l.rest[end+1:]
	}
}

// line writes a line with its time, in UTC.
func (l *logFile) line(text []byte) {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return
	}
	_, err := fmt.Fprintf(l.file, "%s %s\n", l.now().UTC().Format("2006-01-02T15:04:05.000Z"), text)
	if err != nil && l.fault == nil {
		l.fault = err
	}
}

// close writes what is left and closes the file. It returns the first error of writing.
func (l *logFile) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line(l.rest)
	if err := l.file.Close(); err != nil && l.fault == nil {
		l.fault = err
	}
	return l.fault
}

// writeJSON prints v as one JSON value.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// writeJSONLine prints v on one line. Commands that print many values use it.
func writeJSONLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
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

func faultOf(err error) fault { return fault{errs.KindOf(err).String(), terminal.Clean(sentence(err))} }

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
	// totaled is the minimum number of files for which the summary contains a table of states.
	totaled = 20
)

// summary prints the result of each file, and then the totals. If there are many files, it
// prints only the results of those that need attention.
func (r *adding) summary() error {
	if r.json {
		return writeList(r.out, r.files, len(r.files))
	}
	t := terminal.Table{Head: []string{"FICHIER", "ÉTAT", "PAGES", "TEXTES", "ARTICLES", "REMARQUE"}, Omit: []string{"ARTICLES", "TEXTES"}}
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
	return r.totals()
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

// totals prints the number of files in each state: on one line, or as a table for many
// files.
func (r *adding) totals() error {
	type sum struct{ files, pages, texts, articles int }
	sums := map[string]*sum{}
	for _, f := range r.files {
		s := sums[f.State]
		if s == nil {
			s = &sum{}
			sums[f.State] = s
		}
		s.files++
		s.pages += f.PagesDone
		s.texts += f.texts
		s.articles += f.Articles
	}
	t := terminal.Table{Head: []string{"ÉTAT", "FICHIERS", "PAGES", "TEXTES", "ARTICLES"}}
	for _, state := range states {
		if s := sums[state[0]]; s != nil {
			t.Add(state[1], s.files, s.pages, s.texts, s.articles)
		}
	}
	if len(r.files) >= totaled {
		if err := t.Write(r.summaryTo(), ""); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(r.summaryTo(), "%s (%s).\n", count(len(r.files), "fichier"), byState(r.files))
	return err
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
