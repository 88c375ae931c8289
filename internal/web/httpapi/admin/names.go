package admin

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// TextNameBody is a short name that was given to a text.
type TextNameBody = postgres.TextName

// listTextNames serves GET /admin/names. It shows the short names that operators have given to texts.
func (s *Handlers) listTextNames(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply respond.Listing[postgres.TextName], _ error) {
	list, err := s.DB.TextNames(c.UserContext())
	if err != nil {
		return reply, err
	}
	return respond.NewListing(list, nil, respond.Same), nil
}

type textNameInput struct {
	Name    string `json:"name" minLength:"2" maxLength:"60"`
	Means   string `json:"means" minLength:"1" maxLength:"300"`
	Country string `json:"pays,omitempty" format:"country"`
}

// Check refuses a meaning that names no text.
func (i *textNameInput) Check(f *form.Faults) {
	if i.Means == "" {
		return
	}
	if _, ok := question.Stands(naming.Given{Means: i.Means}); !ok {
		f.Refuse("means", i.Means, "Ce n’est ni le numéro ni le titre d’un texte : écrivez « loi n° 70-03 » ou « code de la famille ».")
	}
}

// nameText serves POST /admin/names. It gives a text a short name, by which questions and searches find it.
func (s *Handlers) nameText(c *fiber.Ctx, _ postgres.User, input textNameInput) (reply postgres.TextName, _ error) {
	made, err := s.DB.NameText(c.UserContext(), postgres.TextName{Name: input.Name, Means: input.Means, Country: input.Country})
	if errs.Is(err, errs.Conflict) {
		return reply, errs.Wrap(errs.Conflict, "Ce nom est déjà donné.", err)
	}
	if err != nil {
		return reply, err
	}
	return made, nil
}

// unnameText serves DELETE /admin/names/:id. It takes a short name back.
func (s *Handlers) unnameText(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.DB.UnnameText(c.UserContext(), input.ID), "Ce nom n’est pas donné.")
}
