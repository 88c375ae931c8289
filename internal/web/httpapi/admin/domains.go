package admin

import (
	"regexp"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

var domainCode = regexp.MustCompile(`^[a-z0-9_-]{2,40}$`)

// DomainBody is a domain as an administrator sees it.
type DomainBody struct {
	law.Domain
	Active bool `json:"active"`
}

func showAdminDomain(d law.Domain) DomainBody {
	return DomainBody{d, d.Active}
}

// listAllDomains serves GET /admin/domaines. It shows every domain in the configured order, on one
// page.
func (s *Handlers) listAllDomains(c *fiber.Ctx, _ postgres.User) error {
	domains, err := s.DB.AllDomains(c.UserContext())
	if err != nil {
		return err
	}
	return respond.List(c, domains, nil, showAdminDomain)
}

// createDomain serves POST /admin/domaines. It adds a domain.
func (s *Handlers) createDomain(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	d := law.Domain{Code: body.Text("code", 2, domainCodeLimit), Label: body.Text("label", 1, domainLabelLimit), Active: true}
	if n := len(d.Code); n >= 2 && n <= domainCodeLimit && !domainCode.MatchString(d.Code) {
		body.Refuse("code", "Un code n’a que des minuscules sans accent, des chiffres, « _ » et « - ».")
	}
	if text := body.MaybeText("description", 0, domainDescriptionLimit); text != nil {
		d.Description = *text
	}
	if active := body.MaybeFlag("active"); active != nil {
		d.Active = *active
	}
	if err := body.Err(); err != nil {
		return err
	}
	made, err := s.DB.CreateDomain(c.UserContext(), d)
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(errs.Conflict, "Un domaine porte déjà ce code.", err)
	}
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(showAdminDomain(made))
}

// changeDomain serves PATCH /admin/domaines/:code. It changes a domain's texts, or whether it is
// offered.
func (s *Handlers) changeDomain(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	change := postgres.DomainChange{
		Label:       body.MaybeText("label", 1, domainLabelLimit),
		Description: body.MaybeText("description", 0, domainDescriptionLimit),
		Active:      body.MaybeFlag("active"),
	}
	if err := body.Err(); err != nil {
		return err
	}
	code := c.Params("code")
	if !domainCode.MatchString(code) {
		return errs.New(errs.NotFound, "Domaine introuvable.")
	}
	d, err := s.DB.ChangeDomain(c.UserContext(), code, change)
	if err != nil {
		return respond.NotFound(err, "Domaine introuvable.")
	}
	return c.JSON(showAdminDomain(d))
}
