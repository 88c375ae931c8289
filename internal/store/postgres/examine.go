package postgres

import (
	"context"
	"crypto/tls"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Examined is the state of a server and a database for an operator, as far as the connecting role may see it. A field
// that could not be read has its zero value.
type Examined struct {
	Role     string // name of the connecting role
	Database string
	Version  int // version of the server, e.g. 150004: the major version is 15
	Encoding string
	Secure   bool // the connection uses TLS

	Super     bool // the role is a superuser
	Owner     bool // the role owns the tables
	Replica   bool // the server is read-only
	MaxConns  int  // max_connections minus the connections that are reserved for administrators
	Conns     int  // connections that are open now, of all clients
	Processes int  // number of connected programs of the service, in every database; see Program
	// PossibleConns is the number of connections that would be open if every program of the service opened its
	// maximum, in addition to the other clients' connections.
	PossibleConns int

	Made    bool     // the schema exists
	Schema  int64    // number of its last migration
	Newest  int64    // number of the last migration that the program knows
	Denied  []string // tables for which the role lacks a privilege that the service needs
	Open    []string // tables of the audit log in which the role could change rows
	Unread  []string // tables that the role may not read; a backup reads all of them
	Invalid []string // indexes that are not used because their creation was interrupted
	Catalog int64    // version of the catalogue
	// NoPartition: the log has no partition for the current month, so entries go to the default partition.
	NoPartition bool
}

// needed lists the privileges without which the service fails, for one table of each kind.
var needed = map[string]string{
	"messages": "SELECT,INSERT,UPDATE,DELETE", "documents": "SELECT,INSERT,UPDATE,DELETE", "ingestions": "SELECT,INSERT,UPDATE,DELETE",
	"users": "SELECT,INSERT,UPDATE,DELETE", "audit": "SELECT,INSERT", "goose_db_version": "SELECT",
}

// Examine inspects the server and the database. A database that was never migrated is not an error.
func (db *DB) Examine(ctx context.Context) (e Examined, err error) {
	err = db.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		_, e.Secure = conn.Conn().PgConn().Conn().(*tls.Conn)
		for _, look := range []func(context.Context, *pgx.Conn) error{e.server, e.connections, e.schema, e.rights} {
			if err := look(ctx, conn.Conn()); err != nil {
				return err
			}
		}
		return nil
	})
	return e, classify("examine", err)
}

// server reads the server's version, role and settings.
func (e *Examined) server(ctx context.Context, conn *pgx.Conn) error {
	return conn.QueryRow(ctx, `SELECT current_user, current_database(), current_setting('server_version_num')::int, current_setting('server_encoding'),
			(SELECT rolsuper FROM pg_roles WHERE rolname = current_user), pg_is_in_recovery(),
			current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
				- coalesce(current_setting('reserved_connections', true), '0')::int`).
		Scan(&e.Role, &e.Database, &e.Version, &e.Encoding, &e.Super, &e.Replica, &e.MaxConns)
}

// connections counts the server's connections, and those that the service's programs may still open. The server shows
// other roles' sessions without their program.
func (e *Examined) connections(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `SELECT coalesce(application_name, ''), count(*)::int FROM pg_stat_activity
		WHERE backend_type = 'client backend' OR backend_type IS NULL AND datname IS NOT NULL GROUP BY 1`)
	if err != nil {
		return err
	}
	var name string
	var open int
	_, err = pgx.ForEachRow(rows, []any{&name, &open}, func() error {
		e.Conns += open
		e.PossibleConns += open
		if p, ours := processOf(name); ours {
			e.Processes++
			e.PossibleConns += max(p.Connections-open, 0)
		}
		return nil
	})
	return err
}

// schema reads the number of the schema's last migration.
func (e *Examined) schema(ctx context.Context, conn *pgx.Conn) error {
	e.Newest = NewestMigration()
	if err := conn.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL AND to_regclass('audit') IS NOT NULL`).Scan(&e.Made); err != nil || !e.Made {
		return err
	}
	// If the role may not read the migrations, rights reports it.
	err := conn.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&e.Schema)
	if err != nil && !Rejected(err) {
		return err
	}
	e.Invalid, err = collect(ctx, conn, pgx.RowTo[string], `SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1`)
	if err != nil {
		return err
	}
	return conn.QueryRow(ctx, `SELECT to_regclass('audit_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')) IS NULL`).Scan(&e.NoPartition)
}

// rights reads the privileges of the role, and with them the version of the catalogue.
func (e *Examined) rights(ctx context.Context, conn *pgx.Conn) error {
	if !e.Made {
		return nil
	}
	if err := conn.QueryRow(ctx, `SELECT pg_has_role(current_user, relowner, 'USAGE') FROM pg_class WHERE oid = 'audit'::regclass`).Scan(&e.Owner); err != nil {
		return err
	}
	for table, rights := range needed {
		var may bool
		// has_table_privilege with several privileges is true if the role has any of them, so each is checked alone.
		err := conn.QueryRow(ctx, `SELECT coalesce(bool_and(has_table_privilege(current_user, to_regclass($1), r)), false)
			FROM unnest(string_to_array($2, ',')) r`, table, rights).Scan(&may)
		if err != nil {
			return err
		}
		if !may {
			e.Denied = append(e.Denied, table)
		}
	}
	for _, table := range appendOnly {
		var may bool
		if err := conn.QueryRow(ctx, `SELECT has_table_privilege(current_user, $1::regclass, 'UPDATE, DELETE, TRUNCATE')`, table).Scan(&may); err != nil {
			return err
		}
		if may {
			e.Open = append(e.Open, table)
		}
	}
	// pg_dump reads partitions by their own names, and the positions of sequences.
	unread, err := collect(ctx, conn, pgx.RowTo[string], `SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND CASE
		WHEN relkind = 'S' THEN NOT has_sequence_privilege(oid, 'SELECT')
		WHEN relkind IN ('r', 'p', 'm', 'v') THEN NOT has_table_privilege(oid, 'SELECT') ELSE false END ORDER BY 1`)
	if e.Unread = unread; err != nil || len(e.Denied) > 0 {
		return err
	}
	return conn.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM catalogue_changes`).Scan(&e.Catalog)
}
