// Package conversations serves questions and their answers: as event streams, in OpenAI's form,
// as tools for programs, and later as conversations that can be read, shared and exported.
//
// An answer is streamed from the relay, or from its row if the relay is down. A stream ends with
// the answer's single end event, unless the client disconnects or the server shuts down; then the
// client may resume on any server.
package conversations

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// Handlers serve the routes of conversations. They must not be copied once they serve.
type Handlers struct {
	*guard.Guard

	Public         *public.Pages // nil: links open only for accounts
	Relay          *relay.Relay  // run by the caller
	Enqueue        func(ctx context.Context, kind queue.Kind, id uuid.UUID) error
	Models         []Model            // one of them is the default
	Backlog        postgres.Backlog   // beyond it, questions are rejected
	GuestQuestions *ratelimit.Limiter // questions without an account from one browser; nil: not allowed
	Papers         *transport.Slots   // files for reading in the making
	Checks         *transport.Slots   // texts that are checked
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(app, api fiber.Router) {
	app.Post(transport.ToolsRoute, s.Protect(s.LimitConcurrency(s.exchange(s.programs()))))
	app.Post(CompletionsRoute, s.Protect(s.LimitConcurrency(s.complete)))
	app.Get(ModelsRoute, s.Protect(s.listCompletionModels))
	api.Get("/me/shared", s.Protect(s.LimitConcurrency(s.listOwnLinks)))
	api.Get("/conversations", s.Protect(s.LimitConcurrency(s.listConversations)))
	api.Get("/conversations/:id", s.Protect(s.LimitConcurrency(guard.ByID(s.showConversation))))
	api.Patch("/conversations/:id", s.Protect(s.renameConversation))
	api.Delete("/conversations/:id", s.Protect(guard.ByID(s.deleteConversation)))
	api.Get("/conversations/:id/export", s.Protect(s.LimitConcurrency(s.exportConversation)))
	api.Get("/conversations/:id/link", s.Protect(s.LimitConcurrency(guard.ByID(s.showConversationLink))))
	api.Post("/conversations/:id/link", s.Protect(s.LimitConcurrency(guard.ByID(s.shareConversation))))
	api.Delete("/conversations/:id/link", s.Protect(guard.ByID(s.unshareConversation)))
	api.Get("/shared/:token", s.readShared) // protected unless the catalogue is public
	api.Post("/messages/:id/feedback", s.Protect(s.giveFeedback))
	api.Post("/chat-rag/stream", s.Protect(s.ask))
	api.Post("/guest/questions", s.askAsGuest) // closed unless configured to be open
	api.Get("/chat-rag/stream/:message_id", s.Protect(s.resume))
	api.Post("/chat-rag/stream/:message_id/cancel", s.Protect(s.cancel))
	api.Get("/models", s.Protect(s.listModels))
}
