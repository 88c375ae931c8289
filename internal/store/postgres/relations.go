package postgres

import (
	"context"
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
				target_articles, effective_on, adds, target_on) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			r.ID, source, r.SourceArticle, r.Kind, r.TargetType, r.TargetNumber, r.TargetTitle, texts(r.TargetArticles), r.Effective, r.Adds, r.TargetDate)
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
	var before law.Status
	err = tx.QueryRow(ctx, `WITH before AS (SELECT statut FROM documents WHERE id = $1)
		UPDATE documents d SET statut = $2, repealed_by = $3, repealed_on = $4
		FROM before WHERE d.id = $1 AND NOT d.status_by_hand RETURNING before.statut`,
		target, said.status, said.repealedBy, said.repealedOn).Scan(&before)
	switch {
	case errs.Is(classify("", err), errs.NotFound): // the text was deleted, or a person set its status
	case err != nil:
		return err
	case before != said.status:
		if err := audit(ctx, tx, StatusChanged, target.String(), details{"from": before, "to": said.status, "abroge_par": said.repealedBy}); err != nil {
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
