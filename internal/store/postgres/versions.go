package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

// Settlement is what a person decided on an article of a text after an act.
type Settlement struct {
	Target, Act uuid.UUID
	Article     string     // number of the article
	Decision    string     // accept, mend or reject
	Body        string     // wording of the article, unless it is rejected
	From        *time.Time // first day of the wording; nil: that of the act
}

// Amended is a text and the acts that amend it.
type Amended struct {
	Text        Act
	Acts        []law.Document // acts with an operation on the text
	Amendments  []Amendment    // their operations on the text, in the order of acts and ordinals
	Settlements []Settlement
	Printed     []PrintedWording
}

// PrintedWording is the whole new wording that an act prints of an article of a text.
type PrintedWording struct {
	Act     uuid.UUID
	Number  string      // of the article of the text
	Article law.Article // of the act: id, words and their places
}

// Evidence is the instruction that made a version.
type Evidence struct {
	Article *uuid.UUID `json:"article_id"` // article of the act
	Number  string     `json:"number"`
	Page    int        `json:"page"`
	Words   string     `json:"words"`
}

// ArticleVersion is a wording of an article and the days on which it is law. As JSON it is a row of the table.
type ArticleVersion struct {
	Document uuid.UUID    `json:"document_id"`
	Article  uuid.UUID    `json:"article_id"` // printed article; of an inserted one, an id derived from the text and the number
	Place    int          `json:"place"`      // order of the article in the text
	Number   string       `json:"number"`
	Path     []string     `json:"path"`
	Ordinal  int          `json:"ordinal"`
	Body     string       `json:"body"`
	From     *time.Time   `json:"valid_from"` // first day in force; nil: that of the text
	To       *time.Time   `json:"valid_to"`   // first day no longer in force; nil: open
	Gone     bool         `json:"gone"`
	Act      *uuid.UUID   `json:"act_id"` // act that made the version; nil: as printed
	Evidence []Evidence   `json:"evidence"`
	Changes  []amend.Span `json:"changes"`
	// PrintedIn is the article whose printed words the version continues: that of the text, or
	// after an act that prints the whole wording, that article of the act. nil if no article is.
	PrintedIn *uuid.UUID     `json:"printed_in"`
	Spans     []law.Span     `json:"spans"`  // places in PrintedIn of the words that the version keeps
	Served    bool           `json:"served"` // PrintedIn is the whole version
	Person    bool           `json:"person"`
	Remarks   []amend.Reason `json:"remarks"`
	Inserted  bool           `json:"-"` // the article is not printed in the text
	Page      int            `json:"-"` // page of the text that prints the article; 0 if it is not printed there
}

// WaitingAmendment is an operation on a text that is not applied.
type WaitingAmendment struct {
	Act      uuid.UUID
	Ordinal  int
	Article  string
	Reason   amend.Reason
	Printed  *uuid.UUID // the article as printed; nil if the text has none
	Before   *string    // wording that the operation would change; nil if there is none
	Proposal *string    // wording of the article that a person may accept
}

// Assembled is what RebuildVersions stores.
type Assembled struct {
	Versions []ArticleVersion
	Waiting  []WaitingAmendment
}

// RebuildVersions replaces the versions of a text by those that assemble returns. A text that
// is not in the catalogue, or that nothing amends, has none. Two calls for one text run one
// after the other, and each reads the state after the other, so the last one is right.
func (db *DB) RebuildVersions(ctx context.Context, target uuid.UUID, assemble func(Amended) (Assembled, error)) error {
	return db.inTx(ctx, "versions of "+target.String(), func(tx pgx.Tx) error {
		return rebuildVersions(ctx, tx, target, assemble)
	})
}

func rebuildVersions(ctx context.Context, tx pgx.Tx, target uuid.UUID, assemble func(Amended) (Assembled, error)) error {
	if err := lockVersions(ctx, tx, target); err != nil {
		return err
	}
	var made Assembled
	text, there, err := readAmended(ctx, tx, target)
	if err != nil {
		return err
	}
	if there {
		if made, err = assemble(text); err != nil {
			return err
		}
	}
	left, err := versionsDigest(ctx, tx, target)
	if err != nil {
		return err
	}
	old, err := versionsWhere(ctx, tx, `v.document_id = $1`, target)
	if err != nil {
		return err
	}
	if err := writeVersions(ctx, tx, target, made.Versions); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(`DELETE FROM amendment_waiting WHERE target_id = $1`, target)
	for _, w := range made.Waiting {
		batch.Queue(`INSERT INTO amendment_waiting (id, act_id, ordinal, target_id, article, reason, proposal, article_id, before)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`, waitingID(w.Act, w.Ordinal, target, w.Article), w.Act, w.Ordinal, target,
			w.Article, w.Reason, w.Proposal, w.Printed, w.Before)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	var printed []uuid.UUID
	for _, v := range slices.Concat(old, made.Versions) {
		if v.PrintedIn != nil {
			printed = append(printed, *v.PrintedIn)
		}
	}
	found, err := endAssembled(ctx, tx, target, printed)
	if err != nil {
		return err
	}
	right, err := versionsDigest(ctx, tx, target)
	if err != nil {
		return err
	}
	if left == right { // but a text whose file was read again has lost the ends of its articles
		return announce(ctx, tx, found)
	}
	texts, err := reviseUnits(ctx, tx, printed)
	if err != nil {
		return err
	}
	if err := announce(ctx, tx, union(texts, []uuid.UUID{target})); err != nil { // the index reads the texts again
		return err
	}
	return journalWordings(ctx, tx, target, old, made.Versions)
}

// writeVersions replaces the versions of a text. Of a code an act changes few, and only these are written.
func writeVersions(ctx context.Context, tx pgx.Tx, target uuid.UUID, versions []ArticleVersion) error {
	type row struct {
		ArticleVersion
		Key string `json:"article_key"`
	}
	rows := make([]row, len(versions))
	for i, v := range versions {
		v.Document, v.Path, v.Evidence, v.Changes = target, append([]string{}, v.Path...), append([]Evidence{}, v.Evidence...), append([]amend.Span{}, v.Changes...)
		v.Spans, v.Remarks = append([]law.Span{}, v.Spans...), append([]amend.Reason{}, v.Remarks...)
		rows[i] = row{v, law.ArticleKey(v.Number)}
	}
	made, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `WITH made AS MATERIALIZED (SELECT * FROM json_populate_recordset(NULL::article_versions, $2)),
		gone AS (DELETE FROM article_versions WHERE document_id = $1 AND (article_key, ordinal) NOT IN (SELECT article_key, ordinal FROM made))
		INSERT INTO article_versions SELECT m.* FROM made m LEFT JOIN article_versions v USING (document_id, article_key, ordinal)
			WHERE ROW(m.*) IS DISTINCT FROM ROW(v.*)
		ON CONFLICT (document_id, article_key, ordinal) DO UPDATE SET article_id = excluded.article_id, place = excluded.place, number = excluded.number,
			path = excluded.path, body = excluded.body, valid_from = excluded.valid_from, valid_to = excluded.valid_to, gone = excluded.gone,
			act_id = excluded.act_id, evidence = excluded.evidence, changes = excluded.changes, person = excluded.person, remarks = excluded.remarks,
			spans = excluded.spans, served = excluded.served, printed_in = excluded.printed_in`, target, string(made))
	return err
}

// endAssembled sets where their versions end the articles of a text, and the given articles. It
// returns the texts of those that change. An article that no act ends or changes has no end.
func endAssembled(ctx context.Context, tx pgx.Tx, target uuid.UUID, articles []uuid.UUID) (texts []uuid.UUID, err error) {
	const end = `(SELECT max(coalesce(v.valid_to, 'infinity')) FROM article_versions v WHERE v.printed_in = a.id AND NOT v.gone
		HAVING max(coalesce(v.valid_to, 'infinity')) < 'infinity' OR bool_or(v.act_id IS NOT NULL AND NOT v.served))`
	texts, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `UPDATE articles a SET assembled_to = `+end+`
		WHERE (a.document_id = $1 OR a.id = ANY($2)) AND a.assembled_to IS DISTINCT FROM `+end+` RETURNING a.document_id`, target, articles)
	return union(texts, nil), err
}

// versionsDigest returns a value that changes with what the versions of a text say.
func versionsDigest(ctx context.Context, tx pgx.Tx, target uuid.UUID) (digest string, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(md5(string_agg(md5(v::text), '' ORDER BY article_key, ordinal)), '') FROM article_versions v
		WHERE document_id = $1`, target).Scan(&digest)
	return digest, err
}

// printedAnew returns the whole new wordings of articles of a text that acts print.
func printedAnew(ctx context.Context, tx pgx.Tx, target uuid.UUID) ([]PrintedWording, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (w PrintedWording, err error) {
		return w, r.Scan(&w.Act, &w.Number, &w.Article.ID, &w.Article.Text, &w.Article.Spans)
	}, `SELECT a.document_id, w.number, a.id, a.body, a.spans FROM relation_targets t JOIN wordings w ON w.relation_id = t.relation_id
		JOIN articles a ON a.id = w.article_id WHERE t.document_id = $1 AND w.part = '' ORDER BY a.document_id, a.position`, target)
}

// readAmended reads a text and its amendments, and reports whether it is in the catalogue and
// has any.
func readAmended(ctx context.Context, tx pgx.Tx, target uuid.UUID) (a Amended, there bool, err error) {
	if a.Amendments, err = amendmentsOn(ctx, tx, target); err != nil || len(a.Amendments) == 0 {
		return a, false, err
	}
	if a.Text, there, err = readAct(ctx, tx, target); err != nil || !there {
		return a, false, err
	}
	if a.Acts, err = collect(ctx, tx, scanDocument, `SELECT `+documentColumns+` FROM documents d WHERE NOT d.in_review
		AND d.id IN (SELECT act_id FROM amendment_operations WHERE target_id = $1) ORDER BY d.id`, target); err != nil {
		return a, false, err
	}
	if a.Settlements, err = collect(ctx, tx, pgx.RowToStructByPos[Settlement], `SELECT target_id, act_id, article, decision, body, effective_on FROM amendment_settlements
		WHERE target_id = $1 ORDER BY act_id, article_key`, target); err != nil {
		return a, false, err
	}
	a.Printed, err = printedAnew(ctx, tx, target)
	return a, true, err
}

func amendmentsOn(ctx context.Context, tx pgx.Tx, target uuid.UUID) ([]Amendment, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (a Amendment, err error) {
		var op []byte
		if err := r.Scan(&a.Act, &a.Ordinal, &a.Article, &a.Page, &a.Words, &op); err != nil {
			return a, err
		}
		return a, json.Unmarshal(op, &a.Operation)
	}, `SELECT act_id, ordinal, article_id, page, words, operation FROM amendment_operations
		WHERE target_id = $1 ORDER BY act_id, ordinal`, target)
}

// versionsWhere returns the versions of articles of texts that satisfy an SQL condition, in the
// order of the text. From is nil for the version as printed.
func versionsWhere(ctx context.Context, from querier, condition string, args ...any) ([]ArticleVersion, error) {
	return versionsIn(ctx, from, `article_versions`, condition, args...)
}

// versionsRead is an SQL table of the versions that articles are read in: those of texts, and
// for an article of an act that is a whole new wording those that continue its words, until
// another wording follows. The wording itself is as printed there.
const versionsRead = `(SELECT document_id, article_key, ordinal, article_id, place, number, path, body, valid_from, valid_to, gone, act_id, evidence, changes,
		person, remarks, printed_in FROM article_versions
	UNION ALL SELECT of.document_id, x.article_key, x.ordinal, of.id, x.place, x.number, x.path, x.body, x.valid_from, x.valid_to, x.gone,
		CASE WHEN NOT x.served THEN x.act_id END, x.evidence, x.changes, x.person, x.remarks, x.printed_in
	FROM articles of JOIN wordings ON wordings.article_id = of.id JOIN article_versions x ON x.printed_in = of.id)`

func versionsIn(ctx context.Context, from querier, table, condition string, args ...any) ([]ArticleVersion, error) {
	return collect(ctx, from, func(r pgx.CollectableRow) (v ArticleVersion, err error) {
		var page *int
		err = r.Scan(&v.Document, &v.Article, &v.Place, &v.Number, &v.Path, &v.Ordinal, &v.Body, &v.From, &v.To, &v.Gone,
			&v.Act, &v.Evidence, &v.Changes, &v.Person, &v.Remarks, &v.PrintedIn, &page)
		if v.Inserted = page == nil; page != nil {
			v.Page = *page
		}
		return v, err
	}, `SELECT v.document_id, v.article_id, v.place, v.number, v.path, v.ordinal, v.body, v.valid_from, v.valid_to, v.gone,
			v.act_id, v.evidence, v.changes, v.person, v.remarks, v.printed_in,
			(SELECT a.page FROM articles a WHERE a.id = v.article_id AND a.document_id = v.document_id)
		FROM `+table+` v JOIN documents d ON d.id = v.document_id AND NOT d.in_review
		WHERE `+condition+` ORDER BY v.place, v.article_key, v.ordinal`, args...)
}

// ShownWaiting is a waiting operation with the names of its texts.
type ShownWaiting struct {
	ID       uuid.UUID
	Act      law.Document
	Target   *law.Document // amended text; nil: it is not in the catalogue
	Evidence Evidence      // the instruction in the act
	Article  string        // number of the amended article, "" if the instruction names none
	Named    string        // the name of the amended text in the act
	Kind     amend.OperationKind
	Reason   amend.Reason
	Printed  *uuid.UUID // amended article as printed; nil if the text has none
	Before   *string    // wording that the operation would change; nil if there is none
	Proposal *string
	Cited    int // answers that cite the article
	Articles int // articles of the text with operations of the act that wait
}

const waitingColumns = `w.id, w.article, w.reason, w.proposal, w.article_id, w.before, c.cited, c.articles, o.operation, o.article_id, o.page, o.words, d.id, d.title, d.promulgated_on,
	t.id, coalesce(t.title, ''), t.promulgated_on`

const waitingTables = ` FROM amendment_waiting w JOIN amendment_operations o USING (act_id, ordinal) JOIN documents d ON d.id = w.act_id AND NOT d.in_review
	LEFT JOIN documents t ON t.id = w.target_id AND NOT t.in_review`

const waitingWeight = ` CROSS JOIN LATERAL (SELECT
	(SELECT count(*) FROM citations c WHERE c.citation->>'article_id' = w.article_id::text) AS cited,
	(SELECT count(DISTINCT x.article) FROM amendment_waiting x WHERE x.act_id = w.act_id AND x.target_id = w.target_id AND x.article <> '') AS articles) c`

func scanWaiting(r pgx.CollectableRow) (w ShownWaiting, err error) {
	var operation []byte
	var target *uuid.UUID
	var title string
	var promulgated *time.Time
	e := &w.Evidence
	if err := r.Scan(&w.ID, &w.Article, &w.Reason, &w.Proposal, &w.Printed, &w.Before, &w.Cited, &w.Articles, &operation, &e.Article, &e.Page, &e.Words, &w.Act.ID, &w.Act.Title, &w.Act.Promulgated,
		&target, &title, &promulgated); err != nil {
		return w, err
	}
	if target != nil {
		w.Target = &law.Document{ID: *target, Title: title, Promulgated: *promulgated}
	}
	var op amend.Operation
	err = json.Unmarshal(operation, &op)
	e.Number, w.Named, w.Kind = op.By, op.Text.Title, op.Kind
	return w, err
}

// decidable is the SQL condition that a person can decide an operation that waits: its text and article are known.
const decidable = `(t.id IS NOT NULL AND w.article <> '')`

// known leaves out what waits for a text that the catalogue lacks, which MissingTexts tells, each text once.
const known = `(w.reason <> 'text_missing' OR o.operation->'Text'->>'Title' = '')`

const waitingDecidable = ` WHERE ` + decidable + ` AND NOT ` + withoutOrders

// WaitingAmendments returns one page of the operations that a person can decide, and the number of all. Those
// of the most weight come first, by the answers that cite the article and the articles that the act leaves waiting, then
// those of the newest acts.
func (db *DB) WaitingAmendments(ctx context.Context, page, size int) (list []ShownWaiting, total int, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+waitingTables+waitingDecidable).Scan(&total); err != nil {
			return err
		}
		list, err = collect(ctx, tx, scanWaiting, `SELECT `+waitingColumns+waitingTables+waitingWeight+waitingDecidable+` ORDER BY c.cited + c.articles DESC, d.promulgated_on DESC, d.id, w.ordinal, w.id LIMIT $1 OFFSET $2`,
			size, int64(page-1)*int64(size))
		return err
	})
	return list, total, classify("waiting amendments", err)
}

// WaitingOn returns at most limit operations on a text that wait, in the order of their acts, and
// the number of all. Their weight is not counted.
func (db *DB) WaitingOn(ctx context.Context, document uuid.UUID, limit int) (list []ShownWaiting, total int, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+waitingTables+` WHERE w.target_id = $1`, document).Scan(&total); err != nil || total == 0 {
			return err
		}
		list, err = collect(ctx, tx, scanWaiting, `SELECT `+waitingColumns+waitingTables+` CROSS JOIN (SELECT 0 AS cited, 0 AS articles) c WHERE w.target_id = $1
			ORDER BY d.promulgated_on, d.id, w.ordinal, w.id LIMIT $2`, document, limit)
		return err
	})
	return list, total, classify("waiting amendments of "+document.String(), err)
}

// SettleAmendment records what a person decided on an operation that waits, and makes the
// versions of its text anew, in one transaction. It sets the text, the act and the article of
// s, and for « accept » the wording that was proposed. NotFound if no such operation waits;
// Conflict if nothing is proposed, or if the amended text or article is unknown.
func (db *DB) SettleAmendment(ctx context.Context, waiting uuid.UUID, s Settlement, assemble func(Amended) (Assembled, error)) error {
	return db.inTx(ctx, "settle amendment "+waiting.String(), func(tx pgx.Tx) error {
		var target *uuid.UUID
		var proposal *string
		err := tx.QueryRow(ctx, `SELECT act_id, target_id, article, proposal FROM amendment_waiting WHERE id = $1`, waiting).
			Scan(&s.Act, &target, &s.Article, &proposal)
		switch {
		case err != nil:
			return err
		case target == nil || s.Article == "":
			return errs.New(errs.Conflict, "Le texte ou l’article à modifier n’est pas connu : il n’y a rien à décider.")
		case s.Decision == "accept" && proposal == nil:
			return errs.New(errs.Conflict, "Rien n’est proposé pour cet article : donnez-en le texte.")
		case s.Decision == "accept":
			s.Body = *proposal
		case s.Decision == "reject":
			s.Body = ""
		}
		s.Target = *target
		if err := lockVersions(ctx, tx, s.Target); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO amendment_settlements (target_id, act_id, article_key, article, decision, body, effective_on)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (target_id, act_id, article_key)
			DO UPDATE SET decision = excluded.decision, body = excluded.body, effective_on = excluded.effective_on, settled_at = now()`,
			s.Target, s.Act, law.ArticleKey(s.Article), s.Article, s.Decision, s.Body, s.From); err != nil {
			return err
		}
		if err := rebuildVersions(ctx, tx, s.Target, assemble); err != nil {
			return err
		}
		return audit(ctx, tx, AmendmentSettled, s.Target.String(), details{"act": s.Act, "article": s.Article, "decision": s.Decision})
	})
}

// AmendmentFigures says how much of the amendments is applied.
type AmendmentFigures struct {
	Operations int           `json:"operations"` // read in acts
	Versions   int           `json:"versions"`   // wordings that acts made
	Articles   int           `json:"articles"`   // articles with such a wording
	Decided    int           `json:"decided"`    // decisions of persons
	Waiting    int           `json:"waiting"`    // operations that wait for a person or a text
	Reasons    []ReasonCount `json:"-"`
}

// ReasonCount is how many operations wait for a reason.
type ReasonCount struct {
	Reason amend.Reason
	Count  int
}

// AmendmentFigures counts amendments; the reasons are ordered by their number.
func (db *DB) AmendmentFigures(ctx context.Context) (f AmendmentFigures, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM amendment_operations), count(*), count(DISTINCT (document_id, article_key)),
			(SELECT count(*) FROM amendment_settlements) FROM article_versions WHERE act_id IS NOT NULL`).Scan(&f.Operations, &f.Versions, &f.Articles, &f.Decided); err != nil {
			return err
		}
		f.Reasons, err = collect(ctx, tx, pgx.RowToStructByPos[ReasonCount], `SELECT w.reason, count(*)`+waitingTables+` GROUP BY w.reason ORDER BY 2 DESC, 1`)
		for _, r := range f.Reasons {
			f.Waiting += r.Count
		}
		return err
	})
	return f, classify("figures of amendments", err)
}

// ShownSettlement is a decision of a person with the names of its texts.
type ShownSettlement struct {
	ID      uuid.UUID
	Target  law.Document // amended text; without a title if it has left the catalogue
	Act     law.Document // the same of the act
	Article string
	Body    string
	// Decision is accept, mend or reject.
	Decision string
	From     *time.Time // first day of the wording; nil: that of the act
	At       time.Time
}

// Settlements returns one page of the decisions on amendments, the latest first, and the
// number of all.
func (db *DB) Settlements(ctx context.Context, page, size int) (list []ShownSettlement, total int, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM amendment_settlements`).Scan(&total); err != nil {
			return err
		}
		list, err = collect(ctx, tx, func(r pgx.CollectableRow) (s ShownSettlement, err error) {
			return s, r.Scan(&s.ID, &s.Target.ID, &s.Target.Title, &s.Act.ID, &s.Act.Title, &s.Article, &s.Body, &s.Decision, &s.From, &s.At)
		}, `SELECT s.id, s.target_id, coalesce(t.title, ''), s.act_id, coalesce(d.title, ''), s.article, s.body, s.decision, s.effective_on, s.settled_at
			FROM amendment_settlements s LEFT JOIN documents t ON t.id = s.target_id AND NOT t.in_review LEFT JOIN documents d ON d.id = s.act_id AND NOT d.in_review
			ORDER BY s.settled_at DESC, s.id LIMIT $1 OFFSET $2`, size, int64(page-1)*int64(size))
		return err
	})
	return list, total, classify("settlements", err)
}

// UndoSettlement deletes a decision on an amendment and makes the versions of its text anew,
// in one transaction. NotFound if there is no such decision.
func (db *DB) UndoSettlement(ctx context.Context, id uuid.UUID, assemble func(Amended) (Assembled, error)) error {
	return db.inTx(ctx, "undo settlement "+id.String(), func(tx pgx.Tx) error {
		var target uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT target_id FROM amendment_settlements WHERE id = $1`, id).Scan(&target); err != nil {
			return err
		}
		if err := lockVersions(ctx, tx, target); err != nil {
			return err
		}
		var act uuid.UUID
		var article string
		if err := tx.QueryRow(ctx, `DELETE FROM amendment_settlements WHERE id = $1 RETURNING act_id, article`, id).Scan(&act, &article); err != nil {
			return err // NotFound if another call has undone it
		}
		if err := rebuildVersions(ctx, tx, target, assemble); err != nil {
			return err
		}
		return audit(ctx, tx, AmendmentSettled, target.String(), details{"act": act, "article": article, "decision": "undo"})
	})
}

// wordingJoin joins an article a that contains a new wording to: w, the row of the wording;
// wr, the relation that it belongs to; wa, the article that quotes it; target, the amended
// text, if the catalogue has it.
const wordingJoin = ` LEFT JOIN wordings w ON w.article_id = a.id LEFT JOIN relations wr ON wr.id = w.relation_id
	LEFT JOIN articles wa ON wa.id = w.within
	LEFT JOIN LATERAL (SELECT t.id, t.title FROM relation_targets rt JOIN documents t ON t.id = rt.document_id AND NOT t.in_review
		WHERE rt.relation_id = w.relation_id ORDER BY t.id LIMIT 1) target ON true `

// wordingColumn selects the columns of wordingJoin as one JSON value. It is NULL for an
// article of the text itself.
const wordingColumn = `CASE WHEN w.article_id IS NOT NULL THEN jsonb_build_object('within', w.within, 'within_number', wa.number,
	'relation', w.relation_id, 'number', w.number, 'part', w.part, 'inserted', w.inserted, 'target', target.id, 'title', target.title,
	'type', wr.target_type, 'named', wr.target_number, 'called', wr.target_title, 'day', wr.target_on) END`

// ownArticle is the SQL condition that the article a belongs to the text itself and is not
// a new wording.
const ownArticle = `NOT EXISTS (SELECT FROM wordings own WHERE own.article_id = a.id)`

// wordingRow is the scan target of wordingColumn.
type wordingRow struct {
	Within       uuid.UUID   `json:"within"`
	WithinNumber string      `json:"within_number"`
	Relation     uuid.UUID   `json:"relation"`
	Number       string      `json:"number"`
	Part         string      `json:"part"`
	Inserted     bool        `json:"inserted"`
	Target       *uuid.UUID  `json:"target"`
	Title        *string     `json:"title"`
	Type         law.DocType `json:"type"`
	Named        string      `json:"named"`
	Called       string      `json:"called"`
	Day          *string     `json:"day"`
}

// wording converts the row. If the catalogue lacks the amended text, TargetTitle is the
// name that the amending text uses for it.
func (r *wordingRow) wording() *law.Wording {
	if r == nil {
		return nil
	}
	w := &law.Wording{Within: r.Within, WithinNumber: r.WithinNumber, Relation: r.Relation, Number: r.Number, Part: r.Part,
		Inserted: r.Inserted, TargetID: r.Target}
	if r.Title != nil {
		w.TargetTitle = *r.Title
		return w
	}
	var day time.Time
	if r.Day != nil {
		day, _ = time.Parse(time.DateOnly, *r.Day) // the database has only valid dates
	}
	w.TargetTitle = law.CallText(r.Type, r.Named, r.Called, day)
	return w
}

func insertWordings(ctx context.Context, tx pgx.Tx, articles []law.Article) error {
	batch := &pgx.Batch{}
	for _, a := range articles {
		if w := a.Wording; w != nil {
			batch.Queue(`INSERT INTO wordings (article_id, within, relation_id, number, part, inserted) VALUES ($1, $2, $3, $4, $5, $6)`,
				a.ID, w.Within, w.Relation, w.Number, w.Part, w.Inserted)
		}
	}
	return tx.SendBatch(ctx, batch).Close()
}

// ending is the end of an article's wording, from a day on.
type ending struct {
	key string // key of the article; "" for the whole text
	day time.Time
}

// effects is what all relations to a text together do to it.
type effects struct {
	status     law.Status // status of the text, unless a person set it
	repealedBy *uuid.UUID
	repealedOn *time.Time
	// endings are the changes that end the wording of articles by replacing or repealing it. A change that only adds to
	// an article ends nothing. A new wording of a whole article ends the old one, even if the amending text only names
	// the division that contains the article.
	endings []ending
}

// effectsOn reads the relations to a text, in one query that is forced to use the indexes:
// otherwise the planner reads all relations of the catalogue for the few thousand that a
// code has.
func effectsOn(ctx context.Context, tx pgx.Tx, target uuid.UUID) (e effects, err error) {
	var numbers []string
	var days []time.Time
	err = tx.QueryRow(ctx, `WITH today AS MATERIALIZED (SELECT law_day(now(), countries) AS day FROM documents WHERE id = $1),
		said AS MATERIALIZED (
			SELECT r.id, r.source_id, r.effective_on, r.target_articles, r.adds, r.kind = 'abroge' AND r.target_articles = '{}' AS ends
			FROM relation_targets t CROSS JOIN LATERAL (SELECT * FROM relations WHERE id = t.relation_id OFFSET 0) r WHERE t.document_id = $1),
		ended AS (
			SELECT n.number, s.effective_on FROM (SELECT DISTINCT target_articles, effective_on FROM said WHERE NOT adds) s, unnest(s.target_articles) n (number)
			UNION SELECT w.number, s.effective_on FROM said s
				CROSS JOIN LATERAL (SELECT number FROM wordings WHERE relation_id = s.id AND NOT inserted AND part = '' OFFSET 0) w)
		SELECT CASE WHEN EXISTS (SELECT FROM said WHERE ends AND effective_on <= (SELECT day FROM today)) THEN 'abroge'
				WHEN EXISTS (SELECT FROM said WHERE effective_on <= (SELECT day FROM today)) THEN 'modifie'
				ELSE 'en_vigueur' END,
			(SELECT source_id FROM said WHERE ends ORDER BY effective_on, id LIMIT 1), (SELECT min(effective_on) FROM said WHERE ends),
			array_agg(number), array_agg(effective_on) FROM ended`, target).Scan(&e.status, &e.repealedBy, &e.repealedOn, &numbers, &days)
	for i, number := range numbers {
		if key := law.ArticleKey(number); key != "" { // a change that names no article ends no wording
			e.endings = append(e.endings, ending{key, days[i]})
		}
	}
	return e, err
}

// endings lists the changes that end wordings of a text: the endings of effectsOn, and the
// end of the text itself, which ends all.
func endings(ctx context.Context, tx pgx.Tx, target uuid.UUID) ([]ending, error) {
	said, err := effectsOn(ctx, tx, target)
	if err != nil {
		return nil, err
	}
	var ended *time.Time
	err = tx.QueryRow(ctx, `SELECT max(repealed_on) FROM documents WHERE id = $1`, target).Scan(&ended) // max: a deleted text has no row and ends nothing
	if err != nil || ended == nil {
		return said.endings, err
	}
	return append(said.endings, ending{"", *ended}), nil
}

// endWordings sets the first days of the new wordings that the targets give, and the last
// day of each new wording of the targets' articles: the first later change to the amended
// article ends the wording, as it ends the article. Wordings whose relation no longer
// amends a text have no end; endWordings looks for them among the wordings of the given
// relations, nil for all wordings. It returns the ids of the texts that give the changed
// wordings, because their index rows change.
func endWordings(ctx context.Context, tx pgx.Tx, targets, relations []uuid.UUID) (giving []uuid.UUID, err error) {
	// A wording that takes effect on its text's first day moves with that day.
	if _, err := tx.Exec(ctx, `UPDATE articles a SET valid_from = r.effective_on FROM wordings w JOIN relations r ON r.id = w.relation_id
		WHERE w.article_id = a.id AND r.source_id = ANY($1) AND a.valid_from IS DISTINCT FROM r.effective_on`, targets); err != nil {
		return nil, err
	}
	// A wording whose relation amends no text of the catalogue is in force until its own text
	// ends.
	given := `(SELECT w.* FROM unnest($1::uuid[]) x (id) CROSS JOIN LATERAL (SELECT * FROM wordings WHERE relation_id = x.id OFFSET 0) w)`
	if relations == nil {
		given = `(SELECT * FROM wordings WHERE $1::uuid[] IS NULL)`
	}
	if giving, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `UPDATE articles a SET valid_to = NULL FROM `+given+` w WHERE w.article_id = a.id AND a.valid_to IS NOT NULL
		AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = w.relation_id) RETURNING a.document_id`, relations); err != nil {
		return nil, err
	}
	for _, target := range targets {
		texts, err := endWordingsOf(ctx, tx, target)
		if err != nil {
			return nil, err
		}
		giving = append(giving, texts...)
	}
	return giving, nil
}

// endWordingsOf sets the last days of the new wordings of one text's articles.
func endWordingsOf(ctx context.Context, tx pgx.Tx, target uuid.UUID) (giving []uuid.UUID, err error) {
	rows, err := tx.Query(ctx, `SELECT a.id, a.document_id, w.number, r.effective_on FROM relation_targets t
		CROSS JOIN LATERAL (SELECT * FROM wordings WHERE relation_id = t.relation_id OFFSET 0) w
		JOIN relations r ON r.id = w.relation_id JOIN articles a ON a.id = w.article_id WHERE t.document_id = $1`, target)
	if err != nil {
		return nil, err
	}
	type given struct {
		ID, Document uuid.UUID
		Number       string
		From         time.Time
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[given])
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ends, err := endings(ctx, tx, target)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	for _, g := range list {
		batch.Queue(`UPDATE articles SET valid_to = $2 WHERE id = $1 AND valid_to IS DISTINCT FROM $2`, g.ID, firstAfter(ends, g.Number, g.From))
		giving = append(giving, g.Document)
	}
	return giving, tx.SendBatch(ctx, batch).Close()
}

// firstAfter returns the first day on which an article, or the whole text, ends; nil if there
// is none. Days up to from are ignored.
func firstAfter(ends []ending, number string, start time.Time) (first *time.Time) {
	key := law.ArticleKey(number)
	for _, e := range ends {
		if (e.key == "" || e.key == key) && e.day.After(start) && (first == nil || e.day.Before(*first)) {
			first = &e.day
		}
	}
	return first
}

// ReadQuoted reads the passages of the given articles that consist of new wordings, without
// spans. The passage index does not contain these passages.
func (db *DB) ReadQuoted(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]law.Passage, error) {
	rows, err := db.pool.Query(ctx, `SELECT p.id, p.document_id, p.article_id, p.position, p.page, p.body FROM passages p
		WHERE p.article_id = ANY($1) AND p.quoted ORDER BY p.position`, articles)
	if err != nil {
		return nil, classify("quoted", err)
	}
	out := make(map[uuid.UUID][]law.Passage)
	p := law.Passage{Quoted: true}
	_, err = pgx.ForEachRow(rows, []any{&p.ID, &p.DocumentID, &p.ArticleID, &p.Position, &p.Page, &p.Text}, func() error {
		out[p.ArticleID] = append(out[p.ArticleID], p)
		return nil
	})
	return out, classify("quoted", err)
}
