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
	NamedFollows    Named = "follows"
	NamedShared     Named = "conversations" // whose words are told to nobody
	NamedEdits      Named = "ingestion_edits"
	NamedDecisions  Named = "amendment_settlements"
	NamedAmendments Named = "amendment_waiting" // operations that wait for a person or a text
)

// labels are the SQL expressions that describe a row of each table.
var labels = map[Named]string{
	NamedIngestions: "filename",
	NamedDocuments:  "title",
	NamedUsers:      "email",
	NamedRelations:  "kind || ' ' || target_type || ' ' || target_number",
	NamedKeys:       "name",
	NamedFollows:    "label",
	NamedShared:     "(SELECT email FROM users u WHERE u.id = user_id)",
	NamedEdits:      "kind",
	NamedDecisions:  "article || ' ' || decision",
	NamedAmendments: "article || ' ' || reason",
}

// Label is the id of a row with a description that distinguishes the row from others.
type Label struct {
	ID    uuid.UUID `json:"id"`
	Label string    `json:"label"`
}

// Between returns the rows whose ids are from first to last, both included, in descending
// order, at most limit rows.
func (db *DB) Between(ctx context.Context, table Named, first, last uuid.UUID, limit int) ([]Label, error) {
	found, err := collect(ctx, db.pool, pgx.RowToStructByPos[Label], `SELECT id, `+labels[table]+` FROM `+string(table)+` WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT $3`, first, last, limit)
	return found, classify("ids of "+string(table), err)
}
