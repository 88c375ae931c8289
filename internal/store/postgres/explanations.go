package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

// Explained is an answer with the stored explanation of how it was made.
type Explained struct {
	chat.Message
	Asked   string          // question that the answer replies to
	AskedBy uuid.UUID       // id of the account that asked; zero: a guest
	Rating  string          // the reader's rating: up, down, or ""
	Why     json.RawMessage // explanation as package why encodes it; nil: never stored, or deleted since
}

// ExplainedAnswer returns an answer of any user. NotFound if there is none. It is for operators:
// the caller must check that its user may read other people's questions.
func (db *DB) ExplainedAnswer(ctx context.Context, id uuid.UUID) (e Explained, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if e.Message, err = scanMessage(tx.QueryRow(ctx, messageQuery+`WHERE m.id = $1 AND m.role = 'assistant'`, id)); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce(o.user_id, '00000000-0000-0000-0000-000000000000'), coalesce(f.rating, ''), coalesce(q.content, ''), w.why
			FROM messages m JOIN conversations o ON o.id = m.conversation_id
				LEFT JOIN messages q ON q.conversation_id = m.conversation_id AND q.position = m.position - 1
				LEFT JOIN feedback f ON f.message_id = m.id LEFT JOIN answer_whys w ON w.message_id = m.id
			WHERE m.id = $1`, id).Scan(&e.AskedBy, &e.Rating, &e.Asked, &e.Why)
	})
	return e, classify("explained answer "+id.String(), err)
}

// Rated is a question whose answer was rated, with the earlier questions of its
// conversation.
type Rated struct {
	Answer    uuid.UUID
	Question  string
	Before    []string // earlier questions, oldest first, at most HistoryLimit
	Filters   law.Filters
	Rating    string
	Comment   string
	At        time.Time // time of the rating
	Citations []law.Citation
}

// EachRated calls yield with each question whose answer has the given rating (up or down)
// since the given time, oldest rating first. It stops at the first error of yield.
func (db *DB) EachRated(ctx context.Context, rating string, since time.Time, yield func(Rated) error) error {
	rows, err := db.pool.Query(ctx, `SELECT m.id, q.content, f.rating, f.comment, f.updated_at, m.filters,
			ARRAY(SELECT b.content FROM messages b WHERE b.conversation_id = m.conversation_id AND b.role = 'user' AND b.position < q.position
				ORDER BY b.position DESC LIMIT $3),
			coalesce((SELECT jsonb_agg(c.citation ORDER BY c.index) FROM citations c WHERE c.message_id = m.id), '[]')
		FROM feedback f JOIN messages m ON m.id = f.message_id
			JOIN messages q ON q.conversation_id = m.conversation_id AND q.position = m.position - 1
		WHERE f.rating = $1 AND f.updated_at >= $2 ORDER BY f.updated_at, m.id`, rating, since, HistoryLimit)
	if err != nil {
		return classify("rated questions", err)
	}
	var r Rated
	var filters, citations []byte
	_, err = pgx.ForEachRow(rows, []any{&r.Answer, &r.Question, &r.Rating, &r.Comment, &r.At, &filters, &r.Before, &citations}, func() error {
		if err := json.Unmarshal(filters, &r.Filters); err != nil {
			return err
		}
		if err := json.Unmarshal(citations, &r.Citations); err != nil {
			return err
		}
		for i, k := 0, len(r.Before)-1; i < k; i, k = i+1, k-1 {
			r.Before[i], r.Before[k] = r.Before[k], r.Before[i]
		}
		err := yield(r)
		r, filters, citations = Rated{}, nil, nil
		return err
	})
	return classify("rated questions", err)
}

// KnownWords returns which of the words occur in the catalogue. The words must be normalized by
// package french.
func (db *DB) KnownWords(ctx context.Context, words []string) (map[string]bool, error) {
	list, err := collect(ctx, db.pool, pgx.RowTo[string], `SELECT w FROM unnest($1::text[]) w
		WHERE EXISTS (SELECT FROM search_units u WHERE u.words @@ quote_literal(w)::tsquery)`, words)
	out := make(map[string]bool, len(list))
	for _, w := range list {
		out[w] = true
	}
	return out, classify("spoken", err)
}
