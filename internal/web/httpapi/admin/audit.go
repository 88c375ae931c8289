package admin

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// AuditEntryBody is one line of the audit log.
type AuditEntryBody struct {
	ID      int64           `json:"id"`
	At      string          `json:"at" format:"date-time"`
	UserID  *uuid.UUID      `json:"user_id" doc:"null : la ligne de commande de l’exploitant, ou personne."`
	Email   *string         `json:"user_email"`
	Action  postgres.Action `json:"action"`
	Object  string          `json:"object" doc:"Identifiant ou code de ce dont il s’agit."`
	Details json.RawMessage `json:"details" doc:"Des identifiants, des codes, des états et des noms de champs."`
	KeyID   *uuid.UUID      `json:"key_id" doc:"La clé d’API par laquelle le compte a agi ; null : une personne."`
	KeyName *string         `json:"key_name" doc:"Le nom de cette clé ; null aussi quand elle a été effacée avec son compte."`

	Names map[uuid.UUID]string `json:"names" doc:"Le nom d’aujourd’hui de ce dont object et details ont l’identifiant : adresse d’un compte, nom d’un fichier ou d’une clé, titre d’un texte. Ce qui a été supprimé n’en a pas."` // what people call the ids in the object and the details
}

func showAudit(e postgres.AuditEntry) AuditEntryBody {
	return AuditEntryBody{ID: e.ID, At: respond.ShowTime(e.At), UserID: e.UserID, Email: respond.NonEmpty(e.Email), Action: e.Action, Object: e.Object, Details: e.Details,
		KeyID: e.Key, KeyName: respond.NonEmpty(e.KeyName)}
}

type listAuditInput struct {
	respond.Cursor
	Format string          `query:"format" default:"json" enum:"json,csv" doc:"JSON ou, pour un tableur, CSV."`
	User   *uuid.UUID      `query:"user" doc:"Identifiant de qui a agi."`
	Action postgres.Action `query:"action" doc:"Ce qui a été fait."`
	From   *time.Time      `query:"from" format:"moment" doc:"Premier jour, ou premier instant."`
	To     *time.Time      `query:"to" format:"moment" last:"true" doc:"Dernier jour, compris, ou instant, non compris."`
}

// listAudit serves GET /admin/audit. It shows the audit log, newest first, by cursor, or all
// filtered entries as CSV.
func (s *Handlers) listAudit(c *fiber.Ctx, _ postgres.User, input listAuditInput) (reply respond.Listing[AuditEntryBody], _ error) {
	find := postgres.AuditQuery{
		User:   input.User,
		Action: input.Action,
		From:   input.From,
		To:     input.To, // the day is inclusive
		Before: input.Before,
		Limit:  input.Limit,
	}
	action := postgres.AuditRead
	if input.Format == "csv" {
		action = postgres.AuditExported
	}
	if err := s.DB.Note(c.UserContext(), action, "", nil); err != nil {
		return reply, err
	}
	if input.Format == "csv" {
		return reply, contract.Written(s.exportAudit(c, find))
	}
	items, next, err := s.DB.Audit(c.UserContext(), find)
	if err != nil {
		return reply, err
	}
	names, err := s.DB.AuditNames(c.UserContext(), items)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(items, next, func(e postgres.AuditEntry) AuditEntryBody {
		body := showAudit(e)
		body.Names = map[uuid.UUID]string{}
		for id, name := range names {
			if word := id.String(); e.Object == word || strings.Contains(string(e.Details), word) {
				body.Names[id] = name
			}
		}
		return body
	}), nil
}

// exportAudit sends the log page by page, so that memory use does not depend on its length.
// The first page is read before the response begins, so that a store that is down is an
// ordinary error. A later error ends the response without its last chunk, which clients
// report as an incomplete download.
func (s *Handlers) exportAudit(c *fiber.Ctx, find postgres.AuditQuery) error {
	find.Limit = auditPage
	items, next, err := s.DB.Audit(c.UserContext(), find)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="audit.csv"`)
	read, write := io.Pipe()
	go func() {
		write.CloseWithError(s.writeAudit(write, find, items, next)) // nil ends the body
	}()
	c.Context().SetBodyStream(read, -1)
	return nil
}

func (s *Handlers) writeAudit(w io.Writer, find postgres.AuditQuery, items []postgres.AuditEntry, next *time.Time) error {
	// Excel reads a file as UTF-8 only by its mark, and in French separates fields by semicolons.
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.Comma = ';'
	if err := out.Write([]string{"id", "at", "user_id", "user_email", "action", "object", "details", "key_name"}); err != nil {
		return err
	}
	for {
		for _, e := range items {
			if err := out.Write(auditRow(e)); err != nil {
				return err
			}
		}
		if out.Flush(); out.Error() != nil || next == nil {
			return out.Error()
		}
		var err error
		if items, next, err = s.auditAfter(find, next); err != nil {
			return err
		}
	}
}

// auditAfter reads one more page. It has its own timeout, because that of the request may
// have expired.
func (s *Handlers) auditAfter(find postgres.AuditQuery, cursor *time.Time) ([]postgres.AuditEntry, *time.Time, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.WorkTime())
	defer cancel()
	find.Before = cursor
	return s.DB.Audit(ctx, find)
}

func auditRow(e postgres.AuditEntry) []string {
	user := ""
	if e.UserID != nil {
		user = e.UserID.String()
	}
	return []string{strconv.FormatInt(e.ID, 10), respond.ShowTime(e.At), user, cell(e.Email), string(e.Action), cell(e.Object), string(e.Details), cell(e.KeyName)}
}

// cell escapes a text that a spreadsheet would take for a formula.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
