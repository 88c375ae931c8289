package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Review is a text that waits in review, with its doubts.
type Review struct {
	Document law.Document
	Filename string // name of its file
	Doubts   []law.Doubt
	Evidence []law.Evidence
	Articles int
	// Version changes with everything that a person decides on: the fields, the doubts and
	// the evidence of the text, and when its file is cut again.
	Version string
}

// reviewVersion is the Version of a text.
const reviewVersion = `md5(concat_ws('|', i.attempt, d.title, d.doc_type, d.nature, d.domaine, d.numero_officiel, d.promulgated_on, d.in_force_on, d.countries, d.first_page, d.last_page, d.doubts, d.evidence))`

const reviewQuery = `SELECT i.filename, d.doubts, d.evidence, ` + reviewVersion + `, (SELECT count(*) FROM articles a WHERE a.document_id = d.id AND a.number <> '' AND ` + ownArticle + `),
	` + documentColumns + ` FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE d.in_review AND d.superseded_by IS NULL `

// Reviews lists the texts of a file that wait in review, in the file's order.
func (db *DB) Reviews(ctx context.Context, ingestion uuid.UUID) ([]Review, error) {
	return db.reviews(ctx, "reviews of "+ingestion.String(), `AND d.ingestion_id = $1 ORDER BY d.position`, ingestion)
}

// Review returns one text in review. NotFound if the text is not in review.
func (db *DB) Review(ctx context.Context, document uuid.UUID) (Review, error) {
	const what = "review of a text"
	list, err := db.reviews(ctx, what, `AND d.id = $1`, document)
	if err == nil && len(list) == 0 {
		return Review{}, classify(what, pgx.ErrNoRows)
	}
	if err != nil {
		return Review{}, err
	}
	return list[0], nil
}

func (db *DB) reviews(ctx context.Context, what, which string, args ...any) ([]Review, error) {
	list, err := collect(ctx, db.pool, scanReview, reviewQuery+which, args...)
	return list, classify(what, err)
}

// scanReview reads a row of reviewQuery.
func scanReview(row pgx.CollectableRow) (r Review, err error) {
	err = row.Scan(append([]any{&r.Filename, &r.Doubts, &r.Evidence, &r.Version, &r.Articles}, documentFields(&r.Document)...)...)
	return r, err
}

// AcceptText puts a text in review into the catalogue, with the fields that a person
// corrected. In one transaction it decides which edition supersedes another, resolves
// relations to and from the text, derives the statuses, and notifies the catalogue's
// followers. If another edition superseded the text, both are in the catalogue afterwards.
// NotFound if no such text of the file is in review; Conflict while the file is being
// processed, or if the text is no longer the version that the change is for; Unprocessable,
// wrapping *Lacking, if the text lacks a date or type that the change does not set.
func (db *DB) AcceptText(ctx context.Context, ingestion, document uuid.UUID, c DocumentChange) (d law.Document, err error) {
	err = db.inTx(ctx, "accept text "+document.String(), func(tx pgx.Tx) error {
		was, err := lockReview(ctx, tx, ingestion, document, c.Version)
		if err != nil {
			return err
		}
		if c, err = complete(ctx, tx, document, c); err != nil {
			return err
		}
		// Who saw the doubt about editions, or undoes a supersession, has decided that both stay.
		kept := c.Supersedes == nil && (was.superseded || was.edition)
		if _, err := tx.Exec(ctx, `UPDATE documents d SET in_review = false, superseded_by = NULL, doubts = '[]',
			edition_kept = edition_kept OR $2, settled = CASE WHEN $3 THEN settled ELSE `+reviewSnapshot+` END
			WHERE id = $1`, document, kept, was.superseded); err != nil {
			return err
		}
		if d, err = db.changeDocument(ctx, tx, document, c, true); err != nil {
			return err
		}
		if err := settleReview(ctx, tx, ingestion); err != nil {
			return err
		}
		action := TextAccepted
		if was.superseded {
			action = TextRestored
		}
		about := details{"ingestion_id": ingestion, "fields": c.fields()}
		if c.Group != "" {
			about["group"] = c.Group
		}
		return audit(ctx, tx, action, document.String(), about)
	})
	return d, err
}

// RejectText drops a text in review. If its file then has no texts, the file becomes
// cancelled and can be retried. version is the version that the decision is for, "" for any.
// Errors are those of AcceptText.
func (db *DB) RejectText(ctx context.Context, ingestion, document uuid.UUID, version string) error {
	return db.inTx(ctx, "reject text "+document.String(), func(tx pgx.Tx) error {
		was, err := lockReview(ctx, tx, ingestion, document, version)
		if err != nil {
			return err
		}
		if was.superseded {
			return pgx.ErrNoRows // a superseded text waits for no decision, and answers may cite it
		}
		if err := recordRemoved(ctx, tx, document); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM documents WHERE id = $1`, document); err != nil {
			return err
		}
		if err := settleReview(ctx, tx, ingestion); err != nil {
			return err
		}
		return audit(ctx, tx, TextRejected, document.String(), details{"ingestion_id": ingestion})
	})
}

// reviewState is the reason why a text is not in the catalogue.
type reviewState struct {
	superseded bool // another edition has superseded it
	edition    bool // the text is in review as a possible edition of another one
}

// lockReview locks first the row of the file and then those of the texts, so that decisions
// are serialized. It returns a Conflict if the text is no longer the given version, "" for any.
func lockReview(ctx context.Context, tx pgx.Tx, ingestion, document uuid.UUID, version string) (o reviewState, err error) {
	var state string
	if err := tx.QueryRow(ctx, `SELECT state FROM ingestions WHERE id = $1 FOR UPDATE`, ingestion).Scan(&state); err != nil {
		return o, err
	}
	if err := lockTexts(ctx, tx); err != nil {
		return o, err
	}
	var now string
	err = tx.QueryRow(ctx, `SELECT d.superseded_by IS NOT NULL, d.doubts @> $3, `+reviewVersion+` FROM documents d JOIN ingestions i ON i.id = d.ingestion_id
		WHERE d.id = $1 AND d.ingestion_id = $2 AND d.in_review`,
		document, ingestion, []map[string]string{{"field": EditionField}}).Scan(&o.superseded, &o.edition, &now)
	if err != nil {
		return o, err
	}
	if version != "" && version != now {
		return o, errs.New(errs.Conflict, "Ce texte a changé depuis qu’il a été montré : il reste en revue.")
	}
	if state != "review" && !(o.superseded && state == "done") {
		return o, errs.New(errs.Conflict, "Ce fichier est encore en traitement ; ses textes ne peuvent pas être relus maintenant.")
	}
	return o, nil
}

// settleReview ends a file if none of its texts waits in review any more.
func settleReview(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE ingestions SET updated_at = now(), state = CASE
			WHEN EXISTS (SELECT FROM documents WHERE ingestion_id = $1 AND in_review AND superseded_by IS NULL) THEN state
			WHEN EXISTS (SELECT FROM documents WHERE ingestion_id = $1) THEN 'done'
			ELSE 'cancelled' END WHERE id = $1`, ingestion)
	return err
}

// DocumentChange is a change of a text; nil fields stay unchanged.
type DocumentChange struct {
	Title          *string
	Type           *law.DocType
	Nature         *string
	Domain         *string
	OfficialNumber *string
	Promulgated    *time.Time
	EntersInForce  *time.Time
	Country        *string    // "" for a union or an unknown country
	Supersedes     *uuid.UUID // edition that the text supersedes as the better one

	Version string // Review.Version that the change is for, "" for any; only AcceptText reads it
	Group   string // ReviewGroup.Fields that the text is accepted for, "" if it is accepted alone; for the audit log
}

// fields lists the names of the changed fields, for the audit log.
func (c DocumentChange) fields() []string {
	names := []string{}
	for _, f := range []struct {
		name  string
		given bool
	}{{"title", c.Title != nil}, {"doc_type", c.Type != nil}, {"nature", c.Nature != nil}, {"domaine", c.Domain != nil}, {"numero_officiel", c.OfficialNumber != nil},
		{"date_promulgation", c.Promulgated != nil}, {"date_entree_vigueur", c.EntersInForce != nil}, {"pays", c.Country != nil},
		{"remplace", c.Supersedes != nil}} {
		if f.given {
			names = append(names, f.name)
		}
	}
	return names
}

// ties reports whether the change may link or unlink a relation, or move the day of a
// relation.
func (c DocumentChange) ties() bool {
	return c.Title != nil || c.Type != nil || c.OfficialNumber != nil || c.Promulgated != nil || c.EntersInForce != nil || c.Country != nil || c.Supersedes != nil
}

// changeDocument writes the change, resolves relations again and notifies the catalogue's
// followers. If the first day in force changes, the changes that the text makes from that
// day move with it. arrives means that the text enters the catalogue with this change; then
// its other editions are settled.
func (db *DB) changeDocument(ctx context.Context, tx pgx.Tx, id uuid.UUID, c DocumentChange, arrives bool) (d law.Document, err error) {
	var previous []uuid.UUID
	tied := arrives || c.ties()
	if tied {
		if previous, err = affectedRelations(ctx, tx, []uuid.UUID{id}); err != nil {
			return d, err
		}
	}
	if c.EntersInForce != nil {
		_, err := tx.Exec(ctx, `UPDATE relations r SET effective_on = $2 FROM documents d
			WHERE d.id = $1 AND r.source_id = d.id AND r.effective_on = d.in_force_on`, id, *c.EntersInForce)
		if err != nil {
			return d, err
		}
	}
	_, err = tx.Exec(ctx, `UPDATE documents SET by_hand = by_hand OR $8, title = coalesce($2, title), doc_type = coalesce($3, doc_type),
		domaine = coalesce($4, domaine), numero_officiel = coalesce($5, numero_officiel),
		promulgated_on = coalesce($6, promulgated_on), in_force_on = coalesce($7, in_force_on), nature = coalesce($9, nature),
		countries = CASE WHEN $10::text IS NULL THEN countries WHEN $10 = '' THEN '{}' ELSE ARRAY[$10::text] END WHERE id = $1`,
		id, c.Title, c.Type, c.Domain, c.OfficialNumber, c.Promulgated, c.EntersInForce, arrives || len(c.fields()) > 0, c.Nature, c.Country)
	if err != nil {
		return d, err
	}
	others, err := supersedeByHand(ctx, tx, c.Supersedes, id)
	if err != nil {
		return d, err
	}
	if arrives {
		found, err := settleEditions(ctx, tx, []uuid.UUID{id}, false)
		if err != nil {
			return d, err
		}
		others = append(others, found...)
	}
	if tied {
		err = db.relink(ctx, tx, id, others, previous)
	} else {
		err = derive(ctx, tx, []uuid.UUID{id}, []uuid.UUID{})
	}
	if err != nil {
		return d, err
	}
	err = tx.QueryRow(ctx, `SELECT `+documentColumns+` FROM documents d WHERE d.id = $1`, id).Scan(documentFields(&d)...)
	return d, err
}

// relink resolves the relations from and to a text again, derives the status of the texts
// that these relations concern and of others, and announces all these texts. previous are the
// relations that concerned the text before its change.
func (db *DB) relink(ctx context.Context, tx pgx.Tx, id uuid.UUID, others, previous []uuid.UUID) error {
	following, err := affectedRelations(ctx, tx, others)
	if err != nil {
		return err
	}
	naming, err := namingRelations(ctx, tx, []uuid.UUID{id})
	if err != nil {
		return err
	}
	relations := union(previous, following, naming)
	if err := makeNames(ctx, tx, append(slices.Clone(others), id)); err != nil {
		return err
	}
	touched, err := db.resolveRelations(ctx, tx, relations, []uuid.UUID{id})
	if err != nil {
		return err
	}
	changed, err := changedBy(ctx, tx, id)
	if err != nil {
		return err
	}
	return derive(ctx, tx, slices.Concat(touched, changed, others, []uuid.UUID{id}), relations)
}

// changedBy lists the texts that the relations of a text change. Their last days depend on
// the days of the text.
func changedBy(ctx context.Context, tx pgx.Tx, id uuid.UUID) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT DISTINCT t.document_id FROM relations r JOIN relation_targets t ON t.relation_id = r.id WHERE r.source_id = $1`, id)
}

// union merges lists of ids into one sorted list without duplicates.
func union(lists ...[]uuid.UUID) []uuid.UUID {
	all := append([]uuid.UUID{}, slices.Concat(lists...)...)
	slices.SortFunc(all, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(all)
}

// derive derives the status of each text from its relations, announces the texts and
// appends to the journal what has changed. It proceeds in the order of the ids, to avoid deadlocks. relations are the relations that
// may have been unlinked; nil: any.
func derive(ctx context.Context, tx pgx.Tx, documents, relations []uuid.UUID) error {
	documents = union(documents)
	for _, d := range documents {
		if err := applyRelations(ctx, tx, d); err != nil {
			return err
		}
	}
	if err := renameUnits(ctx, tx, documents); err != nil {
		return err
	}
	if err := makeNames(ctx, tx, documents); err != nil {
		return err
	}
	giving, err := endWordings(ctx, tx, documents, relations)
	if err != nil {
		return err
	}
	if err := announce(ctx, tx, slices.Concat(documents, giving)); err != nil {
		return err
	}
	return journalTexts(ctx, tx, documents)
}

// ReviewQuery filters the texts in review; zero values do not filter.
type ReviewQuery struct {
	Doubt string // a field in doubt
	Group string // ReviewGroup.Fields
	File  string // part of the file's name, in any case
}

// ReviewGroup is the texts in review that wait for the same fields.
type ReviewGroup struct {
	Fields  string `json:"fields"` // the doubtful fields in alphabetical order, joined by « + »
	Texts   int    `json:"texts"`
	Files   int    `json:"files"`
	Lacking int    `json:"lacking"` // texts that cannot be accepted as they are: a person has to give a type or a date
}

// ReviewList is one page of the texts in review.
type ReviewList struct {
	Items  []Review
	Total  int           // texts that match the query
	Doubts []Count       // all texts in review by doubtful field
	Groups []ReviewGroup // all texts in review by their doubts, largest group first
}

// reviewGroup is the SQL expression for ReviewGroup.Fields of a text.
const reviewGroup = `coalesce((SELECT string_agg(f.field, '+' ORDER BY f.field COLLATE "C") FROM (SELECT DISTINCT e ->> 'field' AS field FROM jsonb_array_elements(d.doubts) e) f), '')`

// inReview is the condition that a text d waits in the list of reviews.
const inReview = ` d.in_review AND d.superseded_by IS NULL`

// ReviewPage returns one page of the texts in review of all files that match a query, in the
// order in which the files were added, and what all texts in review wait for. page counts
// from 1.
func (db *DB) ReviewPage(ctx context.Context, q ReviewQuery, page, size int) (list ReviewList, err error) {
	const fits = ` AND ($1 = '' OR d.doubts @> jsonb_build_array(jsonb_build_object('field', $1::text)))
		AND ($2 = '' OR ` + reviewGroup + ` = $2) AND ($3 = '' OR strpos(lower(i.filename), lower($3)) > 0)`
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if list.Doubts, err = collect(ctx, tx, pgx.RowToStructByPos[Count], `SELECT f.field, count(*) FROM documents d CROSS JOIN LATERAL
				(SELECT DISTINCT e ->> 'field' AS field FROM jsonb_array_elements(d.doubts) e) f WHERE`+inReview+` GROUP BY 1 ORDER BY 2 DESC, 1`); err != nil {
			return err
		}
		if list.Groups, err = collect(ctx, tx, pgx.RowToStructByPos[ReviewGroup], `SELECT `+reviewGroup+`, count(*), count(DISTINCT d.ingestion_id), count(*) FILTER (WHERE EXISTS (
				SELECT FROM jsonb_array_elements(d.doubts) e WHERE e ->> 'field' = ANY($1) AND (e ->> 'confidence')::float = 0))
				FROM documents d WHERE`+inReview+` GROUP BY 1 ORDER BY 2 DESC, 1`, law.Indispensable()); err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `SELECT count(*) FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE`+inReview+fits, q.Doubt, q.Group, q.File).Scan(&list.Total)
		if err != nil {
			return err
		}
		list.Items, err = collect(ctx, tx, scanReview, fmt.Sprintf(`%s %s ORDER BY i.created_at, i.id, d.position LIMIT $4 OFFSET $5`, reviewQuery, fits),
			q.Doubt, q.Group, q.File, size, int64(page-1)*int64(size))
		return err
	})
	return list, classify("page of reviews", err)
}

// reviewSnapshot builds the JSON of a text d in review, from which ReopenText restores the
// text.
const reviewSnapshot = `jsonb_build_object('title', d.title, 'doc_type', d.doc_type, 'nature', d.nature, 'domaine', d.domaine,
	'numero_officiel', d.numero_officiel, 'countries', d.countries, 'promulgated_on', d.promulgated_on, 'in_force_on', d.in_force_on,
	'edition_kept', d.edition_kept, 'by_hand', d.by_hand, 'doubts', d.doubts)`

// ReopenText undoes the acceptance of a text: the text waits in review again, outside the
// catalogue, with its doubts and without the values that a person gave to settle them. The
// editions that it superseded are restored, the status of texts that it changed is derived
// again, and the catalogue's followers are notified. NotFound if the catalogue has no such
// text of the file; Conflict if the text was not accepted in review, or while the file is
// being processed.
func (db *DB) ReopenText(ctx context.Context, ingestion, document uuid.UUID) (d law.Document, err error) {
	err = db.inTx(ctx, "reopen text "+document.String(), func(tx pgx.Tx) error {
		if err := lockAccepted(ctx, tx, ingestion, document); err != nil {
			return err
		}
		affected, err := touchedBy(ctx, tx, document)
		if err != nil {
			return err
		}
		previous, err := affectedRelations(ctx, tx, []uuid.UUID{document})
		if err != nil {
			return err
		}
		restored, err := restoreEditions(ctx, tx, []uuid.UUID{document})
		if err != nil {
			return err
		}
		if err := putBack(ctx, tx, document); err != nil {
			return err
		}
		if err := db.relink(ctx, tx, document, slices.Concat(affected, restored), previous); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE ingestions SET state = 'review', updated_at = now() WHERE id = $1`, ingestion); err != nil {
			return err
		}
		if err := audit(ctx, tx, TextReopened, document.String(), details{"ingestion_id": ingestion}); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT `+documentColumns+` FROM documents d WHERE d.id = $1`, document).Scan(documentFields(&d)...)
	})
	return d, err
}

// lockAccepted locks first the file of an accepted text and then the text, as every writer
// of texts does.
func lockAccepted(ctx context.Context, tx pgx.Tx, ingestion, document uuid.UUID) error {
	var state string
	if err := tx.QueryRow(ctx, `SELECT state FROM ingestions WHERE id = $1 FOR UPDATE`, ingestion).Scan(&state); err != nil {
		return err
	}
	if err := lockTexts(ctx, tx); err != nil {
		return err
	}
	var accepted bool
	err := tx.QueryRow(ctx, `SELECT settled IS NOT NULL FROM documents WHERE id = $1 AND ingestion_id = $2 AND NOT in_review FOR UPDATE`,
		document, ingestion).Scan(&accepted)
	switch {
	case err != nil:
		return err
	case state != "done" && state != "review":
		return errs.New(errs.Conflict, "Ce fichier est encore en traitement ; ses textes ne peuvent pas être remis en revue maintenant.")
	case !accepted:
		return errs.New(errs.Conflict, "Ce texte n’a pas été accepté en revue : il n’y a rien à défaire.")
	}
	return nil
}

// putBack restores a text as it was in review. Its changes to other texts are no longer in
// effect, whoever linked them.
func putBack(ctx context.Context, tx pgx.Tx, document uuid.UUID) error {
	for _, statement := range []string{
		`DELETE FROM relation_targets t USING relations r WHERE r.id = t.relation_id AND r.source_id = $1`,
		`UPDATE relations r SET by_hand = false,
			effective_on = CASE WHEN r.effective_on = d.in_force_on THEN (d.settled ->> 'in_force_on')::date ELSE r.effective_on END
			FROM documents d WHERE d.id = $1 AND r.source_id = d.id`,
		`UPDATE documents d SET in_review = true, settled = NULL, doubts = s.doubts, edition_kept = s.edition_kept, by_hand = s.by_hand,
			title = s.title, doc_type = s.doc_type, nature = s.nature, domaine = s.domaine, numero_officiel = s.numero_officiel,
			promulgated_on = s.promulgated_on, in_force_on = s.in_force_on, countries = coalesce(s.countries, d.countries)
			FROM documents o CROSS JOIN LATERAL jsonb_to_record(o.settled) AS s (title text, doc_type text, nature text, domaine text,
				numero_officiel text, countries text[], promulgated_on date, in_force_on date, edition_kept boolean, by_hand boolean, doubts jsonb)
			WHERE d.id = $1 AND o.id = d.id`,
	} {
		if _, err := tx.Exec(ctx, statement, document); err != nil {
			return err
		}
	}
	return nil
}
