// Package alerts serves what an account follows: the list of follows, the alerts about changes,
// their digest by mail, and webhooks.
package alerts

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
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
