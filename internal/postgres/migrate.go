package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that goose uses
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"vigueur/internal/errs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migration is one schema migration.
type Migration struct {
	Version int64
	Name    string
	Applied *time.Time // nil: pending
}

// Migrate applies the pending migrations to the schema at url and returns them. Concurrent
// calls wait for each other (an advisory lock).
func Migrate(ctx context.Context, url string) ([]Migration, error) {
	var done []Migration
	err := withProvider(url, func(p *goose.Provider) error {
		results, err := p.Up(ctx)
		for _, r := range results {
			now := time.Now()
			done = append(done, Migration{Version: r.Source.Version, Name: r.Source.Path, Applied: &now})
		}
		return err
	})
	if err == nil {
		err = prepareAudit(ctx, url)
	}
	if err == nil {
		err = prepareSearch(ctx, url)
	}
	if err == nil {
		err = prepareNames(ctx, url)
	}
	return done, classify("migrate", err)
}

// NewestMigration is the number of the last migration that the program knows.
func NewestMigration() (newest int64, err error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return 0, fmt.Errorf("migration %s: %w", name, err)
		}
		newest = max(newest, version)
	}
	return newest, err
}

// MigrationStatus lists every migration, applied or pending, in order.
func MigrationStatus(ctx context.Context, url string) ([]Migration, error) {
	var all []Migration
	err := withProvider(url, func(p *goose.Provider) error {
		rows, err := p.Status(ctx)
		for _, r := range rows {
			m := Migration{Version: r.Source.Version, Name: r.Source.Path}
			if r.State == goose.StateApplied {
				m.Applied = &r.AppliedAt
			}
			all = append(all, m)
		}
		return err
	})
	return all, classify("migration status", err)
}

// Migrated returns an error of kind Unavailable if the database was never migrated.
// UpToDate checks that no migration is missing.
func (db *DB) Migrated(ctx context.Context) error {
	var there bool
	err := db.pool.QueryRow(ctx, `SELECT to_regclass('messages') IS NOT NULL`).Scan(&there)
	if err == nil && !there {
		return errs.New(errs.Unavailable, "La base est vide. Préparez-la : ingest migrate up")
	}
	return classify("migrated", err)
}

// UpToDate returns an error of kind Unavailable if the schema lacks a migration that the
// program knows: requests that need it would fail.
func (db *DB) UpToDate(ctx context.Context) error {
	var at int64
	if err := db.pool.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&at); err != nil {
		return classify("schema version", err)
	}
	if want := newestMigration(); at < want {
		return errs.Newf(errs.Unavailable, "Le schéma de la base est à l’étape %d, le programme connaît l’étape %d. Mettez-le à jour : ingest migrate up", at, want)
	}
	return nil
}

// newestMigration is the number of the last migration.
func newestMigration() (newest int64) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range names {
		n, err := goose.NumericComponent(name)
		if err != nil {
			panic(err) // embedded
		}
		newest = max(newest, n)
	}
	return newest
}

// MigrationsHash identifies the schema: a template database with another hash is stale.
func MigrationsHash() string {
	sum := sha256.New()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range names {
		data, err := migrations.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		sum.Write([]byte(name))
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

func withProvider(url string, f func(*goose.Provider) error) error {
	conn, err := sql.Open("pgx", url)
	if err != nil {
		return err
	}
	steps, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, conn, steps, goose.WithSessionLocker(locker))
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	return errors.Join(f(p), p.Close())
}
