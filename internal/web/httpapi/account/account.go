// Package account serves signing in and what belongs to an account: passwords, second factors,
// identity providers, sessions, the profile, and the authorization of programs.
package account

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/oauth"
)

// Handlers serve the routes of accounts.
type Handlers struct {
	*guard.Guard

	Passwords       *auth.Passwords
	Logins          LoginLimits
	LinkRequests    *ratelimit.Limiter // requests for messages with links, and uses of links, from one network
	Mailbox         *ratelimit.Limiter // requests for such messages to one address
	Signup          Signup
	Lives           Lives
	Factors         Factors
	Providers       Providers
	Programs        Programs
	PublicCatalogue bool // whether the catalogue can be read without an account
	GuestQuestions  int  // questions that a browser may ask a day without an account
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(app, api fiber.Router) {
	api.Post("/auth/login", s.login)
	api.Post("/auth/refresh", s.refresh)
	api.Post("/auth/logout", s.logout)
	api.Get("/auth/me", s.ProtectEnrolling(s.me))
	api.Post("/auth/password", s.Protect(s.changePassword))
	api.Post("/auth/password/forgotten", s.askReset)
	api.Post("/auth/password/reset", s.resetPassword)
	api.Post("/auth/signup", s.askSignup)
	api.Post("/auth/signup/confirm", s.confirmSignup)
	api.Get("/auth/sessions", s.Protect(s.listSessions))
	api.Delete("/auth/sessions", s.Protect(s.endSessions))
	api.Delete("/auth/sessions/:id", s.Protect(guard.ByID(s.endSession)))
	api.Get("/me", s.Protect(s.showProfile))
	api.Patch("/me", s.Protect(s.changeProfile))
	app.Get(oauth.ServerMetadata, func(c *fiber.Ctx) error { return c.JSON(oauth.DescribeServer(s.Base())) })
	app.Get(oauth.ResourceMetadata, s.describeTools)
	app.Get(oauth.ResourceMetadata+transport.ToolsRoute, s.describeTools)
	app.Post(oauth.RegisterPath, s.registerProgram)
	app.Post(oauth.TokenPath, s.exchangeGrant)
	app.Post(oauth.RevokePath, s.revokeGrant)
	api.Post("/auth/programs/request", s.Protect(s.showProgram))
	api.Post("/auth/programs", s.Protect(s.authorizeProgram))
	api.Get("/auth/methods", s.listMethods)
	api.Post("/auth/providers/:provider", s.beginAtProvider)
	api.Post("/auth/providers/:provider/callback", s.finishAtProvider)
	api.Post("/auth/providers/:provider/fresh", s.ProtectEnrolling(s.beginFresh))
	api.Post("/auth/providers/:provider/fresh/callback", s.ProtectEnrolling(s.finishFresh))
	api.Delete("/admin/users/:id/identities", s.RequireRole("admin", guard.ByID(s.unlinkIdentities)))
	api.Post("/auth/login/code", s.loginCode)
	api.Get("/auth/second-factor", s.ProtectEnrolling(s.showFactor))
	api.Post("/auth/second-factor", s.ProtectEnrolling(s.beginFactor))
	api.Post("/auth/second-factor/confirm", s.ProtectEnrolling(s.confirmFactor))
	api.Post("/auth/second-factor/recovery-codes", s.Protect(s.renewCodes))
	api.Post("/auth/second-factor/disable", s.Protect(s.disableFactor))
	api.Delete("/admin/users/:id/second-factor", s.RequireRole("admin", guard.ByID(s.resetFactor)))
}
