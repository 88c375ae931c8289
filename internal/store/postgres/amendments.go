package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/edition"
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
		missing, err := isWithoutOrders(ctx, tx, act)
		if err != nil {
			return err
		}
		var list []Amendment
		if there && !missing {
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

// withoutOrders is the SQL condition that a person said of the act act_id of the rows w that it orders nothing.
const withoutOrders = `EXISTS (SELECT FROM acts_without_orders x WHERE x.act_id = w.act_id)`

// UndecidedAct is an act with passages that wait and that nobody can decide one by one, because the text or the article
// that they change is unknown; or one of which a person said that it orders nothing.
type UndecidedAct struct {
	Act      law.Document
	Passages int
	First    string // words of the first passage
}

// UndecidedActs returns one page of the acts with passages that nobody can decide one by one, those with the most first, and the
// number of all; without, those that a person has said to order nothing, the last one first.
func (db *DB) UndecidedActs(ctx context.Context, missing bool, page, size int) (list []UndecidedAct, total int, err error) {
	source := ` FROM (SELECT w.act_id, count(DISTINCT w.ordinal) AS passages, (array_agg(o.words ORDER BY w.ordinal))[1] AS first, now() AS settled_at` +
		waitingTables + ` WHERE NOT ` + decidable + ` AND ` + known + ` AND NOT ` + withoutOrders + ` GROUP BY w.act_id) w JOIN documents d ON d.id = w.act_id AND NOT d.in_review`
	if missing {
		source = ` FROM (SELECT act_id, 0 AS passages, '' AS first, settled_at FROM acts_without_orders) w JOIN documents d ON d.id = w.act_id AND NOT d.in_review`
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+source).Scan(&total); err != nil {
			return err
		}
		list, err = collect(ctx, tx, func(r pgx.CollectableRow) (u UndecidedAct, err error) {
			return u, r.Scan(&u.Act.ID, &u.Act.Title, &u.Act.Promulgated, &u.Passages, &u.First)
		}, `SELECT d.id, d.title, d.promulgated_on, w.passages, w.first`+source+` ORDER BY w.passages DESC, w.settled_at DESC, d.promulgated_on DESC, d.id LIMIT $1 OFFSET $2`,
			size, int64(page-1)*int64(size))
		return err
	})
	return list, total, classify("acts whose passages nobody can decide", err)
}

// SetWithoutOrders records that a person said of an act that none of its passages orders a change, or takes that back. The
// act is read again by the follower of the versions; until then what waits of it is not shown. NotFound if there is no such
// text, or nothing to take back.
func (db *DB) SetWithoutOrders(ctx context.Context, act uuid.UUID, missing bool) error {
	return db.inTx(ctx, "act without orders "+act.String(), func(tx pgx.Tx) error {
		change := `DELETE FROM acts_without_orders WHERE act_id = $1`
		if missing {
			change = `INSERT INTO acts_without_orders (act_id) SELECT id FROM documents WHERE id = $1 AND NOT in_review
				ON CONFLICT (act_id) DO UPDATE SET settled_at = acts_without_orders.settled_at`
		}
		if err := execOne(ctx, tx, errs.New(errs.NotFound, "Aucun texte n’a cet identifiant."), change, act); err != nil {
			return err
		}
		decision := "no_orders"
		if !missing {
			decision = "undo"
		}
		if err := audit(ctx, tx, AmendmentSettled, act.String(), details{"act": act, "decision": decision}); err != nil {
			return err
		}
		return announce(ctx, tx, []uuid.UUID{act})
	})
}

// isWithoutOrders reports whether a person said of an act that it orders nothing.
func isWithoutOrders(ctx context.Context, tx pgx.Tx, act uuid.UUID) (missing bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM acts_without_orders WHERE act_id = $1)`, act).Scan(&missing)
	return missing, err
}

// ToldAct is an act of which persons have said what it orders.
type ToldAct struct {
	Act
	Without  bool       // it orders nothing
	Accepted []Evidence // instructions whose wording a person accepted or wrote
}

// ToldActs calls yield with each act of the catalogue of which persons have said what it orders.
func (db *DB) ToldActs(ctx context.Context, yield func(ToldAct) error) error {
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT act_id FROM acts_without_orders
		UNION SELECT act_id FROM amendment_settlements WHERE decision <> 'reject' ORDER BY 1`)
	if err != nil {
		return classify("told acts", err)
	}
	for _, id := range ids {
		var told ToldAct
		there := false
		err := db.snapshot(ctx, func(tx pgx.Tx) (err error) {
			if told.Act, there, err = readAct(ctx, tx, id); err != nil || !there {
				return err
			}
			if told.Without, err = isWithoutOrders(ctx, tx, id); err != nil || told.Without {
				return err
			}
			told.Accepted, err = collect(ctx, tx, func(r pgx.CollectableRow) (e Evidence, err error) {
				return e, r.Scan(&e.Article, &e.Words)
			}, `SELECT DISTINCT o.article_id, o.words FROM amendment_settlements s JOIN amendment_operations o ON o.act_id = s.act_id AND o.target_id = s.target_id
					AND o.operation->>'Article' = s.article WHERE s.act_id = $1 AND s.decision <> 'reject'`, id)
			return err
		})
		if err != nil {
			return classify("told act "+id.String(), err)
		}
		if there {
			if err := yield(told); err != nil {
				return err
			}
		}
	}
	return nil
}

// MissingText is a text that acts change and that the catalogue lacks.
type MissingText struct {
	Named     string       // its longest name in the acts
	Countries []string     // codes of the countries of the acts
	Articles  int          // articles that are changed
	Changes   int          // operations that wait for the text
	Repealed  bool         // an act repeals it as a whole
	Act       law.Document // the newest act that names it
	key       string
	articles  map[string]bool
}

// mostMissing is the maximum number of operations that are read for the list of missing texts.
const mostMissing = 50_000

// MissingTexts returns the texts that acts change and that the catalogue lacks, those with the most articles first. A text is one
// by its number, else by its day, else by its name, within the countries of the acts.
func (db *DB) MissingTexts(ctx context.Context) (list []MissingText, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT o.operation, d.id, d.title, d.promulgated_on, d.countries
			FROM amendment_operations o JOIN documents d ON d.id = o.act_id AND NOT d.in_review
			WHERE o.target_id IS NULL AND o.reason = $1 ORDER BY d.promulgated_on DESC, d.id, o.ordinal LIMIT $2`, amend.TextMissing, mostMissing)
		if err != nil {
			return err
		}
		missingTexts := map[string]*MissingText{}
		var raw []byte
		var act law.Document
		var countries []string
		_, err = pgx.ForEachRow(rows, []any{&raw, &act.ID, &act.Title, &act.Promulgated, &countries}, func() error {
			var op amend.Operation
			if err := json.Unmarshal(raw, &op); err != nil {
				return err
			}
			if op.Text.Zero() || op.Text.Self {
				return nil
			}
			key := strings.Join(countries, " ") + missingKey(op.Text)
			m := missingTexts[key]
			if m == nil {
				m = &MissingText{key: key, Countries: slices.Clone(countries), Act: act, articles: map[string]bool{}}
				missingTexts[key] = m
			}
			if len(op.Text.Title) > len(m.Named) {
				m.Named = op.Text.Title
			}
			m.Changes++
			m.Repealed = m.Repealed || op.Kind == amend.RepealText
			if op.Article != "" {
				m.articles[law.ArticleKey(op.Article)] = true
			}
			return nil
		})
		for _, m := range missingTexts {
			m.Articles = len(m.articles)
			list = append(list, *m)
		}
		return err
	})
	slices.SortFunc(list, func(a, b MissingText) int {
		return cmp.Or(b.Articles-a.Articles, b.Changes-a.Changes, strings.Compare(a.key, b.key))
	})
	return list, classify("missing texts", err)
}

// missingKey returns the key of a name: names with the same key mean the same text.
func missingKey(t amend.TargetText) string {
	if t.Number != "" {
		return "|" + string(t.Type) + " " + edition.Key(t.Number)
	}
	noun, _, _ := strings.Cut(law.Fold(t.Title), " ")
	if day, _, _, ok := law.FindDate(t.Title); ok {
		return "|" + noun + " " + day.Format("2006-01-02")
	}
	return "|" + law.Fold(t.Title)
}

// ChangedAlinea is an alinea of an article to which an act gave its words.
type ChangedAlinea struct {
	Start, End int // in code points of the article's words
	Act        uuid.UUID
	Ordinal    int        // among the alineas of the article, from 1
	Title      string     // of the act; "" if it has just left the catalogue
	Article    *uuid.UUID // of the act, the first that says so; nil if it is not known
	Pages      []int      // pages of the act that have its instructions on the article
	Printed    int        // page of the text that prints the article; 0 if the article was inserted
}

// ChangedAlineas returns, for each of the versions of one article in their order, the alineas that acts have changed. An
// alinea keeps its origin as long as its words stay.
func ChangedAlineas(versions []ArticleVersion, titles map[uuid.UUID]string) [][]ChangedAlinea {
	out := make([][]ChangedAlinea, len(versions))
	previous := map[string][]int{} // versions that gave the alineas of the one before their words, by words
	for i, v := range versions {
		now := map[string][]int{}
		pos, ordinal := 0, 0
		for line := range strings.SplitSeq(v.Body, "\n") {
			start, words := pos, strings.TrimSpace(line)
			pos += utf8.RuneCountInString(line) + 1
			if words == "" {
				continue
			}
			ordinal++
			first := i
			if known := previous[words]; len(known) > 0 {
				first, previous[words] = known[0], known[1:]
			}
			now[words] = append(now[words], first)
			articleVersion := versions[first]
			if articleVersion.Act == nil {
				continue
			}
			a := ChangedAlinea{Start: start, End: start + utf8.RuneCountInString(strings.TrimRight(line, " ")), Ordinal: ordinal, Act: *articleVersion.Act, Title: titles[*articleVersion.Act], Pages: []int{}, Printed: v.Page}
			for _, e := range articleVersion.Evidence {
				a.Article = cmp.Or(a.Article, e.Article)
				if e.Page > 0 && !slices.Contains(a.Pages, e.Page) {
					a.Pages = append(a.Pages, e.Page)
				}
			}
			out[i] = append(out[i], a)
		}
		previous = now
	}
	return out
}

// withAlineas tells of assembled articles which act changed each of their alineas.
func withAlineas(ctx context.Context, tx pgx.Tx, document uuid.UUID, list []ReadArticle) error {
	var changed []uuid.UUID
	for _, a := range list {
		if a.Assembled != nil {
			changed = append(changed, a.ID)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	versions, err := versionsIn(ctx, tx, versionsRead, `v.document_id = $1 AND v.article_id = ANY($2)`, document, changed)
	if err != nil {
		return err
	}
	titles, err := actTitles(ctx, tx, versions)
	if err != nil {
		return err
	}
	articleVersions := map[uuid.UUID][]ArticleVersion{}
	for _, v := range versions {
		articleVersions[v.Article] = append(articleVersions[v.Article], v)
	}
	for i, a := range list {
		if a.Assembled == nil {
			continue
		}
		all := ChangedAlineas(articleVersions[a.ID], titles)
		for k, v := range articleVersions[a.ID] {
			if v.Act != nil && *v.Act == a.Assembled.Act && v.Body == a.Text {
				list[i].Assembled.Alineas = all[k]
			}
		}
	}
	return nil
}
