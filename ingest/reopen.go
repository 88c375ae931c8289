package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func (a *app) reviewReopenCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reopen ID", Short: "Défait une acceptation : le texte attend de nouveau, avec ses doutes", Args: takes(1, 1, "l’identifiant du texte"),
		Long: "Défait l’acceptation d’un texte : il quitte le catalogue et attend de nouveau, tel qu’il était et avec ses\n" +
			"doutes. Ce qui a été corrigé depuis est à redonner.",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error {
				return a.reviewReopen(c.Context(), db, d)
			})
		},
	}
}

func (a *app) reviewReopen(ctx context.Context, db *postgres.DB, d law.Document) error {
	d, err := db.ReopenText(ctx, d.IngestionID, d.ID)
	if errs.Is(err, errs.NotFound) { // a better edition superseded the text, or it was deleted meanwhile
		return errs.Newf(errs.Conflict, "Ce texte n’est plus au catalogue : il n’y a rien à défaire.")
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, documentOf(d))
	}
	_, err = fmt.Fprintf(a.outcome(), "De nouveau en revue : %s. Voir : ingest review show %s\n", cleanLine(d.Title), d.ID)
	return err
}
