package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Named is a table whose rows a person may name by an id prefix.
type Named string

// The tables whose rows have ids that people type.
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

// Label is a row's id and a description that tells it from others.
type Label struct {
	ID    uuid.UUID
	Label string
}

// Between returns the rows with ids from from to to, both inclusive, in descending order,
// at most limit.
func (db *DB) Between(ctx context.Context, table Named, from, to uuid.UUID, limit int) ([]Label, error) {
	what := "ids of " + string(table)
	rows, err := db.pool.Query(ctx, `SELECT id, `+table.label()+` FROM `+string(table)+` WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT $3`, from, to, limit)
	if err != nil {
		return nil, classify(what, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Label])
	return found, classify(what, err)
}

// Neighbors returns for each id its predecessor and successor in the table, uuid.Nil if
// there is none: a prefix that neither of them shares names the row uniquely.
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
