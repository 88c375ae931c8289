package admin

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
)

const (
	// idDigits is the number of digits of an id.
	idDigits = 32
	// idsMost is the maximum number of rows that a prefix is answered with.
	idsMost = 100
)

// namedTables are the kinds of objects that people select by the beginning of an id. Those of people are for administrators.
var namedTables = map[string]struct {
	table  postgres.Named
	people bool
}{
	"keys": {postgres.NamedKeys, true}, "users": {postgres.NamedUsers, true}, "shared": {postgres.NamedShared, true}, "follows": {postgres.NamedFollows, true},
	"ingestions": {postgres.NamedIngestions, false}, "documents": {postgres.NamedDocuments, false}, "relations": {postgres.NamedRelations, false},
	"edits": {postgres.NamedEdits, false}, "waiting": {postgres.NamedAmendments, false}, "decisions": {postgres.NamedDecisions, false},
}

// findIDs serves GET /admin/ids. It lists the objects of a kind whose ids begin with some digits, the newest first.
func (s *Handlers) findIDs(c *fiber.Ctx, user postgres.User) error {
	q := form.ReadQuery(c)
	kind, typed := q.Needed("of", 20), q.Text("prefix")
	of, known := namedTables[kind]
	digits := strings.ReplaceAll(strings.ToLower(typed), "-", "")
	from, to, ok := span(digits)
	if q.Err() == nil && !known {
		q.Faults.Choose([]any{"query", "of"}, form.Quote(kind), slices.Sorted(maps.Keys(namedTables)))
	}
	if q.Err() == nil && !ok {
		q.Faults.Add("value_error", []any{"query", "prefix"}, form.Quote(typed), "%d chiffres hexadécimaux au plus sont attendus.", idDigits)
	}
	if err := q.Err(); err != nil {
		return err
	}
	if of.people && user.Role != "admin" {
		return errs.New(errs.Forbidden, "")
	}
	found, err := s.DB.Between(c.UserContext(), of.table, from, to, idsMost)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": found})
}

// span returns the smallest and the largest id that begin with some digits.
func span(digits string) (from, to uuid.UUID, ok bool) {
	if len(digits) > idDigits {
		return from, to, false
	}
	low, err := hex.DecodeString(digits + strings.Repeat("0", idDigits-len(digits)))
	if err != nil {
		return from, to, false
	}
	high, _ := hex.DecodeString(digits + strings.Repeat("f", idDigits-len(digits))) // valid, because low is
	copy(from[:], low)
	copy(to[:], high)
	return from, to, true
}
