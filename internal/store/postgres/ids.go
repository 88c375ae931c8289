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

// Subset is a condition on the rows of a table, for Proposed.
type Subset string

// The rows that a command accepts.
const (
	Every        Subset = "true"
	InCatalogue  Subset = "NOT in_review"
	Readable     Subset = "(NOT in_review OR superseded_by IS NOT NULL)"
	InReview     Subset = "in_review AND superseded_by IS NULL"
	IsSuperseded Subset = "superseded_by IS NOT NULL"
	Accepted     Subset = "NOT in_review AND settled IS NOT NULL"
	Linked       Subset = "EXISTS (SELECT FROM conversation_links l WHERE l.conversation_id = conversations.id)"
	Unrevoked    Subset = "revoked_at IS NULL"
	Versioned    Subset = "NOT in_review AND EXISTS (SELECT FROM article_versions v WHERE v.document_id = documents.id)"
	Decidable    Subset = "target_id IS NOT NULL AND article <> ''"
	Forgettable  Subset = "state NOT IN ('queued', 'running') AND NOT EXISTS (SELECT FROM documents d WHERE d.ingestion_id = ingestions.id)"
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
func (db *DB) Between(ctx context.Context, table Named, from, to uuid.UUID, limit int) ([]Label, error) {
	return db.Proposed(ctx, table, Every, from, to, limit)
}

// Proposed is Between for the rows of a subset.
func (db *DB) Proposed(ctx context.Context, table Named, of Subset, from, to uuid.UUID, limit int) ([]Label, error) {
	what := "ids of " + string(table)
	found, err := collect(ctx, db.pool, pgx.RowToStructByPos[Label], `SELECT id, `+labels[table]+` FROM `+string(table)+` WHERE id BETWEEN $1 AND $2 AND `+string(of)+` ORDER BY id DESC LIMIT $3`, from, to, limit)
	return found, classify(what, err)
}
