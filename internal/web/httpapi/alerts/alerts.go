// Package alerts serves what an account follows: the list of follows, the alerts about changes,
// their digest by mail, and webhooks.
package alerts

import (
	"context"
	"html/template"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// Handlers serve the routes of alerts.
type Handlers struct {
	*guard.Guard

	Enqueue    func(ctx context.Context, kind queue.Kind, id uuid.UUID) error
	Deliveries *ratelimit.Limiter // deliveries to webhooks that one account asks for
	Settings   Settings
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix)

	api = api.Tag("Alertes")
	api.Get("/me/follows", "listFollows", "Ce que l’on suit", s.Signed(s.InTurn(contract.Do(s.listFollows))))
	api.Post("/me/follows", "addFollow", "Suivre un texte, un article, une réponse, une recherche ou un domaine", s.Signed(s.InTurn(contract.Do(s.addFollow)))).Gives(201, 200).Fails(404, 409)
	api.Delete("/me/follows/:id", "deleteFollow", "Ne plus suivre un sujet", s.Signed(contract.Do(s.deleteFollow)))
	api = api.Tag("Administration des comptes")
	api.Get("/admin/users/:id/follows", "listFollowsOf", "Ce que suit un compte", s.Role("admin", s.Audited(postgres.UsersRead, contract.Do(s.listFollowsOf))))
	api.Post("/admin/users/:id/follows", "addFollowOf", "Faire suivre un sujet à un compte", s.Role("admin", contract.Do(s.addFollowOf))).Gives(201, 200).Fails(409)
	api.Delete("/admin/follows/:id", "deleteFollowOf", "Ne plus faire suivre un sujet", s.Role("admin", contract.Do(s.deleteFollowOf)))
	api = api.Tag("Alertes")
	api.Get("/me/alerts", "listAlerts", "Ses alertes", s.Signed(s.InTurn(contract.Do(s.listAlerts))))
	api.Patch("/me/alerts", "setAlerts", "Recevoir ou non ses alertes par courriel", s.Signed(contract.Do(s.setAlerts)))
	api.Get("/alerts/stop", "askStopAlerts", "La page du lien qui met fin aux résumés", contract.Open(s.askStopAlerts)).Media("text/html").Headers("Content-Security-Policy", "Cache-Control")
	api.Post("/alerts/stop", "stopAlerts", "Mettre fin aux résumés, d’un clic", contract.Open(s.stopAlerts)).Fails(415).Media("text/html").Headers("Content-Security-Policy", "Cache-Control")
	api.Get("/me/webhooks", "listWebhooks", "Ses webhooks", s.Signed(s.InTurn(contract.Do(s.listWebhooks))))
	api.Post("/me/webhooks", "createWebhook", "Faire un webhook", s.Signed(s.InTurn(contract.Do(s.createWebhook)))).Gives(201).Fails(409)
	api.Patch("/me/webhooks/:id", "setWebhook", "Allumer ou éteindre un webhook", s.Signed(contract.Do(s.setWebhook)))
	api.Delete("/me/webhooks/:id", "deleteWebhook", "Supprimer un webhook", s.Signed(contract.Do(s.deleteWebhook)))
	api.Post("/me/webhooks/:id/test", "testWebhook", "Essayer un webhook", s.Signed(s.InTurn(contract.Do(s.testWebhook)))).Gives(202).Fails(409)
	api.Get("/me/webhooks/:id/deliveries", "listDeliveries", "Les envois à un webhook", s.Signed(s.InTurn(contract.Do(s.listDeliveries))))
	api.Post("/me/webhooks/:id/deliveries/:delivery_id", "redeliver", "Refaire un envoi", s.Signed(s.InTurn(contract.Do(s.redeliver)))).Gives(202).Fails(409)
}

const (
	alertsDefault   = 50  // alerts on a page
	alertsMost      = 100 // maximum
	deliveriesMost  = 100 // deliveries of a webhook that are listed
	webhookLimit    = 2000
	followWordLimit = 100 // code points of a nature or a domain
)

// Settings are the settings of alerts.
type Settings struct {
	Webhooks bool     // whether accounts may have webhooks
	Allowed  []string // hosts with port that webhooks may reach although they are private
}

// AlertBody is a change that concerns an account.
type AlertBody struct {
	ID       int64      `json:"id"`
	At       string     `json:"at" format:"date-time"`
	Follow   uuid.UUID  `json:"follow_id"`
	Label    string     `json:"label"`
	Kind     string     `json:"kind" enum:"added,withdrawn,replaced,modified,repealed,restored,wording"`
	Document uuid.UUID  `json:"document_id"`
	Title    string     `json:"title"`
	Articles []string   `json:"articles"`
	Article  *uuid.UUID `json:"article_id" doc:"L’article changé ; celui qui est suivi, ou le premier, s’il y en a plusieurs."`
	Act      *uuid.UUID `json:"act_id"`
	ActTitle string     `json:"act_title"`
	Sentence string     `json:"sentence" doc:"Ce qui a changé, en une phrase."`
	Path     string     `json:"path" doc:"Où la page du service montre ce qui a changé : l’article, le jour de sa nouvelle rédaction, ou le texte."`
}

func showAlert(a postgres.Alert) AlertBody {
	c := a.Change
	return AlertBody{a.ID, respond.ShowTime(c.At), a.Follow, a.Label, c.Kind, c.Document, c.Title, append([]string{}, c.Articles...), c.Article, c.Act, c.ActTitle, c.Sentence(), c.Path()}
}

type alertsBody struct {
	Items      []AlertBody `json:"items"`
	NextBefore *int64      `json:"next_before"`
	Mail       bool        `json:"mail" doc:"Si le compte reçoit un résumé par courriel."`
}

type listAlertsInput struct {
	Before int `query:"before" minimum:"0" doc:"next_before de la page précédente."`
	Limit  int `query:"limit" default:"50" minimum:"1" maximum:"100" doc:"Alertes par page."`
}

// listAlerts serves GET /me/alerts. It shows the alerts of the account, the newest first, and
// whether it gets mail.
func (s *Handlers) listAlerts(c *fiber.Ctx, user postgres.User, input listAlertsInput) (reply alertsBody, _ error) {
	limit := input.Limit
	list, err := s.DB.Alerts(c.UserContext(), user.ID, int64(input.Before), limit+1)
	if err != nil {
		return reply, err
	}
	mail, err := s.DB.AlertMail(c.UserContext(), user.ID)
	if err != nil {
		return reply, err
	}
	var next *int64
	if len(list) > limit {
		list = list[:limit]
		next = &list[limit-1].ID
	}
	return alertsBody{respond.ShowAll(list, showAlert), next, mail}, nil
}

type setAlertsInput struct {
	Mail bool `json:"mail"`
}

// setAlerts serves PATCH /me/alerts. It sets whether the account gets digests by mail.
func (s *Handlers) setAlerts(c *fiber.Ctx, user postgres.User, input setAlertsInput) (reply contract.None, _ error) {
	return reply, s.DB.SetAlertMail(c.UserContext(), user.ID, input.Mail)
}

// stopPolicy is the Content-Security-Policy of the page that ends digests: only its form.
const stopPolicy = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

var stopPage = template.Must(template.New("stop").Parse(`<!doctype html>
<html lang="fr"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>Alertes par courriel – Vigueur</title>
<main><h1>Alertes par courriel</h1>
{{if .Done}}<p>C’est fait : vous ne recevrez plus de résumé de vos alertes. La page du service les montre toujours.</p>
{{else}}<p>Ne plus recevoir par courriel le résumé de vos alertes ?</p>
<form method="post" action="?token={{.Token}}"><button>Ne plus les recevoir</button></form>{{end}}</main></html>
`))

// askStopAlerts serves GET /alerts/stop. It shows a page that asks whether digests shall end. It
// changes nothing, because mail programs open links without a click.
func (s *Handlers) askStopAlerts(c *fiber.Ctx, input stopInput) (reply contract.Sent, _ error) {
	return reply, showStop(c, input.Token, false)
}

type stopInput struct {
	Token string `query:"token" maxLength:"512" required:"true" doc:"Le jeton du message."`
}

// stopAlerts serves POST /alerts/stop. It ends the digests of the account that got the message
// with the token, with one click (RFC 8058). The body is ignored.
func (s *Handlers) stopAlerts(c *fiber.Ctx, input stopInput) (reply contract.Sent, _ error) {
	if err := s.DB.StopAlertMail(c.UserContext(), sealed.HashToken(input.Token)); err != nil {
		return reply, err
	}
	return reply, showStop(c, input.Token, true)
}

func showStop(c *fiber.Ctx, token string, done bool) error {
	c.Set(fiber.HeaderContentSecurityPolicy, stopPolicy)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return stopPage.Execute(c, struct {
		Token string
		Done  bool
	}{token, done})
}
