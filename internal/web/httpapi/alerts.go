package httpapi

import (
	"context"
	"html/template"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/egress"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/alerts"
	"vigueur/internal/work/queue"
)

// Alerts are the settings of alerts.
type Alerts struct {
	Webhooks bool     // whether accounts may have webhooks
	Allowed  []string // hosts with port that webhooks may reach although they are private
}

const (
	alertsDefault   = 50  // alerts on a page
	alertsMost      = 100 // maximum
	deliveriesMost  = 100 // deliveries of a webhook that are listed
	webhookLimit    = 2000
	followWordLimit = 100 // code points of a nature or a domain
)

// alertRoutes registers the routes of alerts.
func (s *Server) alertRoutes(api fiber.Router) {
	api.Get("/me/follows", s.protected(s.few(s.listFollows)))
	api.Post("/me/follows", s.protected(s.few(s.addFollow)))
	api.Delete("/me/follows/:id", s.protected(s.deleteFollow))
	api.Get("/me/alerts", s.protected(s.few(s.listAlerts)))
	api.Patch("/me/alerts", s.protected(s.setAlerts))
	api.Get("/alerts/stop", s.askStopAlerts)
	api.Post("/alerts/stop", s.stopAlerts)
	api.Get("/me/webhooks", s.protected(s.few(s.listWebhooks)))
	api.Post("/me/webhooks", s.protected(s.few(s.createWebhook)))
	api.Patch("/me/webhooks/:id", s.protected(s.setWebhook))
	api.Delete("/me/webhooks/:id", s.protected(s.deleteWebhook))
	api.Post("/me/webhooks/:id/test", s.protected(s.few(s.testWebhook)))
	api.Get("/me/webhooks/:id/deliveries", s.protected(s.few(s.listDeliveries)))
	api.Post("/me/webhooks/:id/deliveries/:delivery_id", s.protected(s.few(s.redeliver)))
}

// followBody is what an account follows.
type followBody struct {
	ID        uuid.UUID  `json:"id"`
	Kind      string     `json:"kind"`
	Label     string     `json:"label"`
	Document  *uuid.UUID `json:"document_id"`
	Article   *uuid.UUID `json:"article_id"`
	Message   *uuid.UUID `json:"message_id"`
	Words     string     `json:"q"`
	Type      string     `json:"doc_type"`
	Nature    string     `json:"nature"`
	Domain    string     `json:"domaine"`
	Country   string     `json:"pays"`
	CreatedAt string     `json:"created_at"`
}

func showFollow(f postgres.Follow) followBody {
	return followBody{f.ID, f.Kind, f.Label, f.Document, f.Article, f.Message, f.Words, string(f.Type), f.Nature, f.Domain, f.Country, showTime(f.CreatedAt)}
}

func (s *Server) listFollows(c *fiber.Ctx, user postgres.User) error {
	follows, err := s.DB.Follows(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": showAll(follows, showFollow)})
}

// addFollow adds what the account follows: 201, or 200 if it follows it already.
func (s *Server) addFollow(c *fiber.Ctx, user postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	f := readFollow(body)
	if err := body.err(); err != nil {
		return err
	}
	made, added, err := s.DB.AddFollow(c.UserContext(), user.ID, f)
	if err != nil {
		return err
	}
	if added {
		c.Status(fiber.StatusCreated)
	}
	return c.JSON(showFollow(made))
}

// readFollow reads what is to be followed. Fields that the kind does not need are validated and
// dropped.
func readFollow(body *object) postgres.Follow {
	f := postgres.Follow{Kind: body.choice("kind", postgres.FollowKinds())}
	body.only("kind", "document_id", "article_id", "message_id", "q", "doc_type", "nature", "domaine", "pays")
	for name, field := range map[string]struct {
		id     **uuid.UUID
		needed bool
	}{
		"document_id": {&f.Document, f.Kind == postgres.FollowText || f.Kind == postgres.FollowArticle},
		"article_id":  {&f.Article, f.Kind == postgres.FollowArticle},
		"message_id":  {&f.Message, f.Kind == postgres.FollowAnswer},
	} {
		if !field.needed {
			body.id(name)
			continue
		}
		id := body.mustID(name)
		*field.id = &id
	}
	scope := postgres.Follow{Type: law.DocType(body.one("doc_type", texts(law.DocTypes()))), Country: body.country("pays")}
	for name, field := range map[string]*string{"nature": &scope.Nature, "domaine": &scope.Domain} {
		if value := body.upTo(name, followWordLimit); value != nil {
			*field = *value
		}
	}
	if f.Kind == postgres.FollowSearch {
		if f.Words = body.text("q", 1, searchLimit); f.Words != "" && fulltext.Parse(f.Words).Empty() {
			body.refuse("q", "Ces mots sont trop courants pour être suivis.")
		}
	} else {
		body.upTo("q", searchLimit)
	}
	if f.Kind == postgres.FollowSearch || f.Kind == postgres.FollowScope {
		f.Type, f.Nature, f.Domain, f.Country = scope.Type, scope.Nature, scope.Domain, scope.Country
	}
	if f.Kind == postgres.FollowScope && scope == (postgres.Follow{}) {
		body.refuse("domaine", "Un domaine, un pays, un type ou une nature est attendu.")
	}
	return f
}

func (s *Server) deleteFollow(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if err := s.DB.DeleteFollow(c.UserContext(), user.ID, id); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// alertBody is a change that concerns an account.
type alertBody struct {
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

func showAlert(a postgres.Alert) alertBody {
	c := a.Change
	return alertBody{a.ID, showTime(c.At), a.Follow, a.Label, c.Kind, c.Document, c.Title, append([]string{}, c.Articles...), c.Article, c.Act, c.ActTitle, c.Sentence(), c.Path()}
}

// listAlerts shows the alerts of the account, the newest first, and whether it gets mail.
func (s *Server) listAlerts(c *fiber.Ctx, user postgres.User) error {
	q := query{c: c}
	before, limit := q.number("before", 0, 0, 0), q.number("limit", alertsDefault, 1, alertsMost)
	if err := q.err(); err != nil {
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
	return c.JSON(fiber.Map{"items": showAll(list, showAlert), "next_before": next, "mail": mail})
}

// setAlerts sets whether the account gets digests by mail.
func (s *Server) setAlerts(c *fiber.Ctx, user postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	mail := body.mustFlag("mail")
	if err := body.err(); err != nil {
		return err
	}
	if err := s.DB.SetAlertMail(c.UserContext(), user.ID, mail); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// mustFlag reads a required boolean.
func (o *object) mustFlag(name string) bool {
	if raw, given := o.fields[name]; !given {
		o.faults.missing(o.at(name))
	} else if _, given := o.optional(name); !given {
		o.faults.add("bool_type", o.at(name), raw, "true ou false est attendu.")
	}
	return o.flag(name)
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

// askStopAlerts shows a page that asks whether digests shall end. It changes nothing, because
// mail programs open links by themselves.
func (s *Server) askStopAlerts(c *fiber.Ctx) error { return showStop(c, false) }

// stopAlerts ends the digests of the account that got the message with the token, with one
// click (RFC 8058). The body is ignored.
func (s *Server) stopAlerts(c *fiber.Ctx) error {
	q := query{c: c}
	token := q.needed("token", tokenLimit)
	if err := q.err(); err != nil {
		return err
	}
	if err := s.DB.StopAlertMail(c.UserContext(), sealed.HashToken(token)); err != nil {
		return err
	}
	return showStop(c, true)
}

func showStop(c *fiber.Ctx, done bool) error {
	q := query{c: c}
	token := q.needed("token", tokenLimit)
	if err := q.err(); err != nil {
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

// webhookBody is a webhook without its secret.
type webhookBody struct {
	ID        uuid.UUID `json:"id"`
	URL       string    `json:"url"`
	Active    bool      `json:"active"`
	Failing   *string   `json:"failing_since"`
	Reason    string    `json:"reason"`
	CreatedAt string    `json:"created_at"`
}

// newWebhookBody is a new webhook with its secret, which is shown only once.
type newWebhookBody struct {
	webhookBody
	Secret string `json:"secret"`
}

func showWebhook(w postgres.Webhook) webhookBody {
	return webhookBody{w.ID, w.URL, w.Active, maybeTime(w.Failing), w.Reason, showTime(w.CreatedAt)}
}

// listWebhooks shows the webhooks of the account, and whether the service sends any.
func (s *Server) listWebhooks(c *fiber.Ctx, user postgres.User) error {
	list, err := s.DB.Webhooks(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": showAll(list, showWebhook), "enabled": s.Alerts.Webhooks})
}

// errNoWebhooks returns the error for a service that sends no webhooks.
func (s *Server) errNoWebhooks() error {
	if s.Alerts.Webhooks {
		return nil
	}
	return errs.New(errs.Conflict, "Ce service n’envoie pas de webhooks.")
}

// createWebhook adds a webhook and shows its secret, which is never shown again.
func (s *Server) createWebhook(c *fiber.Ctx, user postgres.User) error {
	if err := s.errNoWebhooks(); err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	address := body.text("url", 1, webhookLimit)
	if body.err() == nil {
		if err := egress.Check(address, s.Alerts.Allowed); err != nil {
			body.refuse("url", errs.Public(err))
		}
	}
	if err := body.err(); err != nil {
		return err
	}
	secret, shown := alerts.NewSecret()
	made, err := s.DB.CreateWebhook(c.UserContext(), user.ID, address, secret)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(newWebhookBody{showWebhook(made), shown})
}

// setWebhook turns a webhook on or off.
func (s *Server) setWebhook(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	active := body.mustFlag("active")
	if err := body.err(); err != nil {
		return err
	}
	changed, err := s.DB.SetWebhook(c.UserContext(), user.ID, id, active)
	if err != nil {
		return err
	}
	return c.JSON(showWebhook(changed))
}

func (s *Server) deleteWebhook(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if err := s.DB.DeleteWebhook(c.UserContext(), user.ID, id); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// deliveryBody is what was sent to a webhook.
type deliveryBody struct {
	ID        uuid.UUID `json:"id"`
	State     string    `json:"state"`
	Test      bool      `json:"test"`
	Kind      string    `json:"kind"`
	Title     string    `json:"title"`
	Attempts  int       `json:"attempts"`
	Status    *int      `json:"status"`
	Error     string    `json:"error"`
	Took      *int      `json:"took_ms"`
	CreatedAt string    `json:"created_at"`
	UpdatedAt string    `json:"updated_at"`
	NextAt    *string   `json:"next_at"`
}

func showDelivery(d postgres.Delivery) deliveryBody {
	body := deliveryBody{ID: d.ID, State: d.State, Test: d.Test, Kind: d.Kind, Title: d.Title, Attempts: d.Attempt, Status: d.Status, Error: d.Error, Took: d.Took,
		CreatedAt: showTime(d.CreatedAt), UpdatedAt: showTime(d.UpdatedAt)}
	if d.State == "queued" {
		body.NextAt = maybeTime(&d.NextAt)
	}
	return body
}

func (s *Server) listDeliveries(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	list, err := s.DB.Deliveries(c.UserContext(), user.ID, id, deliveriesMost)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": showAll(list, showDelivery)})
}

// testWebhook queues a message that tells of no change.
func (s *Server) testWebhook(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if err := s.errNoWebhooks(); err != nil {
		return err
	}
	d, err := s.queueDelivery(c, user, func(ctx context.Context) (postgres.Delivery, error) { return s.DB.TestWebhook(ctx, user.ID, id) })
	return s.showQueued(c, d, err)
}

// redeliver queues an ended delivery again.
func (s *Server) redeliver(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	delivery, err := pathID(c, "delivery_id")
	if err != nil {
		return err
	}
	if err := s.errNoWebhooks(); err != nil {
		return err
	}
	d, err := s.queueDelivery(c, user, func(ctx context.Context) (postgres.Delivery, error) {
		return s.DB.Redeliver(ctx, user.ID, id, delivery)
	})
	return s.showQueued(c, d, err)
}

// queueDelivery queues a delivery that an account asks for. An account may have a few a minute:
// its webhooks must not hold up those of others, nor send requests without end to a server.
func (s *Server) queueDelivery(c *fiber.Ctx, user postgres.User, add func(ctx context.Context) (postgres.Delivery, error)) (d postgres.Delivery, err error) {
	event, err := s.Deliveries.Begin(c.UserContext(), user.ID.String())
	if err != nil {
		return d, err
	}
	if d, err = add(c.UserContext()); err != nil {
		s.forget(c.UserContext(), event.Forget)
		return d, err
	}
	_, err = event.Count(c.UserContext())
	return d, err
}

// showQueued hints at a queued delivery and shows it.
func (s *Server) showQueued(c *fiber.Ctx, d postgres.Delivery, err error) error {
	if err != nil {
		return err
	}
	if err := s.Queue.Enqueue(c.UserContext(), queue.Webhooks, d.ID); err != nil {
		s.Log.WarnContext(c.UserContext(), "hint", "delivery", d.ID, "error", err)
	}
	return c.Status(fiber.StatusAccepted).JSON(showDelivery(d))
}
