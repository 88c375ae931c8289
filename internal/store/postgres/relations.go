package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// RelatedText is a text at the other end of a relation.
type RelatedText struct {
	ID    uuid.UUID
	Title string
	Date  time.Time // first day of the change, the earliest if the text makes several
}

// Related lists the changes between one text and others of the catalogue, oldest first, each text once per list.
// Repeals concern a whole text; the repeal of some articles counts as an amendment, as it does in the status of the
// text. Changes that appear only in the versions of articles count, too.
type Related struct {
	Repeals, RepealedBy, Amends, AmendedBy []RelatedText
}

// Relations returns which texts a text of the catalogue changes, and which texts change it.
// NotFound if there is no such text.
func (db *DB) Relations(ctx context.Context, id uuid.UUID) (r Related, err error) {
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT d.id FROM documents d WHERE d.id = $1 AND `+readableByID, id).Scan(new(uuid.UUID))
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `WITH both_ways AS (
				SELECT true AS active, `+endsText+` AS ends, target_id AS other, effective_on FROM (`+changesWhere(`r.source_id = $1`, `h.repealed_by = $1`)+`) c
				UNION ALL SELECT false, `+endsText+`, source_id, effective_on FROM (`+changesWhere(`t.document_id = $1`, `h.id = $1`)+`) c
				UNION ALL SELECT true, false, v.document_id, v.valid_from FROM (SELECT DISTINCT target_id FROM amendment_operations WHERE act_id = $1) o
					JOIN article_versions v ON v.document_id = o.target_id AND v.act_id = $1 WHERE v.valid_from IS NOT NULL
				UNION ALL SELECT false, false, v.act_id, v.valid_from FROM article_versions v
					WHERE v.document_id = $1 AND v.act_id IS NOT NULL AND v.valid_from IS NOT NULL)
			SELECT b.active, b.ends, d.id, d.title, min(b.effective_on) AS since
			FROM both_ways b JOIN documents d ON d.id = b.other AND NOT d.in_review
			GROUP BY b.active, b.ends, d.id, d.title ORDER BY since, d.id`, id)
		if err != nil {
			return err
		}
		return r.collect(rows)
	})
	return r, classify("relations of "+id.String(), err)
}

func (r *Related) collect(rows pgx.Rows) error {
	var active, ends bool
	var t RelatedText
	_, err := pgx.ForEachRow(rows, []any{&active, &ends, &t.ID, &t.Title, &t.Date}, func() error {
		list := &r.AmendedBy
		switch {
		case active && ends:
			list = &r.Repeals
		case active:
			list = &r.Amends
		case ends:
			list = &r.RepealedBy
		}
		*list = append(*list, t)
		return nil
	})
	return err
}

// endsText is the SQL condition that the change c ends the whole text.
const endsText = `(c.kind = 'abroge' AND c.target_articles = '{}')`

// changesWhere returns a query of the changes in effect: id, source_id, source_article,
// kind, target_id, effective_on and target_articles. Most changes were read in a text, as
// the relation r with the target t. If a person set the status of a text h, only the repeal
// that the person set ends h, not those that were read. The condition read filters
// relations and byHand filters texts, each on its own tables, so that each uses an index.
func changesWhere(read, byHand string) string {
	return `SELECT r.id, r.source_id, r.source_article, r.kind, t.document_id AS target_id, r.effective_on, r.target_articles
		FROM relation_targets t JOIN relations r ON r.id = t.relation_id JOIN documents changed ON changed.id = t.document_id
		WHERE ` + read + ` AND NOT (changed.status_by_hand AND r.kind = 'abroge' AND r.target_articles = '{}')
		UNION ALL
		SELECT h.id, h.repealed_by, (SELECT r.source_article FROM relations r JOIN relation_targets t ON t.relation_id = r.id
				WHERE t.document_id = h.id AND r.source_id = h.repealed_by AND r.kind = 'abroge' AND r.target_articles = '{}'
				ORDER BY r.effective_on, r.id LIMIT 1), 'abroge', h.id, h.repealed_on, '{}'
		FROM documents h WHERE ` + byHand + ` AND h.status_by_hand AND h.repealed_by IS NOT NULL AND h.repealed_on IS NOT NULL`
}

func insertRelations(ctx context.Context, tx pgx.Tx, source uuid.UUID, relations []law.Relation) error {
	batch := &pgx.Batch{}
	for _, r := range relations {
		batch.Queue(`INSERT INTO relations (id, source_id, source_article, kind, target_type, target_number, target_title,
				target_articles, effective_on, adds, target_on, words) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			r.ID, source, r.SourceArticle, r.Kind, r.TargetType, r.TargetNumber, r.TargetTitle, texts(r.TargetArticles), r.Effective, r.Adds, r.TargetDate, r.Words)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// targetsOf lists the texts that the relations in a file's texts change.
func targetsOf(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT DISTINCT t.document_id FROM relation_targets t JOIN relations r ON r.id = t.relation_id
		JOIN documents s ON s.id = r.source_id WHERE s.ingestion_id = $1`, ingestion)
}

// applyRelations derives the status of a text and its articles from all relations to it:
// the first repeal of the whole text ends the text, and a change to an article ends the
// article's wording. A status that an editor set stays. A deleted text is not an error.
func applyRelations(ctx context.Context, tx pgx.Tx, target uuid.UUID) error {
	said, err := effectsOn(ctx, tx, target)
	if err != nil {
		return err
	}
	var previous law.Status
	err = tx.QueryRow(ctx, `WITH before AS (SELECT statut FROM documents WHERE id = $1)
		UPDATE documents d SET statut = $2, repealed_by = $3, repealed_on = $4
		FROM before WHERE d.id = $1 AND NOT d.status_by_hand RETURNING before.statut`,
		target, said.status, said.repealedBy, said.repealedOn).Scan(&previous)
	switch {
	case errs.Is(classify("", err), errs.NotFound): // the text was deleted, or a person set its status
	case err != nil:
		return err
	case previous != said.status:
		if err := audit(ctx, tx, StatusChanged, target.String(), details{"from": previous, "to": said.status, "abroge_par": said.repealedBy}); err != nil {
			return err
		}
	}
	return endArticles(ctx, tx, target, said.endings)
}

// RefreshStatuses updates the texts for which a change has taken effect since their status
// was last derived. It notifies the catalogue's followers, and returns the number of texts.
func (db *DB) RefreshStatuses(ctx context.Context) (n int, err error) {
	err = db.inTx(ctx, "refresh statuses", func(tx pgx.Tx) error {
		if err := lockTexts(ctx, tx); err != nil {
			return err
		}
		said, err := repealsOfToday(ctx, tx)
		if err != nil {
			return err
		}
		due, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT DISTINCT d.id FROM documents d
			JOIN relation_targets t ON t.document_id = d.id JOIN relations r ON r.id = t.relation_id
			WHERE r.effective_on <= law_day(now(), d.countries) AND d.statut <> 'abroge' AND NOT d.status_by_hand
			AND (d.statut = 'en_vigueur' OR (r.kind = 'abroge' AND r.target_articles = '{}'))`)
		if err != nil {
			return err
		}
		for _, id := range due {
			if err := applyRelations(ctx, tx, id); err != nil {
				return err
			}
		}
		n = len(due) + len(said)
		return announce(ctx, tx, slices.Concat(due, said))
	})
	return n, err
}

// repealsOfToday repeals the texts for which a person set a repeal on a day that has now
// come, and returns them.
func repealsOfToday(ctx context.Context, tx pgx.Tx) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `WITH due AS (SELECT id, statut FROM documents
			WHERE status_by_hand AND repealed_by IS NOT NULL AND repealed_on <= law_day(now(), countries) AND statut <> 'abroge' ORDER BY id FOR UPDATE)
		UPDATE documents d SET statut = 'abroge' FROM due WHERE d.id = due.id RETURNING d.id, due.statut, d.repealed_by`)
	if err != nil {
		return nil, err
	}
	type ended struct {
		ID   uuid.UUID
		From law.Status
		By   uuid.UUID
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[ended])
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for _, e := range list {
		ids = append(ids, e.ID)
		if err := audit(ctx, tx, StatusChanged, e.ID.String(), details{"from": e.From, "to": law.Repealed, "abroge_par": e.By}); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// endArticles sets the last day of each article that a change names or gives a new wording
// to. Numbers are compared in normalized form: « 1er » equals « premier », « L1224-1 »
// equals « L. 1224-1 ». New wordings that the text gives are skipped, since they belong to
// articles of other texts. The end of the whole text is skipped too, since the text itself
// records it.
func endArticles(ctx context.Context, tx pgx.Tx, target uuid.UUID, ends []ending) error {
	rows, err := tx.Query(ctx, `SELECT a.id, a.number, a.valid_to FROM articles a WHERE a.document_id = $1 AND `+ownArticle, target)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	var id uuid.UUID
	var number string
	var ended *time.Time
	if _, err := pgx.ForEachRow(rows, []any{&id, &number, &ended}, func() error {
		day := (*time.Time)(nil)
		if number != "" {
			day = firstAfter(ends, number, time.Time{})
		}
		if (day == nil) != (ended == nil) || day != nil && !day.Equal(*ended) {
			batch.Queue(`UPDATE articles SET valid_to = $2 WHERE id = $1`, id, day)
		}
		ended = nil
		return nil
	}); err != nil {
		return err
	}
	return tx.SendBatch(ctx, batch).Close()
}

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
	var owners, targets []uuid.UUID // relations, and the text that each means
	doubtful := make([]bool, len(list))
	ids := make([]uuid.UUID, len(list))
	for i, r := range list {
		ids[i], doubtful[i] = r.ID, !r.Certain && len(r.Texts) > 0
		for _, t := range r.Texts {
			if r.Certain {
				owners, targets = append(owners, r.ID), append(targets, t)
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
		SELECT document_id FROM tied UNION SELECT document_id FROM untied`, relations, anew, owners, targets, ids, doubtful)
}

// UncertainRelation is a change to a text that could not be identified: the words of the
// changing text may mean several texts.
type UncertainRelation struct {
	Relation   law.Relation
	Title      string // title of the text that makes the change
	Article    string // number of the article that makes the change
	Candidates []RelatedText
}

// UncertainRelations lists the relations that a person has to settle, those of the newest
// texts first.
func (db *DB) UncertainRelations(ctx context.Context, limit int) (list []UncertainRelation, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		meant, err := db.meant(ctx, tx, `r.uncertain AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = r.id)`,
			` ORDER BY s.promulgated_on DESC, r.source_id, (SELECT position FROM articles WHERE id = r.source_article), r.id LIMIT $1`, limit)
		if err != nil {
			return err
		}
		// Many relations may mean the same hundred texts, so each text is read once.
		ids, positions := []uuid.UUID{}, make(map[uuid.UUID]int, len(meant))
		for i, m := range meant {
			ids, positions[m.ID] = append(ids, m.Texts...), i
		}
		texts, err := relatedTexts(ctx, tx, ids)
		if err != nil {
			return err
		}
		list, err = uncertain(ctx, tx, positions)
		for i := range list {
			u := &list[i]
			for _, id := range meant[positions[u.Relation.ID]].Texts {
				if text, there := texts[id]; there {
					u.Candidates = append(u.Candidates, text)
				}
			}
			slices.SortFunc(u.Candidates, func(a, b RelatedText) int {
				return cmp.Or(a.Date.Compare(b.Date), slices.Compare(a.ID[:], b.ID[:]))
			})
		}
		list = slices.DeleteFunc(list, func(u UncertainRelation) bool { return len(u.Candidates) == 0 })
		return err
	})
	return list, classify("uncertain relations", err)
}

// uncertain reads relations without their candidates, in the order of their indexes in at.
func uncertain(ctx context.Context, tx pgx.Tx, positions map[uuid.UUID]int) ([]UncertainRelation, error) {
	list, err := collect(ctx, tx, func(row pgx.CollectableRow) (u UncertainRelation, err error) {
		r := &u.Relation
		return u, row.Scan(&r.ID, &r.SourceID, &r.SourceArticle, &r.Kind, &r.TargetType, &r.TargetNumber, &r.TargetTitle, &r.TargetDate, &r.TargetArticles,
			&r.Effective, &u.Title, &u.Article)
	}, `SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on, r.target_articles, r.effective_on, s.title, a.number
		FROM relations r JOIN documents s ON s.id = r.source_id JOIN articles a ON a.id = r.source_article WHERE r.id = ANY($1)`, slices.Collect(maps.Keys(positions)))
	slices.SortFunc(list, func(a, b UncertainRelation) int { return positions[a.Relation.ID] - positions[b.Relation.ID] })
	return list, err
}

// relatedTexts returns the given texts that are in the catalogue, by id.
func relatedTexts(ctx context.Context, tx pgx.Tx, ids []uuid.UUID) (map[uuid.UUID]RelatedText, error) {
	rows, err := tx.Query(ctx, `SELECT id, title, promulgated_on FROM documents WHERE NOT in_review AND id IN (SELECT DISTINCT unnest($1::uuid[]))`, ids)
	if err != nil {
		return nil, err
	}
	texts := map[uuid.UUID]RelatedText{}
	var t RelatedText
	_, err = pgx.ForEachRow(rows, []any{&t.ID, &t.Title, &t.Date}, func() error {
		texts[t.ID] = t
		return nil
	})
	return texts, err
}

// SettleRelation records which text of the catalogue a relation means; target is nil if it
// means none. It derives the status of that text and of the texts that the relation was
// linked to before. The decision stays, whatever texts are added later. NotFound if there
// is no such relation; Conflict if the relation cannot mean the text.
func (db *DB) SettleRelation(ctx context.Context, relation uuid.UUID, target *uuid.UUID) error {
	return db.inTx(ctx, "settle relation "+relation.String(), func(tx pgx.Tx) error {
		if err := lockTexts(ctx, tx); err != nil {
			return err
		}
		var source uuid.UUID
		if err := tx.QueryRow(ctx, `UPDATE relations SET by_hand = true WHERE id = $1 RETURNING source_id`, relation).Scan(&source); err != nil {
			return err
		}
		affected, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `DELETE FROM relation_targets WHERE relation_id = $1 RETURNING document_id`, relation)
		if err != nil {
			return err
		}
		if target != nil {
			if err := execOne(ctx, tx, errs.New(errs.Conflict, "Ce texte n’est pas au catalogue, ou il est celui qui le dit."), `INSERT INTO relation_targets (relation_id, document_id)
				SELECT $1, id FROM documents WHERE id = $2 AND id <> $3 AND NOT in_review`, relation, *target, source); err != nil {
				return err
			}
			affected = append(affected, *target)
		}
		if err := derive(ctx, tx, append(affected, source), []uuid.UUID{relation}); err != nil {
			return err
		}
		return audit(ctx, tx, RelationSettled, relation.String(), details{"source": source, "target": target})
	})
}
