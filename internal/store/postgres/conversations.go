package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

const conversationColumns = `id, user_id, title, domaine, model, message_count, last_message_at, created_at`

// Conversations lists the user's conversations, newest message first. With before, only
// conversations whose last message is older are listed. next is the value of before for the
// next page, nil at the end.
func (db *DB) Conversations(ctx context.Context, user uuid.UUID, cursor *time.Time, limit int) (items []chat.Conversation, next *time.Time, err error) {
	return db.SearchConversations(ctx, user, "", cursor, limit)
}

// SearchConversations lists like Conversations, but only conversations that contain text in
// their title or in a message, regardless of case and accents; "" matches all. It scans the
// user's own messages: they are few, while an index would have to hold everybody's.
func (db *DB) SearchConversations(ctx context.Context, user uuid.UUID, text string, cursor *time.Time, limit int) (items []chat.Conversation, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, pgx.RowToStructByPos[chat.Conversation], `SELECT `+conversationColumns+` FROM conversations c
		WHERE `+ofCaller+` AND ($1::timestamptz IS NULL OR last_message_at < $1)
		AND ($4 = '' OR strpos(fold(title), fold($4)) > 0 OR EXISTS (
			SELECT FROM messages m WHERE m.conversation_id = c.id AND strpos(fold(m.content), fold($4)) > 0))
		ORDER BY last_message_at DESC LIMIT $3`, cursor, caller(ctx, user), limit+1, text)
	if err != nil {
		return nil, nil, classify("conversations", err)
	}
	if len(items) > limit {
		items = items[:limit]
		next = &items[limit-1].LastMessageAt
	}
	return items, next, nil
}

// Conversation returns one conversation of the user with all its messages, oldest first.
func (db *DB) Conversation(ctx context.Context, user, id uuid.UUID) (c chat.Conversation, messages []chat.Message, err error) {
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		c, err = one[chat.Conversation](ctx, tx, `SELECT `+conversationColumns+` FROM conversations WHERE id = $1 AND `+ofCaller, id, caller(ctx, user))
		if err != nil {
			return err
		}
		messages, err = queryMessages(ctx, tx, `WHERE m.conversation_id = $1 ORDER BY m.position`, id)
		return err
	})
	return c, messages, classify("conversation "+id.String(), err)
}

// RenameConversation changes the title of a conversation of the user. NotFound if there is
// no such conversation.
func (db *DB) RenameConversation(ctx context.Context, user, id uuid.UUID, title string) (chat.Conversation, error) {
	c, err := one[chat.Conversation](ctx, db.pool, `UPDATE conversations SET title = $3 WHERE id = $1 AND user_id = $2
		RETURNING `+conversationColumns, id, user, title)
	return c, classify("rename conversation "+id.String(), err)
}

// DeleteConversation deletes a conversation of the user with its messages. It returns the
// answer that was being written, if any: its worker has lost the lease, so the caller must
// notify the answer's readers, with the returned attempt number. An answer that had already
// ended is not returned: its worker notifies the readers. NotFound if the user has no such
// conversation.
func (db *DB) DeleteConversation(ctx context.Context, user, id uuid.UUID) (running []GivenUp, err error) {
	err = db.inTx(ctx, "delete conversation "+id.String(), func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT id FROM conversations WHERE id = $1 AND user_id = $2 FOR UPDATE`, id, user).Scan(new(uuid.UUID))
		if err != nil {
			return err
		}
		// Lock the rows, so that a worker's last write is either complete or finds no row.
		if running, err = collect(ctx, tx, pgx.RowToStructByPos[GivenUp], `SELECT id, attempt + 1 FROM messages
			WHERE conversation_id = $1 AND state IN ('queued', 'running') FOR UPDATE`, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM conversations WHERE id = $1`, id)
		return err
	})
	return running, err
}

// messageQuery reads messages with their citations in order, in one statement.
const messageQuery = `SELECT m.id, m.conversation_id, m.role, m.content, m.chunk_ends, m.filters, m.model,
	m.validation_ok, m.validation_warning, m.certainty, m.probability, m.latency_ms, m.state, m.error, m.attempt, m.created_at, m.see_also,
	coalesce((SELECT f.rating FROM feedback f WHERE f.message_id = m.id), ''),
	coalesce((SELECT jsonb_agg(c.citation ORDER BY c.index) FROM citations c WHERE c.message_id = m.id), '[]')
	FROM messages m `

func scanMessage(row pgx.Row) (chat.Message, error) {
	var (
		m                        chat.Message
		filters, also, citations []byte
		ok                       *bool
		warning                  *string
		grade                    *chat.Grade
		probability              *float64
	)
	err := row.Scan(&m.ID, &m.ConversationID, &m.Role, &m.Content, &m.ChunkEnds, &filters, &m.Model,
		&ok, &warning, &grade, &probability, &m.LatencyMS, &m.State, &m.Error, &m.Attempt, &m.CreatedAt, &also, &m.Rating, &citations)
	if err != nil {
		return m, err
	}
	if ok != nil {
		m.Validation = &chat.Validation{OK: *ok, Warning: warning}
	}
	if grade != nil && probability != nil {
		m.Certainty = &chat.Certainty{Grade: *grade, Probability: *probability}
	}
	if err := json.Unmarshal(filters, &m.Filters); err != nil {
		return m, err
	}
	if err := json.Unmarshal(also, &m.SeeAlso); err != nil {
		return m, err
	}
	m.Citations = []law.Citation{}
	return m, json.Unmarshal(citations, &m.Citations)
}

func queryMessages(ctx context.Context, q querier, place string, args ...any) ([]chat.Message, error) {
	return collect(ctx, q, func(r pgx.CollectableRow) (chat.Message, error) { return scanMessage(r) }, messageQuery+place, args...)
}

// History returns the last messages of a conversation of the user, oldest first, at most
// HistoryLimit. It is empty if the user has no such conversation.
func (db *DB) History(ctx context.Context, user, conversation uuid.UUID) ([]chat.Message, error) {
	messages, err := queryMessages(ctx, db.pool, `JOIN conversations o ON o.id = m.conversation_id
		WHERE m.conversation_id = $1 AND `+ofCaller+` ORDER BY m.position DESC LIMIT $3`, conversation, caller(ctx, user), HistoryLimit)
	slices.Reverse(messages)
	return messages, classify("history of "+conversation.String(), err)
}

// Answer returns an assistant message of one of the user's conversations.
func (db *DB) Answer(ctx context.Context, user, id uuid.UUID) (chat.Message, error) {
	m, err := scanMessage(db.pool.QueryRow(ctx, messageQuery+`
		JOIN conversations o ON o.id = m.conversation_id
		WHERE m.id = $1 AND `+ofCaller+` AND m.role = 'assistant'`, id, caller(ctx, user)))
	return m, classify("answer "+id.String(), err)
}

// GuestAnswer returns the answer to the question of a guest.
func (db *DB) GuestAnswer(ctx context.Context, id uuid.UUID) (chat.Message, error) {
	m, err := scanMessage(db.pool.QueryRow(ctx, messageQuery+`
		JOIN conversations o ON o.id = m.conversation_id
		WHERE m.id = $1 AND o.user_id IS NULL AND m.role = 'assistant'`, id))
	return m, classify("answer to a guest "+id.String(), err)
}

// Feedback is a reader's rating of an answer.
type Feedback struct {
	Rating  string // up or down
	Comment string // may be empty
}

// SetFeedback stores the rating that the user gives to an answer, and replaces an earlier
// rating. NotFound if the message is not an answer in a conversation of the user.
func (db *DB) SetFeedback(ctx context.Context, user, message uuid.UUID, f Feedback) error {
	// The message is locked, so that it cannot be deleted meanwhile.
	return classify("feedback on "+message.String(), execOne(ctx, db.pool, errs.New(errs.NotFound, ""), `INSERT INTO feedback (message_id, rating, comment)
		SELECT m.id, $3, $4 FROM messages m JOIN conversations o ON o.id = m.conversation_id
		WHERE m.id = $1 AND `+ofCaller+` AND m.role = 'assistant' FOR KEY SHARE OF m
		ON CONFLICT (message_id) DO UPDATE SET rating = excluded.rating, comment = excluded.comment, updated_at = now()`,
		message, caller(ctx, user), f.Rating, f.Comment))
}

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
	var moment *time.Time
	err := db.pool.QueryRow(ctx, `SELECT `+linkColumns+` FROM conversations c LEFT JOIN conversation_links l ON l.conversation_id = c.id
		WHERE c.id = $1 AND c.user_id = $2`, id, user).Scan(&questions, &moment)
	if err != nil || moment == nil {
		return nil, classify("link of conversation "+id.String(), err)
	}
	return &ConversationLink{questions, *moment}, nil
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
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[OwnLink], `SELECT c.id, c.title, `+linkColumns+` FROM conversation_links l JOIN conversations c ON c.id = l.conversation_id
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
func (db *DB) Links(ctx context.Context, cursor *time.Time, limit int) (items []AnyLink, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, pgx.RowToStructByPos[AnyLink], `SELECT l.conversation_id, u.id, u.email, u.active, `+linkColumns+` FROM conversation_links l
		JOIN conversations c ON c.id = l.conversation_id JOIN users u ON u.id = c.user_id
		WHERE $1::timestamptz IS NULL OR l.created_at < $1 ORDER BY l.created_at DESC FETCH FIRST $2 ROWS WITH TIES`, cursor, limit)
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
func (db *DB) SharedConversation(ctx context.Context, hash []byte) (messages []chat.Message, moment time.Time, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		var id uuid.UUID
		var last int
		err := tx.QueryRow(ctx, `SELECT l.conversation_id, l.last_position, l.created_at FROM conversation_links l
			JOIN conversations c ON c.id = l.conversation_id JOIN users u ON u.id = c.user_id
			WHERE l.token_hash = $1 AND u.active`, hash).Scan(&id, &last, &moment)
		if err != nil {
			return err
		}
		messages, err = queryMessages(ctx, tx, `WHERE m.conversation_id = $1 AND m.position <= $2 ORDER BY m.position`, id, last)
		return err
	})
	return messages, moment, classify("shared conversation", err)
}
