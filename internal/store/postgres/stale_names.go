package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law/naming"
)

// Called is a text of the catalogue with the names that a question may use for it.
type Called struct {
	ID uuid.UUID
	naming.Name
}

// Behind describes how to find the texts whose keys do not exist yet, or were made by
// another version of the analysis.
type Behind struct {
	// Texts must be compared with a question one by one. They are in the order of their ids.
	Texts []Called
	// Keyed: all other texts have keys that contain most of their names, and NamedBy finds
	// them by these keys (NameQuery.Keys). It is KeysOfThis if there are no other texts.
	Keyed KeysOf
	// Bare: more texts than the limit have no keys at all. Then Texts is nil.
	Bare bool
}

// behindClasses are the conditions of three sets of rows, each a part of the one before:
// rows of another version of the analysis, rows whose text was renamed since, and rows
// without keys. A row of another version that is outside the set with index i belongs to
// KeysOf(i). The first condition is written as two ranges, because an index serves them.
var behindClasses = []string{`(analysis < $1 OR analysis > $1)`, `analysis = 0`, `keys = '{}'`}

// Behind lists the texts of the catalogue whose keys are not of this program's version: all
// of them if they are at most limit, else those of the largest class in behindClasses that
// has at most limit rows.
func (s NameSource) Behind(ctx context.Context, limit int) (b Behind, err error) {
	classes, err := s.countBehind(ctx, limit)
	if err != nil {
		return b, err
	}
	for i, count := range classes {
		if count > limit {
			continue
		}
		if count > 0 {
			b.Texts, err = s.called(ctx, behindClasses[i], limit)
		}
		b.Keyed = KeysOf(i)
		return b, err
	}
	return Behind{Bare: true}, nil
}

// countBehind counts the rows of each class in behindClasses, and stops at limit+1.
func (s NameSource) countBehind(ctx context.Context, limit int) (counts [3]int, err error) {
	var behind bool
	// The minimum and maximum come from the ends of an index. To look for a row of another
	// version, the planner would read all rows.
	err = s.names.QueryRow(ctx, `SELECT coalesce(min(analysis) < $1 OR max(analysis) > $1, false) FROM text_names`, naming.Analysis).Scan(&behind)
	if err != nil || !behind {
		return counts, classify("names behind", err)
	}
	err = s.names.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM ((SELECT FROM text_names WHERE analysis < $1 LIMIT $2) UNION ALL (SELECT FROM text_names WHERE analysis > $1 LIMIT $2)) n),
		(SELECT count(*) FROM (SELECT FROM text_names WHERE analysis = 0 LIMIT $2) n),
		(SELECT count(*) FROM (SELECT FROM text_names WHERE keys = '{}' LIMIT $2) n)`, naming.Analysis, limit+1).Scan(&counts[0], &counts[1], &counts[2])
	return counts, classify("names behind", err)
}

// called reads the names of the texts of a class.
func (s NameSource) called(ctx context.Context, class string, limit int) ([]Called, error) {
	texts, err := collect(ctx, s.names, func(row pgx.CollectableRow) (c Called, err error) {
		err = row.Scan(&c.ID, &c.Title, &c.Nature, &c.Number, &c.Type, &c.Promulgated, &c.Countries)
		return c, err
	}, `SELECT d.id, d.title, d.nature, d.numero_officiel, d.doc_type, d.promulgated_on, d.countries
		FROM (SELECT document_id FROM text_names WHERE `+class+` AND analysis <> $1 LIMIT $2) n
		JOIN documents d ON d.id = n.document_id WHERE NOT d.in_review ORDER BY d.id`, naming.Analysis, limit)
	return texts, classify("texts without names", err)
}
