package alerts

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/egress"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/alerts"
	"vigueur/internal/work/queue"
)

// WebhookBody is a webhook without its secret.
type WebhookBody struct {
	ID        uuid.UUID `json:"id"`
	URL       string    `json:"url"`
	Active    bool      `json:"active"`
	Failing   *string   `json:"failing_since"`
	Reason    string    `json:"reason"`
	CreatedAt string    `json:"created_at"`
}

// NewWebhookBody is a new webhook with its secret, which is shown only once.
type NewWebhookBody struct {
	WebhookBody
	Secret string `json:"secret"`
}

// ShowWebhook shows a webhook without its secret.
func ShowWebhook(w postgres.Webhook) WebhookBody {
	return WebhookBody{w.ID, w.URL, w.Active, respond.MaybeTime(w.Failing), w.Reason, respond.ShowTime(w.CreatedAt)}
}

// listWebhooks serves GET /me/webhooks. It shows the webhooks of the account, and whether the
// service sends any.
func (s *Handlers) listWebhooks(c *fiber.Ctx, user postgres.User) error {
	list, err := s.DB.Webhooks(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": respond.ShowAll(list, ShowWebhook), "enabled": s.Settings.Webhooks})
}

// errNoWebhooks returns the error for a service that sends no webhooks.
func (s *Handlers) errNoWebhooks() error {
	if s.Settings.Webhooks {
		return nil
	}
	return errs.New(errs.Conflict, "Ce service n’envoie pas de webhooks.")
}

// createWebhook serves POST /me/webhooks. It adds a webhook and shows its secret, which is never
// shown again.
func (s *Handlers) createWebhook(c *fiber.Ctx, user postgres.User) error {
	if err := s.errNoWebhooks(); err != nil {
		return err
	}
	body := transport.ReadBody(c)
	address := body.Text("url", 1, webhookLimit)
	if body.Err() == nil {
		if err := egress.Check(address, s.Settings.Allowed); err != nil {
			body.Refuse("url", errs.Public(err))
		}
	}
	if err := body.Err(); err != nil {
		return err
	}
	secret, shown := alerts.NewSecret()
	made, err := s.DB.CreateWebhook(c.UserContext(), user.ID, address, secret)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(NewWebhookBody{ShowWebhook(made), shown})
}

// setWebhook serves PATCH /me/webhooks/:id. It turns a webhook on or off.
func (s *Handlers) setWebhook(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	body := transport.ReadBody(c)
	active := body.MustFlag("active")
	if err := body.Err(); err != nil {
		return err
	}
	changed, err := s.DB.SetWebhook(c.UserContext(), user.ID, id, active)
	if err != nil {
		return err
	}
	return c.JSON(ShowWebhook(changed))
}

// deleteWebhook serves DELETE /me/webhooks/:id.
func (s *Handlers) deleteWebhook(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, s.DB.DeleteWebhook(c.UserContext(), user.ID, id))
}

// DeliveryBody is one message to a webhook.
type DeliveryBody struct {
	postgres.Delivery
	CreatedAt string  `json:"created_at"`
	UpdatedAt string  `json:"updated_at"`
	NextAt    *string `json:"next_at"`
}

func showDelivery(d postgres.Delivery) DeliveryBody {
	body := DeliveryBody{Delivery: d, CreatedAt: respond.ShowTime(d.CreatedAt), UpdatedAt: respond.ShowTime(d.UpdatedAt)}
	if d.State == "queued" {
		body.NextAt = respond.MaybeTime(&d.NextAt)
	}
	return body
}

// listDeliveries serves GET /me/webhooks/:id/deliveries.
func (s *Handlers) listDeliveries(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	list, err := s.DB.Deliveries(c.UserContext(), user.ID, id, deliveriesMost)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": respond.ShowAll(list, showDelivery)})
}

// testWebhook serves POST /me/webhooks/:id/test. It queues a message that tells of no change.
func (s *Handlers) testWebhook(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	if err := s.errNoWebhooks(); err != nil {
		return err
	}
	d, err := s.queueDelivery(c, user, func(ctx context.Context) (postgres.Delivery, error) { return s.DB.TestWebhook(ctx, user.ID, id) })
	return s.showQueued(c, d, err)
}

// redeliver serves POST /me/webhooks/:id/deliveries/:delivery_id. It queues an ended delivery
// again.
func (s *Handlers) redeliver(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	delivery, err := form.PathID(c, "delivery_id")
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
func (s *Handlers) showQueued(c *fiber.Ctx, d postgres.Delivery, err error) error {
	if err != nil {
		return err
	}
	if err := s.Enqueue(c.UserContext(), queue.Webhooks, d.ID); err != nil {
		s.Log.WarnContext(c.UserContext(), "hint", "delivery", d.ID, "error", err)
	}
	return c.Status(fiber.StatusAccepted).JSON(showDelivery(d))
}
