package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/journal"
)

// The kinds of follows.
const (
	FollowText    = "text"
	FollowArticle = "article"
	FollowAnswer  = "answer" // the articles that an answer cites
	FollowSearch  = "search" // texts that have words
	FollowScope   = "scope"  // texts of a domain, a country, a type or a nature
)

// FollowKinds lists the kinds of follows.
func FollowKinds() []string {
	return []string{FollowText, FollowArticle, FollowAnswer, FollowSearch, FollowScope}
}

// FollowsMost is the number of follows that an account may have.
const FollowsMost = 200

// followLabel is the maximum length of a label, in characters.
const followLabel = 300

// Follow is what an account follows.
type Follow struct {
	ID        uuid.UUID   `json:"id"`
	Kind      string      `json:"kind" enum:"text,article,answer,search,scope"`
	Label     string      `json:"label"`       // for people
	Document  *uuid.UUID  `json:"document_id"` // of a text or an article
	Article   *uuid.UUID  `json:"article_id"`
	Message   *uuid.UUID  `json:"message_id"` // of an answer
	Words     string      `json:"q"`          // of a search
	Type      law.DocType `json:"doc_type"`   // of a search or a scope, like the next three; "": any
	Nature    string      `json:"nature"`
	Domain    string      `json:"domaine"`
	Country   string      `json:"pays"`
	CreatedAt time.Time   `json:"-"`
}

const followColumns = `f.id, f.kind, f.label, f.document_id, f.article_id, f.message_id, f.words, f.doc_type, f.nature, f.domaine, f.country, f.created_at`

func scanFollow(row pgx.Row) (f Follow, err error) {
	err = row.Scan(&f.ID, &f.Kind, &f.Label, &f.Document, &f.Article, &f.Message, &f.Words, &f.Type, &f.Nature, &f.Domain, &f.Country, &f.CreatedAt)
	return f, err
}

// subject identifies the object of a follow among the follows of its kind.
func (f Follow) subject() string {
	id := func(u *uuid.UUID) string {
		if u == nil {
			return ""
		}
		return u.String()
	}
	return strings.Join([]string{id(f.Document), id(f.Article), id(f.Message), law.Fold(f.Words), string(f.Type), f.Nature, f.Domain, f.Country}, "\x1f")
}

// followTarget is a text, or an article of it, that a follow is about.
type followTarget struct {
	document uuid.UUID
	key      string
}

// AddFollow stores what an account follows, and returns it with its ID, Label and CreatedAt. If
// the account follows it already, that follow is returned and added is false. NotFound if there
// is no such text, article, domain or answer of the account; Unprocessable if the answer cites nothing;
// Conflict if the account has FollowsMost follows.
func (db *DB) AddFollow(ctx context.Context, user uuid.UUID, f Follow) (made Follow, added bool, err error) {
	err = db.inTx(ctx, "add a follow of "+user.String(), func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil { // so that the number of follows is exact
			return err
		}
		targets, err := f.resolve(ctx, tx, user)
		if err != nil {
			return err
		}
		there, err := collect(ctx, tx, func(r pgx.CollectableRow) (Follow, error) { return scanFollow(r) }, `SELECT `+followColumns+` FROM follows f WHERE user_id = $1 AND kind = $2 AND subject = $3`, user, f.Kind, f.subject())
		if err != nil {
			return err
		}
		if len(there) > 0 {
			made = there[0]
			return nil
		}
		var n int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM follows WHERE user_id = $1`, user).Scan(&n); err != nil {
			return err
		}
		if n >= FollowsMost {
			return errs.Newf(errs.Conflict, "Vous suivez déjà %d sujets, autant qu’un compte peut en suivre : cessez d’en suivre un.", n)
		}
		added = true
		made, err = insertFollow(ctx, tx, user, f, targets)
		return err
	})
	return made, added, err
}

func insertFollow(ctx context.Context, tx pgx.Tx, user uuid.UUID, f Follow, targets []followTarget) (made Follow, err error) {
	made, err = scanFollow(tx.QueryRow(ctx, `INSERT INTO follows AS f (id, user_id, kind, subject, label, document_id, article_id, message_id, words, doc_type, nature, domaine, country)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING `+followColumns,
		NewID(), user, f.Kind, f.subject(), law.Clip(f.Label, followLabel), f.Document, f.Article, f.Message, f.Words, f.Type, f.Nature, f.Domain, f.Country))
	if err != nil {
		return made, err
	}
	batch := &pgx.Batch{}
	for _, t := range targets {
		batch.Queue(`INSERT INTO follow_targets (document_id, follow_id, article_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, t.document, made.ID, t.key)
	}
	batch.Queue(`INSERT INTO alert_settings (user_id) VALUES ($1) ON CONFLICT DO NOTHING`, user)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return made, err
	}
	return made, audit(ctx, tx, FollowAdded, made.ID.String(), details{"kind": f.Kind})
}

// resolve finds the texts and articles that the follow is about, and sets its label.
func (f *Follow) resolve(ctx context.Context, tx pgx.Tx, user uuid.UUID) (targets []followTarget, err error) {
	switch f.Kind {
	case FollowText:
		err = tx.QueryRow(ctx, `SELECT title FROM documents WHERE id = $1 AND NOT in_review`, f.Document).Scan(&f.Label)
		if err == nil {
			targets = []followTarget{{*f.Document, ""}}
		}
		return targets, err
	case FollowArticle:
		var number, title string
		err = tx.QueryRow(ctx, `SELECT a.number, d.title FROM documents d CROSS JOIN LATERAL (
				SELECT number FROM articles WHERE id = $2 AND document_id = d.id
				UNION ALL SELECT number FROM article_versions WHERE article_id = $2 AND document_id = d.id LIMIT 1) a
			WHERE d.id = $1 AND NOT d.in_review`, f.Document, f.Article).Scan(&number, &title)
		f.Label = "Article " + number + " – " + title
		if err == nil {
			targets = []followTarget{{*f.Document, law.ArticleKey(number)}}
		}
		return targets, err
	case FollowAnswer:
		return f.resolveAnswer(ctx, tx, user)
	}
	var domain string
	if f.Domain != "" {
		if err := tx.QueryRow(ctx, `SELECT label FROM domaines WHERE code = $1`, f.Domain).Scan(&domain); err != nil {
			return nil, err
		}
	}
	words := ""
	if f.Words != "" {
		words = "« " + f.Words + " »"
	}
	parts := []string{words, string(f.Type), f.Nature, domain, strings.ToUpper(f.Country)}
	f.Label = strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
	return nil, nil
}

// resolveAnswer finds the articles that an answer cites. A citation of a new wording is about
// the article that it replaces too.
func (f *Follow) resolveAnswer(ctx context.Context, tx pgx.Tx, user uuid.UUID) (targets []followTarget, err error) {
	var question string
	err = tx.QueryRow(ctx, `SELECT coalesce((SELECT q.content FROM messages q WHERE q.conversation_id = m.conversation_id AND q.position = m.position - 1), '')
		FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.id = $1 AND c.user_id = $2 AND m.role = 'assistant' AND m.state = 'done'`, f.Message, user).Scan(&question)
	if err != nil {
		return nil, err
	}
	f.Label = "Réponse à : " + question
	citations, err := collect(ctx, tx, pgx.RowTo[law.Citation], `SELECT citation FROM citations WHERE message_id = $1 ORDER BY index`, f.Message)
	if err != nil {
		return nil, err
	}
	for _, c := range citations {
		t := followTarget{document: c.DocumentID}
		if c.Article != nil {
			t.key = law.ArticleKey(*c.Article)
		}
		targets = append(targets, t)
		if c.Replaces != nil && c.Replaces.DocumentID != nil {
			targets = append(targets, followTarget{*c.Replaces.DocumentID, law.ArticleKey(c.Replaces.Article)})
		}
	}
	if len(targets) == 0 {
		return nil, errs.New(errs.Unprocessable, "Cette réponse ne cite aucun article : il n’y a rien à suivre.")
	}
	return targets, nil
}

// Follows lists what an account follows, the last added first.
func (db *DB) Follows(ctx context.Context, user uuid.UUID) ([]Follow, error) {
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (Follow, error) { return scanFollow(r) }, `SELECT `+followColumns+` FROM follows f WHERE user_id = $1 ORDER BY id DESC`, user)
	return list, classify("follows", err)
}

// FollowOwner returns the account that follows. NotFound if there is no such follow.
func (db *DB) FollowOwner(ctx context.Context, id uuid.UUID) (user uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, `SELECT user_id FROM follows WHERE id = $1`, id).Scan(&user)
	return user, classify("owner of a follow", err)
}

// DeleteFollow deletes a follow of an account, with its alerts. NotFound if there is none.
func (db *DB) DeleteFollow(ctx context.Context, user, id uuid.UUID) error {
	return db.inTx(ctx, "delete follow "+id.String(), func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `DELETE FROM follows WHERE id = $1 AND user_id = $2 RETURNING id`, id, user).Scan(new(uuid.UUID)); err != nil {
			return err
		}
		return audit(ctx, tx, FollowDeleted, id.String(), nil)
	})
}

// Alert is a change of the law that concerns an account.
type Alert struct {
	ID     int64
	At     time.Time
	Change journal.Change
	Follow uuid.UUID // the follow that the change concerns
	Label  string    // of that
}

func scanAlert(row pgx.CollectableRow) (a Alert, err error) {
	var own *uuid.UUID
	err = row.Scan(append([]any{&a.ID, &a.At, &a.Follow, &a.Label, &own}, changeFields(&a.Change)...)...)
	if own != nil {
		a.Change.Article = own
	}
	return a, err
}

// followedArticle is the followed article, if the change concerns several articles and an article is followed; else
// NULL.
const followedArticle = `(SELECT x.id FROM articles x WHERE x.id = f.article_id AND x.document_id = c.document_id AND c.kind = 'modified' AND cardinality(c.articles) > 1)`

const alertQuery = `SELECT a.id, a.at, a.follow_id, f.label, ` + followedArticle + `, ` + lawChangeColumns + ` FROM alerts a JOIN law_changes c ON c.id = a.change_id JOIN follows f ON f.id = a.follow_id `

// Alerts lists at most limit alerts of an account, the newest first, those before a number if
// it is not 0.
func (db *DB) Alerts(ctx context.Context, user uuid.UUID, before int64, limit int) ([]Alert, error) {
	list, err := collect(ctx, db.pool, scanAlert, alertQuery+`WHERE a.user_id = $1 AND ($2::bigint = 0 OR a.id < $2) ORDER BY a.id DESC LIMIT $3`, user, before, limit)
	return list, classify("alerts", err)
}

// AlertMail reports whether an account gets digests by mail.
func (db *DB) AlertMail(ctx context.Context, user uuid.UUID) (mail bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT coalesce((SELECT mail FROM alert_settings WHERE user_id = $1), true)`, user).Scan(&mail)
	return mail, classify("alert settings", err)
}

// SetAlertMail sets whether an account gets digests by mail. Alerts that came while it got none
// are in no later digest.
func (db *DB) SetAlertMail(ctx context.Context, user uuid.UUID, mail bool) error {
	return db.inTx(ctx, "set alert settings", func(tx pgx.Tx) error { return setAlertMail(ctx, tx, user, mail) })
}

func setAlertMail(ctx context.Context, tx pgx.Tx, user uuid.UUID, mail bool) error {
	if _, err := tx.Exec(ctx, `INSERT INTO alert_settings (user_id, mail) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET mail = $2`, user, mail); err != nil {
		return err
	}
	if !mail {
		if _, err := tx.Exec(ctx, `UPDATE alerts SET mailed = true WHERE user_id = $1 AND NOT mailed`, user); err != nil {
			return err
		}
	}
	return audit(ctx, tx, AlertMailSet, user.String(), details{"mail": mail})
}

// StopAlertMail ends the digests of the account that got a message with the token. A repeated
// call succeeds too. Invalid if no message had the token.
func (db *DB) StopAlertMail(ctx context.Context, token []byte) error {
	err := db.inTx(ctx, "stop alert mail", func(tx pgx.Tx) error {
		var user uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT user_id FROM alert_mails WHERE stop_hash = $1`, token).Scan(&user); err != nil {
			return err
		}
		return setAlertMail(By(ctx, user), tx, user, false)
	})
	if errs.Is(err, errs.NotFound) {
		return errs.New(errs.Invalid, "Ce lien n’est plus valable : réglez vos alertes dans votre compte.")
	}
	return err
}
