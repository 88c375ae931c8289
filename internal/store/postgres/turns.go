package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

// Turn is a question with the conversation that it belongs to.
type Turn struct {
	MessageID      uuid.UUID // id of the future answer; generated if zero
	UserID         uuid.UUID
	Guest          bool       // a question without an account or a conversation, deleted after GuestLife
	ConversationID *uuid.UUID // nil: a new conversation
	Question       string
	Earlier        []EarlierTurn // of a new conversation: turns that the client keeps, oldest first; the last of them are stored
	Filters        law.Filters
	Model          string
	Backlog        Backlog // beyond it the question is refused; the zero value refuses none
}

// guests is the user that the questions of all guests belong to while they wait. So guests take turns with each user,
// and share the limits of one.
var guests = uuid.Nil

// GuestLife is how long the question of a guest is kept after its answer: for as long as a stream
// may last.
const GuestLife = time.Hour

// EarlierTurn is a question and its answer that precede a conversation.
type EarlierTurn struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// earlierTurns encodes the last turns before a conversation, at most HistoryLimit messages; nil if there are none.
func (t Turn) earlierTurns() ([]byte, error) {
	kept := t.Earlier[max(0, len(t.Earlier)-HistoryLimit/2):]
	if len(kept) == 0 {
		return nil, nil
	}
	return json.Marshal(kept)
}

// MaxTurns is the maximum number of questions in a conversation. A conversation is read and
// sent as a whole, and a person asks fewer questions about one matter.
const MaxTurns = 200

// CreateTurn stores the question and an empty, queued answer in one transaction. NotFound:
// the conversation is not the user's. Conflict: an answer in it is still running, or it has
// MaxTurns questions. ErrBacklogged: too many questions wait.
func (db *DB) CreateTurn(ctx context.Context, t Turn) (conversation, message uuid.UUID, err error) {
	if t.MessageID == uuid.Nil {
		t.MessageID = NewID()
	}
	err = db.inTx(ctx, "create turn", func(tx pgx.Tx) error {
		if err := claim(ctx, tx, t.MessageID); err != nil {
			return err
		}
		if t.Guest {
			t.UserID = guests
			conversation, err = insertConversation(ctx, tx, t, time.Now())
		} else {
			conversation, err = conversationFor(ctx, tx, t)
		}
		if err != nil {
			return err
		}
		if t.Backlog != (Backlog{}) {
			if full, err := isBacklogged(ctx, tx, t.UserID, t.Backlog); err != nil || full {
				return cmp.Or(err, error(ErrBacklogged))
			}
		}
		if err := insertTurn(ctx, tx, conversation, t); err != nil {
			return err
		}
		told := details{"conversation_id": conversation, "model": t.Model}
		if t.Guest {
			told["anonymous"] = true
			return auditBy(ctx, tx, nil, Asked, t.MessageID.String(), told)
		}
		return auditBy(ctx, tx, &t.UserID, Asked, t.MessageID.String(), told)
	})
	return conversation, t.MessageID, err
}

// conversationFor locks or creates the turn's conversation. It sets last_message_at to now,
// or to a microsecond after the user's newest conversation if that is later, because the
// cursor of the list requires distinct times per user.
func conversationFor(ctx context.Context, tx pgx.Tx, t Turn) (uuid.UUID, error) {
	// The lock on the user's row serializes the user's turns, so that no two get the same
	// time.
	var erased bool
	if err := tx.QueryRow(ctx, `SELECT `+isErased+` FROM users WHERE id = $1 FOR NO KEY UPDATE`, t.UserID).Scan(&erased); err != nil {
		return uuid.Nil, err
	}
	if erased { // the account was erased after the request was authenticated
		return uuid.Nil, errs.New(errs.Unauthorized, "La session n’est plus valable. Connectez-vous de nouveau.")
	}
	var at time.Time
	err := tx.QueryRow(ctx, `SELECT greatest(clock_timestamp(), max(last_message_at) + interval '1 microsecond')
		FROM conversations WHERE user_id = $1`, t.UserID).Scan(&at)
	if err != nil {
		return uuid.Nil, err
	}
	if t.ConversationID == nil {
		return insertConversation(ctx, tx, t, at)
	}
	var messages int
	err = tx.QueryRow(ctx, `UPDATE conversations SET message_count = message_count + 2, last_message_at = $3
		WHERE id = $1 AND user_id = $2 RETURNING message_count`, *t.ConversationID, t.UserID, at).Scan(&messages)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, errs.New(errs.NotFound, "Conversation introuvable.")
	}
	if err == nil && messages > 2*MaxTurns {
		return uuid.Nil, errs.Newf(errs.Conflict, "Cette conversation a déjà %d questions. Commencez-en une autre.", MaxTurns)
	}
	return *t.ConversationID, err
}

func insertConversation(ctx context.Context, tx pgx.Tx, t Turn, at time.Time) (uuid.UUID, error) {
	id := NewID()
	_, err := tx.Exec(ctx, `INSERT INTO conversations (id, user_id, title, domaine, model, message_count, last_message_at, created_at)
		VALUES ($1, nullif($2, '00000000-0000-0000-0000-000000000000'::uuid), $3, nullif($4, ''), nullif($5, ''), 2, $6, $6)`,
		id, t.UserID, chat.Title(t.Question), t.Filters.Domain, t.Model, at)
	return id, err
}

func insertTurn(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, t Turn) error {
	filters, err := json.Marshal(t.Filters)
	if err != nil {
		return err
	}
	earlier, err := t.earlierTurns()
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		WITH next AS (SELECT coalesce(max(position) + 1, 0) AS position, clock_timestamp() AS at FROM messages WHERE conversation_id = $2),
		question AS (
			INSERT INTO messages (id, conversation_id, position, role, content, filters, model, created_at)
			SELECT $5, $2, position, 'user', $3, $6, NULL, at FROM next)
		INSERT INTO messages (id, conversation_id, position, role, filters, model, state, lease_until, asker, created_at, trace, earlier)
		SELECT $1, $2, position + 1, 'assistant', $6, nullif($4, ''), 'queued', now() + $7::interval, $8, at + interval '1 microsecond', nullif($9, ''), $10 FROM next`,
		t.MessageID, conversation, t.Question, t.Model, NewID(), filters, Grace, t.UserID, trace.Carry(ctx), earlier)
	if errs.Is(classify("", err), errs.Conflict) {
		return errs.New(errs.Conflict, "Une réponse est déjà en cours dans cette conversation.")
	}
	return err
}

// RequestCancel requests that the user's answer stop. running reports whether the answer
// had not ended yet. NotFound if the user has no such answer.
func (db *DB) RequestCancel(ctx context.Context, user, id uuid.UUID) (running bool, err error) {
	err = db.pool.QueryRow(ctx, `UPDATE messages m SET cancel_requested = true
		FROM conversations o WHERE m.id = $1 AND o.id = m.conversation_id AND o.user_id = $2 AND m.role = 'assistant'
		RETURNING m.state IN ('queued', 'running')`, id, user).Scan(&running)
	return running, classify("request cancel of "+id.String(), err)
}
