package postgres

import (
	"context"
	"crypto/tls"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Examined is the state of a server and a database for an operator, as far as the connecting role may see it. A field
// that could not be read has its zero value.
type Examined struct {
	Role     string // name of the connecting role
	Database string
	Version  int // version of the server, e.g. 150004: the major version is 15
	Encoding string
	Secure   bool      // the connection uses TLS
	Expiry   time.Time // end of the server's certificate; zero without TLS
	// Ahead is how far the server's clock is ahead of this machine's, with a possible error of half of Trip, the time
	// of a round trip.
	Ahead, Trip time.Duration

	Pooled    bool // a pooler of connections, such as PgBouncer, is between
	Super     bool // the role is a superuser
	Owner     bool // the role owns the tables
	Replica   bool // the server is read-only
	Checksums bool
	Unsafe    []string // settings that are off although the data may be lost in a power failure without them
	Archiving bool
	MaxConns  int // max_connections minus the connections that are reserved for administrators
	Conns     int // connections that are open now, of all clients
	Processes int // number of connected programs of the service, in every database; see Program
	// PossibleConns is the number of connections that would be open if every program of the service opened its
	// maximum, in addition to the other clients' connections.
	PossibleConns int

	Made     bool     // the schema exists
	Schema   int64    // number of its last migration
	Newest   int64    // number of the last migration that the program knows
	Missing  []string // extensions that are not installed
	Denied   []string // tables for which the role lacks a privilege that the service needs
	Open     []string // tables of the audit log in which the role could change rows
	Unread   []string // tables that the role may not read; a backup reads all of them
	Invalid  []string // indexes that are not used because their creation was interrupted
	Age      int64    // age of the oldest transaction id, in transactions
	Oldest   time.Duration
	Bytes    int64 // size of the database
	Catalog  int64 // version of the catalogue
	Texts    int   // number of texts in the catalogue
	Passages int   // number of passages that are indexed
	// NoPartition: the log has no partition for the current month, so entries go to the default partition.
	NoPartition bool
}

// needed lists the privileges without which the service fails, for one table of each kind.
var needed = map[string]string{
	"messages": "SELECT,INSERT,UPDATE,DELETE", "documents": "SELECT,INSERT,UPDATE,DELETE", "ingestions": "SELECT,INSERT,UPDATE,DELETE",
	"users": "SELECT,INSERT,UPDATE,DELETE", "audit": "SELECT,INSERT", "goose_db_version": "SELECT",
}

// Examine inspects the server and the database at url over one read-only connection. It fails if it cannot connect; a
// database that was never migrated is not an error.
func Examine(ctx context.Context, url string) (e Examined, err error) {
	cfg, err := parseConn(url)
	if err != nil {
		return e, errs.New(errs.Invalid, "ce n’est pas une adresse PostgreSQL valide")
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return e, classify("examine", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing was written, so an error means nothing
	if secure, ok := conn.PgConn().Conn().(*tls.Conn); ok {
		e.Secure = true
		if chain := secure.ConnectionState().PeerCertificates; len(chain) > 0 {
			e.Expiry = chain[0].NotAfter
		}
	}
	var process uint32
	if err := conn.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&process); err != nil {
		return e, classify("examine", err)
	}
	e.Pooled = process != conn.PgConn().PID() // a pooler tells clients a number of its own
	for _, look := range []func(context.Context, *pgx.Conn) error{e.server, e.connections, e.clock, e.schema, e.rights, e.catalog} {
		if err := look(ctx, conn); err != nil {
			return e, classify("examine", err)
		}
	}
	return e, nil
}

// FailedSignIns counts the most recent failed sign-ins, at most the given number, by client. The key of a count is the
// mark that the audit log has in place of the client's address.
func FailedSignIns(ctx context.Context, url string, most int) (map[string]int, error) {
	cfg, err := parseConn(url)
	if err != nil {
		return nil, errs.New(errs.Invalid, "ce n’est pas une adresse PostgreSQL valide")
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, classify("failed sign-ins", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing was written, so an error means nothing
	rows, err := conn.Query(ctx, `SELECT details->>'address', count(*)::int FROM
		(SELECT details FROM audit WHERE action = $1 AND details ? 'address' ORDER BY at DESC LIMIT $2) last GROUP BY 1`, LoginFailed, most)
	if err != nil {
		return nil, classify("failed sign-ins", err)
	}
	counts, mark, count := map[string]int{}, "", 0
	_, err = pgx.ForEachRow(rows, []any{&mark, &count}, func() error {
		counts[mark] = count
		return nil
	})
	return counts, classify("failed sign-ins", err)
}

// server reads the server's version, role and settings.
func (e *Examined) server(ctx context.Context, conn *pgx.Conn) error {
	var fsync, full, checksums, archive string
	err := conn.QueryRow(ctx, `SELECT current_user, current_database(), current_setting('server_version_num')::int, current_setting('server_encoding'),
			(SELECT rolsuper FROM pg_roles WHERE rolname = current_user), pg_is_in_recovery(), current_setting('fsync'),
			current_setting('full_page_writes'), current_setting('data_checksums'), current_setting('archive_mode'),
			current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
				- coalesce(current_setting('reserved_connections', true), '0')::int,
			(SELECT max(age(datfrozenxid)) FROM pg_database), pg_database_size(current_database()),
			coalesce((SELECT now() - min(xact_start) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()), '0')`).
		Scan(&e.Role, &e.Database, &e.Version, &e.Encoding, &e.Super, &e.Replica, &fsync, &full, &checksums, &archive,
			&e.MaxConns, &e.Age, &e.Bytes, &e.Oldest)
	if fsync != "on" {
		e.Unsafe = append(e.Unsafe, "fsync")
	}
	if full != "on" {
		e.Unsafe = append(e.Unsafe, "full_page_writes")
	}
	e.Checksums, e.Archiving = checksums == "on", archive != "off"
	return err
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

// clock compares the server's clock with this machine's. It measures three times and keeps the measurement with the
// shortest round trip, which is the most precise.
func (e *Examined) clock(ctx context.Context, conn *pgx.Conn) error {
	for i := range 3 {
		var there time.Time
		previous := time.Now()
		if err := conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&there); err != nil {
			return err
		}
		trip := time.Since(previous)
		if i == 0 || trip < e.Trip {
			e.Trip, e.Ahead = trip, there.Sub(previous.Add(trip/2))
		}
	}
	return nil
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
	for query, into := range map[string]*[]string{
		`SELECT n FROM unnest(ARRAY['pg_trgm', 'unaccent']) n WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = n)`: &e.Missing,
		`SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1`:                                    &e.Invalid,
	} {
		if *into, err = collect(ctx, conn, pgx.RowTo[string], query); err != nil {
			return err
		}
	}
	return conn.QueryRow(ctx, `SELECT to_regclass('audit_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')) IS NULL`).Scan(&e.NoPartition)
}

// rights reads the privileges of the role.
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
	e.Unread = unread
	return err
}

// catalog reads the numbers of texts and passages, which the indexes are compared with.
func (e *Examined) catalog(ctx context.Context, conn *pgx.Conn) error {
	if !e.Made || len(e.Denied) > 0 {
		return nil
	}
	return conn.QueryRow(ctx, `SELECT (SELECT coalesce(max(version), 0) FROM catalogue_changes), (SELECT count(*) FROM documents WHERE NOT in_review),
			(SELECT count(*) FROM passages p JOIN documents d ON d.id = p.document_id WHERE NOT d.in_review AND NOT p.quoted)`).
		Scan(&e.Catalog, &e.Texts, &e.Passages)
}
