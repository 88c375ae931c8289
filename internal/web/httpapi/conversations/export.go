package conversations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/paper"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// exportFormats are the formats of an export; the first is the default.
var exportFormats = []string{"md", "json", "docx"}

// exportConversation serves GET /conversations/:id/export. It downloads a conversation of the
// caller with its citations.
func (s *Handlers) exportConversation(c *fiber.Ctx, user postgres.User) error {
	id, malformed := form.PathID(c, "id")
	q := form.ReadQuery(c)
	format := q.One("format", exportFormats)
	if err := form.Join(malformed, q.Err()); err != nil {
		return err
	}
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, id)
	if err != nil {
		return nameConversation(err)
	}
	if err := s.DB.Note(c.UserContext(), postgres.ConversationExported, id.String(), nil); err != nil {
		return err
	}
	if format == "json" {
		body, err := json.MarshalIndent(ShowWhole(conversation, messages), "", "  ")
		if err != nil {
			return fmt.Errorf("httpapi: export %s: %w", id, err)
		}
		return respond.Download(c, conversation.Title, "json", fiber.MIMEApplicationJSON, append(body, '\n'))
	}
	text := chat.Markdown(conversation, messages, s.BaseURL)
	if format == "docx" {
		release, err := s.Papers.Take(c.UserContext(), user.ID.String(), 1, false)
		if err != nil {
			return err
		}
		defer release()
		var file bytes.Buffer
		p := paper.Paper{Title: conversation.Title, Foot: paper.Foot(law.WriteDate(dayOf(s.Now()))), Made: dayOf(s.Now()), Markdown: []byte(text)}
		if err := paper.Docx(&file, p); err != nil {
			return fmt.Errorf("httpapi: export %s: %w", id, err)
		}
		return respond.Download(c, conversation.Title, format, respond.ExportKinds[format], file.Bytes())
	}
	return respond.Download(c, conversation.Title, "md", respond.ExportKinds["md"], []byte(text))
}

// dayOf returns midnight of a day, by which files made on one day are the same.
func dayOf(now time.Time) time.Time {
	return country.Today[string](now)
}
