package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// candidatesQuery returns WITH items that select the texts that each relation can mean, by
// number and type or by title. r is a FROM item, with its condition, that yields the
// relations. The number in a relation may lack the initials of its authors (« 2000-190 »
// for « 2000-190/PRES/PM »). Among several texts, those of the day that the relation names
// are preferred, then those with the same full number. A text changes no younger text and
// no text of another country. A text that itself changes the titled text is not a
// candidate: an act that amends a code has the title of the code in its own title. Titles
// are compared word by word, and each distinct title once, however many relations name it.
func candidatesQuery(r string) string {
	return `open AS MATERIALIZED (
		SELECT r.id, r.source_id, r.target_type, r.target_number, r.target_title, r.target_on, r.uncertain, s.promulgated_on, s.countries
		FROM ` + r + `),
	titles AS MATERIALIZED (
		SELECT target_title, title_words(target_title) AS words, '%' || regexp_replace(fold(target_title), '([\\%_])', '\\\1', 'g') || '%' AS pattern
		FROM (SELECT DISTINCT target_title FROM open WHERE target_number = '' AND target_title <> '') t),
	meant AS MATERIALIZED (
		SELECT t.target_title, d.id, d.promulgated_on, d.countries, lower(d.numero_officiel) AS number
		FROM titles t CROSS JOIN LATERAL (
			SELECT d.id, d.title, d.promulgated_on, d.countries, d.numero_officiel FROM documents d WHERE NOT d.in_review AND d.title_folded LIKE t.pattern
			UNION ALL SELECT d.id, d.title, d.promulgated_on, d.countries, d.numero_officiel FROM documents d
				WHERE d.superseded_by IS NOT NULL AND d.title_folded LIKE t.pattern) d
		WHERE strpos(' ' || title_words(d.title) || ' ', ' ' || t.words || ' ') > 0
			AND NOT EXISTS (SELECT FROM relations o WHERE o.source_id = d.id AND o.target_title = t.target_title OFFSET 0)), -- OFFSET 0: looked up for each text, with the index
	numbered AS (
		SELECT r.id AS relation, d.id AS target, d.promulgated_on AS day, number_stem(d.numero_officiel) AS stem,
			number_signs(d.numero_officiel) AS signs, r.target_on IS NULL OR d.promulgated_on = r.target_on AS on_day,
			lower(d.numero_officiel) = lower(r.target_number) AS same
		FROM open r CROSS JOIN LATERAL (SELECT * FROM documents d
				WHERE d.numero_officiel <> '' AND number_stem(d.numero_officiel) = number_stem(r.target_number) OFFSET 0) d -- OFFSET 0: with the index, whatever the planner estimates
		WHERE r.target_number <> ''
			AND (number_signs(d.numero_officiel) = '' OR number_signs(r.target_number) = '' OR number_signs(d.numero_officiel) = number_signs(r.target_number))
			AND ` + sameCountry + ` AND ` + readableByID + ` AND d.id <> r.source_id AND d.promulgated_on <= r.promulgated_on
			AND (r.target_type = '' OR d.doc_type = r.target_type OR (r.target_type = 'loi' AND d.doc_type = 'code'))),
	candidates AS MATERIALIZED (
		SELECT relation, target, day, stem, signs, on_day FROM (
			SELECT relation, target, day, stem, signs, on_day,
				rank() OVER (PARTITION BY relation ORDER BY on_day DESC, same DESC) AS place FROM numbered) p
		WHERE place = 1
		UNION ALL
		SELECT r.id, d.id, d.promulgated_on, d.number, '', true
		FROM open r JOIN meant d ON d.target_title = r.target_title
		WHERE r.target_number = '' AND ` + sameCountry + ` AND d.id <> r.source_id AND d.promulgated_on <= r.promulgated_on)`
}

// openOnes returns the FROM item that selects the linkable rows among the given relations:
// those that no person settled and whose text is in the catalogue.
func openOnes(relations string) string {
	return relations + ` r CROSS JOIN LATERAL (SELECT in_review, promulgated_on, countries FROM documents WHERE id = r.source_id OFFSET 0) s
		WHERE NOT s.in_review AND NOT r.by_hand`
}

// sameCountry is the SQL condition that the texts r and d are not known to be the law of
// different countries.
const sameCountry = `(r.countries = '{}' OR d.countries = '{}' OR r.countries && d.countries)`

// affectedRelations lists the relations that a change of the texts may link or unlink: the
// texts' own relations, the relations linked to them, and the relations that may mean them
// by number or title. It must be called before the change. After the change, only
// namingRelations can give a different result.
func affectedRelations(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) ([]uuid.UUID, error) {
	tied, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT id FROM relations WHERE source_id = ANY($1)
		UNION SELECT relation_id FROM relation_targets WHERE document_id = ANY($1)`, documents)
	if err != nil {
		return nil, err
	}
	naming, err := namingRelations(ctx, tx, documents)
	return union(tied, naming), err
}

// namingRelations lists the relations that may mean the texts by number or title.
func namingRelations(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `WITH these AS MATERIALIZED (
			SELECT id, numero_officiel, title_words(title) AS words FROM documents WHERE id = ANY($1)),
		near AS MATERIALIZED (
			SELECT r.id, r.target_title, d.words FROM these d JOIN relations r ON r.title_head = ANY(title_heads(d.words))),
		meant AS MATERIALIZED ( -- each title once, however many relations name it
			SELECT target_title, words FROM (SELECT DISTINCT target_title, words FROM near OFFSET 0) t
			WHERE strpos(' ' || words || ' ', ' ' || title_words(target_title) || ' ') > 0)
		SELECT r.id FROM these d JOIN relations r ON r.target_number <> '' AND number_stem(r.target_number) = number_stem(d.numero_officiel)
			WHERE d.numero_officiel <> ''
		UNION ALL SELECT id FROM near WHERE (target_title, words) IN (SELECT target_title, words FROM meant)`, documents)
}

// resolveRelations links each given relation (a repeal or an amendment that was read in a
// text) to the text of the catalogue that it means, in every file that contains this text.
// It returns the ids of the texts that were linked or unlinked. A relation without a
// matching text stays open until one is added. A relation that matches texts with different
// numbers or dates, or with another day than it names, waits for a person. Links from or to
// the texts in anew are deleted if they no longer match; other links stay.
func resolveRelations(ctx context.Context, tx pgx.Tx, relations, anew []uuid.UUID) ([]uuid.UUID, error) {
	// Thousands of relations may be given, of which few change. Each is looked up by the
	// indexes, whatever the planner estimates, and only changes are written.
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `WITH given AS MATERIALIZED (
			SELECT r.* FROM unnest($1::uuid[]) x (id) CROSS JOIN LATERAL (
				SELECT id, source_id, by_hand, target_type, target_number, target_title, target_on, uncertain
				FROM relations WHERE id = x.id OFFSET 0) r),
		`+candidatesQuery(openOnes("given"))+`,
		judged AS MATERIALIZED (SELECT relation, min(day) = max(day) AND min(stem) = max(stem) AND bool_and(on_day)
				AND min(nullif(signs, '')) IS NOT DISTINCT FROM max(nullif(signs, '')) AS certain FROM candidates GROUP BY relation),
		wanted AS MATERIALIZED (SELECT relation, target FROM candidates
			WHERE (relation IN (SELECT relation FROM judged WHERE certain)) IS TRUE), -- IS TRUE makes PostgreSQL hash instead of join
		ties AS MATERIALIZED (
			SELECT relation_id, document_id FROM relation_targets WHERE document_id = ANY($2)
			UNION SELECT t.relation_id, t.document_id FROM given r
				CROSS JOIN LATERAL (SELECT * FROM relation_targets WHERE relation_id = r.id OFFSET 0) t WHERE r.source_id = ANY($2)),
		loose AS MATERIALIZED (
			SELECT relation_id, document_id FROM ties WHERE (relation_id IN (SELECT id FROM given WHERE NOT by_hand)) IS TRUE
				AND (relation_id, document_id) NOT IN (SELECT relation, target FROM wanted)),
		untied AS (
			DELETE FROM relation_targets t USING loose l
			WHERE t.relation_id = l.relation_id AND t.document_id = l.document_id RETURNING t.document_id),
		turned AS MATERIALIZED (
			SELECT id FROM open WHERE uncertain <> ((id IN (SELECT relation FROM judged WHERE NOT certain)) IS TRUE)),
		marked AS (
			UPDATE relations r SET uncertain = NOT r.uncertain FROM turned WHERE r.id = turned.id),
		tied AS (
			INSERT INTO relation_targets (relation_id, document_id) SELECT relation, target FROM wanted
			WHERE (relation, target) NOT IN (SELECT relation_id, document_id FROM ties) ON CONFLICT DO NOTHING RETURNING document_id)
		SELECT document_id FROM tied UNION SELECT document_id FROM untied`, relations, anew)
}
