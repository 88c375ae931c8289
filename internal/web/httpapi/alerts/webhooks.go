package alerts

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/egress"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/work/alerts"
	"vigueur/internal/work/queue"
)

// WebhookBody is a webhook without its secret.
type WebhookBody struct {
	ID        uuid.UUID `json:"id"`
	URL       string    `json:"url"`
	Active    bool      `json:"active"`
	Failing   *string   `json:"failing_since" format:"date-time"`
	Reason    string    `json:"reason" doc:"Pourquoi le service l’a éteint."`
	CreatedAt string    `json:"created_at" format:"date-time"`
}

// NewWebhookBody is a new webhook with its secret, which is shown only once.
type NewWebhookBody struct {
	WebhookBody
	Secret string `json:"secret" doc:"Ce qui signe les messages, montré cette seule fois."`
}

// ShowWebhook shows a webhook without its secret.
func ShowWebhook(w postgres.Webhook) WebhookBody {
	return WebhookBody{w.ID, w.URL, w.Active, respond.MaybeTime(w.Failing), w.Reason, respond.ShowTime(w.CreatedAt)}
}

type webhooksBody struct {
	Items   []WebhookBody `json:"items"`
	Enabled bool          `json:"enabled" doc:"Si ce service envoie des webhooks."`
}

// listWebhooks serves GET /me/webhooks. It shows the webhooks of the account, and whether the
// service sends any.
func (s *Handlers) listWebhooks(c *fiber.Ctx, user postgres.User, _ contract.None) (reply webhooksBody, _ error) {
	list, err := s.DB.Webhooks(c.UserContext(), user.ID)
	if err != nil {
		return reply, err
	}
	return webhooksBody{respond.ShowAll(list, ShowWebhook), s.Settings.Webhooks}, nil
}

// errNoWebhooks returns the error for a service that sends no webhooks.
func (s *Handlers) errNoWebhooks() error {
	if s.Settings.Webhooks {
		return nil
	}
	return errs.New(errs.Conflict, "Ce service n’envoie pas de webhooks.")
}

type createWebhookInput struct {
	URL string `json:"url" minLength:"1" maxLength:"2000" doc:"L’adresse, https."`
}

// createWebhook serves POST /me/webhooks. It adds a webhook and shows its secret, which is never
// shown again.
func (s *Handlers) createWebhook(c *fiber.Ctx, user postgres.User, input createWebhookInput) (reply NewWebhookBody, _ error) {
	if err := s.errNoWebhooks(); err != nil {
		return reply, err
	}
	if err := egress.Check(input.URL, s.Settings.Allowed); err != nil {
		return reply, form.Refused("url", input.URL, errs.Public(err))
	}
	secret, shown := alerts.NewSecret()
	made, err := s.DB.CreateWebhook(c.UserContext(), user.ID, input.URL, secret)
	if err != nil {
		return reply, err
	}
	return NewWebhookBody{ShowWebhook(made), shown}, nil
}

type setWebhookInput struct {
	contract.ByID
	Active bool `json:"active"`
}

// setWebhook serves PATCH /me/webhooks/:id. It turns a webhook on or off.
func (s *Handlers) setWebhook(c *fiber.Ctx, user postgres.User, input setWebhookInput) (reply WebhookBody, _ error) {
	active := input.Active

	changed, err := s.DB.SetWebhook(c.UserContext(), user.ID, input.ID, active)
	if err != nil {
		return reply, err
	}
	return ShowWebhook(changed), nil
}

// deleteWebhook serves DELETE /me/webhooks/:id.
func (s *Handlers) deleteWebhook(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, s.DB.DeleteWebhook(c.UserContext(), user.ID, input.ID)
}

// DeliveryBody is one message to a webhook.
type DeliveryBody struct {
	postgres.Delivery
	CreatedAt string  `json:"created_at" format:"date-time"`
	UpdatedAt string  `json:"updated_at" format:"date-time"`
	NextAt    *string `json:"next_at" format:"date-time"`
}

func showDelivery(d postgres.Delivery) DeliveryBody {
	body := DeliveryBody{Delivery: d, CreatedAt: respond.ShowTime(d.CreatedAt), UpdatedAt: respond.ShowTime(d.UpdatedAt)}
	if d.State == "queued" {
		body.NextAt = respond.MaybeTime(&d.NextAt)
	}
	return body
}

// listDeliveries serves GET /me/webhooks/:id/deliveries.
func (s *Handlers) listDeliveries(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply respond.All[DeliveryBody], _ error) {
	list, err := s.DB.Deliveries(c.UserContext(), user.ID, input.ID, deliveriesMost)
	if err != nil {
		return reply, err
	}
	return respond.All[DeliveryBody]{Items: respond.ShowAll(list, showDelivery)}, nil
}

// testWebhook serves POST /me/webhooks/:id/test. It queues a message that tells of no change.
func (s *Handlers) testWebhook(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply DeliveryBody, _ error) {
	if err := s.errNoWebhooks(); err != nil {
		return reply, err
	}
	d, err := s.queueDelivery(c, user, func(ctx context.Context) (postgres.Delivery, error) { return s.DB.TestWebhook(ctx, user.ID, input.ID) })
	return s.showQueued(c, d, err)
}

type redeliverInput struct {
	contract.ByID
	Delivery uuid.UUID `path:"delivery_id" doc:"Identifiant de l’envoi."`
}

// redeliver serves POST /me/webhooks/:id/deliveries/:delivery_id. It queues an ended delivery
// again.
func (s *Handlers) redeliver(c *fiber.Ctx, user postgres.User, input redeliverInput) (reply DeliveryBody, _ error) {
	if err := s.errNoWebhooks(); err != nil {
		return reply, err
	}
	d, err := s.queueDelivery(c, user, func(ctx context.Context) (postgres.Delivery, error) {
		return s.DB.Redeliver(ctx, user.ID, input.ID, input.Delivery)
	})
	return s.showQueued(c, d, err)
}

// queueDelivery queues a delivery that an account asks for. An account may have a few a minute:
// its webhooks must not hold up those of others, nor send requests without end to a server.
func (s *Handlers) queueDelivery(c *fiber.Ctx, user postgres.User, add func(ctx context.Context) (postgres.Delivery, error)) (d postgres.Delivery, err error) {
	event, err := s.Deliveries.Begin(c.UserContext(), user.ID.String())
	if err != nil {
		return d, err
	}
	if d, err = add(c.UserContext()); err != nil {
		s.TakeBack(c.UserContext(), event.Forget)
		return d, err
	}
	_, err = event.Count(c.UserContext())
	return d, err
}

// showQueued enqueues a hint for a delivery and shows the delivery.
func (s *Handlers) showQueued(c *fiber.Ctx, d postgres.Delivery, err error) (reply DeliveryBody, _ error) {
	if err != nil {
		return reply, err
	}
	if err := s.Enqueue(c.UserContext(), queue.Webhooks, d.ID); err != nil {
		s.Log.WarnContext(c.UserContext(), "hint", "delivery", d.ID, "error", err)
	}
	return showDelivery(d), nil
}
