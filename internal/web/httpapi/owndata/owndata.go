// Package owndata serves all rows that belong to an account, as one file, and erases them.
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
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/erasure"
)

// Handlers serve the route of an account's data.
type Handlers struct {
	*guard.Guard

	Account *account.Handlers
	Exports *ratelimit.Limiter // exports of one account's data
	Eraser  *erasure.Eraser
}

// Routes registers the routes.
func (s *Handlers) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix).Tag("Session")
	api.Get("/me/export", "exportOwn", "Emporter ses données", s.Signed(s.InTurn(contract.Exports(contract.Do(s.exportOwn))))).Fails(404).Headers(fiber.HeaderContentDisposition)
	api.Post("/me/delete", "deleteOwn", "Supprimer son compte", s.Signed(contract.Do(s.deleteOwn))).Fails(409).Headers("Set-Cookie")
}

type deletionInput struct {
	_ struct{} `either:"password,proof"`
	account.OwnerProof
}

// deleteOwn serves POST /me/delete. It erases the caller's account with all that belongs to it. What is left in files is
// logged: the account is gone, and its owner can do nothing about them.
func (s *Handlers) deleteOwn(c *fiber.Ctx, user postgres.User, input deletionInput) (reply contract.None, _ error) {
	if err := s.Account.Prove(c, user, input.OwnerProof); err != nil {
		return reply, err
	}
	gone, err := s.Eraser.Erase(c.UserContext(), user.Email, true)
	if gone.User == uuid.Nil {
		return reply, err
	}
	if err != nil {
		s.Log.ErrorContext(c.UserContext(), "messages of an erased account are left", "user_id", gone.User, "error", err)
	}
	s.Account.ForgetSession(c)
	return reply, nil
}

// ownPage is the number of conversations that an export reads at a time.
const ownPage = 50

// ownData is an export as clients read it: beside these members, each table has one with the account's rows.
type ownData struct {
	_             struct{}                      `additionalProperties:"true"`
	ExportedAt    string                        `json:"exported_at" format:"date-time"`
	Account       account.ProfileBody           `json:"account"`
	Factor        account.FactorBody            `json:"second_factor"`
	Sessions      []account.OpenSessionBody     `json:"sessions"`
	Conversations []map[string][]map[string]any `json:"conversations"`
}

// exportOwn serves GET /me/export. It sends all rows that belong to the caller except
// secrets, conversation by conversation, so that memory use does not depend on its length. All
// other data is read before the response begins, so that a store that is down is an ordinary
// error. A later error ends the response without its last chunk, which clients report as an
// incomplete download.
func (s *Handlers) exportOwn(c *fiber.Ctx, user postgres.User, _ contract.None) (reply ownData, _ error) {
	event, err := s.Exports.Begin(c.UserContext(), user.ID.String())
	if err != nil {
		return reply, err
	}
	quota, err := event.Count(c.UserContext())
	if err != nil {
		return reply, err
	}
	transport.SetQuota(c, quota)
	first, err := s.ownRows(c, user)
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

// ownRows reads the beginning of an export: all but the conversations.
func (s *Handlers) ownRows(c *fiber.Ctx, user postgres.User) ([]byte, error) {
	rows, err := s.DB.OwnRows(c.UserContext(), user.ID, nil)
	if err != nil {
		return nil, err
	}
	sessions, err := s.Account.SessionsOf(c, user)
	if err != nil {
		return nil, err
	}
	profile, err := s.Account.Profile(c, user)
	if err != nil {
		return nil, err
	}
	factor, err := s.Account.FactorOf(c, user)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]any{"exported_at": respond.ShowTime(s.Now()), "account": profile, "second_factor": factor,
		"sessions": sessions} {
		if rows[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return json.Marshal(rows)
}

// writeOwn writes an export: its beginning, then each conversation, newest first.
func (s *Handlers) writeOwn(w io.Writer, user uuid.UUID, head []byte) (err error) {
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
	rows, err := s.DB.OwnRows(ctx, user, &id)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	data, err := json.Marshal(rows)
	if err != nil {
		return false, err
	}
	_, err = w.Write(append([]byte(comma), data...))
	return err == nil, err
}
