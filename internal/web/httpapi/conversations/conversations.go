package conversations

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ConversationBody has the domain under both of its names.
type ConversationBody struct {
	ID            uuid.UUID `json:"id"`
	Title         string    `json:"title"`
	Domaine       *string   `json:"domaine"`
	Domain        *string   `json:"domain"`
	Model         *string   `json:"model"`
	MessageCount  int       `json:"message_count"`
	LastMessageAt string    `json:"last_message_at"`
	CreatedAt     string    `json:"created_at"`
}

func showConversation(c chat.Conversation) ConversationBody {
	return ConversationBody{
		ID: c.ID, Title: c.Title, Domaine: c.Domain, Domain: c.Domain, Model: c.Model, MessageCount: c.MessageCount,
		LastMessageAt: respond.ShowTime(c.LastMessageAt), CreatedAt: respond.ShowTime(c.CreatedAt),
	}
}

// MessageBody is a question or an answer.
type MessageBody struct {
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

// filtersBody holds the filters of a question as they were sent, with a day in place of the instant.
type filtersBody struct {
	law.Filters
	Date *string `json:"date,omitempty"`
}

// showMessage converts a message. The reason of a failed answer is in validation, the only
// field of the contract for it.
func showMessage(m chat.Message) MessageBody {
	body := MessageBody{
		ID: m.ID, Role: m.Role, Content: m.Content, Citations: m.Citations, SeeAlso: m.SeeAlso, Validation: m.Validation,
		LatencyMS: m.LatencyMS, Model: m.Model, CreatedAt: respond.ShowTime(m.CreatedAt), Filters: filtersBody{m.Filters, respond.ShowDay(m.Filters.Date)}, Rating: respond.NonEmpty(m.Rating),
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

// listConversations serves GET /conversations. It shows the caller's conversations, newest first,
// by cursor; with q only those with it in their title or in a message.
func (s *Handlers) listConversations(c *fiber.Ctx, user postgres.User) error {
	q := form.ReadQuery(c)
	limit := q.Number("limit", conversationsDefault, 1, conversationsMost)
	text := q.Text("q")
	if err := q.Err(); err != nil {
		return err
	}
	cursor, err := q.Cursor()
	if err != nil {
		return err
	}
	found, next, err := s.DB.SearchConversations(c.UserContext(), user.ID, text, cursor, limit)
	if err != nil {
		return err
	}
	return respond.List(c, found, next, showConversation)
}

// showConversation serves GET /conversations/:id. It shows one of the caller's conversations with
// all its messages.
func (s *Handlers) showConversation(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, id)
	if err != nil {
		return nameConversation(err)
	}
	return c.JSON(ShowWhole(conversation, messages))
}

// WholeBody is a conversation with all its messages.
type WholeBody struct {
	Conversation ConversationBody `json:"conversation"`
	Messages     []MessageBody    `json:"messages"`
}

// ShowWhole shows a conversation with all its messages.
func ShowWhole(c chat.Conversation, messages []chat.Message) WholeBody {
	return WholeBody{showConversation(c), respond.ShowAll(messages, showMessage)}
}

// nameConversation replaces the message of NotFound.
func nameConversation(err error) error {
	return respond.NotFound(err, "Conversation introuvable.")
}

// renameConversation serves PATCH /conversations/:id. It changes the title of a conversation of
// the caller.
func (s *Handlers) renameConversation(c *fiber.Ctx, user postgres.User) error {
	id, malformed := form.PathID(c, "id")
	title, err := readTitle(c)
	if err := form.Join(malformed, err); err != nil {
		return err
	}
	conversation, err := s.DB.RenameConversation(c.UserContext(), user.ID, id, title)
	if err != nil {
		return nameConversation(err)
	}
	return c.JSON(showConversation(conversation))
}

func readTitle(c *fiber.Ctx) (string, error) {
	body := transport.ReadBody(c)
	title := body.Text("title", 1, renamedLimit)
	return title, body.Err()
}

// deleteConversation serves DELETE /conversations/:id. It deletes a conversation of the caller. If
// an answer is being written, its worker and its readers are notified; a failure is ignored, since
// both notice by the row a little later.
func (s *Handlers) deleteConversation(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	ctx := c.UserContext()
	running, err := s.DB.DeleteConversation(ctx, user.ID, id)
	if err != nil {
		return nameConversation(err)
	}
	for _, answer := range running {
		s.Relay.Publisher(ctx, answer.ID, answer.Attempt).End(ctx, chat.ErrorKind, chat.ErrorData(deletedText))
		if err := s.Relay.Cancel(ctx, answer.ID); err != nil {
			s.Log.WarnContext(ctx, "delete conversation: its worker is left to the row", "message_id", answer.ID, "error", err)
		}
	}
	return c.SendStatus(fiber.StatusNoContent)
}
