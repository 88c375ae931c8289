package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// supersession is a text that another edition of it has superseded.
type supersession struct{ old, by uuid.UUID }

// supersessionsOf lists the supersessions whose old or new edition is a text of the file.
func supersessionsOf(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) ([]supersession, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (p supersession, err error) {
		err = r.Scan(&p.old, &p.by)
		return p, err
	}, `SELECT d.id, d.superseded_by FROM documents d JOIN documents b ON b.id = d.superseded_by
		WHERE d.ingestion_id = $1 OR b.ingestion_id = $1 ORDER BY d.id`, ingestion)
}

// restoreSupersessions restores supersessions after a file was segmented again. A person
// decided on these pairs before, so they must not wait in review as possible editions
// again. Pairs that are certainly editions of one text need no restoring: they are compared
// again, possibly with another result. It returns the texts that changed.
func restoreSupersessions(ctx context.Context, tx pgx.Tx, before []supersession) (changed []uuid.UUID, err error) {
	for _, p := range before {
		// One text of the pair is in review; the other is in the catalogue.
		asked, err := collect(ctx, tx, pgx.RowTo[bool], `UPDATE documents d SET doubts = jsonb_path_query_array(d.doubts, '$[*] ? (@.field != "edition")'),
				in_review = jsonb_path_exists(d.doubts, '$[*] ? (@.field != "edition")')
			FROM documents o WHERE (d.id, o.id) IN (($1, $2), ($2, $1)) AND d.in_review AND d.superseded_by IS NULL AND NOT o.in_review
				AND d.doubts @> '[{"field": "edition"}]' RETURNING d.in_review`, p.old, p.by)
		if err != nil {
			return nil, err
		}
		if len(asked) == 0 {
			continue
		}
		touched, err := supersede(ctx, tx, p.old, p.by)
		if err != nil {
			return nil, err
		}
		changed = append(changed, touched...)
	}
	return changed, nil
}
