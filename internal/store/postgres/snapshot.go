package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Snapshot is the state of the database at one moment. It is valid while the function that
// got it runs.
type Snapshot struct {
	Schema int64    // number of the last applied migration
	Files  []string // hashes of all files that have a row, in order
	Texts  int      // number of texts, including those in review

	url, id string
}

// Snapshot calls f with a snapshot of the database. The snapshot contains no concurrent
// changes, and does not block them. dumper is the address at which Dump connects, with a
// role that can read every table; "": the address of db.
func (db *DB) Snapshot(ctx context.Context, dumper string, f func(s Snapshot) error) error {
	s := Snapshot{url: cmp.Or(dumper, db.url)}
	tx, err := db.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return classify("snapshot", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing was written
	// The transaction is idle while pg_dump runs.
	if _, err := tx.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
		return classify("snapshot", err)
	}
	err = tx.QueryRow(ctx, `SELECT pg_export_snapshot(), (SELECT max(version_id) FROM goose_db_version WHERE is_applied),
		(SELECT count(*) FROM documents), ARRAY(SELECT DISTINCT sha256 FROM ingestions ORDER BY 1)`).Scan(&s.id, &s.Schema, &s.Texts, &s.Files)
	if err != nil {
		return classify("snapshot", err)
	}
	return f(s)
}

// Dump writes the snapshot to w in the custom format of pg_dump, without what a crash of the server loses too (UNLOGGED).
func (s Snapshot) Dump(ctx context.Context, w io.Writer) error {
	c, err := clientProgram(ctx, s.url, "pg_dump", "--format=custom", "--no-owner", "--no-unlogged-table-data", "--snapshot="+s.id)
	if err != nil {
		return err
	}
	c.Stdout = w
	return runProgram(ctx, c)
}

// Restore loads a dump into the empty database at url, completely or not at all. Conflict
// if the database is not empty.
func Restore(ctx context.Context, url string, dump io.Reader) error {
	if err := empty(ctx, url); err != nil {
		return err
	}
	// Only the owner of an extension may comment on it. Privileges are left to the next
	// migration, because their roles may not exist yet.
	c, err := clientProgram(ctx, url, "pg_restore", "--no-owner", "--no-privileges", "--no-comments", "--exit-on-error", "--single-transaction")
	if err != nil {
		return err
	}
	c.Args = append(c.Args, "--dbname="+environOf(c, "PGDATABASE"))
	c.Stdin = dump
	return runProgram(ctx, c)
}

// ReadableDump reads the list of contents of a dump. Conflict if it is no dump or is damaged.
// It may leave the rest of the dump unread.
func ReadableDump(ctx context.Context, dump io.Reader) error {
	path, err := exec.LookPath("pg_restore")
	if err != nil {
		return errs.Wrap(errs.Unavailable, "pg_restore n’est pas installé : apt-get install postgresql-client.", err)
	}
	c := exec.CommandContext(ctx, path, "--list")
	c.Stdin = dump
	if out, err := c.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errs.Wrap(errs.Conflict, "La base sauvegardée est illisible pour pg_restore.", fmt.Errorf("%w: %s", err, out))
	}
	return nil
}

// empty returns a Conflict error if the database has tables.
func empty(ctx context.Context, url string) error {
	db, err := Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	var tables int
	err = db.pool.QueryRow(ctx, `SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version'`).Scan(&tables)
	if err == nil && tables > 0 {
		return errs.Newf(errs.Conflict, "La base n’est pas vide (%d tables) : une sauvegarde ne se restaure que dans une base vide.", tables)
	}
	if err == nil { // listing the status of migrations created it
		_, err = db.pool.Exec(ctx, `DROP TABLE IF EXISTS goose_db_version`)
	}
	return classify("empty", err)
}

// clientProgram prepares a command of PostgreSQL's client programs for the database at an
// address. It passes the connection parameters in the environment, because other accounts
// of the machine can see arguments.
func clientProgram(ctx context.Context, address, name string, args ...string) (*exec.Cmd, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, name+" n’est pas installé : apt-get install postgresql-client.", err)
	}
	cfg, err := parseConn(address)
	if err != nil {
		return nil, errs.Newf(errs.Invalid, "VIGUEUR_DATABASE_URL n’est pas une adresse PostgreSQL valide")
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Env = append(os.Environ(), "PGHOST="+cfg.Host, "PGPORT="+strconv.Itoa(int(cfg.Port)), "PGUSER="+cfg.User,
		"PGPASSWORD="+cfg.Password, "PGDATABASE="+cfg.Database, "PGCONNECT_TIMEOUT=10",
		"PGOPTIONS=-c statement_timeout=0 -c idle_in_transaction_session_timeout=0")
	if u, err := url.Parse(address); err == nil {
		for _, option := range []string{"sslmode", "sslrootcert", "sslcert", "sslkey"} {
			if value := u.Query().Get(option); value != "" {
				c.Env = append(c.Env, "PG"+strings.ToUpper(option)+"="+value)
			}
		}
	}
	return c, nil
}

// environOf returns the last value of a variable in a command's environment.
func environOf(c *exec.Cmd, name string) (value string) {
	for _, v := range c.Env {
		if after, ok := strings.CutPrefix(v, name+"="); ok {
			value = after
		}
	}
	return value
}

// runProgram runs a command. If the command fails, the error shows what it wrote last to its
// standard error, and names the owner's address if the role lacks a privilege.
func runProgram(ctx context.Context, c *exec.Cmd) error {
	said := &tail{}
	c.Stderr = said
	err := c.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *errs.Error
	if errors.As(err, &known) {
		return err
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(said.kept), ""))
	public := "La base n’a pas pu être lue ou écrite par " + filepath.Base(c.Path)
	if text != "" {
		public += " : " + strings.Join(strings.Fields(text), " ")
	}
	if strings.Contains(text, "permission denied") {
		public += " (le rôle " + environOf(c, "PGUSER") + " ne suffit pas : donnez l’adresse du propriétaire par VIGUEUR_DATABASE_OWNER_URL)"
	}
	return errs.Wrap(errs.Unavailable, strings.TrimRight(public, ".")+".", fmt.Errorf("%w: %s", err, text))
}

// tail is a writer that keeps the end of what is written to it.
type tail struct{ kept []byte }

const tailLimit = 1 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-tailLimit):]
	return len(p), nil
}
