package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/gazettes"
)

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
	when := fmt.Sprintf("%d minutes", minutes)
	switch {
	case minutes <= 1:
		when = "une minute"
	case minutes > 120:
		when = fmt.Sprintf("%d heures", (minutes+59)/60)
	}
	return "lisible dès maintenant, plus précis dans " + when
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

func pagesOf(i gazettes.IngestionBody) string { return fmt.Sprintf("%d/%d", i.PagesDone, i.PagesTotal) }

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
		{"État", state}, {"Pages", pagesOf(i)}, {"Tentatives", fmt.Sprint(i.Attempts)},
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
	if !slices.ContainsFunc(i.Documents, func(d gazettes.IngestedBody) bool { return d.InReview }) {
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
func (a *app) statusTexts(documents []gazettes.IngestedBody) error {
	var ids []uuid.UUID
	for _, d := range documents {
		if ids = append(ids, d.ID); d.SupersededBy != nil {
			ids = append(ids, *d.SupersededBy)
		}
	}
	t := terminal.Table{Head: []string{"NATURE", "NUMÉRO", "ARTICLES", "ÉTAT", "TITRE", "ID"}, Omit: []string{"ARTICLES", "NATURE"}, IDs: a.shortened(ids)}
	for _, d := range documents {
		where := "au catalogue"
		if d.InReview {
			where = "en revue"
		}
		if d.SupersededBy != nil {
			where = "remplacé par " + shortOf(t.IDs, *d.SupersededBy)
		}
		t.Add(law.Kind(d.Type, d.Nature), d.Number, d.Articles, where, d.Title, d.ID)
	}
	return t.Write(a.out, "Aucun texte.")
}
