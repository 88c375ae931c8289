package main

import (
	"time"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/public"
)

// Limits of one process.
const (
	perNetwork = 512 // connections of one network, or requests in progress behind a trusted proxy
	uploads    = 8   // files that are received at once
)

// questionAskers is how many accounts must have asked a question without a sure answer before editors read it: with three,
// nobody can tell who the others are.
const questionAskers = 3

// setLimits sets how often one network, browser, address or account may do something. All servers count together.
func setLimits(server *httpapi.Server, store *ratelimit.Store, cfg config.API) {
	limit := func(name string, n int, window time.Duration) *ratelimit.Limiter {
		return &ratelimit.Limiter{Store: store, Name: name, Limit: n, Window: window}
	}
	server.Logins = account.NewLoginLimits(store, "login")
	server.Inquiries = limit("inquiry", 5, time.Hour)
	server.AllInquiries = limit("inquiry-all", 500, time.Hour) // each is a message in the mailbox of whoever answers them
	server.Deliveries = limit("deliveries", 10, time.Minute)
	server.LinkRequests = limit("letters", 10, time.Hour)
	server.Mailbox = limit("mailbox", 3, time.Hour)
	server.Exports = limit("export", 5, time.Hour)
	server.Providers.Used = limit("provider", 1, config.AttemptLife)
	server.Keys = &ratelimit.Allowance{Store: store, Name: "key"}
	if cfg.PublicPages {
		server.Guests = limit("titles", 120, time.Minute)                                                              // enough to type two letters per second
		server.Public = public.New(cfg.Individual == config.IndividualHidden, limit("public-search", 30, time.Minute)) // a form is sent whole, so that nobody needs more
	}
	if cfg.GuestQuestions > 0 {
		server.GuestQuestions = limit("guest-questions", cfg.GuestQuestions, 24*time.Hour) // from one browser
	}
}
