package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/paper"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// exportFormats are the formats of an export; the first is the default.
var exportFormats = []string{"md", "json", "docx", "pdf"}

// papers are the formats that are made from the Markdown of a conversation.
var papers = map[string]func(io.Writer, paper.Paper) error{"docx": paper.Docx, "pdf": paper.PDF}

// exportConversation downloads a conversation of the caller with its citations.
func (s *Server) exportConversation(c *fiber.Ctx, user postgres.User) error {
	id, malformed := pathID(c, "id")
	q := query{c: c}
	format := q.one("format", exportFormats)
	if err := joinFaults(malformed, q.err()); err != nil {
		return err
	}
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, id)
	if err != nil {
		return noConversation(err)
	}
	if err := s.DB.Note(c.UserContext(), postgres.ConversationExported, id.String(), nil); err != nil {
		return err
	}
	if format == "json" {
		body, err := json.MarshalIndent(showWhole(conversation, messages), "", "  ")
		if err != nil {
			return fmt.Errorf("httpapi: export %s: %w", id, err)
		}
		return download(c, conversation.Title, "json", fiber.MIMEApplicationJSON, append(body, '\n'))
	}
	text := chat.Markdown(conversation, messages, s.BaseURL)
	if write := papers[format]; write != nil {
		release, err := s.papers.take(c.UserContext(), user.ID.String(), 1, false)
		if err != nil {
			return err
		}
		defer release()
		var file bytes.Buffer
		p := paper.Paper{Title: conversation.Title, Foot: paper.Foot(law.WriteDate(dayOf(s.Now()))), Made: dayOf(s.Now()), Markdown: []byte(text)}
		if err := write(&file, p); err != nil {
			return fmt.Errorf("httpapi: export %s: %w", id, err)
		}
		return download(c, conversation.Title, format, exportKinds[format], file.Bytes())
	}
	return download(c, conversation.Title, "md", exportKinds["md"], []byte(text))
}

// download responds with a file to be saved under its name.
func download(c *fiber.Ctx, name, ending, kind string, body []byte) error {
	name = fileName(name)
	c.Set(fiber.HeaderContentDisposition,
		fmt.Sprintf(`attachment; filename="%[1]s.%[3]s"; filename*=UTF-8''%[2]s.%[3]s`, ascii(name), percent(name), ending))
	c.Set(fiber.HeaderContentType, kind)
	return c.Send(body)
}
