// Package owndata serves everything that is stored about an account, as one file.
package owndata

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/guard"
)

// Handlers serve the route of an account's data.
type Handlers struct {
	*guard.Guard

	Account       *account.Handlers
	Conversations *conversations.Handlers
	Exports       *ratelimit.Limiter // exports of one account's data
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(app, api fiber.Router) {
	api.Get("/me/export", s.Protect(s.LimitConcurrency(s.exportOwn)))
}
