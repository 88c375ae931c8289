package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vigueur/internal/kit/errs"
)

// The service uses up to two database roles. The owner creates the schema and does
// nothing else. The service role reads and writes rows, but can neither truncate nor alter
// a table, and can only read and append entries of the audit log.

// appendOnly lists the tables to which the service role can only append.
var appendOnly = []string{"audit"}

// readOnly lists the tables that the service role can only read: the list of migrations.
var readOnly = []string{"goose_db_version"}

// GrantRole creates the role of the service's address, with the password in the address. It
// grants the role its privileges in the database of the owner's address and revokes all
// others. It returns the name of the role, "" if it is the owner's own. The error is Invalid
// if the address lacks a name or password, or if the role is a superuser.
func GrantRole(ctx context.Context, owner, service string) (name string, err error) {
	own, err := parseAddress(owner)
	if err != nil {
		return "", err
	}
	conn, err := pgx.ConnectConfig(ctx, own)
	if err != nil {
		return "", classify("grant role", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // all is committed, so an error means nothing
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) (err error) {
		const rolesLock = 0x7669677565757234 // "vigueur4", an arbitrary constant
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(rolesLock)); err != nil {
			return err
		}
		name, err = grantRole(ctx, tx, own, service)
		return err
	})
	return name, classify("grant role", err)
}

func parseAddress(url string) (*pgx.ConnConfig, error) {
	cfg, err := parseConn(url)
	if err != nil {
		return nil, errs.New(errs.Invalid, "L’adresse d’un rôle n’est pas une adresse PostgreSQL valide.")
	}
	return cfg, nil
}

// grantRole creates the role and grants its privileges.
func grantRole(ctx context.Context, tx pgx.Tx, own *pgx.ConnConfig, url string) (name string, err error) {
	cfg, err := parseAddress(url)
	if err != nil {
		return "", err
	}
	switch {
	case cfg.User == own.User:
		return "", nil
	case cfg.Database != own.Database:
		return "", errs.Newf(errs.Invalid, "L’adresse du rôle %s désigne la base %s, celle du propriétaire %s.", cfg.User, cfg.Database, own.Database)
	case cfg.User == "" || cfg.Password == "" || strings.ContainsFunc(cfg.Password, func(r rune) bool { return r < ' ' || r > '~' }):
		return "", errs.Newf(errs.Invalid, "L’adresse du rôle « %s » doit avoir un mot de passe, de lettres, chiffres et signes ASCII.", cfg.User)
	}
	name = pgx.Identifier{cfg.User}.Sanitize()
	if err := makeRole(ctx, tx, cfg, name); err != nil {
		return "", err
	}
	base := pgx.Identifier{own.Database}.Sanitize()
	all := []string{
		`REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
		`REVOKE TEMPORARY ON DATABASE ` + base + ` FROM PUBLIC`,
		`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ` + name,
		`REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ` + name,
		`REVOKE ALL ON SCHEMA public FROM ` + name,
		`REVOKE ALL ON DATABASE ` + base + ` FROM ` + name,
		`GRANT CONNECT ON DATABASE ` + base + ` TO ` + name,
		`GRANT USAGE ON SCHEMA public TO ` + name,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ` + name,
	}
	for _, table := range appendOnly {
		all = append(all, `REVOKE UPDATE, DELETE ON `+table+` FROM `+name)
	}
	for _, table := range readOnly {
		all = append(all, `REVOKE INSERT, UPDATE, DELETE ON `+table+` FROM `+name)
	}
	for _, sql := range all {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	return cfg.User, closePartitions(ctx, tx, name)
}

// closePartitions revokes the privileges on the partitions of the log, because entries are
// written and read through the parent table.
func closePartitions(ctx context.Context, tx pgx.Tx, name string) error {
	rows, err := tx.Query(ctx, `SELECT relid::text FROM pg_partition_tree('audit') WHERE isleaf`) // the name is quoted if necessary
	if err != nil {
		return err
	}
	parts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `REVOKE ALL ON `+strings.Join(parts, ", ")+` FROM `+name)
	return err
}

// makeRole creates the role unless it exists, and sets its password. It sends only the
// verifier of the password to the server, because the server may log statements.
func makeRole(ctx context.Context, tx pgx.Tx, cfg *pgx.ConnConfig, name string) error {
	var there, super bool
	err := tx.QueryRow(ctx, `SELECT count(*) > 0, coalesce(bool_or(rolsuper), false) FROM pg_roles WHERE rolname = $1`, cfg.User).Scan(&there, &super)
	if err != nil {
		return err
	}
	if super {
		return errs.Newf(errs.Invalid, "Le rôle %s est un superutilisateur : le service doit en avoir un autre.", cfg.User)
	}
	verifier, err := scramVerifier(cfg.Password)
	if err != nil {
		return err
	}
	verb := `CREATE`
	if there {
		verb = `ALTER`
	}
	_, err = tx.Exec(ctx, verb+` ROLE `+name+` LOGIN NOCREATEDB NOCREATEROLE PASSWORD '`+verifier+`'`)
	var refused *pgconn.PgError
	if err != nil && errors.As(err, &refused) && refused.Code == "42501" {
		return errs.Newf(errs.Forbidden, "Le propriétaire de la base n’a pas le droit de faire des rôles : ALTER ROLE … CREATEROLE.")
	}
	return err
}

// scramRounds is PostgreSQL's default (scram_iterations).
const scramRounds = 4096

// scramVerifier returns a password of ASCII characters in the form in which PostgreSQL
// stores it, with a new salt each time: SCRAM-SHA-256 (RFC 5802 and 7677), in the format of
// the PostgreSQL manual, 53.5 « pg_authid ».
func scramVerifier(password string) (string, error) {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramRounds, sha256.Size)
	if err != nil {
		return "", err
	}
	keyed := func(words string) []byte {
		mac := hmac.New(sha256.New, salted)
		mac.Write([]byte(words))
		return mac.Sum(nil)
	}
	stored := sha256.Sum256(keyed("Client Key"))
	text := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", scramRounds, text(salt), text(stored[:]), text(keyed("Server Key"))), nil
}
