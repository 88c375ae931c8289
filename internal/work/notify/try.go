package notify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"vigueur/internal/kit/errs"
)

// Try tests the mail server without sending a message: it connects, by TLS if the address
// says so, authenticates and disconnects. Unavailable, with the server's reply.
func (s *SMTP) Try(ctx context.Context) error {
	var conn net.Conn
	client, err := s.client(func(dialing context.Context, network, address string) (net.Conn, error) {
		dialed, err := s.dial(dialing, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { _ = dialed.Close() }) // the deadline has passed
		conn = dialed
		return dialed, nil
	})
	if err == nil {
		session, dialed := client.DialToSMTPClientWithContext(ctx)
		err = dialed
		if err == nil {
			err = client.CloseWithSMTPClient(session)
		}
	}
	if conn != nil {
		_ = conn.Close() // nothing was sent
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return errs.Wrap(errs.Unavailable, s.reason(err), fmt.Errorf("notify: try: %w", err))
}

// Try checks whether messages can be written to the folder.
func (f *Folder) Try(context.Context) error {
	file, err := os.CreateTemp(f.dir, ".unfinished-*")
	if err != nil {
		return errs.Wrap(errs.Unavailable, "Le dossier des messages (VIGUEUR_MAIL_DIR) ne peut pas être écrit.", err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
