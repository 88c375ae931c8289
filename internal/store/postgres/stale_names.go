package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law/naming"
)

// Called is what a text of the catalogue may be named by.
type Called struct {
	ID uuid.UUID
	naming.Text
}

// Behind is how texts are found whose keys are still to be made, or were made by another
// version of the analysis.
type Behind struct {
	// Texts are to be compared one by one, in the order of their ids.
	Texts []Called
	// Keyed: the others have keys that tell most of what they are called, and are found by
	// these (NameQuery.Keys). KeysOfThis where there are no others.
	Keyed KeysOf
	// Bare: there are more than can be compared whose keys were never made. Texts are absent.
	Bare bool
}

// Classes of rows, from all that are behind to those that nothing else can find: first those
// of any other version, then those whose keys are old, then those that have none.
// The rest of each is what KeysOf of the same place looks at.
// The first is of two ranges, which an index knows.
var behindClasses = []string{`(analysis < $1 OR analysis > $1)`, `analysis = 0`, `keys = '{}'`}

// Behind lists texts of the catalogue whose keys are not of this program's version: all of
// them where they are no more than most, else those of the widest class that are.
func (db *DB) Behind(ctx context.Context, most int) (b Behind, err error) {
	classes, err := db.countBehind(ctx, most)
	if err != nil {
		return b, err
	}
	for i, count := range classes {
		if count > most {
			continue
		}
		if count > 0 {
			b.Texts, err = db.called(ctx, behindClasses[i], most)
		}
		b.Keyed = KeysOf(i)
		return b, err
	}
	return Behind{Bare: true}, nil
}

// countBehind counts the rows of each class, up to one more than most.
func (db *DB) countBehind(ctx context.Context, most int) (counts [3]int, err error) {
	var behind bool
	// The ends of an index: the planner would read all rows to find one of another version.
	err = db.pool.QueryRow(ctx, `SELECT coalesce(min(analysis) < $1 OR max(analysis) > $1, false) FROM text_names`, naming.Analysis).Scan(&behind)
	if err != nil || !behind {
		return counts, classify("names behind", err)
	}
	err = db.pool.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM ((SELECT FROM text_names WHERE analysis < $1 LIMIT $2) UNION ALL (SELECT FROM text_names WHERE analysis > $1 LIMIT $2)) n),
		(SELECT count(*) FROM (SELECT FROM text_names WHERE analysis = 0 LIMIT $2) n),
		(SELECT count(*) FROM (SELECT FROM text_names WHERE keys = '{}' LIMIT $2) n)`, naming.Analysis, most+1).Scan(&counts[0], &counts[1], &counts[2])
	return counts, classify("names behind", err)
}

// called reads what the texts of a class are called.
func (db *DB) called(ctx context.Context, class string, most int) ([]Called, error) {
	rows, err := db.pool.Query(ctx, `SELECT d.id, d.title, d.nature, d.numero_officiel, d.doc_type, d.promulgated_on, d.countries
		FROM (SELECT document_id FROM text_names WHERE `+class+` AND analysis <> $1 LIMIT $2) n
		JOIN documents d ON d.id = n.document_id WHERE NOT d.in_review ORDER BY d.id`, naming.Analysis, most)
	if err != nil {
		return nil, classify("texts without names", err)
	}
	texts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Called, err error) {
		err = row.Scan(&c.ID, &c.Title, &c.Nature, &c.Number, &c.Type, &c.Promulgated, &c.Countries)
		return c, err
	})
	return texts, classify("texts without names", err)
}
