package postgres

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// AuditNames returns names for the ids in entries of the audit log, in their objects and in the values of their
// details: the address of an account, the name of a file or an API key, the title of a text. The names are the current
// ones, because the log itself holds none. Ids of deleted rows have no name.
func (db *DB) AuditNames(ctx context.Context, lines []AuditEntry) (map[uuid.UUID]string, error) {
	var ids []uuid.UUID
	add := func(value any) {
		word, _ := value.(string)
		if id, err := uuid.Parse(word); err == nil && len(word) == 36 {
			ids = append(ids, id)
		}
	}
	for _, l := range lines {
		add(l.Object)
		var values map[string]any
		if err := json.Unmarshal(l.Details, &values); err != nil {
			return nil, err
		}
		for _, v := range values {
			add(v)
		}
	}
	names := map[uuid.UUID]string{}
	if len(ids) == 0 {
		return names, nil
	}
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[struct {
		ID   uuid.UUID
		Name string
	}], `SELECT id, email FROM users WHERE id = ANY($1)
		UNION ALL SELECT id, filename FROM ingestions WHERE id = ANY($1)
		UNION ALL SELECT id, title FROM documents WHERE id = ANY($1)
		UNION ALL SELECT id, name FROM api_keys WHERE id = ANY($1)`, ids)
	for _, n := range list {
		names[n.ID] = n.Name
	}
	return names, classify("audit names", err)
}
