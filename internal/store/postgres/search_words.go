package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
)

// SoughtWord is a word of a question with its synonyms.
type SoughtWord struct {
	Terms  []string // the word and its synonyms, as package french normalizes them
	Weight float64  // score of an article that contains any of Terms
}

// SoughtIn filters a search by words. Zero values do not filter, with one exception:
// repealed texts are left out unless Repealed is set.
type SoughtIn struct {
	law.Filters           // Filters other than Date, which is ignored
	Day         time.Time // day on which an article must be in force
	Repealed    bool      // whether repealed texts are included
}

// soughtPool is the maximum number of articles that are ranked by how often they contain
// the words. These are the articles that contain the most words.
const soughtPool = 2000

// WithWords returns the passages, as IndexRows does, of at most limit articles: those with
// the highest total weight of the words that they contain, and among equals those that
// contain the words most often. The rows are ordered by text. The words of an article are
// those of its text, its headings and the title of its text.
func (db *DB) WithWords(ctx context.Context, words []SoughtWord, in SoughtIn, limit int) (rows []IndexRow, err error) {
	queries, weights := make([]string, len(words)), make([]float64, len(words))
	for i, w := range words {
		queries[i], weights[i] = fulltext.AnyOf(w.Terms), w.Weight
	}
	if len(words) == 0 {
		return nil, nil
	}
	narrow, args := in.conditions(queries, weights, strings.Join(queries, " | "), soughtPool, limit)
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		// PostgreSQL would take longer to compile the statement than to run it.
		if _, err := tx.Exec(ctx, `SET LOCAL jit = off`); err != nil {
			return err
		}
		found, err := tx.Query(ctx, `WITH held AS (
				SELECT u.document_id, u.position, sum(w.weight) AS held FROM unnest($1::text[], $2::float8[]) AS w (query, weight)
				JOIN LATERAL (SELECT document_id, position FROM search_units WHERE words @@ w.query::tsquery AND position >= 0`+narrow.units+`) u ON true
				GROUP BY u.document_id, u.position),
			best AS (
				SELECT u.article_id, u.words, h.held FROM held h JOIN search_units u USING (document_id, position)
					JOIN documents d ON d.id = h.document_id JOIN articles a ON a.id = u.article_id
				WHERE NOT d.in_review`+narrow.texts+` ORDER BY h.held DESC, h.document_id, h.position LIMIT $4)
			SELECT article_id FROM best ORDER BY held DESC, ts_rank(words, $3::tsquery) DESC, article_id LIMIT $5`, args...)
		if err != nil {
			return err
		}
		articles, err := pgx.CollectRows(found, pgx.RowTo[uuid.UUID])
		if err != nil || len(articles) == 0 {
			return err
		}
		return indexRows(ctx, tx, `a.id = ANY($1)`, articles, func(r IndexRow) error {
			rows = append(rows, r)
			return nil
		})
	})
	return rows, classify("with words", err)
}

// narrowing holds the SQL conditions of a search's filters, on search units and on texts.
type narrowing struct{ units, texts string }

// conditions returns the filters in SQL, equivalent to those of the in-memory index. It
// appends its arguments to args, the arguments of the statement so far.
func (in SoughtIn) conditions(args ...any) (narrow narrowing, _ []any) {
	place := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args))
	}
	if in.DocumentID != nil {
		narrow.units = ` AND document_id = ` + place(*in.DocumentID)
	}
	for _, f := range []struct{ column, value string }{{"domaine", in.Domain}, {"doc_type", string(in.Type)}, {"statut", string(in.Status)}} {
		if f.value != "" {
			narrow.texts += ` AND d.` + f.column + ` = ` + place(f.value)
		}
	}
	if !in.Repealed && in.Status == "" {
		narrow.texts += ` AND d.statut <> ` + place(string(law.Repealed))
	}
	if !in.Day.IsZero() {
		day := place(in.Day)
		narrow.texts += ` AND ` + day + `::date >= greatest(d.in_force_on, a.valid_from) AND coalesce(` + day + ` < least(` + citableTo + `), true)`
	}
	return narrow, args
}
