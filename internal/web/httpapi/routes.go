package httpapi

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
)

// prefix is the prefix of all API paths except those of the service itself and of protocols
// that have addresses of their own.
const prefix = "/api/v1"

// routes registers every route. Routes without protected need no authentication.
func (s *Server) routes(app *fiber.App) {
	app.Get("/healthz", s.healthz)
	app.Get("/readyz", s.readyz)
	app.Get("/openapi.json", s.showOpenAPI)
	app.Get("/docs", s.showDocs)
	app.Post("/mcp", s.protected(s.few(s.exchange(s.programs()))))
	app.Post(completionsRoute, s.protected(s.few(s.complete)))
	app.Get(modelsRoute, s.protected(s.listCompletionModels))

	api := app.Group(prefix)
	api.Post("/auth/login", s.login)
	api.Post("/auth/refresh", s.refresh)
	api.Post("/auth/logout", s.logout)
	api.Get("/auth/me", s.enrolling(s.me))
	api.Post("/auth/password", s.protected(s.changePassword))
	api.Post("/auth/password/forgotten", s.askReset)
	api.Post("/auth/password/reset", s.resetPassword)
	api.Post("/auth/signup", s.askSignup)
	api.Post("/auth/signup/confirm", s.confirmSignup)
	api.Get("/auth/sessions", s.protected(s.listSessions))
	api.Delete("/auth/sessions", s.protected(s.endSessions))
	api.Delete("/auth/sessions/:id", s.protected(s.endSession))
	s.factorRoutes(api)
	s.providerRoutes(api)
	s.alertRoutes(api)
	api.Get("/me", s.protected(s.showProfile))
	api.Patch("/me", s.protected(s.changeProfile))
	api.Get("/me/export", s.protected(s.few(s.exportOwn)))

	api.Get("/conversations", s.protected(s.few(s.listConversations)))
	api.Get("/conversations/:id", s.protected(s.few(s.showConversation)))
	api.Patch("/conversations/:id", s.protected(s.renameConversation))
	api.Delete("/conversations/:id", s.protected(s.deleteConversation))
	api.Get("/conversations/:id/export", s.protected(s.few(s.exportConversation)))
	api.Get("/conversations/:id/link", s.protected(s.few(s.showConversationLink)))
	api.Post("/conversations/:id/link", s.protected(s.few(s.shareConversation)))
	api.Delete("/conversations/:id/link", s.protected(s.unshareConversation))
	api.Get("/shared/:token", s.readShared) // protected unless the catalogue is public
	api.Post("/messages/:id/feedback", s.protected(s.giveFeedback))
	api.Get("/documents/:id/relations", s.protected(s.shared(s.listRelations)))

	api.Post("/chat-rag/stream", s.protected(s.ask))
	api.Post("/guest/questions", s.askAsGuest) // closed unless configured to be open
	api.Get("/chat-rag/stream/:message_id", s.protected(s.resume))
	api.Post("/chat-rag/stream/:message_id/cancel", s.protected(s.cancel))
	api.Get("/models", s.protected(s.listModels))

	api.Get("/documents", s.protected(s.shared(s.listDocuments)))
	api.Get("/documents/:id", s.protected(s.shared(s.showDocument)))
	api.Get("/documents/:id/file", s.documentFile)
	api.Get("/documents/:id/details", s.protected(s.shared(s.showDetails)))
	api.Get("/documents/:id/export", s.protected(s.shared(s.exportDocument)))
	api.Get("/documents/:id/days", s.protected(s.shared(s.listDays)))
	api.Get("/documents/:id/articles", s.protected(s.shared(s.listArticles)))
	api.Get("/documents/:id/articles/:article_id", s.protected(s.shared(s.showArticle)))
	api.Get("/documents/:id/articles/:article_id/versions", s.protected(s.shared(s.listVersions)))
	api.Get("/documents/:id/articles/:article_id/diff", s.protected(s.shared(s.showDiff)))
	api.Get("/domaines", s.listDomains)
	api.Get("/examples", s.listExamples) // protected unless the catalogue is public
	api.Get("/search", s.protected(s.shared(s.search)))
	app.Post(verifyRoute, s.protected(s.few(s.verifyText)))
	api.Get("/titles", s.suggestTitles) // protected unless configured to be open

	api.Get("/admin/users", s.atLeast("admin", s.noted(postgres.UsersRead, s.listUsers)))
	api.Post("/admin/users", s.atLeast("admin", s.createUser))
	api.Get("/admin/users/:id", s.atLeast("admin", s.noted(postgres.UsersRead, s.showAccountOf)))
	api.Patch("/admin/users/:id", s.atLeast("admin", s.changeUser))
	api.Get("/admin/keys", s.atLeast("admin", s.noted(postgres.KeysRead, s.listKeys)))
	api.Post("/admin/keys", s.atLeast("admin", s.createKey))
	api.Delete("/admin/keys/:id", s.atLeast("admin", s.revokeKey))
	api.Get("/admin/domaines", s.atLeast("admin", s.listAllDomains))
	api.Post("/admin/domaines", s.atLeast("admin", s.createDomain))
	api.Patch("/admin/domaines/:code", s.atLeast("admin", s.changeDomain))
	api.Get("/admin/audit", s.atLeast("admin", s.listAudit))
	api.Get("/admin/ingestions", s.atLeast("editor", s.listIngestions))
	api.Get("/admin/ingestions/:id", s.atLeast("editor", s.showIngestionOf))
	api.Delete("/admin/ingestions/:id", s.atLeast("editor", s.forgetIngestion))
	api.Post("/admin/ingestions/:id/retry", s.atLeast("editor", s.retryIngestion))
	api.Post("/admin/ingestions/:id/cancel", s.atLeast("editor", s.cancelIngestion))
	api.Get("/admin/ingestions/:id/events", s.atLeast("editor", s.followIngestion))
	api.Get("/admin/ingestions/:id/review", s.atLeast("editor", s.listReviews))
	api.Post("/admin/ingestions/:id/review/:document_id", s.atLeast("editor", s.review))
	api.Post("/admin/ingestions/:id/recut", s.atLeast("editor", s.recutIngestion))
	api.Get("/admin/ingestions/:id/pages/:page.png", s.atLeast("editor", s.pageImage))
	api.Get("/admin/ingestions/:id/pages/:page/lines", s.atLeast("editor", s.listLines))
	api.Get("/admin/ingestions/:id/edits", s.atLeast("editor", s.listEdits))
	api.Post("/admin/ingestions/:id/edits", s.atLeast("editor", s.addEdit))
	api.Delete("/admin/ingestions/:id/edits/:edit_id", s.atLeast("editor", s.undoEdit))
	api.Get("/admin/reviews", s.atLeast("editor", s.listAllReviews))
	api.Post("/admin/reviews", s.atLeast("editor", s.decideReviews))
	api.Get("/admin/relations", s.atLeast("editor", s.listUncertain))
	api.Post("/admin/relations/:id", s.atLeast("editor", s.settleRelation))
	api.Get("/admin/versions/waiting", s.atLeast("editor", s.listWaitingAmendments))
	api.Get("/admin/versions/decisions", s.atLeast("editor", s.listAmendmentDecisions))
	api.Delete("/admin/versions/decisions/:id", s.atLeast("editor", s.undoAmendmentDecision))
	api.Post("/admin/versions/waiting/:id", s.atLeast("editor", s.settleAmendment))
	api.Post("/admin/documents", s.atLeast("editor", s.addDocument))
	api.Patch("/admin/documents/:id", s.atLeast("editor", s.changeLegalDocument))
	api.Delete("/admin/documents/:id", s.atLeast("editor", s.deleteDocument))
	api.Post("/admin/documents/:id/reindex", s.atLeast("editor", s.reindexDocument))
	api.Get("/admin/answers/:id/why", s.atLeast("editor", s.noted(postgres.AnswerExplained, s.explainAnswer)))
	api.Get("/admin/queues", s.atLeast("editor", s.listQueues))
	api.Get("/admin/questions", s.atLeast("editor", s.noted(postgres.QuestionsRead, s.listUncertainQuestions)))
	api.Get("/admin/waiting", s.atLeast("editor", s.countWaiting))
	api.Get("/admin/stats", s.atLeast("editor", s.listStats))

	api.Post("/business/inquiry", s.sendInquiry)
	api.Get("/admin/inquiries", s.atLeast("admin", s.noted(postgres.InquiriesRead, s.listInquiries)))
	api.Patch("/admin/inquiries/:id", s.atLeast("admin", s.changeInquiry))
}
