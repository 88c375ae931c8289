package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
)

func (a *app) migrateCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "migrate", Short: "Met la base à jour ou dit où elle en est"})
	c.AddCommand(
		&cobra.Command{
			Use: "up", Short: "Met la base à jour", Args: takes(0, 0, ""),
			Long: "Applique les étapes du schéma qui manquent. Deux mises à jour simultanées s’attendent l’une l’autre.\n" +
				"Avec VIGUEUR_DATABASE_OWNER_URL, le schéma est celui de ce rôle ; le rôle de VIGUEUR_DATABASE_URL est fait, et ne\n" +
				"peut ni changer ni vider une table, ni toucher aux lignes du journal. Celui de VIGUEUR_DATABASE_READER_URL lit le\n" +
				"catalogue et le journal.\n" +
				"Dit sur l’erreur standard quelle étape commence, et toutes les cinq secondes combien de textes sont prêts.",
			RunE: func(c *cobra.Command, _ []string) error { return a.migrateUp(c.Context()) },
		},
		&cobra.Command{
			Use: "status", Short: "Liste les étapes du schéma, appliquées ou en attente", Args: takes(0, 0, ""),
			RunE: func(c *cobra.Command, _ []string) error { return a.migrateStatus(c.Context()) },
		})
	return c
}

// step is the printed form of a migration.
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
	shown := migrating{w: a.err, now: time.Now}
	steps, err := postgres.Migrate(ctx, c.Owner(), shown.show)
	if err != nil {
		return err
	}
	roles, err := postgres.GrantRoles(ctx, c.Owner(), c.DatabaseURL, c.ReaderURL)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, printable(steps), len(steps))
	}
	for _, role := range roles {
		fmt.Fprintln(a.outcome(), "droits du rôle :", cleanLine(role))
	}
	if len(steps) == 0 {
		_, err = fmt.Fprintln(a.outcome(), "La base est à jour.")
		return err
	}
	if steps[0].Version == postgres.Baseline { // what a database that is new has does not matter to anybody
		_, err = fmt.Fprintf(a.outcome(), "La base est créée (%s).\n", count(len(steps), "étape"))
		return err
	}
	for _, s := range steps {
		fmt.Fprintln(a.outcome(), "appliquée :", s.Name)
	}
	_, err = fmt.Fprintf(a.outcome(), "La base est à jour (%s).\n", count(len(steps), "étape"))
	return err
}

func (a *app) migrateStatus(ctx context.Context) error {
	c, err := a.answering(ctx)
	if err != nil {
		return err
	}
	steps, err := postgres.MigrationStatus(ctx, c.Owner())
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

// answering returns the settings if a database server responds at the owner's address.
func (a *app) answering(ctx context.Context) (c config.Ingest, err error) {
	if c, err = a.settings(); err != nil {
		return c, err
	}
	db, err := a.open(ctx, c.Owner())
	if err != nil {
		return c, err
	}
	db.Close()
	return c, errs.Wrap(errs.Cancelled, "", ctx.Err())
}

func printable(steps []postgres.Migration) []step {
	out := make([]step, len(steps))
	for i, s := range steps {
		out[i] = step(s)
	}
	return out
}
