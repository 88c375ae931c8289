package admin

import (
	"fmt"
	"regexp"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/naming"
	"vigueur/internal/law/read"
	"vigueur/internal/search/named"
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
	Name    string `json:"name" minLength:"2" maxLength:"60" format:"line"`
	Means   string `json:"means" minLength:"1" maxLength:"300"`
	Country string `json:"pays,omitempty" format:"country"`
	DryRun  bool   `json:"dry_run,omitempty" doc:"Dire ce que le nom changerait, sans le garder."`
}

// namedText is a short name with the texts that it means.
type namedText struct {
	ID        *uuid.UUID `json:"id,omitempty"`
	Name      string     `json:"name"`
	Means     string     `json:"means"`
	Country   string     `json:"pays"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
	Texts     []string   `json:"texts" doc:"Les titres des textes du catalogue que le nom désigne ; aucun : il attend son texte."`
}

// Check refuses a meaning that names no text.
func (i *textNameInput) Check(f *form.Faults) {
	if i.Means == "" {
		return
	}
	if _, ok := read.Stands(naming.Given{Means: i.Means}); !ok {
		f.Refuse("means", i.Means, "Ce n’est ni le numéro ni le titre d’un texte : écrivez « loi n° 70-03 » ou « code de la famille ».")
	}
}

// nameText serves POST /admin/names. It gives a text a short name, by which questions and searches find it, unless other
// words would be read as that name.
func (s *Handlers) nameText(c *fiber.Ctx, _ postgres.User, input textNameInput) (reply namedText, _ error) {
	name := naming.Clean(input.Name)
	effect, err := named.EffectOf(c.UserContext(), s.DB, naming.Given{Name: name, Means: input.Means, Country: country.Code(input.Country)})
	if err != nil {
		return reply, err
	}
	if why := objection(effect); why != "" {
		return reply, form.Refused("name", input.Name, why)
	}
	reply = namedText{Name: name, Means: input.Means, Country: input.Country, Texts: []string{}}
	for _, d := range effect.Texts {
		reply.Texts = append(reply.Texts, d.Title)
	}
	if input.DryRun {
		c.Status(fiber.StatusOK)
		return reply, nil
	}
	made, err := s.DB.NameText(c.UserContext(), postgres.TextName{Name: name, Means: input.Means, Country: input.Country})
	if errs.Is(err, errs.Conflict) {
		return reply, errs.Wrap(errs.Conflict, "Ce nom est déjà donné.", err)
	}
	reply.ID, reply.CreatedAt = &made.ID, &made.CreatedAt
	return reply, err
}

// objection says why a name must not be given, "" if it may.
func objection(e named.Effect) string {
	switch {
	case e.Unread:
		return "Un nom court a des lettres."
	case e.Common:
		return "Ces mots sont dans toutes les questions : toutes porteraient sur ce texte."
	case len(e.Already) > 0:
		return fmt.Sprintf("Ce nom désigne déjà un autre texte : %s.", e.Already[0].Title)
	case e.Said != nil && e.Said.Article != "":
		return fmt.Sprintf("Ces mots ne désignent pas ce texte dans l’article %s d’un autre : %s.", e.Said.Article, e.Said.Title)
	case e.Said != nil:
		return fmt.Sprintf("Ces mots sont dans le titre d’un autre texte : %s.", e.Said.Title)
	case e.Questions > 0:
		return fmt.Sprintf("Des questions déjà posées (%d) ont ces mots, et d’autres textes y ont répondu.", e.Questions)
	}
	return ""
}

// unnameText serves DELETE /admin/names/:id. It takes a short name back.
func (s *Handlers) unnameText(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.DB.UnnameText(c.UserContext(), input.ID), "Ce nom n’est pas donné.")
}

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
	Label       string `json:"label" minLength:"1" maxLength:"255" format:"title"`
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
	Label       *string `json:"label,omitempty" minLength:"1" maxLength:"255" format:"title"`
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

// InquiryBody is an inquiry as administrators see it.
type InquiryBody struct {
	SentInquiryBody
	UpdatedAt    string           `json:"updated_at" format:"date-time"`
	Notification notificationBody `json:"notification" doc:"Où en est l’e-mail qui annonce la demande."`
}

// SentInquiryBody is an inquiry as sent, with its status.
type SentInquiryBody struct {
	postgres.Inquiry
	CreatedAt string `json:"created_at" format:"date-time"`
}

// ShowSentInquiry shows an inquiry as it was sent.
func ShowSentInquiry(i postgres.Inquiry) SentInquiryBody {
	return SentInquiryBody{i, respond.ShowTime(i.CreatedAt)}
}

// notificationBody is the state of the e-mail.
type notificationBody struct {
	State         string                    `json:"state" enum:"queued,running,done"` // queued, running, done
	AttemptsCount int                       `json:"attempts_count"`
	Attempts      []notificationAttemptBody `json:"attempts" doc:"Les derniers essais, dans leur ordre."`                  // the latest, oldest first
	NextAt        *string                   `json:"next_at" format:"date-time" doc:"Pas d’autre essai avant cet instant."` // earliest time of the next attempt; null if there is none
}

type notificationAttemptBody struct {
	At      string  `json:"at" format:"date-time"`
	Outcome string  `json:"outcome" enum:"running,sent,failed,lost,released"` // running, sent, failed, lost, released
	Reason  *string `json:"reason"`
}

func (s *Handlers) showInquiry(i postgres.Inquiry, attempts []postgres.InquiryAttempt) InquiryBody {
	n := notificationBody{State: i.Notification.State, AttemptsCount: i.Notification.Attempt, Attempts: make([]notificationAttemptBody, 0, len(attempts))}
	for _, a := range attempts {
		n.Attempts = append(n.Attempts, notificationAttemptBody{respond.ShowTime(a.At), a.Outcome, respond.NonEmpty(a.Reason)})
	}
	if n.State == "queued" && i.Notification.NextAt.After(s.Now()) {
		n.NextAt = new(respond.ShowTime(i.Notification.NextAt))
	}
	return InquiryBody{SentInquiryBody: ShowSentInquiry(i), UpdatedAt: respond.ShowTime(i.UpdatedAt), Notification: n}
}

// showInquiries shows inquiries with their attempts.
func (s *Handlers) showInquiries(c *fiber.Ctx, list ...postgres.Inquiry) ([]InquiryBody, error) {
	ids := make([]uuid.UUID, len(list))
	for i, one := range list {
		ids[i] = one.ID
	}
	attempts, err := s.DB.InquiryAttempts(c.UserContext(), ids, attemptsShown)
	if err != nil {
		return nil, err
	}
	shown := make([]InquiryBody, len(list))
	for i, one := range list {
		shown[i] = s.showInquiry(one, attempts[one.ID])
	}
	return shown, nil
}

type listInquiriesInput struct {
	respond.Cursor
	Status string `query:"status" enum:"new,read,answered,closed" doc:"Seulement celles-ci."`
}

// listInquiries serves GET /admin/inquiries. It shows inquiries, newest first, by cursor.
func (s *Handlers) listInquiries(c *fiber.Ctx, _ postgres.User, input listInquiriesInput) (reply respond.Listing[InquiryBody], _ error) {
	found, next, err := s.DB.Inquiries(c.UserContext(), input.Status, input.Before, input.Limit)
	if err != nil {
		return reply, err
	}
	shown, err := s.showInquiries(c, found...)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(shown, next, respond.Same), nil
}

type changeInquiryInput struct {
	contract.ByID
	Status string `json:"status" enum:"new,read,answered,closed"`
}

// changeInquiry serves PATCH /admin/inquiries/:id. It changes the status of an inquiry.
func (s *Handlers) changeInquiry(c *fiber.Ctx, _ postgres.User, input changeInquiryInput) (reply InquiryBody, _ error) {
	inquiry, err := s.DB.SetInquiryStatus(c.UserContext(), input.ID, input.Status)
	if err != nil {
		return reply, respond.NotFound(err, "Demande introuvable.")
	}
	shown, err := s.showInquiries(c, inquiry)
	if err != nil {
		return reply, err
	}
	return shown[0], nil
}
