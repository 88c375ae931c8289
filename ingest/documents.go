package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/catalogue"
)

func (a *app) documentsCommand() *cobra.Command {
	q := map[string]*string{}
	var page, size int
	c := &cobra.Command{
		Use: "documents", Short: "Liste, montre, corrige et supprime les textes du catalogue", Args: takes(0, 0, ""),
		Long: "Sans commande, liste les textes du catalogue, le plus récemment promulgué d’abord. Les textes en revue n’y sont pas.",
		RunE: func(c *cobra.Command, _ []string) error {
			query := url.Values{"page": {strconv.Itoa(page)}, "page_size": {strconv.Itoa(size)}}
			for name, value := range q {
				if *value != "" {
					query.Set(name, *value)
				}
			}
			return a.withServer(c.Context(), func(s *server) error { return a.documents(c.Context(), s, query) })
		},
	}
	q["q"] = c.Flags().String("q", "", "`MOTS` du titre, sans égard aux accents ni à la casse")
	q["domaine"] = c.Flags().String("domaine", "", "`CODE` du domaine : travail, impots…")
	q["doc_type"] = c.Flags().String("type", "", "`NATURE` : "+joined(law.DocTypes()))
	q["statut"] = c.Flags().String("statut", "", "`STATUT` : "+joined(law.Statuses()))
	number(c, &page, "page", 1, "page `N`")
	number(c, &size, "page-size", 100, "`N` textes par page, 100 au plus")
	c.AddCommand(a.documentsShowCommand(), a.documentsSetCommand(), a.documentsDeleteCommand())
	return c
}

// number adds an integer flag. Its default value is part of the French help.
func number(c *cobra.Command, to *int, name string, preset int, help string) {
	c.Flags().IntVar(to, name, preset, fmt.Sprintf("%s (%d par défaut)", help, preset))
	c.Flags().Lookup(name).DefValue = "0" // otherwise, pflag would print the default value in English
}

// joined returns the values of a flag as a list for people.
func joined[T ~string](values []T) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = string(v)
	}
	return strings.Join(parts, ", ")
}

func (a *app) documents(ctx context.Context, s *server, query url.Values) error {
	var raw json.RawMessage
	if err := s.call(ctx, http.MethodGet, "/documents", query, nil, &raw); err != nil || a.json {
		return a.passed(raw, err)
	}
	var list struct {
		Items []law.Record `json:"items"`
		Total int          `json:"total"`
		Page  int          `json:"page"`
		Size  int          `json:"page_size"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	t := table{head: []string{"PROMULGATION", "NATURE", "NUMÉRO", "STATUT", "DOMAINE", "TITRE", "ID"}, omit: []string{"DOMAINE", "NATURE", "STATUT"}}
	var ids []uuid.UUID
	for _, d := range list.Items {
		ids = append(ids, d.ID)
		t.add(d.Promulgated, law.Kind(d.Type, d.Nature), d.OfficialNumber, d.Status, d.Domain, d.Title, d.ID)
	}
	t.ids = a.shortened(ids)
	none, next := "Aucun texte.", ""
	switch pages := (list.Total + list.Size - 1) / list.Size; {
	case list.Page < pages:
		next = fmt.Sprintf(" La suite : --page %d", list.Page+1)
	case list.Page > pages && pages > 0:
		none = fmt.Sprintf("Il n’y a pas de page %d : %s sur %s. La dernière : --page %d", list.Page, count(list.Total, "texte"), count(pages, "page"), pages)
	}
	if err := t.write(a.out, none); err != nil || len(list.Items) == 0 {
		return err
	}
	_, err := fmt.Fprintf(a.out, "%s sur %d.%s\n", count(len(list.Items), "texte"), list.Total, next)
	return err
}

// documentText is a text of the catalogue with its place in its file.
type documentText struct {
	law.Record
	place catalogue.DetailsBody
}

// document returns the text of the catalogue, or the one that a better edition superseded, that a
// typed id means.
func (s *server) document(ctx context.Context, word string) (d documentText, err error) {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return d, err
	}
	if err := s.call(ctx, http.MethodGet, "/documents/"+id.String(), nil, nil, &d.Record); err != nil {
		return d, notListed(err, id)
	}
	err = s.call(ctx, http.MethodGet, "/documents/"+id.String()+"/details", nil, nil, &d.place)
	return d, err
}

// notListed gives the NotFound error of a text the sentence that says where texts are listed.
func notListed(err error, id uuid.UUID) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Newf(errs.NotFound, "Aucun texte %s au catalogue. « ingest documents » donne la liste, « ingest review list » ceux qui attendent.", id)
	}
	return err
}
