package httpapi

import (
	"cmp"
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
)

// auditPage is the number of entries that an export reads at a time.
const auditPage = 1000

// auditBody is one line of the audit log.
type auditBody struct {
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

func showAudit(e postgres.AuditEntry) auditBody {
	body := auditBody{ID: e.ID, At: showTime(e.At), UserID: e.UserID, Action: e.Action, Object: e.Object, Details: e.Details, KeyID: e.Key}
	if e.KeyName != "" {
		body.KeyName = &e.KeyName
	}
	if e.Email != "" {
		body.Email = &e.Email
	}
	return body
}

// listAudit shows the audit log, newest first, by cursor, or all filtered entries as CSV.
func (s *Server) listAudit(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	format := q.one("format", []string{"json", "csv"})
	find := postgres.AuditQuery{
		User:   q.id("user"),
		Action: postgres.Action(q.one("action", texts(postgres.Actions()))),
		From:   q.moment("from", 0),
		To:     q.moment("to", 1), // the day is inclusive
		Limit:  q.number("limit", adminPageDefault, 1, adminPageMost),
	}
	if err := q.err(); err != nil {
		return err
	}
	var err error
	if find.Before, err = q.cursor(); err != nil {
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
	return list(c, items, next, func(e postgres.AuditEntry) auditBody {
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
func (s *Server) exportAudit(c *fiber.Ctx, find postgres.AuditQuery) error {
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

func (s *Server) writeAudit(w io.Writer, find postgres.AuditQuery, items []postgres.AuditEntry, next *time.Time) error {
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
func (s *Server) auditAfter(find postgres.AuditQuery, before *time.Time) ([]postgres.AuditEntry, *time.Time, error) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.limits.work, workTimeout))
	defer cancel()
	find.Before = before
	return s.DB.Audit(ctx, find)
}

func auditRow(e postgres.AuditEntry) []string {
	user := ""
	if e.UserID != nil {
		user = e.UserID.String()
	}
	return []string{strconv.FormatInt(e.ID, 10), showTime(e.At), user, cell(e.Email), string(e.Action), cell(e.Object), string(e.Details), cell(e.KeyName)}
}

// cell escapes a text that a spreadsheet would take for a formula.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
