package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func (a *app) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel ID…", Short: "Abandonne des fichiers qui attendent ou sont en cours", Args: takes(1, 1<<20, "l’identifiant d’une ingestion"),
		Long:                  "Abandonne des fichiers qui attendent ou que lit un worker. Ce qui est lu reste : « ingest retry » reprend là.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			ids, err := typedIDs(ingestions, args)
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.cancel(c.Context(), db, ids) })
		},
	}
}

func (a *app) cancel(ctx context.Context, db *postgres.DB, meant []typed) error {
	ids, err := findAll(ctx, db, meant)
	if err != nil {
		return err
	}
	views := []ingestionView{}
	for _, id := range ids {
		row, err := db.Ingestion(ctx, id)
		if errs.Is(err, errs.NotFound) {
			return ingestions.absent(id)
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
			fmt.Fprintf(a.outcome(), "%s a déjà fini : %s.\n", cleanLine(row.Filename), stateName(row.State))
		case row.Ended():
			fmt.Fprintf(a.outcome(), "%s : annulé.\n", cleanLine(row.Filename))
		default:
			fmt.Fprintf(a.outcome(), "%s : le worker l’abandonne.\n", cleanLine(row.Filename))
		}
	}
	if a.json {
		return writeList(a.out, views, len(views))
	}
	return nil
}
