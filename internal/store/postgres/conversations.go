package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/store/chat"
)

const conversationColumns = `id, user_id, title, domaine, model, message_count, last_message_at, created_at`

func scanConversation(row pgx.Row) (c chat.Conversation, err error) {
	err = row.Scan(&c.ID, &c.UserID, &c.Title, &c.Domain, &c.Model, &c.MessageCount, &c.LastMessageAt, &c.CreatedAt)
	return c, err
}

// Conversations lists the user's conversations, newest message first. With before, only
// conversations whose last message is older are listed. next is the value of before for the
// next page, nil at the end.
func (db *DB) Conversations(ctx context.Context, user uuid.UUID, before *time.Time, limit int) (items []chat.Conversation, next *time.Time, err error) {
	return db.SearchConversations(ctx, user, "", before, limit)
}

// SearchConversations lists like Conversations, but only conversations that contain text in
// their title or in a message, regardless of case and accents; "" matches all. It scans the
// user's own messages: they are few, while an index would have to hold everybody's.
func (db *DB) SearchConversations(ctx context.Context, user uuid.UUID, text string, before *time.Time, limit int) (items []chat.Conversation, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (chat.Conversation, error) { return scanConversation(r) }, `SELECT `+conversationColumns+` FROM conversations c
		WHERE user_id = $1 AND ($2::timestamptz IS NULL OR last_message_at < $2)
		AND ($4 = '' OR strpos(fold(title), fold($4)) > 0 OR EXISTS (
			SELECT FROM messages m WHERE m.conversation_id = c.id AND strpos(fold(m.content), fold($4)) > 0))
		ORDER BY last_message_at DESC LIMIT $3`, user, before, limit+1, text)
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
		row := tx.QueryRow(ctx, `SELECT `+conversationColumns+` FROM conversations WHERE id = $1 AND user_id = $2`, id, user)
		if c, err = scanConversation(row); err != nil {
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
	c, err := scanConversation(db.pool.QueryRow(ctx, `UPDATE conversations SET title = $3 WHERE id = $1 AND user_id = $2
		RETURNING `+conversationColumns, id, user, title))
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
