package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

func (a *app) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel ID…", Short: "Abandonne des fichiers qui attendent ou sont en cours", Args: takes(1, 1<<20, "l’identifiant d’une ingestion"),
		Long:                  "Abandonne des fichiers qui attendent ou que lit un worker. Ce qui est lu reste : « ingest retry » reprend là.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			ids := make([]uuid.UUID, len(args))
			for i, arg := range args {
				id, err := uuid.Parse(arg)
				if err != nil {
					return usage("« %s » n’est pas l’identifiant d’une ingestion.", cleanLine(arg))
				}
				ids[i] = id
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.cancel(c.Context(), db, ids) })
		},
	}
}

func (a *app) cancel(ctx context.Context, db *postgres.DB, ids []uuid.UUID) error {
	views := []ingestionView{}
	for _, id := range ids {
		row, err := db.Ingestion(ctx, id)
		if errs.Is(err, errs.NotFound) {
			return errs.Wrap(errs.NotFound, fmt.Sprintf("Aucune ingestion %s. « ingest status » donne la liste.", id), err)
		}
		if err != nil {
			return err
		}
		ended := row.Ended()
		if err := db.CancelIngestion(ctx, id); err != nil {
			return err
		}
		if row, err = db.Ingestion(ctx, id); err != nil {
			return err
		}
		views = append(views, viewOf(row))
		if a.json {
			continue
		}
		switch {
		case ended:
			fmt.Fprintf(a.out, "%s a déjà fini : %s.\n", cleanLine(row.Filename), stateName(row.State))
		case row.Ended():
			fmt.Fprintf(a.out, "%s : annulé.\n", cleanLine(row.Filename))
		default:
			fmt.Fprintf(a.out, "%s : le worker l’abandonne.\n", cleanLine(row.Filename))
		}
	}
	if a.json {
		return writeJSON(a.out, views)
	}
	return nil
}
