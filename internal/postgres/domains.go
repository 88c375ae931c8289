package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// Domains lists the active domains in their set order, each with how many
// texts of the catalogue it holds.
func (db *DB) Domains(ctx context.Context) ([]law.Domain, error) {
	rows, err := db.pool.Query(ctx, `SELECT code, label, description, active, position,
		(SELECT count(*) FROM documents d WHERE d.domaine = code AND NOT d.in_review)
		FROM domaines WHERE active ORDER BY position, code`)
	if err != nil {
		return nil, classify("domains", err)
	}
	domains, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (d law.Domain, err error) {
		err = r.Scan(&d.Code, &d.Label, &d.Description, &d.Active, &d.Position, &d.Documents)
		return d, err
	})
	return domains, classify("domains", err)
}
