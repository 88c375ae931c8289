// Package owndata serves everything that is stored about an account, as one file.
package owndata

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// Handlers serve the route of an account's data.
type Handlers struct {
	*guard.Guard

	Account       *account.Handlers
	Conversations *conversations.Handlers
	Exports       *ratelimit.Limiter // exports of one account's data
}

// Routes registers the route.
func (s *Handlers) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix).Tag("Session")
	api.Get("/me/export", "exportOwn", "Emporter ses données", s.Signed(s.InTurn(contract.Exports(contract.Do(s.exportOwn))))).Fails(404).Headers(fiber.HeaderContentDisposition)
}

// ownPage is the number of conversations that an export reads at a time.
const ownPage = 50

// OwnData is the beginning of an export; the conversations follow one by one.
type OwnData struct {
	ExportedAt string                    `json:"exported_at" format:"date-time"`
	Account    account.ProfileBody       `json:"account"`
	Factor     account.FactorBody        `json:"second_factor"`
	Identities []ownIdentityBody         `json:"identities"`
	Sessions   []account.OpenSessionBody `json:"sessions"`
	Keys       []admin.ApiKeyBody        `json:"keys"`
	Inquiries  []admin.SentInquiryBody   `json:"inquiries"`
	Requests   []ownRequestBody          `json:"idempotent_requests"`
	Follows    []alerts.FollowBody       `json:"follows"`
	Webhooks   []alerts.WebhookBody      `json:"webhooks"`
}

type ownIdentityBody struct {
	Issuer   string `json:"issuer"`
	Subject  string `json:"subject"`
	Since    string `json:"created_at" format:"date-time"`
	LastUsed string `json:"last_used_at" format:"date-time"`
}

type ownRequestBody struct {
	Operation string `json:"operation" enum:"inquiry,question,upload"`
	At        string `json:"created_at" format:"date-time"`
}

// wholeOwnData is an export as clients read it.
type wholeOwnData struct {
	OwnData
	Conversations []ownConversation `json:"conversations"`
}

// ownConversation is a conversation with its link and the user's ratings of its answers.
type ownConversation struct {
	conversations.WholeBody
	Link     conversations.LinkBody `json:"link"`
	Feedback []OwnFeedback          `json:"feedback"`
}

// OwnFeedback is a rating of an answer by the user.
type OwnFeedback struct {
	Message uuid.UUID `json:"message_id"`
	Rating  string    `json:"rating" enum:"up,down"`
	Comment string    `json:"comment"`
}

// exportOwn serves GET /me/export. It sends everything that is stored about the caller except
// secrets, conversation by conversation, so that memory use does not depend on its length. All
// other data is read before the response begins, so that a store that is down is an ordinary
// error. A later error ends the response without its last chunk, which clients report as an
// incomplete download.
func (s *Handlers) exportOwn(c *fiber.Ctx, user postgres.User, _ contract.None) (reply wholeOwnData, _ error) {
	event, err := s.Exports.Begin(c.UserContext(), user.ID.String())
	if err != nil {
		return reply, err
	}
	quota, err := event.Count(c.UserContext())
	if err != nil {
		return reply, err
	}
	transport.SetQuota(c, quota)
	first, err := s.ownData(c, user)
	if err != nil {
		return reply, err
	}
	if err := s.DB.Note(c.UserContext(), postgres.UserExported, user.ID.String(), nil); err != nil {
		return reply, err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="vigueur-mes-donnees.json"`)
	read, write := io.Pipe()
	go func() {
		write.CloseWithError(s.writeOwn(write, user.ID, first)) // nil ends the body
	}()
	c.Context().SetBodyStream(read, -1)
	return reply, contract.Written(nil)
}

// ownData reads the beginning of an export.
func (s *Handlers) ownData(c *fiber.Ctx, user postgres.User) (out OwnData, err error) {
	ctx := c.UserContext()
	d, err := s.DB.OwnData(ctx, user.ID)
	if err != nil {
		return out, err
	}
	sessions, err := s.Account.SessionsOf(c, user)
	if err != nil {
		return out, err
	}
	out = OwnData{ExportedAt: respond.ShowTime(s.Now()), Sessions: sessions, Keys: respond.ShowAll(d.Keys, admin.ShowKey),
		Identities: respond.ShowAll(d.Identities, func(i postgres.OwnIdentity) ownIdentityBody {
			return ownIdentityBody{i.Issuer, i.Subject, respond.ShowTime(i.Since), respond.ShowTime(i.LastUsed)}
		}),
		Inquiries: respond.ShowAll(d.Inquiries, admin.ShowSentInquiry),
		Requests:  respond.ShowAll(d.Requests, func(r postgres.OwnRequest) ownRequestBody { return ownRequestBody{r.Operation, respond.ShowTime(r.At)} }),
	}
	follows, err := s.DB.Follows(ctx, user.ID)
	if err != nil {
		return out, err
	}
	hooks, err := s.DB.Webhooks(ctx, user.ID)
	if err != nil {
		return out, err
	}
	out.Follows, out.Webhooks = respond.ShowAll(follows, alerts.ShowFollow), respond.ShowAll(hooks, alerts.ShowWebhook)
	if out.Account, err = s.Account.Profile(c, user); err != nil {
		return out, err
	}
	out.Factor, err = s.Account.FactorOf(c, user)
	return out, err
}

// writeOwn writes an export: its beginning, then each conversation, newest first.
func (s *Handlers) writeOwn(w io.Writer, user uuid.UUID, first OwnData) error {
	head, err := json.Marshal(first)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head[:len(head)-1], `,"conversations":[`...)); err != nil {
		return err
	}
	comma := ""
	for cursor, more := (*time.Time)(nil), true; more; {
		var page []chat.Conversation
		if page, cursor, err = s.ownPage(user, cursor); err != nil {
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
		more = cursor != nil
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

// ownPage reads one page of conversations. It has its own timeout, because that of the
// request may have expired.
func (s *Handlers) ownPage(user uuid.UUID, cursor *time.Time) ([]chat.Conversation, *time.Time, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.WorkTime())
	defer cancel()
	return s.DB.Conversations(ctx, user, cursor, ownPage)
}

// writeConversation writes one conversation, unless it was deleted in the meantime.
func (s *Handlers) writeConversation(w io.Writer, user, id uuid.UUID, comma string) (written bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.WorkTime())
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
	body := ownConversation{conversations.ShowWhole(conversation, messages), s.Conversations.ShowLink(link), []OwnFeedback{}}
	for _, m := range messages {
		if f, rated := opinions[m.ID]; rated {
			body.Feedback = append(body.Feedback, OwnFeedback{m.ID, f.Rating, f.Comment})
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	_, err = w.Write(append([]byte(comma), data...))
	return err == nil, err
}
