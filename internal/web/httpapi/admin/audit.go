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
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// AuditBody is one line of the audit log.
type AuditBody struct {
	ID      int64           `json:"id"`
	At      string          `json:"at"`
	UserID  *uuid.UUID      `json:"user_id"`
	Email   *string         `json:"user_email"`
	Action  postgres.Action `json:"action"`
	Object  string          `json:"object"`
	Details json.RawMessage `json:"details"`
	KeyID   *uuid.UUID      `json:"key_id"`
	KeyName *string         `json:"key_name"`

	Names map[uuid.UUID]string `json:"names"` // what people call the ids in the object and the details
}

func showAudit(e postgres.AuditEntry) AuditBody {
	return AuditBody{ID: e.ID, At: respond.ShowTime(e.At), UserID: e.UserID, Email: respond.NonEmpty(e.Email), Action: e.Action, Object: e.Object, Details: e.Details,
		KeyID: e.Key, KeyName: respond.NonEmpty(e.KeyName)}
}

// listAudit serves GET /admin/audit. It shows the audit log, newest first, by cursor, or all
// filtered entries as CSV.
func (s *Handlers) listAudit(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	format := q.One("format", []string{"json", "csv"})
	find := postgres.AuditQuery{
		User:   q.ID("user"),
		Action: postgres.Action(q.One("action", form.Strings(postgres.Actions()))),
		From:   q.Moment("from", 0),
		To:     q.Moment("to", 1), // the day is inclusive
		Limit:  q.Number("limit", respond.PageDefault, 1, respond.PageMost),
	}
	if err := q.Err(); err != nil {
		return err
	}
	var err error
	if find.Before, err = q.Cursor(); err != nil {
		return err
	}
	action := postgres.AuditRead
	if format == "csv" {
		action = postgres.AuditExported
	}
	if err := s.DB.Note(c.UserContext(), action, "", nil); err != nil {
		return err
	}
	if format == "csv" {
		return s.exportAudit(c, find)
	}
	items, next, err := s.DB.Audit(c.UserContext(), find)
	if err != nil {
		return err
	}
	names, err := s.DB.AuditNames(c.UserContext(), items)
	if err != nil {
		return err
	}
	return respond.List(c, items, next, func(e postgres.AuditEntry) AuditBody {
		body := showAudit(e)
		body.Names = map[uuid.UUID]string{}
		for id, name := range names {
			if word := id.String(); e.Object == word || strings.Contains(string(e.Details), word) {
				body.Names[id] = name
			}
		}
		return body
	})
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
func (s *Handlers) auditAfter(find postgres.AuditQuery, before *time.Time) ([]postgres.AuditEntry, *time.Time, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.WorkTime())
	defer cancel()
	find.Before = before
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
