package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// UncertainQuestion is a question that the catalogue did not surely answer, with all that differ
// from it only by case, accents and signs.
type UncertainQuestion struct {
	Text    string
	Asked   int // answers
	Refused int // number of these questions whose answer cites nothing
	People  int // accounts that asked
	Last    time.Time
	Answer  *uuid.UUID // the last answer that its asker rated, which operators may read; nil: none
}

// UncertainQuestions are the questions of a period without a sure answer.
type UncertainQuestions struct {
	Items           []UncertainQuestion // the most frequent first
	Unsure, Refused int                 // all answers of these days, shown or not
	Hidden          int                 // answers whose question is not in Items
}

// UncertainQuestions returns the questions asked from first to last, both days included, whose
// answers are unsure or refused; at most limit. Questions are shown if at least askers accounts
// asked them, or if their asker rated an answer and so gave it to the operators to read.
func (db *DB) UncertainQuestions(ctx context.Context, first, last time.Time, askers, limit int) (list UncertainQuestions, err error) {
	const asked = `WITH asked AS MATERIALIZED (
		SELECT trim(regexp_replace(fold(q.content), '[^[:alnum:]]+', ' ', 'g')) AS key, q.content, m.certainty, m.created_at, c.user_id,
			CASE WHEN EXISTS (SELECT FROM feedback f WHERE f.message_id = m.id) THEN m.id END AS rated
		FROM messages m JOIN conversations c ON c.id = m.conversation_id
			JOIN messages q ON q.conversation_id = m.conversation_id AND q.position = m.position - 1
		WHERE m.certainty IN ('unsure', 'refused') AND m.created_at >= $1 AND m.created_at < $2::timestamptz + interval '1 day') `
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, asked+`SELECT count(*) FILTER (WHERE certainty = 'unsure'), count(*) FILTER (WHERE certainty = 'refused') FROM asked`,
			first, last).Scan(&list.Unsure, &list.Refused)
		if err != nil {
			return err
		}
		list.Items, err = collect(ctx, tx, pgx.RowToStructByPos[UncertainQuestion], asked+`SELECT (array_agg(content ORDER BY rated IS NULL, created_at DESC))[1], count(*)::int, (count(*) FILTER (WHERE certainty = 'refused'))::int,
				count(DISTINCT user_id)::int, max(created_at), (array_agg(rated ORDER BY created_at DESC) FILTER (WHERE rated IS NOT NULL))[1]
			FROM asked GROUP BY key HAVING count(DISTINCT user_id) >= $3 OR count(rated) > 0 ORDER BY 2 DESC, 5 DESC, 1 LIMIT $4`, first, last, askers, limit)
		return err
	})
	list.Hidden = list.Unsure + list.Refused
	for _, q := range list.Items {
		list.Hidden -= q.Asked
	}
	return list, classify("uncertain questions", err)
}
