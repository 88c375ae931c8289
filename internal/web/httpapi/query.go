package httpapi

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

// query is a request's query string, read parameter by parameter. If a parameter is
// repeated, the last one counts.
type query struct {
	c      *fiber.Ctx
	faults faults
}

// get returns a parameter; ok is false if it is absent.
func (q *query) get(name string) (value string, ok bool) {
	all := q.c.Context().QueryArgs().PeekMulti(name)
	if len(all) == 0 {
		return "", false
	}
	return string(all[len(all)-1]), true
}

// text reads an optional text, after trimming white space.
func (q *query) text(name string) string {
	value, _ := q.get(name)
	if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
		q.faults.add("value_error", []any{"query", name}, quoted(value), "Ce texte contient un caractère qui n’est pas admis.")
		return ""
	}
	return strings.TrimSpace(value)
}

// one reads an optional text that must be in allowed; it returns "" if the parameter is
// absent.
func (q *query) one(name string, allowed []string) string {
	value, ok := q.get(name)
	if ok && !slices.Contains(allowed, value) {
		q.faults.choose([]any{"query", name}, quoted(value), allowed)
		return ""
	}
	return value
}

// number reads a whole number from least to most (0: no maximum); it returns otherwise if
// the parameter is absent.
func (q *query) number(name string, otherwise, least, most int) int {
	value, ok := q.get(name)
	if !ok {
		return otherwise
	}
	loc := []any{"query", name}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		q.faults.add("int_parsing", loc, quoted(value), "Un nombre entier est attendu.")
		return otherwise
	}
	// For a number out of range, Atoi returns the nearest int.
	switch {
	case n < least:
		q.faults.add("greater_than_equal", loc, quoted(value), "La valeur doit être au moins %d.", least)
	case most > 0 && n > most:
		q.faults.add("less_than_equal", loc, quoted(value), "La valeur doit être au plus %d.", most)
	}
	return n
}

// err returns the faults found.
func (q *query) err() error { return q.faults.err() }

// pathID reads a UUID from the path; the error is a fault.
func pathID(c *fiber.Ctx, name string) (uuid.UUID, error) {
	value := c.Params(name)
	id, ok := parseID(value)
	if !ok {
		var f faults
		f.add("uuid_parsing", []any{"path", name}, quoted(value), "Un UUID est attendu.")
		return uuid.Nil, f
	}
	return id, nil
}

// instants are the accepted layouts of an ISO 8601 date and time, with zone.
var instants = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07",
	"20060102T150405Z0700", "20060102T150405Z07",
}

// lostPlus matches a zone whose unescaped + was decoded as a blank.
var lostPlus = regexp.MustCompile(`(:\d\d(\.\d+)?) (\d\d(:?\d\d)?)$`)

// parseInstant parses the parameter before, an ISO 8601 date and time with a zone. The
// error is Invalid (400), because the contract has no 422 for it.
func parseInstant(value string) (time.Time, error) {
	s := strings.ToUpper(lostPlus.ReplaceAllString(value, "$1+$3"))
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, form := range instants {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errs.New(errs.Invalid,
		"« before » doit être une date et une heure ISO 8601 avec fuseau, par exemple 2026-01-31T12:00:00Z.")
}
