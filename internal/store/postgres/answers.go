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

// Work is an answer that a worker has leased.
type Work struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	Attempt        int
	Question       string
	History        []chat.Message // earlier turns, oldest first, at most HistoryLimit messages
	Filters        law.Filters
	Model          string
	Asker          uuid.UUID     // account that asked; zero: a guest
	Waited         time.Duration // from the question's acceptance to the start, by the database's clock
	Cancel         bool          // the user cancelled the answer before this attempt began
	Failures       int           // attempts that ended with an error
	Trace          string        // trace context of the request; "": not traced
}

// HistoryLimit is the maximum number of earlier messages that a worker gets with a
// question.
const HistoryLimit = 10

// StartAnswer selects the next answer for a worker, leases it and counts an attempt. The
// selection is fair between users and does not follow the order of the hints: users share
// the seconds that workers spend (ChargeAnswer), not the number of answers. Among users to
// whom equally little was given it prefers the hinted answer, then the oldest. There is one
// hint per row, so every row gets its turn. LeaseLost if no answer waits: then the hint was
// stale.
func (db *DB) StartAnswer(ctx context.Context, hint uuid.UUID) (w Work, err error) {
	err = db.inTx(ctx, "start answer for "+hint.String(), func(tx pgx.Tx) error {
		if w, err = leaseAnswer(ctx, tx, hint); err != nil {
			return err
		}
		previous, err := queryMessages(ctx, tx, `WHERE m.conversation_id = $1
			AND m.position < (SELECT position FROM messages WHERE id = $2)
			ORDER BY m.position DESC LIMIT $3`, w.ConversationID, w.ID, HistoryLimit+1)
		if err != nil {
			return err
		}
		// Newest first: the first is the question itself.
		w.Question = previous[0].Content
		for i := len(previous) - 1; i > 0; i-- {
			w.History = append(w.History, previous[i])
		}
		return nil
	})
	return w, err
}

// usualSeconds is the expected cost of an answer, in seconds of a worker, for a user without recent answers. In the
// average of recent answers it counts as one of them.
const usualSeconds = 0.2

// decay returns the SQL expression for the current value of a column of answer_seconds, called g in the query. The value
// halves every minute.
func decay(column string) string {
	return `g.` + column + ` * power(0.5, least(extract(epoch FROM clock_timestamp() - g.at) / 60, 64))`
}

// leaseAnswer selects the answer with the smallest turn and leases it. A turn is a number of seconds: what the user has
// received recently, and the expected cost of the user's answers that run or wait before this one. It decreases by a
// second for every ten that the row waits, so that each row is leased in time however many others ask. Concurrent
// workers skip each other's locked rows and take the next ones.
func leaseAnswer(ctx context.Context, tx pgx.Tx, hint uuid.UUID) (w Work, err error) {
	var filters, earlier []byte
	row := tx.QueryRow(ctx, `WITH open AS (
			SELECT id, asker, created_at, state = 'running' AND lease_until >= now() AS held FROM messages
			WHERE state IN ('queued', 'running') AND not_before <= now()),
		places AS (
			SELECT id, asker, created_at, held, count(*) FILTER (WHERE held) OVER (PARTITION BY asker)
				+ row_number() OVER (PARTITION BY asker, held ORDER BY created_at, id) - 1 AS before FROM open),
		turns AS (
			SELECT p.id, p.created_at, coalesce(`+decay("seconds")+`, 0)
				+ before * ($4 + coalesce(`+decay("seconds")+`, 0)) / (1 + coalesce(`+decay("answers")+`, 0))
				- floor(greatest(extract(epoch FROM clock_timestamp() - p.created_at), 0) / 10) AS turn
			FROM places p LEFT JOIN answer_seconds g ON g.asker = p.asker WHERE NOT held),
		picked AS (
			SELECT m.id FROM turns t JOIN messages m ON m.id = t.id
			WHERE (m.state = 'queued' OR m.state = 'running' AND m.lease_until < now())
				AND m.attempt - m.attempt_floor < $3
			ORDER BY t.turn, t.id <> $1, t.created_at, t.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
		UPDATE messages m SET state = 'running', attempt = attempt + 1, hints = 0, lease_until = now() + $2::interval
		FROM picked WHERE m.id = picked.id
		RETURNING m.id, conversation_id, attempt, filters, coalesce(model, ''), clock_timestamp() - created_at,
			cancel_requested, failures, coalesce(trace, ''), earlier, coalesce(asker, $5)`, hint, Lease, MaxAttempts, usualSeconds, guests)
	err = row.Scan(&w.ID, &w.ConversationID, &w.Attempt, &filters, &w.Model, &w.Waited, &w.Cancel, &w.Failures, &w.Trace, &earlier, &w.Asker)
	if errs.Is(classify("", err), errs.NotFound) {
		return w, errs.New(errs.LeaseLost, "")
	}
	if err != nil {
		return w, err
	}
	if earlier != nil {
		var turns []EarlierTurn
		if err := json.Unmarshal(earlier, &turns); err != nil {
			return w, err
		}
		for _, t := range turns {
			w.History = append(w.History, chat.Message{Role: chat.User, Content: t.Question, State: chat.Done}, chat.Message{Role: chat.Assistant, Content: t.Answer, State: chat.Done})
		}
	}
	return w, json.Unmarshal(filters, &w.Filters)
}

// KeepAnswer renews the lease of an attempt and reports whether cancellation was requested.
// LeaseLost if another attempt holds the row.
func (db *DB) KeepAnswer(ctx context.Context, id uuid.UUID, attempt int) (cancel bool, err error) {
	err = db.renewals.QueryRow(ctx, `UPDATE messages SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running' RETURNING cancel_requested`, id, attempt, Lease).Scan(&cancel)
	return cancel, leaseError("keep answer "+id.String(), err)
}

// ChargeAnswer adds the time that a worker has spent on an attempt to the account of its user. It does nothing if
// another attempt holds the row.
func (db *DB) ChargeAnswer(ctx context.Context, id uuid.UUID, attempt int, spent time.Duration) error {
	_, err := db.pool.Exec(ctx, `INSERT INTO answer_seconds AS g (asker, seconds, answers, at)
		SELECT asker, $3, 1, clock_timestamp() FROM messages WHERE id = $1 AND attempt = $2 AND state = 'running' AND asker IS NOT NULL
		ON CONFLICT (asker) DO UPDATE SET seconds = excluded.seconds + `+decay("seconds")+`, answers = 1 + `+decay("answers")+`, at = excluded.at`,
		id, attempt, max(spent, 0).Seconds())
	return classify("charge answer "+id.String(), err)
}

// Outcome is a finished answer.
type Outcome struct {
	State      chat.State // Done, Failed or Cancelled
	Content    string
	ChunkEnds  []int
	Citations  []law.Citation
	SeeAlso    []law.Citation
	Validation chat.Validation
	Certainty  *chat.Certainty // nil: not stored
	LatencyMS  int
	Model      string
	Error      string          // French, when Failed
	Why        json.RawMessage // how the answer was made, encoded by package why; nil: not stored
}

// FinishAnswer writes the end of an attempt, once, in one transaction, and returns the
// message as it is stored. LeaseLost if another attempt holds the row: then nothing was
// written.
func (db *DB) FinishAnswer(ctx context.Context, id uuid.UUID, attempt int, o Outcome) (m chat.Message, err error) {
	grade, probability := o.Certainty.Fields()
	if o.SeeAlso == nil {
		o.SeeAlso = []law.Citation{} // the column is NOT NULL
	}
	err = db.inTx(ctx, "finish answer "+id.String(), func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.LeaseLost, ""), `UPDATE messages SET state = $3, content = $4, chunk_ends = $5, validation_ok = $6,
				validation_warning = $7, latency_ms = $8, model = nullif($9, ''), error = $10, certainty = $11, probability = $12, see_also = $13, lease_until = 'infinity', asker = NULL,
				earlier = NULL
			WHERE id = $1 AND attempt = $2 AND state = 'running'`,
			id, attempt, o.State, o.Content, chunkEnds(o.ChunkEnds), o.Validation.OK,
			o.Validation.Warning, o.LatencyMS, o.Model, o.Error, grade, probability, o.SeeAlso); err != nil {
			return err
		}
		if err := insertCitations(ctx, tx, id, o.Citations); err != nil {
			return err
		}
		if len(o.Why) > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO answer_whys (message_id, why) VALUES ($1, $2)`, id, o.Why); err != nil {
				return err
			}
		}
		m, err = scanMessage(tx.QueryRow(ctx, messageQuery+`WHERE m.id = $1`, id))
		return err
	})
	return m, err
}

// chunkEnds returns an empty slice for nil, because the column is NOT NULL.
func chunkEnds(ends []int) []int {
	if ends == nil {
		return []int{}
	}
	return ends
}

func insertCitations(ctx context.Context, tx pgx.Tx, message uuid.UUID, citations []law.Citation) error {
	batch := &pgx.Batch{}
	for _, c := range citations {
		data, err := json.Marshal(c)
		if err != nil {
			return err
		}
		batch.Queue(`INSERT INTO citations (message_id, index, citation) VALUES ($1, $2, $3)`, message, c.Index, data)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// ReleaseAnswer releases an unfinished attempt, as a worker does at shutdown, so that another
// worker leases the row at once. The attempt counts neither as lost nor as failed, however
// often workers are replaced.
func (db *DB) ReleaseAnswer(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.execFenced(ctx, "release answer "+id.String(), `UPDATE messages SET state = 'queued', hints = 0,
			attempt_floor = least(attempt, attempt_floor + 1), lease_until = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// PutBackAnswer records that an attempt failed with a temporary error, and delays the next
// attempt by the given time.
func (db *DB) PutBackAnswer(ctx context.Context, id uuid.UUID, attempt int, delay time.Duration) error {
	return db.execFenced(ctx, "put back answer "+id.String(), `UPDATE messages SET state = 'queued', hints = 0,
			attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1,
			not_before = now() + $3::interval, lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, delay)
}

// ExcuseAnswer records that the worker of an attempt did not crash although the attempt lost
// its lease or its end could not be written: the attempt counts as failed, not as lost.
func (db *DB) ExcuseAnswer(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.excuse(ctx, "messages", id, attempt)
}

// leaseError converts the error of a fenced write that found no row to LeaseLost.
func leaseError(what string, err error) error {
	if err = classify(what, err); errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.LeaseLost, "", err)
	}
	return err
}

// CountAnswersCiting counts the answers that cite an article.
func (db *DB) CountAnswersCiting(ctx context.Context, article uuid.UUID) (n int, err error) {
	err = db.pool.QueryRow(ctx, `SELECT count(*) FROM citations WHERE citation ->> 'article_id' = $1`, article.String()).Scan(&n)
	return n, classify("answers citing "+article.String(), err)
}

// NewTurn is a question with the conversation that it belongs to.
type NewTurn struct {
	MessageID      uuid.UUID // id of the future answer; generated if zero
	UserID         uuid.UUID
	Guest          bool       // a question without an account or a conversation, deleted after GuestLife
	ConversationID *uuid.UUID // nil: a new conversation
	Question       string
	Earlier        []EarlierTurn // of a new conversation: turns that the client keeps, oldest first; the last of them are stored
	Filters        law.Filters
	Model          string
	Backlog        Backlog // beyond it the question is refused; the zero value refuses none
	Tokens         *Tokens // of which the question takes; nil: of none
}

// Tokens are what an account may spend on language models in a day.
type Tokens struct {
	Most int
	Left int // set by CreateTurn
}

// answerTokens is what an answer that has not ended counts for: what it reads and writes at most, unless the model takes
// more (VIGUEUR_MODEL_CONTEXT).
const answerTokens = 8192

// ErrTokensSpent is the error of CreateTurn if nothing is left of the tokens.
var ErrTokensSpent = errs.New(errs.TooMany, "")

// count sets what is left of a user's tokens. Days are days of UTC. The caller has locked the user.
func (t *Tokens) count(ctx context.Context, tx pgx.Tx, user uuid.UUID) error {
	var spent int
	err := tx.QueryRow(ctx, `SELECT coalesce(sum(tokens_in + tokens_out), 0)::bigint + $2 * (SELECT count(*) FROM messages
			WHERE asker = $1 AND state IN ('queued', 'running'))
		FROM model_usage WHERE user_id = $1 AND spent_at >= date_trunc('day', now(), 'UTC')`, user, answerTokens).Scan(&spent)
	if t.Left = t.Most - spent; err == nil && t.Left <= 0 {
		err = ErrTokensSpent
	}
	return err
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
func (t NewTurn) earlierTurns() ([]byte, error) {
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
// MaxTurns questions. ErrBacklogged: too many questions wait. ErrTokensSpent: nothing is left of the tokens.
func (db *DB) CreateTurn(ctx context.Context, t NewTurn) (conversation, message uuid.UUID, err error) {
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
		if t.Tokens != nil {
			if err := t.Tokens.count(ctx, tx, t.UserID); err != nil {
				return err
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
func conversationFor(ctx context.Context, tx pgx.Tx, t NewTurn) (uuid.UUID, error) {
	// The lock on the user's row serializes the user's turns, so that no two get the same
	// time.
	var erased bool
	if err := tx.QueryRow(ctx, `SELECT `+isErased+` FROM users WHERE id = $1 FOR NO KEY UPDATE`, t.UserID).Scan(&erased); err != nil {
		return uuid.Nil, err
	}
	if erased { // the account was erased after the request was authenticated
		return uuid.Nil, errs.New(errs.Unauthorized, "La session n’est plus valable. Connectez-vous de nouveau.")
	}
	var moment time.Time
	err := tx.QueryRow(ctx, `SELECT greatest(clock_timestamp(), max(last_message_at) + interval '1 microsecond')
		FROM conversations WHERE user_id = $1`, t.UserID).Scan(&moment)
	if err != nil {
		return uuid.Nil, err
	}
	if t.ConversationID == nil {
		return insertConversation(ctx, tx, t, moment)
	}
	var messages int
	err = tx.QueryRow(ctx, `UPDATE conversations SET message_count = message_count + 2, last_message_at = $3
		WHERE id = $1 AND `+ofCaller+` RETURNING message_count`, *t.ConversationID, caller(ctx, t.UserID), moment).Scan(&messages)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, errs.New(errs.NotFound, "Conversation introuvable.")
	}
	if err == nil && messages > 2*MaxTurns {
		return uuid.Nil, errs.Newf(errs.Conflict, "Cette conversation a déjà %d questions. Commencez-en une autre.", MaxTurns)
	}
	return *t.ConversationID, err
}

func insertConversation(ctx context.Context, tx pgx.Tx, t NewTurn, moment time.Time) (uuid.UUID, error) {
	id := NewID()
	_, err := tx.Exec(ctx, `INSERT INTO conversations (id, user_id, title, domaine, model, message_count, last_message_at, created_at, key_id)
		VALUES ($1, nullif($2, $8::uuid), $3, nullif($4, ''), nullif($5, ''), 2, $6, $6, nullif($7, $8::uuid))`,
		id, t.UserID, chat.Title(t.Question), t.Filters.Domain, t.Model, moment, KeyOf(ctx), uuid.Nil)
	return id, err
}

func insertTurn(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, t NewTurn) error {
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
		FROM conversations o WHERE m.id = $1 AND o.id = m.conversation_id AND `+ofCaller+` AND m.role = 'assistant'
		RETURNING m.state IN ('queued', 'running')`, id, caller(ctx, user)).Scan(&running)
	return running, classify("request cancel of "+id.String(), err)
}

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
func (db *DB) EachRated(ctx context.Context, rating string, start time.Time, yield func(Rated) error) error {
	rows, err := db.pool.Query(ctx, `SELECT m.id, q.content, f.rating, f.comment, f.updated_at, m.filters,
			ARRAY(SELECT b.content FROM messages b WHERE b.conversation_id = m.conversation_id AND b.role = 'user' AND b.position < q.position
				ORDER BY b.position DESC LIMIT $3),
			coalesce((SELECT jsonb_agg(c.citation ORDER BY c.index) FROM citations c WHERE c.message_id = m.id), '[]')
		FROM feedback f JOIN messages m ON m.id = f.message_id
			JOIN messages q ON q.conversation_id = m.conversation_id AND q.position = m.position - 1
		WHERE f.rating = $1 AND f.updated_at >= $2 ORDER BY f.updated_at, m.id`, rating, start, HistoryLimit)
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

// Usage is the usage of one model on one server: requests, tokens and cost.
type Usage struct {
	Server, Model string // host name of the server, and name of the model in the settings
	Requests      int
	In, Out       int     // number of tokens read and written
	Estimated     bool    // whether the server sent no token counts for at least one request
	Cost          float64 // cost in the currency of the configured prices
}

// AddUsage stores the usage of an attempt at an answer, per server. A second call for the
// same attempt and server adds nothing, so that a caller who does not know whether a write
// succeeded can repeat it. The usage is stored, and counts for the asker, even if the answer was deleted in the
// meantime. Whose usage earlier days had is forgotten.
func (db *DB) AddUsage(ctx context.Context, answer, asker uuid.UUID, attempt int, usage []Usage) error {
	if len(usage) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for _, u := range usage {
		batch.Queue(`INSERT INTO model_usage (message_id, attempt, server, model, requests, tokens_in, tokens_out, estimated, cost, user_id)
			VALUES ((SELECT id FROM messages WHERE id = $1), $2, $3, $4, $5, $6, $7, $8, $9, (SELECT id FROM users WHERE id = $10)) ON CONFLICT DO NOTHING`,
			answer, attempt, u.Server, u.Model, u.Requests, u.In, u.Out, u.Estimated, u.Cost, asker)
	}
	batch.Queue(`UPDATE model_usage SET user_id = NULL WHERE id IN (SELECT id FROM model_usage
		WHERE user_id IS NOT NULL AND spent_at < date_trunc('day', now(), 'UTC') LIMIT 1000 FOR UPDATE SKIP LOCKED)`)
	return classify("add usage of "+answer.String(), db.pool.SendBatch(ctx, batch).Close())
}

// usageByDay sums the usage per day (UTC) from first to last, both included, by model and
// server in the order of their names. Days without usage are absent.
func (db *DB) usageByDay(ctx context.Context, first, last time.Time) (map[time.Time][]Usage, error) {
	rows, err := db.pool.Query(ctx, `SELECT (spent_at AT TIME ZONE 'UTC')::date AS day, model, server,
			sum(requests), sum(tokens_in)::bigint, sum(tokens_out)::bigint, bool_or(estimated), sum(cost)
		FROM model_usage WHERE spent_at >= $1::timestamptz AND spent_at < $2::timestamptz + interval '1 day'
		GROUP BY day, model, server ORDER BY day, model, server`, first, last)
	if err != nil {
		return nil, err
	}
	days := map[time.Time][]Usage{}
	var day time.Time
	var u Usage
	_, err = pgx.ForEachRow(rows, []any{&day, &u.Model, &u.Server, &u.Requests, &u.In, &u.Out, &u.Estimated, &u.Cost}, func() error {
		days[day] = append(days[day], u)
		return nil
	})
	return days, err
}
