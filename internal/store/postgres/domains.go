package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

const domainColumns = `code, label, description, active, position,
	(SELECT count(*) FROM documents d WHERE d.domaine = code AND NOT d.in_review)`

// Domains lists the active domains in their configured order, each with its number of texts
// in the catalogue.
func (db *DB) Domains(ctx context.Context) ([]law.Domain, error) {
	return db.domains(ctx, `WHERE active`)
}

// AllDomains lists the domains as Domains does, including inactive ones.
func (db *DB) AllDomains(ctx context.Context) ([]law.Domain, error) {
	return db.domains(ctx, ``)
}

func (db *DB) domains(ctx context.Context, place string) ([]law.Domain, error) {
	domains, err := collect(ctx, db.pool, pgx.RowToStructByPos[law.Domain], `SELECT `+domainColumns+` FROM domaines `+place+` ORDER BY position, code`)
	return domains, classify("domains", err)
}

// CreateDomain adds a domain with its Code, Label, Description and Active. Its place is
// last, but before « autre ». Conflict if a domain has the code.
func (db *DB) CreateDomain(ctx context.Context, d law.Domain) (made law.Domain, err error) {
	err = db.inTx(ctx, "create domain "+d.Code, func(tx pgx.Tx) error {
		made, err = one[law.Domain](ctx, tx, `INSERT INTO domaines (code, label, description, active, position)
			SELECT $1, $2, $3, $4, coalesce(max(position) FILTER (WHERE code <> 'autre'), 0) + 1 FROM domaines
			RETURNING code, label, description, active, position, 0`, d.Code, d.Label, d.Description, d.Active)
		if err != nil {
			return err
		}
		return audit(ctx, tx, DomainCreated, d.Code, details{"active": d.Active})
	})
	return made, err
}

// DomainChange is a change of a domain; nil fields stay unchanged.
type DomainChange struct {
	Label       *string
	Description *string
	Active      *bool
}

func (c DomainChange) fields() details {
	d := details{}
	if c.Label != nil {
		d["label"] = *c.Label
	}
	if c.Description != nil {
		d["description"] = "changed"
	}
	if c.Active != nil {
		d["active"] = *c.Active
	}
	return d
}

// ChangeDomain changes a domain and returns its new state.
func (db *DB) ChangeDomain(ctx context.Context, code string, c DomainChange) (d law.Domain, err error) {
	err = db.inTx(ctx, "change domain "+code, func(tx pgx.Tx) error {
		d, err = one[law.Domain](ctx, tx, `UPDATE domaines SET label = coalesce($2, label),
			description = coalesce($3, description), active = coalesce($4, active) WHERE code = $1 RETURNING `+domainColumns,
			code, c.Label, c.Description, c.Active)
		if err != nil {
			return err
		}
		return audit(ctx, tx, DomainChanged, code, c.fields())
	})
	return d, err
}
