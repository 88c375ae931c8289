package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"sync"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
)

// operatorBytes is the memory for bodies and responses of a server for the operator.
const operatorBytes = 256 << 20

// ServeOperator serves the operator of the machine within the process until stop is called: who has the
// database's password needs no account. dial opens a connection that no other process can reach. What is asked
// belongs to the account as, which may be the zero value if nothing is asked. Of s only DB, Queue, Workers, Blobs, Log
// and Now have to be set; Relay, which is run until then, and Models for questions; ReadFile for files to check.
func (s *Server) ServeOperator(user postgres.User) (dial func(context.Context, string, string) (net.Conn, error), stop func() error, err error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, nil, err
	}
	key, err := auth.HMAC("operator", secret)
	if err != nil {
		return nil, nil, err
	}
	s.Tokens = &auth.Tokens{Issuer: "vigueur", Audience: "operator", Keys: auth.Keyring{key}, Now: s.Now, Life: time.Minute}
	s.AddressSecret, s.Passwords = secret, auth.NewPasswords()
	if s.Factors.Box, err = factor.NewBox(secret); err != nil {
		return nil, nil, err
	}
	if s.Programs, err = account.NewPrograms(secret, "https://operator.invalid", s.Tokens); err != nil {
		return nil, nil, err
	}
	s.Connections = transport.Connections{All: 64, Each: 64}
	s.Bodies, s.Replies, s.Uploads = transport.ByteRoom{All: operatorBytes, Each: operatorBytes}, transport.ByteRoom{All: operatorBytes, Each: operatorBytes}, 8
	s.limits = transport.Limits{Work: time.Hour}
	s.assemble()
	user.Role, user.Active = "admin", true
	s.Operator, s.Plain = &user, true
	dial, down := transport.ServeWithin(s.app())
	if s.Relay == nil {
		return dial, down, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	var waitGroup sync.WaitGroup
	var relayed error
	waitGroup.Go(func() { relayed = s.Relay.Run(ctx) })
	return dial, func() error {
		err := down()
		cancel()
		waitGroup.Wait()
		return errors.Join(err, relayed)
	}, nil
}
