package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/ingestion"
)

// labelNames are the French names of the labels of lines.
var labelNames = map[string]string{gazette.LabelHead: "titre", gazette.LabelPreamble: "visas", gazette.LabelArticle: "article",
	gazette.LabelSection: "intertitre", gazette.LabelSignature: "signature", gazette.LabelAnnex: "annexe", gazette.LabelReasons: "exposé", gazette.LabelLoose: "hors texte", gazette.LabelAside: "à part"}

// gazetteLines runs « gazette lines ». The number of each line, from 1, identifies it in commands.
func (a *app) gazetteLines(ctx context.Context, in *input) error {
	return a.withServer(ctx, func(s *server) error {
		row, err := s.file(ctx, in.args[0])
		if err != nil {
			return err
		}
		p, err := s.pageLines(ctx, row, in.number("page"))
		switch {
		case err != nil:
			return err
		case a.json:
			return writeJSON(a.out, p)
		}
		t := terminal.Table{Head: []string{"LIGNE", "TEXTE N°", "EST", "ARTICLE", "MOTS"}}
		for i, l := range p.Lines {
			text := ""
			if l.TextIndex != nil {
				text = fmt.Sprint(*l.TextIndex + 1)
			}
			t.Add(i+1, text, labelNames[l.Label], value(l.Article), terminal.Cut(l.Text, 90))
		}
		return t.Write(a.out, "Aucune ligne sur cette page.")
	})
}

// pageLines reads the lines of a page of a file.
func (s *server) pageLines(ctx context.Context, row gazettes.IngestionBody, page int) (lines gazettes.LinesBody, err error) {
	if page < 1 {
		return lines, usage("--page manque, ou n’est pas un nombre à partir de 1.")
	}
	err = s.Call(ctx, http.MethodGet, fmt.Sprintf("/admin/ingestions/%s/pages/%d/lines", row.ID, page), nil, nil, &lines)
	switch {
	case !errs.Is(err, errs.NotFound):
		return lines, err
	case row.PagesTotal > 0 && page > row.PagesTotal:
		return lines, errs.Newf(errs.NotFound, "Ce fichier n’a pas de page %d : il en a %d.", page, row.PagesTotal)
	}
	return lines, errs.Newf(errs.NotFound, "Les lignes de la page %d ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (ingest gazette recut %s).", page, row.ID)
}

// recut makes the request of a command, which queues a file to be cut again, and follows the file. A request with a kind
// is an edit.
func (a *app) recut(ctx context.Context, in *input) error {
	return a.withAdding(ctx, in, func(r *adding) error {
		row, err := r.server.file(ctx, in.args[0])
		if err != nil {
			return err
		}
		fields, err := a.fieldsOf(ctx, r.server, in)
		if err == nil && in.Body["kind"] != nil {
			err = a.linesOf(ctx, r.server, in, row, fields)
		}
		if err != nil {
			return err
		}
		made, err := a.request(ctx, r.server, in, in.args, fields)
		if err != nil {
			return err
		}
		if row, err = r.server.file(ctx, row.ID.String()); err != nil {
			return err
		}
		f := &added{File: terminal.Line(row.Filename), SHA256: row.SHA256, Known: true, Documents: []gazettes.IngestedTextBody{}}
		r.files = append(r.files, f)
		r.take(f, row)
		f.base = f.PagesDone
		if in.Said == "" {
			made.raw = nil // no edit
		} else if err := a.say("%s", told(in.Said, made)); err != nil {
			return err
		}
		if a.json {
			return r.mended(ctx, made.raw)
		}
		return r.await(ctx)
	})
}

// mended follows the file and prints it, with the edit, as one JSON value.
func (r *adding) mended(ctx context.Context, edit json.RawMessage) error {
	if !r.noWait {
		if err := r.follow(ctx); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	if err := writeJSON(r.out, map[string]any{"edit": edit, "file": r.files[0]}); err != nil {
		return err
	}
	if r.files[0].failed() {
		return quiet{exitFailed}
	}
	return nil
}

// linesOf adds to the fields of an edit the lines that options name, and the words of the standard input.
func (a *app) linesOf(ctx context.Context, s *server, in *input, row gazettes.IngestionBody, fields map[string]any) (err error) {
	if in.Flags["text-stdin"] != nil && in.has("text-stdin") {
		text, err := io.ReadAll(io.LimitReader(a.in, 4*ingestion.ArticleLimit+1))
		if err != nil {
			return err
		}
		fields["text"] = string(text)
	}
	page := in.number("page")
	if fields["line"], err = s.line(ctx, row, "--line", page, in.number("line")); err != nil {
		return err
	}
	if in.Flags["through"] != nil && in.number("through") != 0 {
		if fields["through"], err = s.line(ctx, row, "--through", page, in.number("through")); err != nil {
			return err
		}
	}
	if in.Flags["after"] == nil {
		return nil
	}
	right := in.text("after")
	if (fields["to"] == ingestion.ToAfter) != (right != "") {
		return usage("--to after et --after PAGE:LIGNE vont ensemble.")
	}
	if right == "" {
		return nil
	}
	left, rest, _ := strings.Cut(right, ":")
	page, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(rest)
	if err1 != nil || err2 != nil {
		return usage("--after s’écrit PAGE:LIGNE, par exemple 2:40.")
	}
	fields["after"], err = s.line(ctx, row, "--after", page, n)
	return err
}

// line returns the n-th line of a page as the API identifies it: by its place and words.
func (s *server) line(ctx context.Context, row gazettes.IngestionBody, option string, page, n int) (editLineBody gazettes.EditLineBody, err error) {
	p, err := s.pageLines(ctx, row, page)
	if err != nil {
		return editLineBody, err
	}
	if n < 1 || n > len(p.Lines) {
		return editLineBody, usage("%s : la page %d a les lignes 1 à %d. « ingest gazette lines %s --page %d » les montre.", option, page, len(p.Lines), row.ID, page)
	}
	l := p.Lines[n-1]
	return gazettes.EditLineBody{Page: page, Rect: l.Rect, Text: l.Text}, nil
}

// states are the states of a file, with their French names in tables.
var states = [][2]string{{"queued", "en attente"}, {"running", "en cours"}, {"review", "en revue"},
	{"done", "terminé"}, {"failed", "échec"}, {"cancelled", "annulé"}, {refused, "refusé"}, {wanted, "à ajouter"}}

// The states of a file without an ingestion: it was rejected, or it would be added.
const (
	refused = "refused"
	wanted  = "wanted"
)

func stateName(state string) string {
	for _, s := range states {
		if s[0] == state {
			return s[1]
		}
	}
	return state
}

// readableNow says that texts can be read, and when they are found more precisely: in
// minutes, rounded up, or in hours where minutes would be many.
func readableNow(seconds int64) string {
	minutes := int((seconds + 59) / 60)
	moment := fmt.Sprintf("%d minutes", minutes)
	switch {
	case minutes <= 1:
		moment = "une minute"
	case minutes > 120:
		moment = fmt.Sprintf("%d heures", (minutes+59)/60)
	}
	return "lisible dès maintenant, plus précis dans " + moment
}

// statusNotes prints what is told below a list of files.
func (a *app) statusNotes(ctx context.Context, r *request) error {
	refining, longest := 0, int64(0)
	for _, raw := range r.items {
		i, err := decoded[gazettes.IngestionBody](raw)
		if err != nil {
			return err
		}
		if i.RefinedIn != nil {
			refining, longest = refining+1, max(longest, *i.RefinedIn)
		}
	}
	if r.more {
		fmt.Fprintf(a.outcome(), "Il y en a d’autres : --limit %d\n", 2*r.number("limit"))
	}
	if refining > 0 {
		fmt.Fprintf(a.outcome(), "\n%s : %s.\n", count(refining, "fichier"), readableNow(longest))
	}
	var waiting admin.WaitingCountsBody
	err := r.server.Call(ctx, http.MethodGet, "/admin/waiting", nil, nil, &waiting)
	if errs.Is(err, errs.Unauthorized) || err == nil && waiting.Amendments == 0 { // an API key may follow files and not see the desk
		return nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.outcome(), "\n%s en attente. Voir : ingest versions waiting\n", count(waiting.Amendments, "modification"))
	return err
}

func articlesOf(i gazettes.IngestionBody) (n int) {
	for _, d := range i.Documents {
		n += d.Articles
	}
	return n
}

// file returns the file whose ingestion a typed id means.
func (s *server) file(ctx context.Context, word string) (i gazettes.IngestionBody, err error) {
	id, err := s.find(ctx, ingestions, word)
	if err != nil {
		return i, err
	}
	err = s.Call(ctx, http.MethodGet, "/admin/ingestions/"+id.String(), nil, nil, &i)
	return i, ingestions.orAbsent(err, id)
}

// showFile prints a file with its texts.
func (a *app) showFile(ctx context.Context, r *request) error {
	i, err := decoded[gazettes.IngestionBody](r.raw)
	if err != nil {
		return err
	}
	state := stateName(i.State)
	if i.RefinedIn != nil {
		state += ", " + readableNow(*i.RefinedIn)
	}
	for _, line := range [][2]string{{"Ingestion", i.ID.String()}, {"Fichier", fmt.Sprintf("%s (%s)", i.Filename, terminal.Bytes(i.Size))},
		{"État", state}, {"Pages", fmt.Sprintf("%d/%d", i.PagesDone, i.PagesTotal)}, {"Tentatives", fmt.Sprint(i.Attempts)},
		{"Ajouté le", momentOf(i.CreatedAt)}, {"Modifié le", momentOf(i.UpdatedAt)}, {"Motif", value(i.Error)}} {
		if line[1] != "" {
			terminal.Field(a.out, 12, line[0], terminal.Line(line[1]))
		}
	}
	fmt.Fprintln(a.out)
	if err := a.statusTexts(i.Documents); err != nil {
		return err
	}
	return a.statusDoubts(ctx, r.server, i)
}

// statusDoubts prints the doubts of each text of a file that is in review.
func (a *app) statusDoubts(ctx context.Context, s *server, i gazettes.IngestionBody) error {
	if !slices.ContainsFunc(i.Documents, func(d gazettes.IngestedTextBody) bool { return d.InReview }) {
		return nil
	}
	reviews, err := client.ListAll[gazettes.ReviewBody](ctx, s.Client, "/admin/ingestions/"+i.ID.String()+"/review", nil)
	if err != nil {
		return err
	}
	for _, r := range reviews {
		fmt.Fprintln(a.out)
		terminal.Field(a.out, 23, "Doutes, p. "+span(r.FirstPage, r.LastPage), terminal.Line(r.Title))
		for _, doubt := range r.Doubts {
			terminal.Field(a.out, 23, "  "+doubt.Field, terminal.Line(doubt.Reason))
		}
	}
	return nil
}

// statusTexts prints the texts of a file.
func (a *app) statusTexts(documents []gazettes.IngestedTextBody) error {
	var ids []uuid.UUID
	for _, d := range documents {
		if ids = append(ids, d.ID); d.SupersededBy != nil {
			ids = append(ids, *d.SupersededBy)
		}
	}
	t := terminal.Table{Head: []string{"NATURE", "NUMÉRO", "ARTICLES", "ÉTAT", "TITRE", "ID"}, IDs: a.shortened(ids)}
	for _, d := range documents {
		place := "au catalogue"
		if d.InReview {
			place = "en revue"
		}
		if d.SupersededBy != nil {
			place = "remplacé par " + shortOf(t.IDs, *d.SupersededBy)
		}
		t.Add(law.Kind(d.Type, d.Nature), d.Number, d.Articles, place, d.Title, d.ID)
	}
	return t.Write(a.out, "Aucun texte.")
}

// retried is the maximum number of files of « retry --all ».
const retried = 100_000

// retryFiles runs « retry ».
func (a *app) retryFiles(ctx context.Context, in *input) error {
	all := in.has("all")
	if all == (len(in.args) > 0) {
		return usage("Donnez des identifiants d’ingestion, ou --all. « ingest status --state failed » donne la liste.")
	}
	if err := checkIDs(ingestions, in.args); err != nil {
		return err
	}
	return a.withAdding(ctx, in, func(r *adding) error { return r.rerun(ctx, in.args, all) })
}

// rerun queues files again and follows them.
func (r *adding) rerun(ctx context.Context, words []string, all bool) error {
	rows, err := r.findNamed(ctx, words, all)
	if err != nil {
		return err
	}
	for _, row := range rows {
		f := &added{File: terminal.Line(row.Filename), SHA256: row.SHA256, Known: true, Documents: []gazettes.IngestedTextBody{}}
		r.files = append(r.files, f)
		err := r.again(ctx, f, row.ID)
		if errs.Is(err, errs.Conflict) {
			r.take(f, row)
			f.State, f.Reason = refused, errs.Public(err)
			continue
		}
		if err != nil {
			return r.interrupted(ctx, err)
		}
		f.base = f.PagesDone
	}
	return r.await(ctx)
}

// findNamed reads the rows of the given files.
func (r *adding) findNamed(ctx context.Context, words []string, all bool) (rows []gazettes.IngestionBody, err error) {
	if all {
		every, _, err := client.ListUpTo[gazettes.IngestionBody](ctx, r.server.Client, "/admin/ingestions", nil, retried)
		return slices.DeleteFunc(every, func(i gazettes.IngestionBody) bool {
			return i.State != "failed" && (i.Unread == 0 || !endedState(i.State) || i.State == "cancelled")
		}), err
	}
	for _, word := range words {
		row, err := r.server.file(ctx, word)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// forget runs « forget ».
func (a *app) forget(ctx context.Context, in *input) error {
	return a.withServer(ctx, func(s *server) error { return a.forgetFiles(ctx, s, in.args) })
}

// forgetFiles forgets files, each for itself, until one is refused.
func (a *app) forgetFiles(ctx context.Context, s *server, args []string) error {
	forgotten := []gazettes.IngestionBody{}
	for _, arg := range args {
		row, err := s.fileMeant(ctx, arg)
		if err != nil {
			return err
		}
		err = s.Call(ctx, http.MethodDelete, "/admin/ingestions/"+row.ID.String(), nil, nil, nil)
		if errs.Is(err, errs.Conflict) {
			return errs.Newf(errs.Conflict, "%s reste. %s", terminal.Line(row.Filename), errs.Public(err))
		}
		if errs.Is(err, errs.NotFound) { // a concurrent command deleted the file
			return noFile(arg)
		}
		if err != nil {
			return err
		}
		forgotten = append(forgotten, row)
		if err := a.say("Oublié : %s (%s).", terminal.Line(row.Filename), stateName(row.State)); err != nil {
			return err
		}
	}
	if a.json {
		return writeList(a.out, forgotten, len(forgotten))
	}
	return nil
}

func noFile(arg string) error {
	return errs.Newf(errs.NotFound, "Aucun fichier « %s » à oublier. « ingest status --state failed » donne la liste.", terminal.Line(arg))
}

// fileMeant returns the file that an argument means: a path to the same bytes, the name of
// a failed or cancelled file, or the id of its ingestion, which may be a prefix.
func (s *server) fileMeant(ctx context.Context, arg string) (row gazettes.IngestionBody, err error) {
	if sha, there := shaOf(arg); there {
		found, err := s.FileOf(ctx, sha)
		if err == nil && found == nil {
			err = noFile(arg)
		}
		if err != nil {
			return row, err
		}
		return *found, nil
	}
	row, err = s.fileNamed(ctx, arg)
	if _, malformed := typedID(ingestions, arg); !errs.Is(err, errs.NotFound) || malformed != nil {
		return row, err
	}
	if row, err = s.file(ctx, arg); errs.Is(err, errs.NotFound) {
		return row, noFile(arg)
	}
	return row, err
}

// shaOf returns the hash of a file. ok is false if the file cannot be read.
func shaOf(path string) (sha string, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }() // the file was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", false
	}
	return hex.EncodeToString(sum.Sum(nil)), true
}

// fileNamed returns the only failed or cancelled file with a name.
func (s *server) fileNamed(ctx context.Context, name string) (row gazettes.IngestionBody, err error) {
	var found []gazettes.IngestionBody
	for _, state := range []string{"failed", "cancelled"} {
		rows, _, err := client.ListUpTo[gazettes.IngestionBody](ctx, s.Client, "/admin/ingestions", url.Values{"state": {state}, "q": {name}}, retried)
		if err != nil {
			return row, err
		}
		found = append(found, slices.DeleteFunc(rows, func(i gazettes.IngestionBody) bool { return i.Filename != name })...)
	}
	switch len(found) {
	case 0:
		return row, noFile(name)
	case 1:
		return found[0], nil
	}
	var ids []string
	for _, i := range found {
		ids = append(ids, i.ID.String())
	}
	return row, usage("Plusieurs fichiers s’appellent « %s » : donnez l’identifiant de l’un d’eux (%s).", terminal.Line(name), strings.Join(ids, ", "))
}
