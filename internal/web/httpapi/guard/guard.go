// Package guard says who sends a request and what they may do: it reads the account of a token
// or the owner of an API key, checks the role, limits what one account or network does at once,
// and records in the audit log what others' data are read for.
//
// A handler behind Protect gets the account in its current state: there is no other way to a
// user's data.
package guard

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/transport"
)

// Guard admits requests of accounts and of networks. It must not be copied once it serves.
type Guard struct {
	*transport.Transport

	DB            *postgres.DB
	Tokens        *auth.Tokens         // of people
	ProgramTokens *auth.Tokens         // of programs, for the tools alone
	Keys          *ratelimit.Allowance // calls of each API key
	KeyScopes     map[string]string    // the routes that a key may call, with the scope that each requires
	MustEnroll    bool                 // editors and administrators need a second factor
	Operator      *postgres.User       // every request is of the operator of the machine, who may do everything; nil: nobody is admitted unseen
	AddressSecret []byte               // key under which addresses are hashed

	reads    transport.Slots // of accounts' own conversations
	refusals refusals
	sessions sessionWatch
}

// Handler handles a request of an account.
type Handler = func(c *fiber.Ctx, user postgres.User) error

// Run ends the streams of sessions that have ended, and records repeated refusals, until ctx
// ends.
func (s *Guard) Run(ctx context.Context) {
	s.sessions.ended, s.sessions.log = s.DB.EndedSessions, s.Log
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.sessions.run(ctx)
	}()
	s.noteRepeated(ctx)
	<-ended
}

// JoinSession returns a channel that is closed when a session has ended; leave must be called
// once.
func (s *Guard) JoinSession(session postgres.Session) (over <-chan struct{}, leave func()) {
	return s.sessions.join(session)
}
