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
	// prefixLeast is the minimum number of digits that select a row, and prefixMost that of an id.
	prefixLeast, prefixMost = 4, 32
	// idsMost is the maximum number of rows that a prefix is answered with.
	idsMost = 11
)

// namedTables are the kinds of objects that people select by the beginning of an id. Those of people are for administrators.
var namedTables = map[string]struct {
	table  postgres.Named
	people bool
}{
	"keys": {postgres.NamedKeys, true}, "users": {postgres.NamedUsers, true}, "shared": {postgres.NamedShared, true},
	"ingestions": {postgres.NamedIngestions, false}, "documents": {postgres.NamedDocuments, false}, "relations": {postgres.NamedRelations, false},
	"edits": {postgres.NamedEdits, false}, "waiting": {postgres.NamedAmendments, false}, "decisions": {postgres.NamedDecisions, false},
}

// idBody is an object with what it is called.
type idBody struct {
	ID    uuid.UUID `json:"id"`
	Label string    `json:"label"`
}

// findIDs serves GET /admin/ids. It lists the objects of a kind whose ids begin with some digits.
func (s *Handlers) findIDs(c *fiber.Ctx, user postgres.User) error {
	q := form.ReadQuery(c)
	kind, typed := q.Needed("of", 20), q.Needed("prefix", 40)
	of, known := namedTables[kind]
	digits := strings.ReplaceAll(strings.ToLower(typed), "-", "")
	from, to, ok := span(digits)
	if q.Err() == nil && !known {
		q.Faults.Choose([]any{"query", "of"}, form.Quote(kind), slices.Sorted(maps.Keys(namedTables)))
	}
	if q.Err() == nil && !ok {
		q.Faults.Add("value_error", []any{"query", "prefix"}, form.Quote(typed), "De %d à %d chiffres hexadécimaux sont attendus.", prefixLeast, prefixMost)
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
	body := struct {
		Items []idBody `json:"items"`
	}{[]idBody{}}
	for _, f := range found {
		body.Items = append(body.Items, idBody(f))
	}
	return c.JSON(body)
}

// span returns the smallest and the largest id that begin with some digits.
func span(digits string) (from, to uuid.UUID, ok bool) {
	if len(digits) < prefixLeast || len(digits) > prefixMost {
		return from, to, false
	}
	low, err := hex.DecodeString(digits + strings.Repeat("0", prefixMost-len(digits)))
	if err != nil {
		return from, to, false
	}
	high, _ := hex.DecodeString(digits + strings.Repeat("f", prefixMost-len(digits))) // valid, because low is
	copy(from[:], low)
	copy(to[:], high)
	return from, to, true
}
