package postgres

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"vigueur/internal/kit/errs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Baseline is the number of the first migration, which makes the whole schema.
const Baseline = 300

// Migration is one schema migration.
type Migration struct {
	Version int64
	Name    string
	Applied *time.Time // nil: pending
}

// Migrating is the progress of Migrate.
type Migrating struct {
	Step string // file name of the migration that begins, PreparesSearch or PreparesNames
	// Number is the ordinal number of a migration among the Of pending ones, from 1. During the preparation after the
	// migrations, it is the number of prepared texts, from 0 to Of.
	Number, Of int
}

// The data that Migrate prepares for the programs after the migrations, one text after another.
const (
	PreparesSearch = "search" // search units
	PreparesNames  = "names"  // keys of the texts' names
)

// Migrate applies the pending migrations to the schema at url and returns them. Concurrent calls wait for each other
// (an advisory lock). It calls tell before each migration, and repeatedly while it prepares texts; not at all if
// there is nothing to do. tell may be nil.
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

// migrateUp applies the pending migrations one by one. Another process may apply some of them meanwhile, so each step
// reads again which migration is next.
func migrateUp(ctx context.Context, p *goose.Provider, tell func(Migrating)) (done []Migration, err error) {
	for {
		pending, err := pendingSteps(ctx, p)
		if err != nil || len(pending) == 0 {
			return done, err
		}
		if err := checkBaseline(ctx, p); err != nil {
			return done, err
		}
		tell(Migrating{Step: pending[0], Number: len(done) + 1, Of: len(done) + len(pending)})
		r, err := p.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return done, nil // the other process applied the last one
		}
		if err != nil {
			return done, err
		}
		now := time.Now()
		done = append(done, Migration{Version: r.Source.Version, Name: r.Source.Path, Applied: &now})
	}
}

// checkBaseline returns a Conflict error for a database whose schema comes from a program before the Baseline. Such
// programs were never released, and nothing converts their databases.
func checkBaseline(ctx context.Context, p *goose.Provider) error {
	offset, err := p.GetDBVersion(ctx)
	if err != nil || offset == 0 || offset >= Baseline {
		return err
	}
	return errs.New(errs.Conflict, "Cette base vient d’un programme d’avant la version 1.0.0 et ne peut pas être mise à jour. Préparez une base vide et ingérez de nouveau les gazettes.")
}

// pendingSteps returns the file names of the pending migrations, in order.
func pendingSteps(ctx context.Context, p *goose.Provider) (pending []string, err error) {
	rows, err := p.Status(ctx)
	for _, r := range rows {
		if r.State == goose.StatePending {
			pending = append(pending, r.Source.Path)
		}
	}
	return pending, err
}

// NewestMigration returns the number of the last migration that the program knows.
func NewestMigration() (newest int64) {
	for _, name := range migrationFiles() {
		version, err := goose.NumericComponent(name)
		if err != nil {
			panic(err) // the files are embedded
		}
		newest = max(newest, version)
	}
	return newest
}

// migrationFiles returns the paths of the migrations, in order.
func migrationFiles() []string {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return names
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

// CheckMigrated returns an Unavailable error if no migration was ever applied to the database. It does not check that all
// were applied: CheckUpToDate does.
func (db *DB) CheckMigrated(ctx context.Context) error {
	var there bool
	err := db.pool.QueryRow(ctx, `SELECT to_regclass('messages') IS NOT NULL`).Scan(&there)
	if err == nil && !there {
		return errs.New(errs.Unavailable, "La base est vide. Préparez-la : ingest migrate up")
	}
	return classify("migrated", err)
}

// CheckUpToDate returns an Unavailable error if the schema lacks a migration that the program knows, because requests that
// need the migration would fail.
func (db *DB) CheckUpToDate(ctx context.Context) error {
	var offset int64
	if err := db.pool.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&offset); err != nil {
		return classify("schema version", err)
	}
	if want := NewestMigration(); offset < want {
		return errs.Newf(errs.Unavailable, "Le schéma de la base est à l’étape %d, le programme connaît l’étape %d. Mettez-le à jour : ingest migrate up", offset, want)
	}
	return nil
}

// MigrationsHash returns a hash of all migrations. A template database that was made with another hash is stale.
func MigrationsHash() string {
	sum := sha256.New()
	for _, name := range migrationFiles() {
		data, err := migrations.ReadFile(name)
		if err != nil {
			panic(err) // the files are embedded
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
