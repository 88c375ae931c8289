package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/httpapi/gazettes"
)

// showRelations prints the relations of uncertain target, each with the texts that it may mean.
func (a *app) showRelations(_ context.Context, r *request) error {
	if len(r.items) == 0 {
		_, err := fmt.Fprintln(a.out, r.None)
		return err
	}
	list := make([]gazettes.UncertainBody, len(r.items))
	var own, candidates []uuid.UUID
	for i, item := range r.items {
		var err error
		if list[i], err = decoded[gazettes.UncertainBody](item); err != nil {
			return err
		}
		own = append(own, list[i].ID)
		for _, c := range list[i].Candidates {
			candidates = append(candidates, c.ID)
		}
	}
	short, shortTexts := a.shortened(own), a.shortened(candidates)
	for _, r := range list {
		fmt.Fprintln(a.out, shortOf(short, r.ID))
		terminal.Field(a.out, 2, "", terminal.Line(fmt.Sprintf("%s, article %s", r.Title, r.Number)))
		terminal.Field(a.out, 2, "", terminal.Line(fmt.Sprintf("%s : %s, le %s", r.Type, targetOf(r), r.Date)))
		for _, c := range r.Candidates {
			terminal.Field(a.out, 4, "", terminal.Line(shortOf(shortTexts, c.ID)+"  "+c.Date+"  "+c.Title))
		}
	}
	_, err := fmt.Fprintf(a.outcome(), "%s. Régler : ingest review relation ID --target ID_DU_TEXTE, ou --none\n", count(len(list), "relation"))
	return err
}

// targetOf names the text that a relation means, in the words of the relation.
func targetOf(r gazettes.UncertainBody) string {
	t := r.Target
	named := strings.TrimSpace(string(t.Type) + " " + t.Number)
	if t.Number == "" {
		named = t.Title
	}
	if t.Date != nil {
		named += " du " + *t.Date
	}
	if len(t.Articles) > 0 {
		named += ", articles " + strings.Join(t.Articles, ", ")
	}
	return named
}
