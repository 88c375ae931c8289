package postgres

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// Text is a legal text with all that was segmented from it. All ids are set.
type Text struct {
	Document  law.Document
	Doubts    []law.Doubt // if there are any, the text waits in review, outside the catalogue
	Evidence  []law.Evidence
	Countries []string // codes of the countries whose law it is; empty if the text does not say or if it is law of a union
	Articles  []law.Article
	Passages  []law.Passage
	Relations []law.Relation // the SourceArticle of each is the id of one of Articles
	// Ended maps the id of an article to the change that ended the article. Only WholeText
	// sets it.
	Ended map[uuid.UUID]law.RelationRef

	Begins string            // place where the text begins, which identifies it in another segmentation
	Edited map[string]string // values that edits have set, by field
	// Reopened: the text waits in review again although a person accepted it, because there is
	// a doubt that the person did not see.
	Reopened bool
}

// Segmentation is the result of segmenting a file.
type Segmentation struct {
	Texts  []Text
	Pages  []PageLines
	Faults map[uuid.UUID]string // reasons (French) why edits could not be applied, by id of the edit
}

// SaveSegmentation stores the texts of a file in one transaction. It replaces what an
// earlier attempt stored, except changes made by hand; decides which editions of a text
// supersede others; resolves relations to and from the texts (resolveRelations), and
// derives the statuses from them; and notifies the followers of the catalogue. LeaseLost if
// another attempt holds the row: then nothing was written. The lease can be renewed
// meanwhile.
func (db *DB) SaveSegmentation(ctx context.Context, ingestion uuid.UUID, attempt int, result Segmentation) error {
	return db.inTx(ctx, "save texts of ingestion "+ingestion.String(), func(tx pgx.Tx) error {
		if err := enter(ctx, tx, "ingestions", ingestion, attempt); err != nil {
			return err
		}
		// The status of texts that an earlier attempt changed is derived again below.
		before, err := removeEarlierTexts(ctx, tx, ingestion)
		if err != nil {
			return err
		}
		added, sure, err := insertTexts(ctx, tx, ingestion, result, before.manual)
		if err != nil {
			return err
		}
		if err := lockTexts(ctx, tx); err != nil { // if there were no earlier texts, the lock is taken only here: nobody could see any text before
			return err
		}
		changed := slices.Concat(before.changed, added)
		others, err := settleEditions(ctx, tx, sure, true)
		if err != nil {
			return err
		}
		kept, err := restoreSupersessions(ctx, tx, before.editions)
		if err != nil {
			return err
		}
		others = append(others, kept...)
		after, err := affectedRelations(ctx, tx, slices.Concat(changed, others))
		if err != nil {
			return err
		}
		relations := union(before.relations, after)
		if err := makeNames(ctx, tx, slices.Concat(changed, others)); err != nil {
			return err
		}
		targets, err := db.resolveRelations(ctx, tx, relations, nil)
		if err != nil {
			return err
		}
		if err := derive(ctx, tx, slices.Concat(before.affected, changed, others, targets), relations); err != nil {
			return err
		}
		return fence(ctx, tx, "ingestions", ingestion, attempt)
	})
}

// earlier is what an earlier attempt at a file had stored, and what depended on it.
type earlier struct {
	manual    manualEdits
	affected  []uuid.UUID // texts that the removed texts changed
	relations []uuid.UUID // relations that could mean the removed texts: an ambiguous one may now be certain
	editions  []supersession
	changed   []uuid.UUID // texts that were deleted or restored
}

// removeEarlierTexts deletes the texts of an earlier attempt and returns what depended on
// them. If there are no texts, it takes no lock.
func removeEarlierTexts(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) (e earlier, err error) {
	there, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT id FROM documents WHERE ingestion_id = $1`, ingestion)
	if err != nil {
		return e, err
	}
	if len(there) > 0 {
		if err := lockTexts(ctx, tx); err != nil {
			return e, err
		}
	}
	if e.affected, err = targetsOf(ctx, tx, ingestion); err != nil {
		return e, err
	}
	if e.manual, err = loadManualEdits(ctx, tx, ingestion); err != nil {
		return e, err
	}
	if e.relations, err = affectedRelations(ctx, tx, there); err != nil {
		return e, err
	}
	if e.editions, err = supersessionsOf(ctx, tx, ingestion); err != nil {
		return e, err
	}
	e.changed, err = dropTexts(ctx, tx, ingestion)
	return e, err
}

// insertTexts adds the texts of a segmentation and applies the manual edits to them. added
// are the ids of all texts, sure the ids of those that enter the catalogue.
func insertTexts(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, result Segmentation, before manualEdits) (added, sure []uuid.UUID, err error) {
	reopened := []uuid.UUID{}
	for i, t := range result.Texts {
		if err := insertText(ctx, tx, ingestion, i, t); err != nil {
			return nil, nil, err
		}
		added = append(added, t.Document.ID)
		if len(t.Doubts) == 0 {
			sure = append(sure, t.Document.ID)
		}
		if t.Reopened {
			reopened = append(reopened, t.Document.ID)
		}
	}
	accepted, err := reapplyManualEdits(ctx, tx, ingestion, before, reopened)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range accepted {
		if !slices.Contains(sure, id) {
			sure = append(sure, id)
		}
	}
	if err := removeAgain(ctx, tx, ingestion); err != nil {
		return nil, nil, err
	}
	if err := saveLines(ctx, tx, ingestion, result.Pages); err != nil {
		return nil, nil, err
	}
	return added, sure, noteFaults(ctx, tx, ingestion, result.Faults)
}

// dropTexts deletes the previous texts of a file and restores the texts that they
// superseded. It returns the ids of both.
func dropTexts(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) ([]uuid.UUID, error) {
	dropped, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT id FROM documents WHERE ingestion_id = $1`, ingestion)
	if err != nil || len(dropped) == 0 {
		return nil, err
	}
	restored, err := restoreEditions(ctx, tx, dropped)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `DELETE FROM documents WHERE ingestion_id = $1`, ingestion)
	return append(dropped, restored...), err
}

func insertText(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, position int, t Text) error {
	d := t.Document
	doubts, err := listJSON(t.Doubts)
	if err != nil {
		return err
	}
	evidence, err := listJSON(t.Evidence)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO documents (id, ingestion_id, position, title, doc_type, nature, domaine, numero_officiel,
			promulgated_on, in_force_on, first_page, last_page, passages_count, doubts, in_review, evidence, countries,
			begins, edited, as_of)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, coalesce($19, '{}'::jsonb), $20)`,
		d.ID, ingestion, position, d.Title, d.Type, d.Nature, d.Domain, d.OfficialNumber,
		d.Promulgated, d.EntersInForce, d.FirstPage, d.LastPage, passagesOf(t), doubts, len(t.Doubts) > 0, evidence, texts(t.Countries),
		t.Begins, t.Edited, d.AsOf)
	if err != nil {
		return err
	}
	if err := copyArticles(ctx, tx, d.ID, t.Articles); err != nil {
		return err
	}
	if err := copyPassages(ctx, tx, d.ID, t.Passages); err != nil {
		return err
	}
	if err := insertUnits(ctx, tx, d, t.Articles); err != nil {
		return err
	}
	if err := insertRelations(ctx, tx, d.ID, t.Relations); err != nil {
		return err
	}
	return insertWordings(ctx, tx, t.Articles)
}

// passagesOf counts the passages of a text, without those of a quoted new wording: the wording
// has passages of its own.
func passagesOf(t Text) (n int) {
	for _, p := range t.Passages {
		if !p.Quoted {
			n++
		}
	}
	return n
}

func copyArticles(ctx context.Context, tx pgx.Tx, document uuid.UUID, articles []law.Article) error {
	columns := []string{"id", "document_id", "position", "number", "path", "heading", "page", "body", "spans", "valid_from", "valid_to"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"articles"}, columns, pgx.CopyFromSlice(len(articles), func(i int) ([]any, error) {
		a := articles[i]
		spans, err := listJSON(a.Spans)
		return []any{a.ID, document, a.Position, a.Number, texts(a.Path), a.Heading, a.Page, a.Text, spans, a.ValidFrom, a.ValidTo}, err
	}))
	return err
}

func copyPassages(ctx context.Context, tx pgx.Tx, document uuid.UUID, passages []law.Passage) error {
	columns := []string{"id", "document_id", "article_id", "position", "page", "body", "spans", "quoted"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"passages"}, columns, pgx.CopyFromSlice(len(passages), func(i int) ([]any, error) {
		p := passages[i]
		spans, err := listJSON(p.Spans)
		return []any{p.ID, document, p.ArticleID, p.Position, p.Page, p.Text, spans, p.Quoted}, err
	}))
	return err
}

// listJSON encodes a list as JSON, nil as an empty list, because the columns are NOT NULL.
func listJSON[T any](list []T) ([]byte, error) {
	if list == nil {
		return []byte(`[]`), nil
	}
	return json.Marshal(list)
}

// texts returns s, or an empty list for nil, because array columns are NOT NULL.
func texts(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// announce gives the changed texts version numbers and notifies the catalogue's followers.
// The lock makes the numbers visible in their order: a follower that has read a number has
// read all smaller ones.
func announce(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	if len(documents) == 0 {
		return nil
	}
	const catalogueLock = 0x7669677565757231 // "vigueur1", an arbitrary constant
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(catalogueLock)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO catalogue_changes (document_id) SELECT DISTINCT unnest($1::uuid[])`, documents); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `SELECT pg_notify('`+catalogueChannel+`', '')`)
	return err
}

// announceEach announces the texts that a query selects.
func announceEach(ctx context.Context, tx pgx.Tx, query string, args ...any) error {
	documents, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], query, args...)
	if err != nil {
		return err
	}
	return announce(ctx, tx, documents)
}
