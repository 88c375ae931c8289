package httpapi

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// The page of the list of conversations.
const (
	conversationsDefault = 50
	conversationsMost    = 200
)

// timeLayout is the format of times: RFC 3339, UTC, microseconds.
const timeLayout = "2006-01-02T15:04:05.000000Z"

func showTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// conversationBody has the domain under both of its names.
type conversationBody struct {
	ID            uuid.UUID `json:"id"`
	Title         string    `json:"title"`
	Domaine       *string   `json:"domaine"`
	Domain        *string   `json:"domain"`
	Model         *string   `json:"model"`
	MessageCount  int       `json:"message_count"`
	LastMessageAt string    `json:"last_message_at"`
	CreatedAt     string    `json:"created_at"`
}

func showConversation(c chat.Conversation) conversationBody {
	return conversationBody{
		ID: c.ID, Title: c.Title, Domaine: c.Domain, Domain: c.Domain, Model: c.Model, MessageCount: c.MessageCount,
		LastMessageAt: showTime(c.LastMessageAt), CreatedAt: showTime(c.CreatedAt),
	}
}

type messageBody struct {
	ID          uuid.UUID        `json:"id"`
	Role        chat.Role        `json:"role"`
	Content     string           `json:"content"`
	Citations   []law.Citation   `json:"citations"`
	SeeAlso     []law.Citation   `json:"see_also,omitempty"`
	Validation  *chat.Validation `json:"validation"`
	Certainty   *chat.Grade      `json:"certainty"`
	Probability *float64         `json:"probability"`
	LatencyMS   *int             `json:"latency_ms"`
	Model       *string          `json:"model"`
	CreatedAt   string           `json:"created_at"`
	Filters     filtersBody      `json:"filters"`
	Rating      *string          `json:"rating"`
}

// filtersBody is what narrowed a question, as it was sent.
type filtersBody struct {
	Domain     string      `json:"domaine,omitempty"`
	Country    string      `json:"pays,omitempty"`
	Type       law.DocType `json:"doc_type,omitempty"`
	Status     law.Status  `json:"statut,omitempty"`
	Date       string      `json:"date,omitempty"`
	DocumentID *uuid.UUID  `json:"document_id,omitempty"`
}

func showFilters(f law.Filters) filtersBody {
	body := filtersBody{Domain: f.Domain, Country: f.Country, Type: f.Type, Status: f.Status, DocumentID: f.DocumentID}
	if f.Date != nil {
		body.Date = f.Date.Format(time.DateOnly)
	}
	return body
}

// showMessage converts a message. The reason of a failed answer is in validation, the only
// field of the contract for it.
func showMessage(m chat.Message) messageBody {
	body := messageBody{
		ID: m.ID, Role: m.Role, Content: m.Content, Citations: m.Citations, SeeAlso: m.SeeAlso, Validation: m.Validation,
		LatencyMS: m.LatencyMS, Model: m.Model, CreatedAt: showTime(m.CreatedAt), Filters: showFilters(m.Filters),
	}
	if m.Rating != "" {
		body.Rating = &m.Rating
	}
	body.Certainty, body.Probability = m.Certainty.Fields()
	if body.Citations == nil {
		body.Citations = []law.Citation{}
	}
	if m.State == chat.Failed && (m.Validation == nil || m.Validation.Warning == nil) {
		body.Validation = &chat.Validation{Warning: &m.Error}
	}
	return body
}

// listConversations shows the caller's conversations, newest first, by cursor; with q only
// those with it in their title or in a message.
func (s *Server) listConversations(c *fiber.Ctx, user postgres.User) error {
	q := query{c: c}
	limit := q.number("limit", conversationsDefault, 1, conversationsMost)
	text := q.text("q")
	if err := q.err(); err != nil {
		return err
	}
	before, err := q.cursor()
	if err != nil {
		return err
	}
	found, next, err := s.DB.SearchConversations(c.UserContext(), user.ID, text, before, limit)
	if err != nil {
		return err
	}
	return list(c, found, next, showConversation)
}

// showConversation shows one of the caller's conversations with all its
// messages.
func (s *Server) showConversation(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, id)
	if err != nil {
		return noConversation(err)
	}
	return c.JSON(showWhole(conversation, messages))
}

// wholeBody is a conversation with all its messages.
type wholeBody struct {
	Conversation conversationBody `json:"conversation"`
	Messages     []messageBody    `json:"messages"`
}

func showWhole(c chat.Conversation, messages []chat.Message) wholeBody {
	body := wholeBody{showConversation(c), make([]messageBody, 0, len(messages))}
	for _, m := range messages {
		body.Messages = append(body.Messages, showMessage(m))
	}
	return body
}

// noConversation replaces the message of NotFound.
func noConversation(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Conversation introuvable.", err)
	}
	return err
}

// renamedLimit is the maximum length of a title, in code points.
const renamedLimit = 255

// renameConversation changes the title of a conversation of the caller.
func (s *Server) renameConversation(c *fiber.Ctx, user postgres.User) error {
	id, malformed := pathID(c, "id")
	title, err := readTitle(c)
	if err := joinFaults(malformed, err); err != nil {
		return err
	}
	conversation, err := s.DB.RenameConversation(c.UserContext(), user.ID, id, title)
	if err != nil {
		return noConversation(err)
	}
	return c.JSON(showConversation(conversation))
}

func readTitle(c *fiber.Ctx) (string, error) {
	body, err := readBody(c)
	if err != nil {
		return "", err
	}
	title := body.text("title", 1, renamedLimit)
	return title, body.err()
}

// deleteConversation deletes a conversation of the caller. If an answer is being written,
// its worker and its readers are notified; a failure is ignored, since both notice by the
// row a little later.
func (s *Server) deleteConversation(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	running, err := s.DB.DeleteConversation(ctx, user.ID, id)
	if err != nil {
		return noConversation(err)
	}
	for _, answer := range running {
		s.Relay.Publisher(ctx, answer.ID, answer.Attempt).End(ctx, chat.ErrorKind, chat.ErrorData(deletedText))
		if err := s.Relay.Cancel(ctx, answer.ID); err != nil {
			s.Log.WarnContext(ctx, "delete conversation: its worker is left to the row", "message_id", answer.ID, "error", err)
		}
	}
	return c.SendStatus(fiber.StatusNoContent)
}
