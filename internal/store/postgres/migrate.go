package postgres

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"vigueur/internal/kit/errs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migration is one schema migration.
type Migration struct {
	Version int64
	Name    string
	Applied *time.Time // nil: pending
}

// Migrating is where Migrate is.
type Migrating struct {
	Step string // file of the migration that begins, or one of the Prepares
	// Number counts the pending migrations from 1 to Of. Of what is prepared behind them, it
	// counts the texts from 0 to Of.
	Number, Of int
}

// What Migrate prepares for the programs, behind the migrations: texts one after the other.
const (
	PreparesSearch = "search" // what is searched by words
	PreparesNames  = "names"  // keys of what texts are called
)

// Migrate applies the pending migrations to the schema at url and returns them. Concurrent
// calls wait for each other (an advisory lock). It tells of each migration before it begins,
// and of each text, or some, that is prepared; of nothing where there is nothing to do. Tell may be nil.
func Migrate(ctx context.Context, url string, tell func(Migrating)) ([]Migration, error) {
	if tell == nil {
		tell = func(Migrating) {}
	}
	var done []Migration
	err := withProvider(url, func(p *goose.Provider) (err error) {
		done, err = migrateUp(ctx, p, tell)
		return err
	})
	if err == nil {
		err = prepareAudit(ctx, url)
	}
	if err == nil {
		err = prepareSearch(ctx, url, tell)
	}
	if err == nil {
		err = prepareNames(ctx, url, tell)
	}
	return done, classify("migrate", err)
}

// migrateUp applies the pending migrations one by one. Another process may apply some of
// them meanwhile: each step asks again which is next.
func migrateUp(ctx context.Context, p *goose.Provider, tell func(Migrating)) (done []Migration, err error) {
	for {
		pending, err := pendingSteps(ctx, p)
		if err != nil || len(pending) == 0 {
			return done, err
		}
		tell(Migrating{Step: pending[0], Number: len(done) + 1, Of: len(done) + len(pending)})
		r, err := p.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return done, nil // the other process was there before
		}
		if err != nil {
			return done, err
		}
		now := time.Now()
		done = append(done, Migration{Version: r.Source.Version, Name: r.Source.Path, Applied: &now})
	}
}

// pendingSteps are the files of the migrations that are not applied, in order.
func pendingSteps(ctx context.Context, p *goose.Provider) (pending []string, err error) {
	rows, err := p.Status(ctx)
	for _, r := range rows {
		if r.State == goose.StatePending {
			pending = append(pending, r.Source.Path)
		}
	}
	return pending, err
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
	cfg, err := parseConn(url)
	if err != nil {
		return err
	}
	conn := stdlib.OpenDB(*cfg)
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
