package form

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
)

// PathID reads a UUID from the path; the error is a fault.
func PathID(c *fiber.Ctx, name string) (uuid.UUID, error) {
	value := c.Params(name)
	id, ok := parseID(value)
	if !ok {
		var f Faults
		f.Add("uuid_parsing", []any{"path", name}, Quote(value), "Un UUID est attendu.")
		return uuid.Nil, f
	}
	return id, nil
}

// PathNumber reads a number from 1 up from the path; the error is a fault.
func PathNumber(c *fiber.Ctx, name string) (int, error) {
	value := c.Params(name)
	loc := []any{"path", name}
	n, err := strconv.Atoi(value)
	var f Faults
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		f.Add("int_parsing", loc, Quote(value), "Un nombre entier est attendu.")
	case n < 1:
		f.Add("greater_than_equal", loc, Quote(value), "La valeur doit être au moins 1.")
	}
	return n, f.Err()
}

// parseID parses a UUID in its usual form, or without hyphens; the library's other forms
// are rejected.
func parseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 && len(s) != 32 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
