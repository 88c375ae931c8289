package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Named is a table whose rows a person may select by the beginning of their id.
type Named string

// The tables in which people select rows by id.
const (
	NamedIngestions Named = "ingestions"
	NamedDocuments  Named = "documents" // in the catalogue, in review or superseded
	NamedUsers      Named = "users"
	NamedRelations  Named = "relations"
	NamedKeys       Named = "api_keys"
)

// label is the SQL expression that describes a row of the table.
func (n Named) label() string {
	switch n {
	case NamedIngestions:
		return "filename"
	case NamedDocuments:
		return "title"
	case NamedUsers:
		return "email"
	case NamedKeys:
		return "name"
	}
	return "kind || ' ' || target_type || ' ' || target_number"
}

// Label is the id of a row with a description that distinguishes the row from others.
type Label struct {
	ID    uuid.UUID
	Label string
}

// Between returns the rows whose ids are from first to last, both included, in descending
// order, at most limit rows.
func (db *DB) Between(ctx context.Context, table Named, from, to uuid.UUID, limit int) ([]Label, error) {
	what := "ids of " + string(table)
	rows, err := db.pool.Query(ctx, `SELECT id, `+table.label()+` FROM `+string(table)+` WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT $3`, from, to, limit)
	if err != nil {
		return nil, classify(what, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Label])
	return found, classify(what, err)
}

// Neighbors returns for each id the previous and the next id in the table, uuid.Nil if
// there is none. A prefix of the id that neither of them has is unique in the table.
func (db *DB) Neighbors(ctx context.Context, table Named, ids []uuid.UUID) (map[uuid.UUID][2]uuid.UUID, error) {
	what := "neighbors in " + string(table)
	rows, err := db.pool.Query(ctx, `SELECT g.id,
			coalesce((SELECT t.id FROM `+string(table)+` t WHERE t.id < g.id ORDER BY t.id DESC LIMIT 1), $2),
			coalesce((SELECT t.id FROM `+string(table)+` t WHERE t.id > g.id ORDER BY t.id LIMIT 1), $2)
		FROM unnest($1::uuid[]) AS g(id)`, ids, uuid.Nil)
	if err != nil {
		return nil, classify(what, err)
	}
	all := make(map[uuid.UUID][2]uuid.UUID, len(ids))
	var id, before, after uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&id, &before, &after}, func() error {
		all[id] = [2]uuid.UUID{before, after}
		return nil
	})
	return all, classify(what, err)
}
