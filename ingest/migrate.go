package main

import (
	"context"
	"fmt"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
)

// step is the printed form of a migration.
type step struct {
	Version int64      `json:"version"`
	Name    string     `json:"name"`
	Applied *time.Time `json:"applied_at"`
}

// migrateUp runs « migrate up ».
func (a *app) migrateUp(ctx context.Context, _ *input) error {
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
		fmt.Fprintln(a.outcome(), "droits du rôle :", terminal.Line(role))
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

// migrateStatus runs « migrate status ».
func (a *app) migrateStatus(ctx context.Context, _ *input) error {
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
	t := terminal.Table{Head: []string{"VERSION", "ÉTAPE", "APPLIQUÉE"}}
	for _, s := range steps {
		applied := "en attente"
		if s.Applied != nil {
			applied = moment(*s.Applied)
		}
		t.Add(s.Version, s.Name, applied)
	}
	return t.Write(a.out, "Le schéma n’a aucune étape.")
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
