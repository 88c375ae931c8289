package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/chat"
)

const conversationColumns = `id, user_id, title, domaine, model, message_count, last_message_at, created_at`

func scanConversation(row pgx.Row) (c chat.Conversation, err error) {
	err = row.Scan(&c.ID, &c.UserID, &c.Title, &c.Domain, &c.Model, &c.MessageCount, &c.LastMessageAt, &c.CreatedAt)
	return c, err
}

// Conversations lists the user's conversations, newest message first, those
// strictly before the given time when there is one. next is the value of before
// that goes on from here, nil at the end.
func (db *DB) Conversations(ctx context.Context, user uuid.UUID, before *time.Time, limit int) (items []chat.Conversation, next *time.Time, err error) {
	return db.SearchConversations(ctx, user, "", before, limit)
}

// SearchConversations is Conversations of those that have text in their title
// or in a message, without regard to case or accents; "" is in all. The user's own
// messages are read through: they are few beside everybody's, which an index would
// have to hold.
func (db *DB) SearchConversations(ctx context.Context, user uuid.UUID, text string, before *time.Time, limit int) (items []chat.Conversation, next *time.Time, err error) {
	rows, err := db.pool.Query(ctx, `SELECT `+conversationColumns+` FROM conversations c
		WHERE user_id = $1 AND ($2::timestamptz IS NULL OR last_message_at < $2)
		AND ($4 = '' OR strpos(fold(title), fold($4)) > 0 OR EXISTS (
			SELECT FROM messages m WHERE m.conversation_id = c.id AND strpos(fold(m.content), fold($4)) > 0))
		ORDER BY last_message_at DESC LIMIT $3`, user, before, limit+1, text)
	if err != nil {
		return nil, nil, classify("conversations", err)
	}
	items, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (chat.Conversation, error) { return scanConversation(r) })
	if err != nil {
		return nil, nil, classify("conversations", err)
	}
	if len(items) > limit {
		items = items[:limit]
		next = &items[limit-1].LastMessageAt
	}
	return items, next, nil
}

// Conversation gives one conversation of the user with all its messages in the
// order they were written.
func (db *DB) Conversation(ctx context.Context, user, id uuid.UUID) (c chat.Conversation, messages []chat.Message, err error) {
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		row := tx.QueryRow(ctx, `SELECT `+conversationColumns+` FROM conversations WHERE id = $1 AND user_id = $2`, id, user)
		if c, err = scanConversation(row); err != nil {
			return err
		}
		messages, err = queryMessages(ctx, tx, `WHERE m.conversation_id = $1 ORDER BY m.position`, id)
		return err
	})
	return c, messages, classify("conversation "+id.String(), err)
}

// RenameConversation gives the user's conversation another title. NotFound when
// there is none.
func (db *DB) RenameConversation(ctx context.Context, user, id uuid.UUID, title string) (chat.Conversation, error) {
	c, err := scanConversation(db.pool.QueryRow(ctx, `UPDATE conversations SET title = $3 WHERE id = $1 AND user_id = $2
		RETURNING `+conversationColumns, id, user, title))
	return c, classify("rename conversation "+id.String(), err)
}

// DeleteConversation removes the user's conversation with all that belongs to
// it. It gives the answer that was being written, if any: its worker has lost the
// lease from now on, and its readers are still to be told, as an attempt of its
// own. An answer whose end was stored before is not among them: its worker tells.
// NotFound when there is no such conversation.
func (db *DB) DeleteConversation(ctx context.Context, user, id uuid.UUID) (running []GivenUp, err error) {
	err = db.inTx(ctx, "delete conversation "+id.String(), func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT id FROM conversations WHERE id = $1 AND user_id = $2 FOR UPDATE`, id, user).Scan(new(uuid.UUID))
		if err != nil {
			return err
		}
		// Locked, so that a worker's last write comes wholly before or finds nothing.
		rows, err := tx.Query(ctx, `SELECT id, attempt + 1 FROM messages
			WHERE conversation_id = $1 AND state IN ('queued', 'running') FOR UPDATE`, id)
		if err != nil {
			return err
		}
		if running, err = pgx.CollectRows(rows, pgx.RowToStructByPos[GivenUp]); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM conversations WHERE id = $1`, id)
		return err
	})
	return running, err
}
