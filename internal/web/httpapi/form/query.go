package form

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
)

// Query is a request's query string, read parameter by parameter. If a parameter is
// repeated, the last one counts.
type Query struct {
	c      *fiber.Ctx
	Faults Faults
}

// ReadQuery returns the query string of a request.
func ReadQuery(c *fiber.Ctx) Query { return Query{c: c} }

// Get returns a parameter; ok is false if it is absent.
func (q *Query) Get(name string) (value string, ok bool) {
	all := q.c.Context().QueryArgs().PeekMulti(name)
	if len(all) == 0 {
		return "", false
	}
	return string(all[len(all)-1]), true
}

// Text reads an optional text, after trimming white space.
func (q *Query) Text(name string) string {
	value, _ := q.Get(name)
	if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
		q.Faults.Add("value_error", []any{"query", name}, Quote(value), "Ce texte contient un caractère qui n’est pas admis.")
		return ""
	}
	return strings.TrimSpace(value)
}

// One reads an optional text that must be in allowed; it returns "" if the parameter is
// absent.
func (q *Query) One(name string, allowed []string) string {
	value, ok := q.Get(name)
	if ok && !slices.Contains(allowed, value) {
		q.Faults.Choose([]any{"query", name}, Quote(value), allowed)
		return ""
	}
	return value
}

// Number reads a whole number from least to most (0: no maximum); it returns
// fallback if the parameter is absent.
func (q *Query) Number(name string, fallback, least, most int) int {
	value, ok := q.Get(name)
	if !ok {
		return fallback
	}
	loc := []any{"query", name}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		q.Faults.Add("int_parsing", loc, Quote(value), "Un nombre entier est attendu.")
		return fallback
	}
	// For a number out of range, Atoi returns the nearest int.
	switch {
	case n < least:
		q.Faults.Add("greater_than_equal", loc, Quote(value), "La valeur doit être au moins %d.", least)
	case most > 0 && n > most:
		q.Faults.Add("less_than_equal", loc, Quote(value), "La valeur doit être au plus %d.", most)
	}
	return n
}

// Err returns the faults found.
func (q *Query) Err() error { return q.Faults.Err() }

// Cursor reads the parameter before; it returns nil if that is absent.
func (q *Query) Cursor() (*time.Time, error) {
	value, given := q.Get("before")
	if !given {
		return nil, nil
	}
	t, err := parseInstant(value)
	return &t, err
}

// parseQuery reads an optional parameter with parse; nil if it is absent. kind and message are those of the fault if
// parse fails.
func parseQuery[T any](q *Query, name string, parse func(string) (T, bool), kind, message string) *T {
	value, given := q.Get(name)
	if !given {
		return nil
	}
	if parsed, ok := parse(value); ok {
		return &parsed
	}
	q.Faults.Add(kind, []any{"query", name}, Quote(value), "%s", message)
	return nil
}

// Moment reads an optional day or instant; nil if it is absent. A day means midnight UTC,
// plus the given number of days.
func (q *Query) Moment(name string, days int) *time.Time {
	return parseQuery(q, name, func(value string) (time.Time, bool) {
		if day, err := time.Parse(time.DateOnly, value); err == nil {
			return day.AddDate(0, 0, days), true
		}
		t, err := parseInstant(value)
		return t, err == nil
	}, "date_from_datetime_parsing", "Une date (AAAA-MM-JJ) ou une date et une heure avec fuseau est attendue.")
}
