package admin

import (
	"regexp"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

var domainCode = regexp.MustCompile(`^[a-z0-9_-]{2,40}$`)

// AdminDomaineBody is a domain as an administrator sees it.
type AdminDomaineBody struct { //nolint:revive // the contract names its schema by the type
	law.Domain
	Active bool `json:"active"`
}

func showAdminDomain(d law.Domain) AdminDomaineBody {
	return AdminDomaineBody{d, d.Active}
}

// listAllDomains serves GET /admin/domaines. It shows every domain in the configured order, on one
// page.
func (s *Handlers) listAllDomains(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply respond.Listing[AdminDomaineBody], _ error) {
	domains, err := s.DB.AllDomains(c.UserContext())
	if err != nil {
		return reply, err
	}
	return respond.NewListing(domains, nil, showAdminDomain), nil
}

type domaineInput struct {
	Code        string `json:"code" minLength:"2" maxLength:"40" pattern:"^[a-z0-9_-]{2,40}$"`
	Label       string `json:"label" minLength:"1" maxLength:"255"`
	Description string `json:"description,omitempty" maxLength:"2000"`
	Active      *bool  `json:"active,omitempty"`
}

// Check refuses characters that a code does not have.
func (i *domaineInput) Check(f *form.Faults) {
	if n := len(i.Code); n >= 2 && n <= domainCodeLimit && !domainCode.MatchString(i.Code) {
		f.Refuse("code", i.Code, "Un code n’a que des minuscules sans accent, des chiffres, « _ » et « - ».")
	}
}

// createDomain serves POST /admin/domaines. It adds a domain.
func (s *Handlers) createDomain(c *fiber.Ctx, _ postgres.User, input domaineInput) (reply AdminDomaineBody, _ error) {
	d := law.Domain{Code: input.Code, Label: input.Label, Description: input.Description, Active: input.Active == nil || *input.Active}
	made, err := s.DB.CreateDomain(c.UserContext(), d)
	if errs.Is(err, errs.Conflict) {
		return reply, errs.Wrap(errs.Conflict, "Un domaine porte déjà ce code.", err)
	}
	if err != nil {
		return reply, err
	}
	return showAdminDomain(made), nil
}

type domaineChange struct {
	Code        string  `path:"code" doc:"Le code du domaine."`
	Label       *string `json:"label,omitempty" minLength:"1" maxLength:"255"`
	Description *string `json:"description,omitempty" maxLength:"2000"`
	Active      *bool   `json:"active,omitempty"`
}

// changeDomain serves PATCH /admin/domaines/:code. It changes a domain's texts, or whether it is
// offered.
func (s *Handlers) changeDomain(c *fiber.Ctx, _ postgres.User, input domaineChange) (reply AdminDomaineBody, _ error) {
	change := postgres.DomainChange{
		Label:       input.Label,
		Description: input.Description,
		Active:      input.Active,
	}

	if !domainCode.MatchString(input.Code) {
		return reply, errs.New(errs.NotFound, "Domaine introuvable.")
	}
	d, err := s.DB.ChangeDomain(c.UserContext(), input.Code, change)
	if err != nil {
		return reply, respond.NotFound(err, "Domaine introuvable.")
	}
	return showAdminDomain(d), nil
}
