package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

func (a *app) migrateCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "migrate", Short: "Met la base à jour ou dit où elle en est"})
	c.AddCommand(
		&cobra.Command{
			Use: "up", Short: "Met la base à jour", Args: takes(0, 0, ""),
			Long: "Applique les étapes du schéma qui manquent. Deux mises à jour simultanées s’attendent l’une l’autre.",
			RunE: func(c *cobra.Command, _ []string) error { return a.migrateUp(c.Context()) },
		},
		&cobra.Command{
			Use: "status", Short: "Liste les étapes du schéma, appliquées ou en attente", Args: takes(0, 0, ""),
			RunE: func(c *cobra.Command, _ []string) error { return a.migrateStatus(c.Context()) },
		})
	return c
}

// step is a step of the schema as it is printed.
type step struct {
	Version int64      `json:"version"`
	Name    string     `json:"name"`
	Applied *time.Time `json:"applied_at"`
}

func (a *app) migrateUp(ctx context.Context) error {
	c, err := a.answering(ctx)
	if err != nil {
		return err
	}
	steps, err := postgres.Migrate(ctx, c)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, printable(steps), len(steps))
	}
	if len(steps) == 0 {
		_, err = fmt.Fprintln(a.out, "La base est à jour.")
		return err
	}
	for _, s := range steps {
		fmt.Fprintln(a.out, "appliquée :", s.Name)
	}
	_, err = fmt.Fprintf(a.out, "La base est à jour (%s).\n", count(len(steps), "étape"))
	return err
}

func (a *app) migrateStatus(ctx context.Context) error {
	c, err := a.answering(ctx)
	if err != nil {
		return err
	}
	steps, err := postgres.MigrationStatus(ctx, c)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, printable(steps), len(steps))
	}
	t := table{head: []string{"VERSION", "ÉTAPE", "APPLIQUÉE"}}
	for _, s := range steps {
		applied := "en attente"
		if s.Applied != nil {
			applied = moment(*s.Applied)
		}
		t.add(s.Version, s.Name, applied)
	}
	return t.write(a.out, "Le schéma n’a aucune étape.")
}

// answering gives the address of the database once a server answers there.
func (a *app) answering(ctx context.Context) (url string, err error) {
	c, err := a.settings()
	if err != nil {
		return "", err
	}
	db, err := postgres.Open(ctx, c.DatabaseURL)
	if err != nil {
		return "", err
	}
	db.Close()
	return c.DatabaseURL, errs.Wrap(errs.Cancelled, "", ctx.Err())
}

func printable(steps []postgres.Migration) []step {
	out := make([]step, len(steps))
	for i, s := range steps {
		out[i] = step(s)
	}
	return out
}
