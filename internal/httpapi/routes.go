package httpapi

import "github.com/gofiber/fiber/v2"

// prefix stands before every path of the contract but the service's own.
const prefix = "/api/v1"

// routes registers every route. What is not behind protected is for anybody.
func (s *Server) routes(app *fiber.App) {
	app.Get("/healthz", s.healthz)
	app.Get("/readyz", s.readyz)

	api := app.Group(prefix)
	api.Post("/auth/login", s.login)
	api.Post("/auth/refresh", s.refresh)
	api.Post("/auth/logout", s.logout)
	api.Get("/auth/me", s.protected(s.me))
	api.Post("/auth/password", s.protected(s.changePassword))

	api.Get("/conversations", s.protected(s.listConversations))
	api.Get("/conversations/:id", s.protected(s.showConversation))

	api.Post("/chat-rag/stream", s.protected(s.ask))
	api.Get("/chat-rag/stream/:message_id", s.protected(s.resume))
	api.Post("/chat-rag/stream/:message_id/cancel", s.protected(s.cancel))
	api.Get("/models", s.protected(s.listModels))

	api.Get("/documents", s.protected(s.listDocuments))
	api.Get("/documents/:id", s.protected(s.showDocument))
	api.Get("/documents/:id/file", s.documentFile)
	api.Get("/documents/:id/articles", s.protected(s.listArticles))
	api.Get("/documents/:id/articles/:article_id", s.protected(s.showArticle))
	api.Get("/domaines", s.listDomains)

	api.Post("/business/inquiry", s.sendInquiry)
	api.Get("/admin/inquiries", s.atLeast("admin", s.listInquiries))
	api.Patch("/admin/inquiries/:id", s.atLeast("admin", s.changeInquiry))
}
