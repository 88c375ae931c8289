package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/export"
)

const documentColumns = `d.id, d.ingestion_id, d.title, d.doc_type, d.nature, d.domaine, d.numero_officiel, d.promulgated_on,
	d.in_force_on, d.statut, d.repealed_by, d.first_page, d.last_page, d.passages_count, d.superseded_by, d.as_of,
	(SELECT g.gazette FROM ingestions g WHERE g.id = d.ingestion_id), d.countries`

// documentFields are the scan targets of documentColumns.
func documentFields(d *law.Document) []any {
	return []any{&d.ID, &d.IngestionID, &d.Title, &d.Type, &d.Nature, &d.Domain, &d.OfficialNumber, &d.Promulgated,
		&d.EntersInForce, &d.Status, &d.RepealedBy, &d.FirstPage, &d.LastPage, &d.Passages, &d.SupersededBy, &d.AsOf, &d.Gazette, &d.Countries}
}

// scanDocument reads documentColumns.
func scanDocument(row pgx.CollectableRow) (d law.Document, err error) {
	err = row.Scan(documentFields(&d)...)
	return d, err
}

// DocumentQuery filters the catalogue; zero values do not filter.
type DocumentQuery struct {
	Domain   string
	Type     law.DocType
	Status   law.Status
	Title    string // contained in the title, regardless of case and accents
	Page     int    // from 1
	PageSize int

	From, To *time.Time // range of promulgation days, both ends included
	Sort     string     // SortNewest, SortOldest, SortTitle
}

// offset returns the number of texts on the pages before the query's page.
func (q DocumentQuery) offset() int64 { return (int64(q.Page) - 1) * int64(q.PageSize) }

// Documents returns one page of the catalogue, newest promulgation first unless Sort is
// set, and the number of all matching texts. If q.Title is set and no title contains it,
// texts with similar titles are returned.
func (db *DB) Documents(ctx context.Context, q DocumentQuery) (items []law.Document, total int, err error) {
	const where = ` FROM documents d WHERE NOT d.in_review AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		AND ($4::date IS NULL OR d.promulgated_on >= $4) AND ($5::date IS NULL OR d.promulgated_on <= $5) AND ($6::uuid[] IS NULL OR d.id = ANY ($6))`
	items = []law.Document{}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		var titled []uuid.UUID // nil: whatever their titles
		if q.Title != "" {
			if titled, err = db.findTitles(ctx, tx, q); err != nil || len(titled) == 0 {
				return err
			}
			if q.From == nil && q.To == nil && sorts[q.Sort] == sorts[""] { // titles are found in this order
				total = len(titled)
				first := min(q.offset(), int64(total))
				items, err = collect(ctx, tx, scanDocument, `SELECT `+documentColumns+` FROM documents d
					JOIN unnest($1::uuid[]) WITH ORDINALITY AS found (id, place) USING (id) ORDER BY place`, titled[first:min(first+int64(q.PageSize), int64(total))])
				return err
			}
		}
		// Planned for these arguments: a generic plan would not know which filters are set.
		args := []any{pgx.QueryExecModeCacheDescribe, q.Domain, string(q.Type), string(q.Status), q.From, q.To, titled}
		if err := tx.QueryRow(ctx, `SELECT count(*)`+where, args...).Scan(&total); err != nil {
			return err
		}
		// What is before the page is passed over in an index.
		items, err = collect(ctx, tx, scanDocument, `SELECT `+documentColumns+` FROM documents d JOIN (
			SELECT d.id`+where+` ORDER BY `+sorts[q.Sort]+` LIMIT $7 OFFSET $8) page USING (id) ORDER BY `+sorts[q.Sort],
			append(args, q.PageSize, q.offset())...)
		return err
	})
	return items, total, classify("documents", err)
}

// Document returns one text of the catalogue, or a text that a better edition has
// superseded. A text in review is NotFound.
func (db *DB) Document(ctx context.Context, id uuid.UUID) (d law.Document, err error) {
	err = db.pool.QueryRow(ctx, `SELECT `+documentColumns+` FROM documents d WHERE d.id = $1 AND `+readableByID, id).
		Scan(documentFields(&d)...)
	return d, classify("document "+id.String(), err)
}

// File is the stored PDF file that contains a text.
type File struct {
	Ingestion uuid.UUID
	SHA256    string
	Filename  string
	Size      int64
	Title     string // title of the text
}

// DocumentFile returns the PDF of a text of the catalogue.
func (db *DB) DocumentFile(ctx context.Context, id uuid.UUID) (f File, err error) {
	err = db.pool.QueryRow(ctx, `SELECT i.id, i.sha256, i.filename, i.size, d.title
		FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE d.id = $1 AND `+readableByID, id).
		Scan(&f.Ingestion, &f.SHA256, &f.Filename, &f.Size, &f.Title)
	return f, classify("file of document "+id.String(), err)
}

// SortTitle orders texts alphabetically by title.
const SortTitle = "titre"

// sorts maps an order of the catalogue to its SQL.
var sorts = map[string]string{
	"": `d.promulgated_on DESC, d.id`, SortNewest: `d.promulgated_on DESC, d.id`, SortOldest: `d.promulgated_on, d.id`,
	SortTitle: `left(d.title_folded, 200) COLLATE "C", d.id`,
}

// DocumentDetails is a text with details that Document does not return.
type DocumentDetails struct {
	Document   law.Document
	Countries  []string
	Articles   int // number of its own articles: new wordings of other texts' articles are not counted
	RepealedOn *time.Time
	Filename   string
	Size       int64 // size of the file in bytes
	Pages      int   // number of pages of the file; 0: unknown
	Changes    []TextChange
}

// TextChange is a change that another text of the catalogue orders, with the words of the order.
type TextChange struct {
	Relation, Act uuid.UUID
	Words         string // "" if they were not kept
}

// DocumentDetails returns the details of a text that Document can return.
func (db *DB) DocumentDetails(ctx context.Context, id uuid.UUID) (d DocumentDetails, err error) {
	err = db.pool.QueryRow(ctx, `SELECT d.countries, (SELECT count(*) FROM articles a WHERE a.document_id = d.id AND `+ownArticle+`), d.repealed_on,
			i.filename, i.size, i.pages_total, `+documentColumns+`
		FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE d.id = $1 AND `+readableByID, id).
		Scan(append([]any{&d.Countries, &d.Articles, &d.RepealedOn, &d.Filename, &d.Size, &d.Pages}, documentFields(&d.Document)...)...)
	if err == nil {
		const most = 200
		d.Changes, err = collect(ctx, db.pool, pgx.RowToStructByPos[TextChange], `SELECT r.id, r.source_id, r.words
			FROM relation_targets t JOIN relations r ON r.id = t.relation_id JOIN documents s ON s.id = r.source_id
			WHERE t.document_id = $1 AND NOT s.in_review ORDER BY r.effective_on, r.id LIMIT $2`, id, most)
	}
	return d, classify("details of document "+id.String(), err)
}

// StatusChange is an editor's decision about the status of a text. The zero value changes
// nothing.
type StatusChange struct {
	Status     *law.Status
	RepealedBy *uuid.UUID // repealing text, in the catalogue
	Unrepealed bool       // no text repeals the changed one
	Derive     bool       // discard the earlier decision and derive the status from relations again
}

func (c StatusChange) byHand() bool {
	return c.Status != nil || c.RepealedBy != nil || c.Unrepealed
}

// fields lists the names of the changed fields, for the audit log.
func (c StatusChange) fields() (names []string) {
	if c.Status != nil || c.Derive {
		names = append(names, "statut")
	}
	if c.RepealedBy != nil || c.Unrepealed {
		names = append(names, "abroge_par")
	}
	return names
}

// ChangeDocument changes a text of the catalogue and returns its new state. It resolves
// relations again and notifies the catalogue's followers. A status that s sets stays,
// whatever relations are found later, until a change with Derive.
func (db *DB) ChangeDocument(ctx context.Context, id uuid.UUID, c DocumentChange, s StatusChange) (d law.Document, err error) {
	err = db.inTx(ctx, "change document "+id.String(), func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, id); err != nil {
			return err
		}
		if err := setStatus(ctx, tx, id, s); err != nil {
			return err
		}
		if d, err = db.changeDocument(ctx, tx, id, c, false); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentChanged, id.String(), details{"fields": append(c.fields(), s.fields()...)})
	})
	return d, err
}

// lockDocument locks first the file of a text of the catalogue and then the text, as every
// writer of texts does.
func lockDocument(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	err := tx.QueryRow(ctx, `SELECT i.id FROM ingestions i JOIN documents d ON d.ingestion_id = i.id
		WHERE d.id = $1 AND NOT d.in_review FOR UPDATE OF i`, id).Scan(new(uuid.UUID))
	if err != nil {
		return err
	}
	if err := lockTexts(ctx, tx); err != nil {
		return err
	}
	return tx.QueryRow(ctx, `SELECT id FROM documents WHERE id = $1 AND NOT in_review FOR UPDATE`, id).Scan(new(uuid.UUID))
}

// setStatus stores an editor's decision. A repeal begins on the first day in force of the
// repealing text, or today if the decision names no text; until that day the repealed text
// is in force, unless the decision sets another status. A text that the decision declares
// in force has no other end.
func setStatus(ctx context.Context, tx pgx.Tx, id uuid.UUID, s StatusChange) error {
	if s.Derive {
		_, err := tx.Exec(ctx, `UPDATE documents SET status_by_hand = false WHERE id = $1`, id)
		return err
	}
	if !s.byHand() {
		return nil
	}
	_, err := tx.Exec(ctx, `WITH said AS (SELECT coalesce($2, CASE WHEN r.in_force_on <= t.day THEN 'abroge'
				WHEN (r.id IS NOT NULL OR $4) AND d.statut = 'abroge' THEN 'en_vigueur' ELSE d.statut END) AS statut,
			CASE WHEN $4 THEN NULL ELSE coalesce($3, d.repealed_by) END AS repealed_by,
			CASE WHEN $2 = 'abroge' THEN least(coalesce(r.in_force_on, d.repealed_on), t.day)
				ELSE coalesce(r.in_force_on, least(d.repealed_on, t.day), t.day) END AS repealed_on
			FROM documents d CROSS JOIN LATERAL (SELECT law_day(now(), d.countries) AS day) t LEFT JOIN documents r ON r.id = $3::uuid WHERE d.id = $1)
		UPDATE documents d SET status_by_hand = true, statut = said.statut,
			repealed_by = CASE WHEN said.statut = 'abroge' OR $3 IS NOT NULL THEN said.repealed_by END,
			repealed_on = CASE WHEN said.statut = 'abroge' OR $3 IS NOT NULL THEN said.repealed_on END
		FROM said WHERE d.id = $1`, id, s.Status, s.RepealedBy, s.Unrepealed)
	return err
}

// DeleteDocument removes a text from the catalogue. The status of the texts that it
// repealed or amended is derived again without it, and an edition that it had superseded is
// restored. If the file has no other text, the file is deleted too, so that it can be added
// again. orphan is then the hash of the file's bytes, which no row references any more;
// else "".
func (db *DB) DeleteDocument(ctx context.Context, id uuid.UUID) (orphan string, err error) {
	err = db.inTx(ctx, "delete document "+id.String(), func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, id); err != nil {
			return err
		}
		ingestion, err := db.deleteText(ctx, tx, id)
		if err != nil {
			return err
		}
		if orphan, err = dropEmptyFile(ctx, tx, ingestion); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentDeleted, id.String(), details{"ingestion_id": ingestion})
	})
	return orphan, err
}

// deleteText deletes a locked text that is in the catalogue or superseded, and derives again
// what depends on it. It returns the text's file.
func (db *DB) deleteText(ctx context.Context, tx pgx.Tx, id uuid.UUID) (ingestion uuid.UUID, err error) {
	affected, err := touchedBy(ctx, tx, id)
	if err != nil {
		return ingestion, err
	}
	previous, err := affectedRelations(ctx, tx, []uuid.UUID{id})
	if err != nil {
		return ingestion, err
	}
	restored, err := restoreEditions(ctx, tx, []uuid.UUID{id})
	if err != nil {
		return ingestion, err
	}
	if err := recordRemoved(ctx, tx, id); err != nil {
		return ingestion, err
	}
	if err := recordWithdrawn(ctx, tx, id); err != nil {
		return ingestion, err
	}
	// A repeal by this text on a later day, which an editor set, is void.
	if _, err := tx.Exec(ctx, `UPDATE documents SET repealed_on = NULL WHERE repealed_by = $1 AND status_by_hand AND statut <> 'abroge'`, id); err != nil {
		return ingestion, err
	}
	if err := tx.QueryRow(ctx, `DELETE FROM documents WHERE id = $1 RETURNING ingestion_id`, id).Scan(&ingestion); err != nil {
		return ingestion, err
	}
	// A relation that could mean two texts may now mean a single one.
	following, err := affectedRelations(ctx, tx, restored)
	if err != nil {
		return ingestion, err
	}
	relations := union(previous, following)
	if err := makeNames(ctx, tx, restored); err != nil {
		return ingestion, err
	}
	tied, err := db.resolveRelations(ctx, tx, relations, nil)
	if err != nil {
		return ingestion, err
	}
	return ingestion, derive(ctx, tx, slices.Concat(affected, restored, tied, []uuid.UUID{id}), relations)
}

// touchedBy lists the texts whose status depends on the text.
func touchedBy(ctx context.Context, tx pgx.Tx, id uuid.UUID) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT t.document_id FROM relation_targets t JOIN relations r ON r.id = t.relation_id WHERE r.source_id = $1
		UNION SELECT id FROM documents WHERE repealed_by = $1`, id)
}

// dropEmptyFile deletes a file that has ended and has no texts left, and returns the hash
// of its bytes; "" if the file stays.
func dropEmptyFile(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) (sha string, err error) {
	all, err := collect(ctx, tx, pgx.RowTo[string], `DELETE FROM ingestions WHERE id = $1 AND state NOT IN ('queued', 'running')
		AND NOT EXISTS (SELECT FROM documents WHERE ingestion_id = $1) RETURNING sha256`, ingestion)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return all[0], nil
}

// ReindexDocument notifies the catalogue's followers of a text, so that they index it
// again.
func (db *DB) ReindexDocument(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "reindex document "+id.String(), func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, id); err != nil {
			return err
		}
		if err := announce(ctx, tx, []uuid.UUID{id}); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentIndexed, id.String(), nil)
	})
}

// StoredText is a legal text with all that was segmented from it. All ids are set.
type StoredText struct {
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
	Texts  []StoredText
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
		previous, err := removeEarlierTexts(ctx, tx, ingestion)
		if err != nil {
			return err
		}
		added, sure, err := insertTexts(ctx, tx, ingestion, result, previous.manual)
		if err != nil {
			return err
		}
		if err := lockTexts(ctx, tx); err != nil { // if there were no earlier texts, the lock is taken only here: nobody could see any text before
			return err
		}
		changed := slices.Concat(previous.changed, added)
		others, err := settleEditions(ctx, tx, sure, true)
		if err != nil {
			return err
		}
		kept, err := restoreSupersessions(ctx, tx, previous.editions)
		if err != nil {
			return err
		}
		others = append(others, kept...)
		following, err := affectedRelations(ctx, tx, slices.Concat(changed, others))
		if err != nil {
			return err
		}
		relations := union(previous.relations, following)
		if err := makeNames(ctx, tx, slices.Concat(changed, others)); err != nil {
			return err
		}
		targets, err := db.resolveRelations(ctx, tx, relations, nil)
		if err != nil {
			return err
		}
		if err := derive(ctx, tx, slices.Concat(previous.affected, changed, others, targets), relations); err != nil {
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
func insertTexts(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, result Segmentation, previous manualEdits) (added, sure []uuid.UUID, err error) {
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
	accepted, err := reapplyManualEdits(ctx, tx, ingestion, previous, reopened)
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

func insertText(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, position int, t StoredText) error {
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
func passagesOf(t StoredText) (n int) {
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

// ExportedText returns a text, in the catalogue or in review, for package export: as printed or,
// if on is not nil, in its wording of that day, with the changes that acts have made to it.
// NotFound if there is no such text, if a day is given and the text is in review, or if no
// article of it is in force on that day.
func (db *DB) ExportedText(ctx context.Context, id uuid.UUID, day *time.Time) (export.LegalText, error) {
	whole, err := db.WholeText(ctx, id)
	if err != nil {
		return export.LegalText{}, err
	}
	t := export.LegalText{Document: whole.Document, Countries: whole.Countries, Articles: whole.Articles, Relations: whole.Relations,
		Evidence: whole.Evidence, Ended: whole.Ended, On: day}
	if day == nil {
		return t, nil
	}
	list, _, err := db.ReadArticlesOn(ctx, id, *day, 1, math.MaxInt32, true)
	if err != nil {
		return export.LegalText{}, err
	}
	if len(list) == 0 {
		return export.LegalText{}, errs.New(errs.NotFound, "Aucun article de ce texte n’est en vigueur le "+law.WriteDate(*day)+".")
	}
	t.Articles = make([]law.Article, len(list))
	for i, a := range list {
		t.Articles[i] = a.Article
	}
	t.Changes, err = db.changesUntil(ctx, whole.Document, *day)
	return t, err
}

// changesUntil returns what acts have changed in the articles of a text up to a day.
func (db *DB) changesUntil(ctx context.Context, d law.Document, day time.Time) (list []export.Change, err error) {
	versions, titles, err := db.VersionsOfText(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	var acts []uuid.UUID
	for _, v := range versions {
		if v.Act != nil {
			acts = append(acts, *v.Act)
		}
	}
	addressed, err := db.AddressedTexts(ctx, acts)
	if err != nil {
		return nil, err
	}
	paths := make(map[uuid.UUID]string, len(addressed))
	for _, t := range addressed {
		paths[t.ID] = t.Work().Full()
	}
	for _, v := range versions {
		if v.Act == nil || v.From != nil && v.From.After(day) {
			continue
		}
		c := export.Change{Article: v.Article, Number: v.Number, From: d.EntersInForce, To: v.To, Act: *v.Act, Title: titles[*v.Act], Address: paths[*v.Act],
			Gone: v.Gone, Inserted: v.Inserted && v.Ordinal == 0}
		if v.From != nil {
			c.From = *v.From
		}
		for _, e := range v.Evidence {
			c.Instructions = append(c.Instructions, export.Instruction{Article: e.Number, Page: e.Page, Words: e.Words})
		}
		list = append(list, c)
	}
	return list, nil
}

// Lacking is the error that a text cannot be accepted, because required fields were neither
// read nor given.
type Lacking struct{ Fields []string }

// Error names the fields.
func (l *Lacking) Error() string { return fmt.Sprintf("not given: %v", l.Fields) }

func (c DocumentChange) gives(field string) bool { return slices.Contains(c.fields(), field) }

// Lacking lists the required fields of a text in review that could not be read and that the
// change does not set.
func (c DocumentChange) Lacking(doubts []law.Doubt) []string {
	return slices.DeleteFunc(law.Lacking(doubts), c.gives)
}

// complete returns an error that wraps *Lacking if the text lacks a required field after
// the change. If the change sets the promulgation date, complete adds the first day in
// force that was derived from that date.
func complete(ctx context.Context, tx pgx.Tx, document uuid.UUID, c DocumentChange) (DocumentChange, error) {
	var doubts []law.Doubt
	if err := tx.QueryRow(ctx, `SELECT doubts FROM documents WHERE id = $1`, document).Scan(&doubts); err != nil {
		return c, err
	}
	if fields := c.Lacking(doubts); len(fields) > 0 {
		return c, errs.Wrap(errs.Unprocessable, "Il manque à ce texte ce que personne n’a pu y lire.", &Lacking{fields})
	}
	if c.Promulgated != nil && c.EntersInForce == nil && law.Unread(doubts, "date_entree_vigueur") {
		c.EntersInForce = c.Promulgated
	}
	return c, nil
}
