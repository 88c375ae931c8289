// Package admin serves the administration: accounts, API keys, domains, the audit log, links and
// inquiries of everybody, figures, and the explanation of an answer.
package admin

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/guard"
)

// Handlers serve the routes of the administration.
type Handlers struct {
	*guard.Guard

	Passwords *auth.Passwords
	Workers   func(class string) (int, error) // number of processes that read a queue
	Milvus    bool                            // passages are also in Milvus
	Meili     bool                            // titles are also in Meilisearch
	Askers    int                             // accounts that must have asked an unanswered question for editors to read it
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(app, api fiber.Router) {
	api.Get("/admin/ids", s.RequireRole("editor", s.findIDs))
	api.Get("/admin/users", s.RequireRole("admin", s.Audit(postgres.UsersRead, s.listUsers)))
	api.Post("/admin/users", s.RequireRole("admin", s.createUser))
	api.Get("/admin/users/:id", s.RequireRole("admin", s.Audit(postgres.UsersRead, guard.ByID(s.showAccountOf))))
	api.Patch("/admin/users/:id", s.RequireRole("admin", guard.ByID(s.changeUser)))
	api.Get("/admin/keys", s.RequireRole("admin", s.Audit(postgres.KeysRead, s.listKeys)))
	api.Post("/admin/keys", s.RequireRole("admin", s.createKey))
	api.Delete("/admin/keys/:id", s.RequireRole("admin", guard.ByID(s.revokeKey)))
	api.Get("/admin/shared", s.RequireRole("admin", s.Audit(postgres.LinksRead, s.listAllLinks)))
	api.Delete("/admin/shared/:id", s.RequireRole("admin", guard.ByID(s.withdrawLink)))
	api.Get("/admin/domaines", s.RequireRole("admin", s.listAllDomains))
	api.Post("/admin/domaines", s.RequireRole("admin", s.createDomain))
	api.Patch("/admin/domaines/:code", s.RequireRole("admin", s.changeDomain))
	api.Get("/admin/audit", s.RequireRole("admin", s.listAudit))
	api.Get("/admin/answers/:id/why", s.RequireRole("editor", s.Audit(postgres.AnswerExplained, guard.ByID(s.explainAnswer))))
	api.Get("/admin/names", s.RequireRole("editor", s.listTextNames))
	api.Post("/admin/names", s.RequireRole("editor", s.nameText))
	api.Delete("/admin/names/:id", s.RequireRole("editor", guard.ByID(s.unnameText)))
	api.Get("/admin/rated", s.RequireRole("admin", s.listRated))
	api.Post("/admin/reindex", s.RequireRole("admin", s.reindex))
	api.Get("/admin/queues", s.RequireRole("editor", s.listQueues))
	api.Get("/admin/questions", s.RequireRole("editor", s.Audit(postgres.QuestionsRead, s.listUncertainQuestions)))
	api.Get("/admin/waiting", s.RequireRole("editor", s.countWaiting))
	api.Get("/admin/stats", s.RequireRole("editor", s.listStats))
	api.Get("/admin/inquiries", s.RequireRole("admin", s.Audit(postgres.InquiriesRead, s.listInquiries)))
	api.Patch("/admin/inquiries/:id", s.RequireRole("admin", guard.ByID(s.changeInquiry)))
}
