package admin

import (
	"encoding/hex"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

const (
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

type findIDsInput struct {
	Of     string `query:"of" enum:"decisions,documents,edits,follows,ingestions,keys,relations,shared,users,waiting" required:"true" doc:"La sorte d’objets."`
	Prefix string `query:"prefix" pattern:"^[0-9a-fA-F]{0,32}$" doc:"32 chiffres hexadécimaux au plus, traits d’union admis ; sans eux, les plus récents."`
}

// findIDs serves GET /admin/ids. It lists the objects of a kind whose ids begin with some digits, the newest first.
func (s *Handlers) findIDs(c *fiber.Ctx, user postgres.User, input findIDsInput) (reply respond.All[postgres.Label], _ error) {
	var f form.Faults
	source, target, ok := span(strings.ReplaceAll(strings.ToLower(input.Prefix), "-", ""))
	if !ok {
		f.Add("value_error", []any{"query", "prefix"}, form.Quote(input.Prefix), "%d chiffres hexadécimaux au plus sont attendus.", idDigits)
	}
	if err := f.Err(); err != nil {
		return reply, err
	}
	of := namedTables[input.Of]
	if of.people && user.Role != "admin" {
		return reply, errs.New(errs.Forbidden, "")
	}
	found, err := s.DB.Between(c.UserContext(), of.table, source, target, idsMost)
	if err != nil {
		return reply, err
	}
	return respond.All[postgres.Label]{Items: found}, nil
}

// span returns the smallest and the largest id that begin with some digits.
func span(digits string) (source, target uuid.UUID, ok bool) {
	if len(digits) > idDigits {
		return source, target, false
	}
	low, err := hex.DecodeString(digits + strings.Repeat("0", idDigits-len(digits)))
	if err != nil {
		return source, target, false
	}
	high, _ := hex.DecodeString(digits + strings.Repeat("f", idDigits-len(digits))) // valid, because low is
	copy(source[:], low)
	copy(target[:], high)
	return source, target, true
}
