package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// Naming is the name that an act of the catalogue gives another text.
type Naming struct {
	Act           uuid.UUID
	Day           time.Time // day of the act
	Countries     []string  // countries of the act
	Type          law.DocType
	Number, Title string
	On            *time.Time // day that the name gives
}

// Meaning holds the texts of the catalogue that a name may mean. Certain means that they are editions of one text.
type Meaning struct {
	Texts   []uuid.UUID
	Certain bool
}

// resolveNamings returns the meanings of names, in their order. Package search/named registers it, so that names mean
// the same in relations, questions and amendments.
var resolveNamings = func(context.Context, NameSource, []Naming) ([]Meaning, error) {
	panic("postgres: the program imports no package that resolves names")
}

// RegisterNaming registers the resolver of names. It is called once, before a database is opened.
func RegisterNaming(resolve func(ctx context.Context, source NameSource, names []Naming) ([]Meaning, error)) {
	resolveNamings = resolve
}

// openRelation is a relation that no person has settled, with its possible meanings.
type openRelation struct {
	ID uuid.UUID
	Naming
	Meaning
}

// meant returns the linkable relations among those that condition selects from relations r: those that no person settled
// and whose text is in the catalogue. order orders them, and may limit their number.
func (db *DB) meant(ctx context.Context, tx pgx.Tx, condition, order string, args ...any) ([]openRelation, error) {
	list, err := collect(ctx, tx, func(row pgx.CollectableRow) (r openRelation, err error) {
		return r, row.Scan(&r.ID, &r.Act, &r.Day, &r.Countries, &r.Type, &r.Number, &r.Title, &r.On)
	}, `SELECT r.id, r.source_id, s.promulgated_on, s.countries, r.target_type, r.target_number, r.target_title, r.target_on
		FROM relations r CROSS JOIN LATERAL (SELECT in_review, promulgated_on, countries FROM documents WHERE id = r.source_id OFFSET 0) s
		WHERE NOT s.in_review AND NOT r.by_hand AND `+condition+order, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	names := make([]Naming, len(list))
	for i, r := range list {
		names[i] = r.Naming
	}
	meanings, err := resolveNamings(ctx, NameSource{tx, db.shares}, names)
	for i := range meanings {
		list[i].Meaning = meanings[i]
	}
	return list, err
}

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
			WHERE string_to_array(title_words(target_title), ' ') <@ string_to_array(words, ' '))
		SELECT r.id FROM these d JOIN relations r ON r.target_number <> '' AND number_stem(r.target_number) = number_stem(d.numero_officiel)
			WHERE d.numero_officiel <> ''
		UNION ALL SELECT id FROM near WHERE (target_title, words) IN (SELECT target_title, words FROM meant)`, documents)
}

// resolveRelations links each given relation (a repeal or an amendment that was read in a
// text) to the text of the catalogue that it means, in every file that contains this text,
// superseded editions included. It returns the ids of the texts that were linked or unlinked.
// A relation without a matching text stays open until one is added. A relation that may mean
// several texts, or one of another day than it names, waits for a person. Links from or to
// the texts in anew are deleted if they no longer match; other links stay.
func (db *DB) resolveRelations(ctx context.Context, tx pgx.Tx, relations, anew []uuid.UUID) ([]uuid.UUID, error) {
	list, err := db.meant(ctx, tx, `r.id = ANY($1)`, ``, relations)
	if err != nil {
		return nil, err
	}
	var of, targets []uuid.UUID // relations, and the text that each means
	doubtful := make([]bool, len(list))
	ids := make([]uuid.UUID, len(list))
	for i, r := range list {
		ids[i], doubtful[i] = r.ID, !r.Certain && len(r.Texts) > 0
		for _, t := range r.Texts {
			if r.Certain {
				of, targets = append(of, r.ID), append(targets, t)
			}
		}
	}
	// Thousands of relations may be given and few of them change. Only these are written.
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `WITH given AS MATERIALIZED (
			SELECT r.id, r.source_id, r.by_hand FROM unnest($1::uuid[]) x (id) CROSS JOIN LATERAL (SELECT * FROM relations WHERE id = x.id OFFSET 0) r),
		meant AS MATERIALIZED (SELECT * FROM unnest($3::uuid[], $4::uuid[]) m (relation, target)),
		wanted AS MATERIALIZED (
			SELECT relation, target FROM meant
			UNION SELECT m.relation, d.id FROM meant m JOIN relations r ON r.id = m.relation JOIN documents s ON s.id = r.source_id
				JOIN documents d ON d.superseded_by = m.target AND d.id <> r.source_id AND d.promulgated_on <= s.promulgated_on),
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
		marked AS (
			UPDATE relations r SET uncertain = m.uncertain FROM unnest($5::uuid[], $6::bool[]) m (id, uncertain)
			WHERE r.id = m.id AND r.uncertain <> m.uncertain),
		tied AS (
			INSERT INTO relation_targets (relation_id, document_id) SELECT relation, target FROM wanted
			WHERE (relation, target) NOT IN (SELECT relation_id, document_id FROM ties) ON CONFLICT DO NOTHING RETURNING document_id)
		SELECT document_id FROM tied UNION SELECT document_id FROM untied`, relations, anew, of, targets, ids, doubtful)
}
