package alerts

import (
	"html/template"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// Settings are the settings of alerts.
type Settings struct {
	Webhooks bool     // whether accounts may have webhooks
	Allowed  []string // hosts with port that webhooks may reach although they are private
}

// AlertBody is a change that concerns an account.
type AlertBody struct {
	ID       int64      `json:"id"`
	At       string     `json:"at"`
	Follow   uuid.UUID  `json:"follow_id"`
	Label    string     `json:"label"`
	Kind     string     `json:"kind"`
	Document uuid.UUID  `json:"document_id"`
	Title    string     `json:"title"`
	Articles []string   `json:"articles"`
	Article  *uuid.UUID `json:"article_id"`
	Act      *uuid.UUID `json:"act_id"`
	ActTitle string     `json:"act_title"`
	Sentence string     `json:"sentence"`
	Path     string     `json:"path"`
}

func showAlert(a postgres.Alert) AlertBody {
	c := a.Change
	return AlertBody{a.ID, respond.ShowTime(c.At), a.Follow, a.Label, c.Kind, c.Document, c.Title, append([]string{}, c.Articles...), c.Article, c.Act, c.ActTitle, c.Sentence(), c.Path()}
}

// listAlerts serves GET /me/alerts. It shows the alerts of the account, the newest first, and
// whether it gets mail.
func (s *Handlers) listAlerts(c *fiber.Ctx, user postgres.User) error {
	q := form.ReadQuery(c)
	before, limit := q.Number("before", 0, 0, 0), q.Number("limit", alertsDefault, 1, alertsMost)
	if err := q.Err(); err != nil {
		return err
	}
	list, err := s.DB.Alerts(c.UserContext(), user.ID, int64(before), limit+1)
	if err != nil {
		return err
	}
	mail, err := s.DB.AlertMail(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	var next *int64
	if len(list) > limit {
		list = list[:limit]
		next = &list[limit-1].ID
	}
	return c.JSON(fiber.Map{"items": respond.ShowAll(list, showAlert), "next_before": next, "mail": mail})
}

// setAlerts serves PATCH /me/alerts. It sets whether the account gets digests by mail.
func (s *Handlers) setAlerts(c *fiber.Ctx, user postgres.User) error {
	body := transport.ReadBody(c)
	mail := body.MustFlag("mail")
	if err := body.Err(); err != nil {
		return err
	}
	return respond.NoContent(c, s.DB.SetAlertMail(c.UserContext(), user.ID, mail))
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
func (s *Handlers) askStopAlerts(c *fiber.Ctx) error { return showStop(c, false) }

// stopAlerts serves POST /alerts/stop. It ends the digests of the account that got the message
// with the token, with one click (RFC 8058). The body is ignored.
func (s *Handlers) stopAlerts(c *fiber.Ctx) error {
	q := form.ReadQuery(c)
	token := q.Needed("token", form.TokenLimit)
	if err := q.Err(); err != nil {
		return err
	}
	if err := s.DB.StopAlertMail(c.UserContext(), sealed.HashToken(token)); err != nil {
		return err
	}
	return showStop(c, true)
}

func showStop(c *fiber.Ctx, done bool) error {
	q := form.ReadQuery(c)
	token := q.Needed("token", form.TokenLimit)
	if err := q.Err(); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, stopPolicy)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return stopPage.Execute(c, struct {
		Token string
		Done  bool
	}{token, done})
}
