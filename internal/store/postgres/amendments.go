package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

// Act is a text of the catalogue that may amend others.
type Act struct {
	Document  law.Document
	Countries []string
	Articles  []law.Article // its own, in order, with Text and Spans
}

// Amendment is an operation of an act as it is stored.
type Amendment struct {
	Act       uuid.UUID
	Ordinal   int
	Article   *uuid.UUID // article of the act; nil before the first one
	Page      int        // page of the instruction; 0 if it is unknown
	Words     string     // the instruction, cut if it is long
	Operation amend.Operation
	Terms     []string   // terms of the name of the amended text
	Target    *uuid.UUID // amended text; nil: see Reason
	Reason    amend.Reason
}

// SaveAmendments replaces the operations of an act by those that read returns; an act that
// is not in the catalogue, or of which a person said that it orders nothing, has none. It returns the texts that the act amends, and those that
// it amended before. Two calls for one act run one after the other.
func (db *DB) SaveAmendments(ctx context.Context, act uuid.UUID, read func(Act) ([]Amendment, error)) (targets []uuid.UUID, err error) {
	err = db.inTx(ctx, "amendments of "+act.String(), func(tx pgx.Tx) error {
		if err := lockVersions(ctx, tx, act); err != nil {
			return err
		}
		text, there, err := readAct(ctx, tx, act)
		if err != nil {
			return err
		}
		without, err := isWithoutOrders(ctx, tx, act)
		if err != nil {
			return err
		}
		var list []Amendment
		if there && !without {
			if list, err = read(text); err != nil {
				return err
			}
		}
		if targets, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `WITH gone AS (DELETE FROM amendment_operations WHERE act_id = $1 RETURNING target_id)
			SELECT DISTINCT target_id FROM gone WHERE target_id IS NOT NULL`, act); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM amendment_waiting WHERE act_id = $1 AND target_id IS NULL`, act); err != nil {
			return err
		}
		for _, a := range list {
			if a.Target != nil {
				targets = append(targets, *a.Target)
			}
		}
		return insertAmendments(ctx, tx, list)
	})
	return targets, err
}

// lockVersions makes transactions that replace rows derived from a text wait for one another.
func lockVersions(ctx context.Context, tx pgx.Tx, text uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('versions ' || $1, 0))`, text.String())
	return err
}

// readAct reads a text, and reports whether it is in the catalogue.
func readAct(ctx context.Context, tx pgx.Tx, id uuid.UUID) (a Act, there bool, err error) {
	err = tx.QueryRow(ctx, `SELECT d.countries, `+documentColumns+` FROM documents d WHERE d.id = $1 AND NOT d.in_review`, id).
		Scan(append([]any{&a.Countries}, documentFields(&a.Document)...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	a.Articles, err = collect(ctx, tx, func(r pgx.CollectableRow) (x law.Article, err error) {
		var spans []byte
		if err := r.Scan(&x.ID, &x.Position, &x.Number, &x.Path, &x.Heading, &x.Page, &x.Text, &spans); err != nil {
			return x, err
		}
		x.DocumentID = id
		return x, json.Unmarshal(spans, &x.Spans)
	}, `SELECT a.id, a.position, a.number, a.path, a.heading, a.page, a.body, a.spans FROM articles a
		WHERE a.document_id = $1 AND `+ownArticle+` ORDER BY a.position`, id)
	return a, true, err
}

func insertAmendments(ctx context.Context, tx pgx.Tx, list []Amendment) error {
	batch := &pgx.Batch{}
	for _, a := range list {
		op, err := json.Marshal(a.Operation)
		if err != nil {
			return err
		}
		terms := a.Terms
		if terms == nil {
			terms = []string{}
		}
		batch.Queue(`INSERT INTO amendment_operations (act_id, ordinal, article_id, page, words, operation, target_terms, target_id, reason)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, a.Act, a.Ordinal, a.Article, a.Page, a.Words, op, terms, a.Target, a.Reason)
		if a.Target == nil && NeedsPerson(a.Reason) {
			batch.Queue(`INSERT INTO amendment_waiting (id, act_id, ordinal, article, reason) VALUES ($1, $2, $3, $4, $5)`,
				waitingID(a.Act, a.Ordinal, uuid.Nil, ""), a.Act, a.Ordinal, a.Operation.Article, a.Reason)
		}
	}
	return tx.SendBatch(ctx, batch).Close()
}

// NeedsPerson reports whether an operation that is not applied for a reason waits for a
// person or for a text. The others are as they should be: the text has the change already,
// the act changes itself, or the relation between the texts says that a text is repealed.
func NeedsPerson(r amend.Reason) bool {
	return r != "" && r != amend.BeforeBase && r != amend.OwnText && r != amend.TextRepealed
}

// waitingID derives the id of a waiting operation, so that it is the same after each rebuild.
func waitingID(act uuid.UUID, ordinal int, target uuid.UUID, article string) uuid.UUID {
	name, _ := json.Marshal([]any{ordinal, target, article}) // never fails
	return uuid.NewSHA1(act, name)
}

// ActsNaming lists the acts with an operation on a text that one of the given texts is, or
// may be by the terms of its name. terms has the terms of each text.
func (db *DB) ActsNaming(ctx context.Context, texts []uuid.UUID, terms [][]string) ([]uuid.UUID, error) {
	acts, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT DISTINCT act_id FROM amendment_operations WHERE target_id = ANY($1)`, texts)
	if err != nil || len(terms) == 0 {
		return acts, classify("acts naming texts", err)
	}
	batch := &pgx.Batch{}
	for _, t := range terms {
		batch.Queue(`SELECT DISTINCT act_id FROM amendment_operations WHERE target_terms <@ $1 AND target_terms <> '{}'`, t).
			Query(func(rows pgx.Rows) error {
				more, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				acts = append(acts, more...)
				return err
			})
	}
	return acts, classify("acts naming texts", db.pool.SendBatch(ctx, batch).Close())
}

// AmendmentTexts lists the texts that rows of amendments or versions are about, whether they
// are still in the catalogue or not.
func (db *DB) AmendmentTexts(ctx context.Context) (acts, targets []uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, `SELECT ARRAY(SELECT DISTINCT act_id FROM amendment_operations ORDER BY 1),
		ARRAY(SELECT target_id FROM amendment_operations WHERE target_id IS NOT NULL UNION SELECT document_id FROM article_versions
			UNION SELECT target_id FROM amendment_waiting WHERE target_id IS NOT NULL ORDER BY 1)`).Scan(&acts, &targets)
	return acts, targets, classify("texts with amendments", err)
}

// VersionsGrammar returns the version of amend.Grammar that the operations were read with.
func (db *DB) VersionsGrammar(ctx context.Context) (grammar int, err error) {
	err = db.pool.QueryRow(ctx, `SELECT grammar FROM followers WHERE name = 'versions'`).Scan(&grammar)
	return grammar, classify("grammar of versions", err)
}

// SetVersionsGrammar records that all operations were read with a version of amend.Grammar.
func (db *DB) SetVersionsGrammar(ctx context.Context, grammar int) error {
	_, err := db.pool.Exec(ctx, `UPDATE followers SET grammar = $1 WHERE name = 'versions'`, grammar)
	return classify("grammar of versions", err)
}
