package main

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel ID…", Short: "Abandonne des fichiers qui attendent ou sont en cours", Args: takes(1, 1<<20, "l’identifiant d’une ingestion"),
		Long:                  "Abandonne des fichiers qui attendent ou que lit un worker. Ce qui est lu reste : « ingest retry » reprend là.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkIDs(ingestions, args); err != nil {
				return err
			}
			return a.withServer(c.Context(), func(s *server) error { return a.cancel(c.Context(), s, args) })
		},
	}
}

func (a *app) cancel(ctx context.Context, s *server, words []string) error {
	views := []gazettes.IngestionBody{}
	for _, word := range words {
		row, err := s.file(ctx, word)
		if err != nil {
			return err
		}
		ended := endedState(row.State)
		if err := s.call(ctx, http.MethodPost, "/admin/ingestions/"+row.ID.String()+"/cancel", nil, nil, &row); err != nil {
			return err
		}
		views = append(views, row)
		said := "%s : le worker l’abandonne."
		switch {
		case ended:
			said = "%s a déjà fini : " + stateName(row.State) + "."
		case endedState(row.State):
			said = "%s : annulé."
		}
		if err := a.say(said, cleanLine(row.Filename)); err != nil {
			return err
		}
	}
	if a.json {
		return writeList(a.out, views, len(views))
	}
	return nil
}
