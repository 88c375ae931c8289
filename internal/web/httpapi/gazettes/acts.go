package gazettes

import (
	"bytes"
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/work/versions"
)

// UndecidedBody is an act with passages that nobody can decide one by one, or one that orders nothing.
type UndecidedBody struct {
	Act      candidateBody `json:"act"`
	Passages int           `json:"passages"`
	First    string        `json:"first"`
}

// listUndecidedActs serves GET /admin/versions/acts. It shows a page of the acts with passages that nobody can decide one
// by one, or of those that a person has said to order nothing.
func (s *Handlers) listUndecidedActs(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	page, size := q.Number("page", 1, 1, 0), q.Number("page_size", respond.PageDefault, 1, waitingMost)
	missing := q.One("orders", []string{"unclear", "none"}) == "none"
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.DB.UndecidedActs(c.UserContext(), missing, min(page, form.FarthestPage), size)
	if err != nil {
		return err
	}
	return c.JSON(respond.NewPage(respond.ShowAll(list, func(u postgres.UndecidedAct) UndecidedBody {
		return UndecidedBody{showCandidate(u.Act), u.Passages, u.First}
	}), total, page, size))
}

// setWithoutOrders serves POST /admin/versions/acts/:id. It records that no passage of an act orders a change.
func (s *Handlers) setWithoutOrders(c *fiber.Ctx, _ postgres.User) error { return s.without(c, true) }

// undoWithoutOrders serves DELETE /admin/versions/acts/:id. It takes back that an act orders nothing.
func (s *Handlers) undoWithoutOrders(c *fiber.Ctx, _ postgres.User) error { return s.without(c, false) }

func (s *Handlers) without(c *fiber.Ctx, missing bool) error {
	id, err := form.PathID(c, "id")
	if err != nil {
		return err
	}
	return respond.NoContent(c, respond.NotFound(s.DB.SetWithoutOrders(c.UserContext(), id, missing), "Aucun texte n’a cet identifiant."))
}

// exportTruth serves GET /admin/versions/truth. It sends, one a line, the passages of which persons have said whether they
// order a change, as the training of the noticing reads them.
func (s *Handlers) exportTruth(c *fiber.Ctx, _ postgres.User) error {
	var file bytes.Buffer
	out := json.NewEncoder(&file)
	out.SetEscapeHTML(false)
	err := (&versions.Runner{DB: s.DB, Log: s.Log}).Truth(c.UserContext(), func(t versions.Told) error { return out.Encode(t) })
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/x-ndjson")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="ordres.jsonl"`)
	return c.Send(file.Bytes())
}
