package main

import (
	"context"
	"fmt"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// settings reads the settings. Where there is none at all, the error says how to work on a server from here.
func (a *app) settings() (config.Ingest, error) {
	c, err := config.LoadIngest(a.environ)
	if err != nil && a.environ["VIGUEUR_DATABASE_URL"] == "" && a.environ["VIGUEUR_REDIS_URL"] == "" {
		return c, usage("Aucun service n’est réglé sur cette machine. Pour travailler sur un serveur : ingest login https://droit.example\n"+
			"Sur la machine du service, ses réglages manquent à la commande. %s", errs.Public(err))
	}
	return c, err
}

// onThisMachine returns an error if the profile in use is that of another machine.
func (a *app) onThisMachine() error {
	p, err := a.profile()
	if err == nil && p != nil {
		err = usage("Cette commande travaille sur la machine du service même, pas sur %s : connectez-vous à cette machine. Si un service tourne ici : --profile %s.", p.Address, localProfile)
	}
	return err
}

// withDB calls f with the open database. If the server goes down during f, or if the schema is outdated, the returned
// error says so.
func (a *app) withDB(ctx context.Context, f func(db *postgres.DB) error) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	db, err := a.open(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	err = f(db)
	switch kind := errs.KindOf(err); {
	case err == nil || ctx.Err() != nil:
	case kind == errs.Unavailable:
		if down := db.Ping(ctx); down != nil {
			return down
		}
	case kind == errs.Internal:
		if behind := a.behind(ctx, c.DatabaseURL); behind != nil {
			return behind
		}
	}
	return err
}

// open connects to the database at url. If the server has no free connection, open reports this, and returns an error
// after a.busy.
func (a *app) open(ctx context.Context, url string) (*postgres.DB, error) {
	return postgres.OpenFor(ctx, url, postgres.Program{Wait: a.busy, Waiting: func(time.Duration, error) {
		if a.json {
			return
		}
		fmt.Fprintf(a.err, "PostgreSQL ne prend aucune connexion pour l’instant. Attente de %v au plus…\n", a.busy)
	}})
}

// behind returns an error if the schema is outdated.
func (a *app) behind(ctx context.Context, url string) error {
	steps, err := postgres.MigrationStatus(ctx, url)
	if err != nil {
		return nil // the first error says more
	}
	for _, s := range steps {
		if s.Applied == nil {
			return errs.New(errs.Unavailable, "La base n’est pas à jour. Mettez-la à jour : ingest migrate up")
		}
	}
	return nil
}

// openFiles opens the store of the PDF files.
func openFiles(c config.Ingest) (blobs.Store, error) {
	return blobs.Open(blobs.Settings{URL: c.BlobsURL, Key: c.BlobsKey})
}

// noWorker is the French message that no worker runs.
const noWorker = "Aucun worker ne tourne : le travail attend. Démarrez-en un : systemctl start vigueur-worker@1, un conteneur worker, ou scripts/run dans une copie du dépôt."
