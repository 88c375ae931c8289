package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// ownPage is the number of conversations that an export reads at a time.
const ownPage = 50

// ownData is the beginning of an export; the conversations follow one by one.
type ownData struct {
	ExportedAt string            `json:"exported_at"`
	Account    profileBody       `json:"account"`
	Factor     factorBody        `json:"second_factor"`
	Identities []ownIdentityBody `json:"identities"`
	Sessions   []openSessionBody `json:"sessions"`
	Keys       []keyBody         `json:"keys"`
	Inquiries  []sentInquiryBody `json:"inquiries"`
	Requests   []ownRequestBody  `json:"idempotent_requests"`
	Follows    []followBody      `json:"follows"`
	Webhooks   []webhookBody     `json:"webhooks"`
}

type ownIdentityBody struct {
	Issuer   string `json:"issuer"`
	Subject  string `json:"subject"`
	Since    string `json:"created_at"`
	LastUsed string `json:"last_used_at"`
}

type ownRequestBody struct {
	Operation string `json:"operation"`
	At        string `json:"created_at"`
}

// ownConversation is a conversation with its link and the user's ratings of its answers.
type ownConversation struct {
	wholeBody
	Link     linkBody      `json:"link"`
	Feedback []ownFeedback `json:"feedback"`
}

type ownFeedback struct {
	Message uuid.UUID `json:"message_id"`
	Rating  string    `json:"rating"`
	Comment string    `json:"comment"`
}

// exportOwn sends everything that is stored about the caller except secrets, conversation
// by conversation, so that memory use does not depend on its length. All other data is read
// before the response begins, so that a store that is down is an ordinary error. A later
// error ends the response without its last chunk, which clients report as an incomplete
// download.
func (s *Server) exportOwn(c *fiber.Ctx, user postgres.User) error {
	event, err := s.Exports.Begin(c.UserContext(), user.ID.String())
	if err != nil {
		return err
	}
	quota, err := event.Count(c.UserContext())
	if err != nil {
		return err
	}
	setQuota(c, quota)
	first, err := s.ownData(c, user)
	if err != nil {
		return err
	}
	if err := s.DB.Note(c.UserContext(), postgres.UserExported, user.ID.String(), nil); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="vigueur-mes-donnees.json"`)
	read, write := io.Pipe()
	go func() {
		write.CloseWithError(s.writeOwn(write, user.ID, first)) // nil ends the body
	}()
	c.Context().SetBodyStream(read, -1)
	return nil
}

// ownData reads the beginning of an export.
func (s *Server) ownData(c *fiber.Ctx, user postgres.User) (out ownData, err error) {
	ctx := c.UserContext()
	d, err := s.DB.OwnData(ctx, user.ID)
	if err != nil {
		return out, err
	}
	sessions, err := s.DB.OpenSessions(ctx, user.ID, nil)
	if err != nil {
		return out, err
	}
	out = ownData{ExportedAt: showTime(s.Now()), Sessions: showAll(sessions, showSession), Keys: showAll(d.Keys, showKey),
		Identities: showAll(d.Identities, func(i postgres.OwnIdentity) ownIdentityBody {
			return ownIdentityBody{i.Issuer, i.Subject, showTime(i.Since), showTime(i.LastUsed)}
		}),
		Inquiries: showAll(d.Inquiries, showSentInquiry),
		Requests:  showAll(d.Requests, func(r postgres.OwnRequest) ownRequestBody { return ownRequestBody{r.Operation, showTime(r.At)} }),
	}
	follows, err := s.DB.Follows(ctx, user.ID)
	if err != nil {
		return out, err
	}
	hooks, err := s.DB.Webhooks(ctx, user.ID)
	if err != nil {
		return out, err
	}
	out.Follows, out.Webhooks = showAll(follows, showFollow), showAll(hooks, showWebhook)
	if out.Account, err = s.profile(c, user); err != nil {
		return out, err
	}
	out.Factor, err = s.factorOf(c, user)
	return out, err
}

// writeOwn writes an export: its beginning, then each conversation, newest first.
func (s *Server) writeOwn(w io.Writer, user uuid.UUID, first ownData) error {
	head, err := json.Marshal(first)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head[:len(head)-1], `,"conversations":[`...)); err != nil {
		return err
	}
	comma := ""
	for before, more := (*time.Time)(nil), true; more; {
		var page []chat.Conversation
		if page, before, err = s.ownPage(user, before); err != nil {
			return err
		}
		for _, c := range page {
			written, err := s.writeConversation(w, user, c.ID, comma)
			if err != nil {
				return err
			}
			if written {
				comma = ","
			}
		}
		more = before != nil
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

// ownPage reads one page of conversations. It has its own timeout, because that of the
// request may have expired.
func (s *Server) ownPage(user uuid.UUID, before *time.Time) ([]chat.Conversation, *time.Time, error) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.limits.work, workTimeout))
	defer cancel()
	return s.DB.Conversations(ctx, user, before, ownPage)
}

// writeConversation writes one conversation, unless it was deleted in the meantime.
func (s *Server) writeConversation(w io.Writer, user, id uuid.UUID, comma string) (written bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.limits.work, workTimeout))
	defer cancel()
	conversation, messages, err := s.DB.Conversation(ctx, user, id)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	opinions, err := s.DB.FeedbackIn(ctx, user, id)
	if err != nil {
		return false, err
	}
	link, err := s.DB.ConversationLink(ctx, user, id)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return false, err
	}
	body := ownConversation{showWhole(conversation, messages), s.showLink(link), []ownFeedback{}}
	for _, m := range messages {
		if f, rated := opinions[m.ID]; rated {
			body.Feedback = append(body.Feedback, ownFeedback{m.ID, f.Rating, f.Comment})
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	_, err = w.Write(append([]byte(comma), data...))
	return err == nil, err
}
