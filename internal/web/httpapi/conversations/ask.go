package conversations

import (
	"context"
	"log/slog"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// ask serves POST /chat-rag/stream. It accepts a question and streams its answer; a question that
// was sent before under the same Idempotency-Key keeps its answer. The order matters: subscribing
// to the relay comes before adding the row, so that a Redis that is down is an ordinary 503 and
// leaves no answer behind, and so that no event is missed; the hint to the workers comes last.
func (s *Handlers) ask(c *fiber.Ctx, user postgres.User) error {
	turn, err := s.readTurn(c)
	if err != nil {
		return err
	}
	turn.UserID, turn.Backlog = user.ID, s.Backlog
	if err := s.narrowToHome(c.UserContext(), user.ID, user.Country, &turn); err != nil {
		return err
	}
	ctx, previous, done, err := s.BeginOnce(c.UserContext(), c, user.ID[:], postgres.QuestionOnce, guard.SameBody(c))
	if err != nil {
		return err
	}
	if done {
		return s.replay(c, user, previous, 0)
	}
	streamOf, err := s.begin(ctx, turn.Turn)
	if err != nil {
		if previous, done, err = guard.DoneMeanwhile(c, err); done {
			return s.replay(c, user, previous, 0)
		}
		return err
	}
	streamOf.session = guard.SessionFor(c, user, "user")
	s.stream(c, streamOf)
	return nil
}

// begin stores a question and returns the stream of its answer, without its session.
func (s *Handlers) begin(ctx context.Context, turn postgres.Turn) (of streamOf, err error) {
	turn.MessageID = postgres.NewID()
	sub, err := s.Relay.Subscribe(ctx, turn.MessageID, 0)
	if err != nil {
		return of, err
	}
	of.message, of.sub = turn.MessageID, sub
	if of.conversation, _, err = s.DB.CreateTurn(ctx, turn); err != nil {
		sub.Close()
		return of, s.addRetryAfter(err)
	}
	if err := s.Enqueue(ctx, queue.Answers, turn.MessageID); err != nil {
		s.Log.WarnContext(ctx, "enqueue answer: left to the sweep", "message_id", turn.MessageID, "error", err)
	}
	return of, nil
}

// subscribe subscribes to an answer's relay; the subscription is nil if there is an error.
func (s *Handlers) subscribe(ctx context.Context, id uuid.UUID, cursor int64) (subscription, error) {
	sub, err := s.Relay.Subscribe(ctx, id, cursor)
	if err != nil {
		return nil, err // returns a nil interface, not one with a nil pointer
	}
	return sub, nil
}

// readTurn reads a question; the error contains all faults.
func (s *Handlers) readTurn(c *fiber.Ctx) (asked, error) {
	body := transport.ReadBody(c)
	turn := asked{Turn: postgres.Turn{
		Question:       body.Text("question", 1, questionLimit),
		ConversationID: body.ID("conversation_id"),
		Model:          body.One("model", s.modelIDs()),
	}}
	turn.Filters, turn.everywhere = readFilters(body)
	if turn.Model == "" {
		turn.Model = s.defaultModel()
	}
	return turn, body.Err()
}

// readFilters reads what limits the answer to a question, and whether the law of every country
// is asked for.
func readFilters(body *form.Object) (filters law.Filters, everywhere bool) {
	f := body.Object("filters")
	if f == nil {
		return filters, false
	}
	f.Only("domaine", "pays", "doc_type", "statut", "date", "document_id")
	if everywhere = string(f.Fields["pays"]) == `"`+everyCountry+`"`; everywhere {
		delete(f.Fields, "pays")
	}
	return law.Filters{
		Domain:     f.Word("domaine"),
		Country:    f.Country("pays"),
		Type:       law.DocType(f.One("doc_type", form.Strings(law.DocTypes()))),
		Status:     law.Status(f.One("statut", form.Strings(law.Statuses()))),
		Date:       f.Day("date"),
		DocumentID: f.ID("document_id"),
	}, everywhere
}

// resume serves GET /chat-rag/stream/:message_id. It streams an answer from after the last event
// that the client received.
func (s *Handlers) resume(c *fiber.Ctx, user postgres.User) error {
	id, err := form.PathID(c, "message_id")
	if err != nil {
		return err
	}
	return s.replay(c, user, id, lastEventID(c.Get("Last-Event-ID")))
}

// replay streams an answer of the caller from after the event with that number.
func (s *Handlers) replay(c *fiber.Ctx, user postgres.User, id uuid.UUID, cursor int64) error {
	ctx := c.UserContext()
	m, err := s.DB.Answer(ctx, user.ID, id)
	if err != nil {
		return respond.NotFound(err, "Réponse introuvable.")
	}
	of := streamOf{session: guard.SessionFor(c, user, "user"), conversation: m.ConversationID, message: id, after: cursor}
	if !m.State.Ended() { // an ended answer is served from its row, with or without Redis
		// Without the relay, the stream waits for the end of the answer in its row.
		if of.sub, err = s.subscribe(ctx, id, of.after); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelWarn, "resume without the relay", slog.Any("message_id", id), slog.Any("error", err))
		}
	}
	s.stream(c, of)
	return nil
}

// cancel serves POST /chat-rag/stream/:message_id/cancel. It requests that an answer stop. A
// worker that has not begun finds the request in the row; the worker that is writing receives it
// from the relay at once.
func (s *Handlers) cancel(c *fiber.Ctx, user postgres.User) error {
	id, err := form.PathID(c, "message_id")
	if err != nil {
		return err
	}
	if err := s.cancelAnswer(c.UserContext(), user.ID, id); err != nil {
		return err
	}
	c.Status(fiber.StatusAccepted) // SendStatus would add a body
	return nil
}

func (s *Handlers) cancelAnswer(ctx context.Context, user, id uuid.UUID) error {
	running, err := s.DB.RequestCancel(ctx, user, id)
	if err != nil {
		return respond.NotFound(err, "Réponse introuvable.")
	}
	if running {
		if err := s.Relay.Cancel(ctx, id); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelWarn, "cancel: left to the row", slog.Any("message_id", id), slog.Any("error", err))
		}
	}
	return nil
}
