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

// listConversations shows the caller's conversations, newest first, by cursor.
func (s *Server) listConversations(c *fiber.Ctx, user postgres.User) error {
	q := query{c: c}
	limit := q.number("limit", conversationsDefault, 1, conversationsMost)
	if err := q.err(); err != nil {
		return err
	}
	var before *time.Time
	if value, given := q.get("before"); given {
		t, err := parseInstant(value)
		if err != nil {
			return err
		}
		before = &t
	}
	list, next, err := s.DB.Conversations(c.UserContext(), user.ID, before, limit)
	if err != nil {
		return err
	}
	body := struct {
		Items      []conversationBody `json:"items"`
		NextBefore *string            `json:"next_before"`
	}{Items: make([]conversationBody, 0, len(list))}
	for _, one := range list {
		body.Items = append(body.Items, showConversation(one))
	}
	if next != nil {
		cursor := showTime(*next)
		body.NextBefore = &cursor
	}
	return c.JSON(body)
}

// showConversation shows one of the caller's conversations with all its
// messages.
func (s *Server) showConversation(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Conversation introuvable.", err)
	}
	if err != nil {
		return err
	}
	shown := make([]messageBody, 0, len(messages))
	for _, m := range messages {
		shown = append(shown, showMessage(m))
	}
	return c.JSON(struct {
		Conversation conversationBody `json:"conversation"`
		Messages     []messageBody    `json:"messages"`
	}{showConversation(conversation), shown})
}
