package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/law/export"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/admin"
)

// documentsSet runs « documents set ».
func (a *app) documentsSet(ctx context.Context, in *input) error {
	ids, pairs := idsFirst(in.args)
	if len(pairs) == 0 {
		return usage("Il manque CHAMP=VALEUR : ce qui est à corriger.")
	}
	if err := checkIDs(texts, ids); err != nil { // before anything is changed
		return err
	}
	return a.withServer(ctx, func(s *server) error {
		change, err := s.changeOf(ctx, setArgument, pairs)
		if err != nil {
			return err
		}
		return a.several(ctx, ids, func(ctx context.Context, word string) (any, error) { return a.documentSet(ctx, s, word, change) })
	})
}

// idsFirst splits the arguments of « documents set »: the first and what follows it without =
// are ids.
func idsFirst(args []string) (ids, pairs []string) {
	n := 1
	for n < len(args) && !strings.Contains(args[n], "=") {
		if _, err := typedID(texts, args[n]); err != nil {
			break // a correction without its value, which is told as such
		}
		n++
	}
	return args[:n], args[n:]
}

// documentSet corrects a text, says so and returns its printed form.
func (a *app) documentSet(ctx context.Context, s *server, word string, change map[string]any) (any, error) {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return nil, err
	}
	var d law.Record
	if err := s.Call(ctx, http.MethodPatch, "/admin/documents/"+id.String(), nil, change, &d); err != nil {
		return nil, catalogued.orAbsent(err, id)
	}
	return d, a.say("Corrigé : %s (%s, %s).", terminal.Line(d.Title), law.Kind(d.Type, d.Nature), d.Status)
}

// export runs « export ».
func (a *app) export(ctx context.Context, in *input) error {
	format := in.text("format")
	if a.json {
		if in.flags.Changed("format") && format != "json" {
			return usage("--json écrit du JSON : --format ne peut pas valoir « %s » avec lui.", terminal.Line(format))
		}
		format = "json"
	}
	f, ok := export.ByName(format)
	if !ok {
		var names []string
		for _, f := range export.Formats() {
			names = append(names, f.Name)
		}
		return usage("--format ne peut pas valoir « %s » : %s.", terminal.Line(format), strings.Join(names, ", "))
	}
	return a.withServer(ctx, func(s *server) error { return a.exportText(ctx, s, in.args[0], in.text("date"), f, in.text("output")) })
}

// exportText writes a text in a format to a file, or to the standard output.
func (a *app) exportText(ctx context.Context, s *server, word, date string, f export.Format, output string) error {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return err
	}
	if output == "" {
		if f.Binary && terminal.Width(a.out) > 0 {
			return usage("Un fichier %s ne se lit pas dans un terminal : donnez -o FICHIER.", f.Name)
		}
	}
	query := url.Values{"format": {f.Name}}
	if date != "" {
		query.Set("date", date)
	}
	text, err := s.Bytes(ctx, "/documents/"+id.String()+"/export", query)
	if err != nil {
		return texts.orAbsent(err, id)
	}
	if output == "" {
		return a.writeData(text)
	}
	if err := os.WriteFile(output, text, 0o644); err != nil {
		return errs.Wrap(errs.Forbidden, "Le fichier « "+terminal.Line(output)+" » ne peut pas être écrit.", err)
	}
	fmt.Fprintf(a.err, "Écrit : %s (%s).\n", terminal.Line(output), terminal.Bytes(int64(len(text)))) // the standard output has only texts
	return nil
}

// field is a metadata field of a text: its name in the catalogue, and its short name for
// the command line.
type field struct{ name, short, help string }

// published is the only field that belongs to the gazette, not to a text.
const published = "date_publication"

var fields = []field{
	{"title", "title", "`TITRE` du texte"},
	{"doc_type", "type", "`TYPE` du texte : " + joined(law.DocTypes())},
	{"nature", "nature", "`NATURE` : ce que le texte se dit, « Ordonnance », « Acte uniforme »…"},
	{"numero_officiel", "numero", "`NUMÉRO` officiel du texte"},
	{"domaine", "domaine", "`CODE` du domaine : travail, impots…"},
	{"date_promulgation", "date", "date de promulgation, `AAAA-MM-JJ`"},
	{"date_entree_vigueur", "vigueur", "premier jour en vigueur, `AAAA-MM-JJ`"},
	{published, "published", "date de la gazette, `AAAA-MM-JJ`"},
}

// metadata returns what was said of files, by the fields that the API has for it.
func (i *input) metadata() map[string]any {
	given := map[string]any{}
	for _, f := range fields {
		if i.Flags[f.short] != nil && i.text(f.short) != "" {
			given[f.name] = i.text(f.short)
		}
	}
	return given
}

// Names for the source of « field=value » pairs in error messages.
const (
	setOption   = "--set"
	setArgument = "documents set"
)

// references are fields whose value is the id of a text, and emptied those that an empty value takes back.
var references, emptied = []string{"remplace", "abroge_par"}, []string{"abroge_par", "statut"}

// changeOf parses « field=value » pairs and returns them as the API takes them. It accepts both names of a
// field. how is the source of the pairs, for error messages.
func (s *server) changeOf(ctx context.Context, how string, pairs []string) (map[string]any, error) {
	s.Name = nil // the fields are typed as the API names them
	change := map[string]any{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		value = strings.TrimSpace(value)
		if pos := slices.IndexFunc(fields, func(f field) bool { return f.name != published && f.short == name }); pos >= 0 {
			name = fields[pos].name
		}
		known := slices.ContainsFunc(fields, func(f field) bool { return f.name != published && f.name == name })
		if !ok || !known && name != "remplace" && (how == setOption || name != "abroge_par" && name != "statut") {
			return nil, usage("%s attend CHAMP=VALEUR, pas « %s ». Champs : %s.", how, terminal.Line(pair), fieldNames())
		}
		if _, twice := change[name]; twice {
			return nil, usage("%s donne deux fois %s.", how, name)
		}
		switch {
		case value == "" && slices.Contains(emptied, name):
			change[name] = nil
		case slices.Contains(references, name):
			if _, err := typedID(texts, value); err != nil {
				return nil, usage("%s %s attend l’identifiant d’un texte, pas « %s ».", how, name, terminal.Line(value))
			}
			id, err := s.find(ctx, texts, value)
			if err != nil {
				return nil, err
			}
			change[name] = id
		default:
			change[name] = value
		}
	}
	return change, nil
}

// fieldNames lists the names that --set accepts.
func fieldNames() string {
	var names []string
	for _, f := range fields {
		if f.name != published {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ", ")
}

// programName is the name of the program in its texts. Archives have it under another.
const programName = "ingest"

// called matches the name of the program before a subcommand or an option, and in that of its completions.
var called = regexp.MustCompile(`\bingest( [a-z]| --|\.fish)`)

// spoken is an output of words for people. It makes them safe for a terminal, whoever wrote them, and gives the program
// in them the name that it was called by, so that commands can be pasted.
type spoken struct {
	io.Writer
	name string
}

// speaking returns an output of words for people.
func (a *app) speaking(w io.Writer) io.Writer {
	return terminal.Screen{Writer: spoken{w, cmp.Or(a.name, programName)}, Width: func() int { return terminal.Width(w) }}
}

// Write implements io.Writer.
func (s spoken) Write(p []byte) (int, error) {
	said := bytes.Map(func(r rune) rune {
		if terminal.Unsafe(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, p)
	if s.name != programName {
		said = called.ReplaceAll(said, []byte(s.name+"$1"))
	}
	_, err := s.Writer.Write(said)
	return len(p), err
}

// unchanged returns the output under one of words for people: for what is no words, such as a line that is written again
// and again, and messages of a protocol.
func unchanged(w io.Writer) io.Writer {
	screen, ok := w.(terminal.Screen)
	if under, speaks := screen.Writer.(spoken); ok && speaks {
		return under.Writer
	}
	return w
}

// writeData writes data to the standard output, unchanged unless that is a terminal.
func (a *app) writeData(data []byte) error {
	to := a.out
	if terminal.Width(to) == 0 {
		to = unchanged(to)
	}
	_, err := to.Write(data)
	return err
}

// shortNamed returns the id of a short name of a text.
func shortNamed(ctx context.Context, s *server, name string) (string, error) {
	list, err := client.ListAll[admin.TextNameBody](ctx, s.Client, "/admin/names", nil)
	if err != nil {
		return "", err
	}
	for _, n := range list {
		if law.Fold(n.Name) == law.Fold(name) {
			return n.ID.String(), nil
		}
	}
	return "", usage("Aucun texte n’a reçu le nom « %s » : ingest names list.", terminal.Line(name))
}
