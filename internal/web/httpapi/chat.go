package httpapi

import (
	"context"
	"log/slog"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/work/queue"
)

// questionLimit is the maximum length of a question in code points.
const questionLimit = 4000

// ask accepts a question and streams its answer; a question that was sent before under the
// same Idempotency-Key keeps its answer. The order matters: subscribing to the relay comes
// before adding the row, so that a Redis that is down is an ordinary 503 and leaves no
// answer behind, and so that no event is missed; the hint to the workers comes last.
func (s *Server) ask(c *fiber.Ctx, user postgres.User) error {
	turn, err := s.readTurn(c)
	if err != nil {
		return err
	}
	turn.UserID, turn.Backlog = user.ID, s.Backlog
	if err := s.atHome(c.UserContext(), user.ID, user.Country, &turn); err != nil {
		return err
	}
	ctx, before, done, err := s.once(c.UserContext(), c, user.ID[:], postgres.QuestionOnce, sameBody(c))
	if err != nil {
		return err
	}
	if done {
		return s.replay(c, user, before, 0)
	}
	of, err := s.begin(ctx, turn.Turn)
	if err != nil {
		if before, done, err = doneMeanwhile(c, err); done {
			return s.replay(c, user, before, 0)
		}
		return err
	}
	of.session = sessionFor(c, user, "user")
	s.stream(c, of)
	return nil
}

// begin stores a question and returns the stream of its answer, without its session.
func (s *Server) begin(ctx context.Context, turn postgres.Turn) (of streamOf, err error) {
	var sub *relay.Subscription
	if turn.MessageID, sub, err = s.Relay.Begin(ctx, postgres.NewID); err != nil {
		return of, err
	}
	of.message, of.sub = turn.MessageID, sub
	if of.conversation, _, err = s.DB.CreateTurn(ctx, turn); err != nil {
		sub.Close()
		return of, s.overloaded(err)
	}
	if err := s.Queue.Enqueue(ctx, queue.Answers, turn.MessageID); err != nil {
		s.Log.WarnContext(ctx, "enqueue answer: left to the sweep", "message_id", turn.MessageID, "error", err)
	}
	return of, nil
}

// subscribe subscribes to an answer's relay; the subscription is nil if there is an error.
func (s *Server) subscribe(ctx context.Context, id uuid.UUID, after int64) (subscription, error) {
	sub, err := s.Relay.Subscribe(ctx, id, after)
	if err != nil {
		return nil, err // returns a nil interface, not one with a nil pointer
	}
	return sub, nil
}

// readTurn reads a question; the error contains all faults.
func (s *Server) readTurn(c *fiber.Ctx) (asked, error) {
	body, err := readBody(c)
	if err != nil {
		return asked{}, err
	}
	turn := asked{Turn: postgres.Turn{
		Question:       body.text("question", 1, questionLimit),
		ConversationID: body.id("conversation_id"),
		Model:          body.one("model", s.modelIDs()),
	}}
	turn.Filters, turn.everywhere = readFilters(body)
	if turn.Model == "" {
		turn.Model = s.defaultModel()
	}
	return turn, body.err()
}

// readFilters reads what limits the answer to a question, and whether the law of every country
// is asked for.
func readFilters(body *object) (filters law.Filters, everywhere bool) {
	f := body.object("filters")
	if f == nil {
		return filters, false
	}
	f.only("domaine", "pays", "doc_type", "statut", "date", "document_id")
	if everywhere = string(f.fields["pays"]) == `"`+everyCountry+`"`; everywhere {
		delete(f.fields, "pays")
	}
	return law.Filters{
		Domain:     f.word("domaine"),
		Country:    f.country("pays"),
		Type:       law.DocType(f.one("doc_type", texts(law.DocTypes()))),
		Status:     law.Status(f.one("statut", texts(law.Statuses()))),
		Date:       f.day("date"),
		DocumentID: f.id("document_id"),
	}, everywhere
}

func (s *Server) modelIDs() []string {
	ids := make([]string, len(s.Models))
	for i, m := range s.Models {
		ids[i] = m.ID
	}
	return ids
}

func (s *Server) defaultModel() string {
	for _, m := range s.Models {
		if m.Default {
			return m.ID
		}
	}
	return ""
}

// resume streams an answer from after the last event that the client received.
func (s *Server) resume(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "message_id")
	if err != nil {
		return err
	}
	return s.replay(c, user, id, lastEventID(c.Get("Last-Event-ID")))
}

// replay streams an answer of the caller from after the event with that number.
func (s *Server) replay(c *fiber.Ctx, user postgres.User, id uuid.UUID, after int64) error {
	ctx := c.UserContext()
	m, err := s.DB.Answer(ctx, user.ID, id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Réponse introuvable.", err)
	}
	if err != nil {
		return err
	}
	of := streamOf{session: sessionFor(c, user, "user"), conversation: m.ConversationID, message: id, after: after}
	if !m.State.Ended() { // an ended answer is served from its row, with or without Redis
		of.sub, err = s.subscribe(ctx, id, of.after)
		// Without the relay, a running answer can be read from the drafts in its row, but a
		// waiting one cannot be followed.
		if err != nil && m.State != chat.Running {
			return err
		}
	}
	s.stream(c, of)
	return nil
}

// cancel requests that an answer stop. A worker that has not begun finds the request in the
// row; the worker that is writing receives it from the relay at once.
func (s *Server) cancel(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "message_id")
	if err != nil {
		return err
	}
	if err := s.cancelAnswer(c.UserContext(), user.ID, id); err != nil {
		return err
	}
	c.Status(fiber.StatusAccepted) // SendStatus would add a body
	return nil
}

func (s *Server) cancelAnswer(ctx context.Context, user, id uuid.UUID) error {
	running, err := s.DB.RequestCancel(ctx, user, id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Réponse introuvable.", err)
	}
	if err != nil {
		return err
	}
	if running {
		if err := s.Relay.Cancel(ctx, id); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelWarn, "cancel: left to the row", slog.Any("message_id", id), slog.Any("error", err))
		}
	}
	return nil
}

// listModels lists the models that a question may name.
func (s *Server) listModels(c *fiber.Ctx, _ postgres.User) error { return c.JSON(s.Models) }
