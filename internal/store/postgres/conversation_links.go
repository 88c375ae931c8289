package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
)

// ConversationLink is a link by which others read a conversation up to the last answer that
// had ended when the link was made. Its address is not stored.
type ConversationLink struct {
	Questions int // that can be read
	CreatedAt time.Time
}

// linkColumns are the columns of a link l.
const linkColumns = `(SELECT count(*) FROM messages m WHERE m.conversation_id = l.conversation_id AND m.role = 'user' AND m.position <= l.last_position), l.created_at`

// ShareConversation creates the link to a conversation of the user, with the hash of its token (sealed.NewToken). It
// replaces an earlier link, which then stops working. NotFound if the user has no such conversation, Conflict if none
// of its answers is done.
func (db *DB) ShareConversation(ctx context.Context, user, id uuid.UUID, hash []byte) (link ConversationLink, err error) {
	err = db.inTx(ctx, "share conversation "+id.String(), func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT id FROM conversations WHERE id = $1 AND user_id = $2 FOR UPDATE`, id, user).Scan(new(uuid.UUID)); err != nil {
			return err
		}
		var last *int
		var answered bool
		err := tx.QueryRow(ctx, `SELECT max(position), coalesce(bool_or(state = 'done'), false) FROM messages
			WHERE conversation_id = $1 AND role = 'assistant' AND state IN ('done', 'failed', 'cancelled')`, id).Scan(&last, &answered)
		if err != nil {
			return err
		}
		if !answered {
			return errs.New(errs.Conflict, "Cette conversation n’a encore aucune réponse à partager.")
		}
		err = tx.QueryRow(ctx, `INSERT INTO conversation_links AS l (conversation_id, token_hash, last_position) VALUES ($1, $2, $3)
			ON CONFLICT (conversation_id) DO UPDATE SET token_hash = excluded.token_hash, last_position = excluded.last_position, created_at = excluded.created_at
			RETURNING `+linkColumns, id, hash, *last).Scan(&link.Questions, &link.CreatedAt)
		if err != nil {
			return err
		}
		return audit(ctx, tx, ConversationShared, id.String(), details{"questions": link.Questions})
	})
	return link, err
}

// ConversationLink returns the link of a conversation of the user, nil if it has none. NotFound
// if the user has no such conversation.
func (db *DB) ConversationLink(ctx context.Context, user, id uuid.UUID) (*ConversationLink, error) {
	var questions int
	var at *time.Time
	err := db.pool.QueryRow(ctx, `SELECT `+linkColumns+` FROM conversations c LEFT JOIN conversation_links l ON l.conversation_id = c.id
		WHERE c.id = $1 AND c.user_id = $2`, id, user).Scan(&questions, &at)
	if err != nil || at == nil {
		return nil, classify("link of conversation "+id.String(), err)
	}
	return &ConversationLink{questions, *at}, nil
}

// UnshareConversation withdraws the link of a conversation of the user. NotFound if the user has
// no such conversation, or it has no link.
func (db *DB) UnshareConversation(ctx context.Context, user, id uuid.UUID) error {
	return db.inTx(ctx, "unshare conversation "+id.String(), func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `DELETE FROM conversation_links l USING conversations c
			WHERE l.conversation_id = $1 AND c.id = l.conversation_id AND c.user_id = $2 RETURNING c.id`, id, user).Scan(new(uuid.UUID))
		if errors.Is(err, pgx.ErrNoRows) {
			return errs.New(errs.NotFound, "Cette conversation n’a pas de lien.")
		}
		if err != nil {
			return err
		}
		return audit(ctx, tx, ConversationUnshared, id.String(), nil)
	})
}

// OwnLink is a conversation of its owner that has a link.
type OwnLink struct {
	Conversation uuid.UUID
	Title        string
	ConversationLink
}

// linksOfOwner is the maximum number of links that OwnLinks lists.
const linksOfOwner = 1000

// OwnLinks returns the conversations of the user that have a link, the newest link first.
func (db *DB) OwnLinks(ctx context.Context, user uuid.UUID) ([]OwnLink, error) {
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (l OwnLink, err error) {
		err = r.Scan(&l.Conversation, &l.Title, &l.Questions, &l.CreatedAt)
		return l, err
	}, `SELECT c.id, c.title, `+linkColumns+` FROM conversation_links l JOIN conversations c ON c.id = l.conversation_id
		WHERE c.user_id = $1 ORDER BY l.created_at DESC LIMIT $2`, user, linksOfOwner)
	return list, classify("own links", err)
}

// AnyLink is a link as an administrator sees it: with its owner and without the conversation.
type AnyLink struct {
	Conversation uuid.UUID
	Owner        uuid.UUID
	OwnerEmail   string
	Opens        bool // false while the account of the owner is closed
	ConversationLink
}

// Links returns one page of the links of all users, newest first. With before, only links made
// before that time are listed. next is the value of before for the next page, nil at the end.
func (db *DB) Links(ctx context.Context, before *time.Time, limit int) (items []AnyLink, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (l AnyLink, err error) {
		err = r.Scan(&l.Conversation, &l.Owner, &l.OwnerEmail, &l.Opens, &l.Questions, &l.CreatedAt)
		return l, err
	}, `SELECT l.conversation_id, u.id, u.email, u.active, `+linkColumns+` FROM conversation_links l
		JOIN conversations c ON c.id = l.conversation_id JOIN users u ON u.id = c.user_id
		WHERE $1::timestamptz IS NULL OR l.created_at < $1 ORDER BY l.created_at DESC FETCH FIRST $2 ROWS WITH TIES`, before, limit)
	if err == nil && len(items) >= limit {
		next = &items[len(items)-1].CreatedAt
	}
	return items, next, classify("links", err)
}

// WithdrawLink withdraws the link of a conversation of anybody, as an administrator does.
// NotFound if it has none.
func (db *DB) WithdrawLink(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "withdraw link of conversation "+id.String(), func(tx pgx.Tx) error {
		var owner uuid.UUID
		err := tx.QueryRow(ctx, `DELETE FROM conversation_links l USING conversations c
			WHERE l.conversation_id = $1 AND c.id = l.conversation_id RETURNING c.user_id`, id).Scan(&owner)
		if err != nil {
			return err
		}
		return audit(ctx, tx, LinkWithdrawn, id.String(), details{"owner": owner})
	})
}

// SharedConversation returns the messages that the link with a token's hash opens, oldest first,
// and the time the link was made. NotFound if there is no such link, or the account of its owner
// is closed.
func (db *DB) SharedConversation(ctx context.Context, hash []byte) (messages []chat.Message, at time.Time, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		var id uuid.UUID
		var last int
		err := tx.QueryRow(ctx, `SELECT l.conversation_id, l.last_position, l.created_at FROM conversation_links l
			JOIN conversations c ON c.id = l.conversation_id JOIN users u ON u.id = c.user_id
			WHERE l.token_hash = $1 AND u.active`, hash).Scan(&id, &last, &at)
		if err != nil {
			return err
		}
		messages, err = queryMessages(ctx, tx, `WHERE m.conversation_id = $1 AND m.position <= $2 ORDER BY m.position`, id, last)
		return err
	})
	return messages, at, classify("shared conversation", err)
}
