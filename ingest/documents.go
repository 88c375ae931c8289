package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func (a *app) documentsCommand() *cobra.Command {
	var q postgres.DocumentQuery
	c := &cobra.Command{
		Use: "documents", Short: "Liste, montre, corrige et supprime les textes du catalogue", Args: takes(0, 0, ""),
		Long: "Sans commande, liste les textes du catalogue, le plus récemment promulgué d’abord. Les textes en revue n’y sont pas.",
		RunE: func(c *cobra.Command, _ []string) error {
			if q.Page < 1 || q.PageSize < 1 || q.PageSize > 1000 {
				return usage("--page est au moins 1, --page-size de 1 à 1000.")
			}
			if err := checkKinds(q.Type, q.Status); err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.documents(c.Context(), db, q) })
		},
	}
	c.Flags().StringVar(&q.Title, "q", "", "`MOTS` du titre, sans égard aux accents ni à la casse")
	c.Flags().StringVar(&q.Domain, "domaine", "", "`CODE` du domaine : travail, impots…")
	c.Flags().StringVar((*string)(&q.Type), "type", "", "`NATURE` : "+joined(law.DocTypes()))
	c.Flags().StringVar((*string)(&q.Status), "statut", "", "`STATUT` : "+joined(law.Statuses()))
	number(c, &q.Page, "page", 1, "page `N`")
	c.AddCommand(a.documentsShowCommand(), a.documentsSetCommand(), a.documentsDeleteCommand())
	number(c, &q.PageSize, "page-size", 100, "`N` textes par page, 1000 au plus")
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

// checkKinds rejects an unknown type or status.
func checkKinds(t law.DocType, s law.Status) error {
	if t != "" && !slices.Contains(law.DocTypes(), t) {
		return usage("--type ne peut pas valoir « %s » : %s.", t, joined(law.DocTypes()))
	}
	if s != "" && !slices.Contains(law.Statuses(), s) {
		return usage("--statut ne peut pas valoir « %s » : %s.", s, joined(law.Statuses()))
	}
	return nil
}

// document is a text in the form of the HTTP interface, with its pages.
type document struct {
	law.Record
	FirstPage int `json:"first_page"`
	LastPage  int `json:"last_page"`
}

func documentOf(d law.Document) document {
	return document{d.Record(), d.FirstPage, d.LastPage}
}

func (a *app) documents(ctx context.Context, db *postgres.DB, q postgres.DocumentQuery) error {
	found, total, err := db.Documents(ctx, q)
	if err != nil {
		return err
	}
	items := make([]document, len(found))
	for i, d := range found {
		items[i] = documentOf(d)
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"items": items, "total": total, "page": q.Page, "page_size": q.PageSize})
	}
	t := table{head: []string{"PROMULGATION", "NATURE", "NUMÉRO", "STATUT", "DOMAINE", "PAGES", "TITRE", "ID"},
		omit: []string{"PAGES", "DOMAINE", "NATURE", "STATUT"}}
	var ids []uuid.UUID
	for i, d := range items {
		ids = append(ids, found[i].ID)
		t.add(d.Promulgated, law.Kind(d.Type, d.Nature), d.OfficialNumber, d.Status, d.Domain, span(found[i]), d.Title, found[i].ID)
	}
	if t.ids, err = a.shortIDs(ctx, db, texts, ids...); err != nil {
		return err
	}
	none, next := "Aucun texte.", ""
	switch pages := (total + q.PageSize - 1) / q.PageSize; {
	case q.Page < pages:
		next = fmt.Sprintf(" La suite : --page %d", q.Page+1)
	case q.Page > pages && pages > 0:
		none = fmt.Sprintf("Il n’y a pas de page %d : %s sur %s. La dernière : --page %d", q.Page, count(total, "texte"), count(pages, "page"), pages)
	}
	if err := t.write(a.out, none); err != nil || len(items) == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s sur %d.%s\n", count(len(items), "texte"), total, next)
	return err
}
