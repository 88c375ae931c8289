package postgres

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

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

func queryMessages(ctx context.Context, q querier, where string, args ...any) ([]chat.Message, error) {
	return collect(ctx, q, func(r pgx.CollectableRow) (chat.Message, error) { return scanMessage(r) }, messageQuery+where, args...)
}

// History returns the last messages of a conversation of the user, oldest first, at most
// HistoryLimit. It is empty if the user has no such conversation.
func (db *DB) History(ctx context.Context, user, conversation uuid.UUID) ([]chat.Message, error) {
	messages, err := queryMessages(ctx, db.pool, `JOIN conversations o ON o.id = m.conversation_id
		WHERE m.conversation_id = $1 AND o.user_id = $2 ORDER BY m.position DESC LIMIT $3`, conversation, user, HistoryLimit)
	slices.Reverse(messages)
	return messages, classify("history of "+conversation.String(), err)
}

// Answer returns an assistant message of one of the user's conversations.
func (db *DB) Answer(ctx context.Context, user, id uuid.UUID) (chat.Message, error) {
	m, err := scanMessage(db.pool.QueryRow(ctx, messageQuery+`
		JOIN conversations o ON o.id = m.conversation_id
		WHERE m.id = $1 AND o.user_id = $2 AND m.role = 'assistant'`, id, user))
	return m, classify("answer "+id.String(), err)
}

// GuestAnswer returns the answer to the question of a guest.
func (db *DB) GuestAnswer(ctx context.Context, id uuid.UUID) (chat.Message, error) {
	m, err := scanMessage(db.pool.QueryRow(ctx, messageQuery+`
		JOIN conversations o ON o.id = m.conversation_id
		WHERE m.id = $1 AND o.user_id IS NULL AND m.role = 'assistant'`, id))
	return m, classify("answer to a guest "+id.String(), err)
}
