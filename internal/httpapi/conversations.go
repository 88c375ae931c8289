package httpapi

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

// The page of the list of conversations.
const (
	conversationsDefault = 50
	conversationsMost    = 200
)

// timeLayout is how times are written: RFC 3339, UTC, microseconds.
const timeLayout = "2006-01-02T15:04:05.000000Z"

func showTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// conversationBody has the domain in both of its spellings.
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
	ID         uuid.UUID        `json:"id"`
	Role       chat.Role        `json:"role"`
	Content    string           `json:"content"`
	Citations  []law.Citation   `json:"citations"`
	Validation *chat.Validation `json:"validation"`
	LatencyMS  *int             `json:"latency_ms"`
	Model      *string          `json:"model"`
	CreatedAt  string           `json:"created_at"`
}

// showMessage shows a message. Of an answer that failed, the reason stands in
// validation, the only place that the contract has for it.
func showMessage(m chat.Message) messageBody {
	body := messageBody{
		ID: m.ID, Role: m.Role, Content: m.Content, Citations: m.Citations, Validation: m.Validation,
		LatencyMS: m.LatencyMS, Model: m.Model, CreatedAt: showTime(m.CreatedAt),
	}
	if body.Citations == nil {
		body.Citations = []law.Citation{}
	}
	if m.State == chat.Failed && (m.Validation == nil || m.Validation.Warning == nil) {
		body.Validation = &chat.Validation{Warning: &m.Error}
	}
	return body
}

// listConversations shows the caller's conversations, newest first, by cursor;
// with q those that have it in their title or in a message.
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

// noConversation gives a conversation that is not there its sentence.
func noConversation(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Conversation introuvable.", err)
	}
	return err
}

// renamedLimit is the longest title that a conversation is given, in code points.
const renamedLimit = 255

// renameConversation gives one of the caller's conversations another title.
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

// deleteConversation removes one of the caller's conversations. The answer that
// was being written goes with it: its worker is stopped and its readers are told.
// Neither is waited for: both find out by the row, a little later.
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
