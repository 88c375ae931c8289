package admin

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// TextNameBody is a short name that was given to a text.
type TextNameBody = postgres.TextName

// listTextNames serves GET /admin/names. It shows the short names that operators have given to texts.
func (s *Handlers) listTextNames(c *fiber.Ctx, _ postgres.User) error {
	list, err := s.DB.TextNames(c.UserContext())
	if err != nil {
		return err
	}
	return respond.ListAll(c, list, nil)
}

// nameText serves POST /admin/names. It gives a text a short name, by which questions and searches find it.
func (s *Handlers) nameText(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	n := postgres.TextName{Name: body.Text("name", 2, textNameLimit), Means: body.Text("means", 1, textMeansLimit), Country: body.Country("pays")}
	if n.Means != "" {
		if _, ok := question.Stands(naming.Given{Means: n.Means}); !ok {
			body.Refuse("means", "Ce n’est ni le numéro ni le titre d’un texte : écrivez « loi n° 70-03 » ou « code de la famille ».")
		}
	}
	if err := body.Err(); err != nil {
		return err
	}
	made, err := s.DB.NameText(c.UserContext(), n)
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(errs.Conflict, "Ce nom est déjà donné.", err)
	}
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(made)
}

// unnameText serves DELETE /admin/names/:id. It takes a short name back.
func (s *Handlers) unnameText(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound(s.DB.UnnameText(c.UserContext(), id), "Ce nom n’est pas donné."))
}
