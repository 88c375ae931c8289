package postgres

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

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
		WHERE m.id = $1 AND o.user_id = $2 AND m.role = 'assistant' FOR KEY SHARE OF m
		ON CONFLICT (message_id) DO UPDATE SET rating = excluded.rating, comment = excluded.comment, updated_at = now()`,
		message, user, f.Rating, f.Comment))
}
