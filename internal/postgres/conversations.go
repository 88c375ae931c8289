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
	rows, err := db.pool.Query(ctx, `SELECT `+conversationColumns+` FROM conversations
		WHERE user_id = $1 AND ($2::timestamptz IS NULL OR last_message_at < $2)
		ORDER BY last_message_at DESC LIMIT $3`, user, before, limit+1)
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
