package httpapi

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
)

// Page sizes of the administrators' lists.
const (
	adminPageDefault = 50
	adminPageMost    = 200
)

// listBody is one page of a list that is read by cursor.
type listBody[T any] struct {
	Items      []T     `json:"items"`
	NextBefore *string `json:"next_before"`
}

// list responds with a page of rows, converted by show.
func list[R, T any](c *fiber.Ctx, rows []R, next *time.Time, show func(R) T) error {
	body := listBody[T]{Items: make([]T, 0, len(rows))}
	for _, r := range rows {
		body.Items = append(body.Items, show(r))
	}
	if next != nil {
		cursor := showTime(*next)
		body.NextBefore = &cursor
	}
	return c.JSON(body)
}

// listed responds with a page by cursor, newest first. read returns at most limit rows from
// before an instant, newest first, and the cursor of the next page, which is nil at the
// end.
func listed[R, T any](c *fiber.Ctx, read func(ctx context.Context, before *time.Time, limit int) ([]R, *time.Time, error), show func(R) T) error {
	q := query{c: c}
	limit := q.number("limit", adminPageDefault, 1, adminPageMost)
	if err := q.err(); err != nil {
		return err
	}
	before, err := q.cursor()
	if err != nil {
		return err
	}
	rows, next, err := read(c.UserContext(), before, limit)
	if err != nil {
		return err
	}
	return list(c, rows, next, show)
}

// cursor reads the parameter before; it returns nil if that is absent.
func (q *query) cursor() (*time.Time, error) {
	value, given := q.get("before")
	if !given {
		return nil, nil
	}
	t, err := parseInstant(value)
	return &t, err
}

// id reads an optional UUID; nil if it is absent.
func (q *query) id(name string) *uuid.UUID {
	value, given := q.get(name)
	if !given {
		return nil
	}
	id, ok := parseID(value)
	if !ok {
		q.faults.add("uuid_parsing", []any{"query", name}, quoted(value), "Un UUID est attendu.")
		return nil
	}
	return &id
}

// moment reads an optional day or instant; nil if it is absent. A day means midnight UTC,
// plus the given number of days.
func (q *query) moment(name string, days int) *time.Time {
	value, given := q.get(name)
	if !given {
		return nil
	}
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		day = day.AddDate(0, 0, days)
		return &day
	}
	t, err := parseInstant(value)
	if err != nil {
		q.faults.add("date_from_datetime_parsing", []any{"query", name}, quoted(value),
			"Une date (AAAA-MM-JJ) ou une date et une heure avec fuseau est attendue.")
		return nil
	}
	return &t
}

// maybeText reads an optional text of least to most code points; it returns nil if the
// field is absent.
func (o *object) maybeText(name string, least, most int) *string {
	raw, given := o.optional(name)
	if !given {
		return nil
	}
	value, ok := o.str(name, raw, raw)
	if !ok {
		return nil
	}
	value = strings.TrimSpace(value)
	o.length(name, raw, value, least, most)
	return &value
}

// maybeOne reads an optional text that must be in allowed; it returns nil if the field is
// absent.
func (o *object) maybeOne(name string, allowed []string) *string {
	if _, given := o.optional(name); !given {
		return nil
	}
	value := o.one(name, allowed)
	return &value
}

// maybeFlag reads an optional boolean; it returns nil if the field is absent.
func (o *object) maybeFlag(name string) *bool {
	if _, given := o.optional(name); !given {
		return nil
	}
	value := o.flag(name)
	return &value
}

// mustOne reads a required text that must be in allowed.
func (o *object) mustOne(name string, allowed []string) string {
	if raw, given := o.fields[name]; !given {
		o.faults.missing(o.at(name))
		return ""
	} else if string(raw) == "null" {
		o.faults.choose(o.at(name), raw, allowed)
		return ""
	}
	return o.one(name, allowed)
}

// refuse records that a field's value is not valid.
func (o *object) refuse(name, why string) {
	o.faults.add("value_error", o.at(name), o.fields[name], "%s", why)
}
