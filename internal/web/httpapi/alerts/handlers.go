// Package alerts serves what an account follows: the list of follows, the alerts about changes,
// their digest by mail, and webhooks.
package alerts

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/guard"
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
func (s *Handlers) Routes(app, api fiber.Router) {

	api.Get("/me/follows", s.Protect(s.LimitConcurrency(s.listFollows)))
	api.Post("/me/follows", s.Protect(s.LimitConcurrency(s.addFollow)))
	api.Delete("/me/follows/:id", s.Protect(guard.ByID(s.deleteFollow)))
	api.Get("/admin/users/:id/follows", s.RequireRole("admin", s.Audit(postgres.UsersRead, s.ofAccount(s.listFollows))))
	api.Post("/admin/users/:id/follows", s.RequireRole("admin", s.ofAccount(s.addFollow)))
	api.Delete("/admin/follows/:id", s.RequireRole("admin", guard.ByID(s.deleteFollowOf)))
	api.Get("/me/alerts", s.Protect(s.LimitConcurrency(s.listAlerts)))
	api.Patch("/me/alerts", s.Protect(s.setAlerts))
	api.Get("/alerts/stop", s.askStopAlerts)
	api.Post("/alerts/stop", s.stopAlerts)
	api.Get("/me/webhooks", s.Protect(s.LimitConcurrency(s.listWebhooks)))
	api.Post("/me/webhooks", s.Protect(s.LimitConcurrency(s.createWebhook)))
	api.Patch("/me/webhooks/:id", s.Protect(guard.ByID(s.setWebhook)))
	api.Delete("/me/webhooks/:id", s.Protect(guard.ByID(s.deleteWebhook)))
	api.Post("/me/webhooks/:id/test", s.Protect(s.LimitConcurrency(guard.ByID(s.testWebhook))))
	api.Get("/me/webhooks/:id/deliveries", s.Protect(s.LimitConcurrency(guard.ByID(s.listDeliveries))))
	api.Post("/me/webhooks/:id/deliveries/:delivery_id", s.Protect(s.LimitConcurrency(guard.ByID(s.redeliver))))
}
