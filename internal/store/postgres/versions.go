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

// ArticleVersion is a wording of an article and the days on which it is law.
type ArticleVersion struct {
	Document uuid.UUID
	Article  uuid.UUID // printed article; of an inserted one, an id derived from the text and the number
	Place    int       // order of the article in the text
	Number   string
	Path     []string
	Ordinal  int
	Body     string
	From, To *time.Time // first day in force, first day no longer in force; nil: that of the text, open
	Gone     bool
	Act      *uuid.UUID // act that made the version; nil: as printed
	Evidence []Evidence
	Changes  []amend.Span
	// PrintedIn is the article whose printed words the version continues: that of the text, or
	// after an act that prints the whole wording, that article of the act. nil if no article is.
	PrintedIn *uuid.UUID
	Spans     []law.Span // places in PrintedIn of the words that the version keeps
	Served    bool       // PrintedIn is the whole version
	Person    bool
	Remarks   []amend.Reason
	Inserted  bool // the article is not printed in the text
	Page      int  // page of the text that prints the article; 0 if it is not printed there
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
	before, err := versionsDigest(ctx, tx, target)
	if err != nil {
		return err
	}
	old, err := versionsWhere(ctx, tx, `v.document_id = $1`, target)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(`DELETE FROM article_versions WHERE document_id = $1`, target)
	batch.Queue(`DELETE FROM amendment_waiting WHERE target_id = $1`, target)
	for _, v := range made.Versions {
		evidence, err := json.Marshal(append([]Evidence{}, v.Evidence...))
		if err != nil {
			return err
		}
		changes, err := json.Marshal(append([]amend.Span{}, v.Changes...))
		if err != nil {
			return err
		}
		spans, err := json.Marshal(append([]law.Span{}, v.Spans...))
		if err != nil {
			return err
		}
		batch.Queue(`INSERT INTO article_versions (document_id, article_key, ordinal, article_id, place, number, path, body, valid_from, valid_to, gone,
				act_id, evidence, changes, person, remarks, spans, served, printed_in)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`, target, law.ArticleKey(v.Number), v.Ordinal, v.Article, v.Place,
			v.Number, append([]string{}, v.Path...), v.Body, v.From, v.To, v.Gone, v.Act, evidence, changes, v.Person, append([]amend.Reason{}, v.Remarks...),
			spans, v.Served, v.PrintedIn)
	}
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
	after, err := versionsDigest(ctx, tx, target)
	if err != nil {
		return err
	}
	if before == after { // but a text whose file was read again has lost the ends of its articles
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
	if a.Acts, err = collect(ctx, tx, func(r pgx.CollectableRow) (d law.Document, err error) {
		err = r.Scan(documentFields(&d)...)
		return d, err
	}, `SELECT `+documentColumns+` FROM documents d WHERE NOT d.in_review
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
