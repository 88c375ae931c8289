package httpapi

import (
	"regexp"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// Length limits of a domain's fields, in code points.
const (
	domainLabelLimit       = 255
	domainDescriptionLimit = 2000
	domainCodeLimit        = 40
)

var domainCode = regexp.MustCompile(`^[a-z0-9_-]{2,40}$`)

// adminDomainBody is a domain as an administrator sees it.
type adminDomainBody struct {
	domainBody
	Active bool `json:"active"`
}

func showAdminDomain(d law.Domain) adminDomainBody {
	return adminDomainBody{domainBody{Code: d.Code, Label: d.Label, Description: d.Description, Documents: d.Documents}, d.Active}
}

// listAllDomains shows every domain in the configured order, on one page.
func (s *Server) listAllDomains(c *fiber.Ctx, _ postgres.User) error {
	domains, err := s.DB.AllDomains(c.UserContext())
	if err != nil {
		return err
	}
	return list(c, domains, nil, showAdminDomain)
}

// createDomain adds a domain.
func (s *Server) createDomain(c *fiber.Ctx, _ postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	d := law.Domain{Code: body.text("code", 2, domainCodeLimit), Label: body.text("label", 1, domainLabelLimit), Active: true}
	if n := len(d.Code); n >= 2 && n <= domainCodeLimit && !domainCode.MatchString(d.Code) {
		body.refuse("code", "Un code n’a que des minuscules sans accent, des chiffres, « _ » et « - ».")
	}
	if text := body.maybeText("description", 0, domainDescriptionLimit); text != nil {
		d.Description = *text
	}
	if active := body.maybeFlag("active"); active != nil {
		d.Active = *active
	}
	if err := body.err(); err != nil {
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

// changeDomain changes a domain's texts, or whether it is offered.
func (s *Server) changeDomain(c *fiber.Ctx, _ postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	change := postgres.DomainChange{
		Label:       body.maybeText("label", 1, domainLabelLimit),
		Description: body.maybeText("description", 0, domainDescriptionLimit),
		Active:      body.maybeFlag("active"),
	}
	if err := body.err(); err != nil {
		return err
	}
	code := c.Params("code")
	if !domainCode.MatchString(code) {
		return errs.New(errs.NotFound, "Domaine introuvable.")
	}
	d, err := s.DB.ChangeDomain(c.UserContext(), code, change)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Domaine introuvable.", err)
	}
	if err != nil {
		return err
	}
	return c.JSON(showAdminDomain(d))
}
