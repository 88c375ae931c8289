// Package notify sends e-mail: notifications of inquiries to the team (Runner), and links to
// the owners of accounts (Post). It delivers to a mail server, or without one to a folder as
// .eml files.
//
// An inquiry is a row: queued → running → done, or queued again if the message could not be
// delivered. It is retried for ever, after 1, 5 and 30 minutes, 2 hours, then every 6 hours,
// because people fix what is wrong (an address, a password, a server) and then expect the
// message to arrive. Each attempt is recorded with its outcome.
//
// A notification is delivered at least once. Its content, with Message-ID and date, is derived
// from the row alone, so that a second copy equals the first and mail programs show only one
// message. A second copy is sent only if the worker crashed, or the connection was lost, after
// the mail server accepted the message and before the row recorded it. A file is named by the
// inquiry's id, so there is never a second file.
//
// Text by strangers is included as plain text; it can become neither a header nor a recipient.
package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

// sendLimit bounds the delivery of one message.
const sendLimit = time.Minute

// Backoff is the delay after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Transport delivers a message. Its errors have a French sentence for administrators.
type Transport interface {
	Send(ctx context.Context, n *Notification) error
}

// MailSender sends the notifications of inquiries. Its fields are set once, before the first Run.
type MailSender struct {
	DB        *postgres.DB
	Envelope  Envelope
	Transport Transport
	Log       *slog.Logger
	// Concurrency is the number of notifications that a process sends at once; 0: one.
	Concurrency int
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Plan describes the notifications of inquiries. Nobody waits for them.
func (r *MailSender) Plan() work.Plan {
	return work.Plan{Kind: queue.Notifications, Concurrency: r.Concurrency, Poll: work.BackgroundPoll, Backoff: Backoff, Renew: r.Renew, Log: r.Log}
}

// Due selects inquiries whose notification is to be sent and is not being sent by any worker.
func (r *MailSender) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return r.DB.DueNotifications(ctx, limit)
}

// Lease begins an attempt at the notification of an inquiry.
func (r *MailSender) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	row, lease, err := r.DB.LeaseNotification(ctx, id)
	if err != nil {
		return nil, err
	}
	return &job{Leased: work.Leased{Lease: lease}, runner: r, inquiry: row}, nil
}

// job is one attempt at one notification.
type job struct {
	work.Leased
	runner  *MailSender
	inquiry postgres.Inquiry
}

// Work composes the message and delivers it.
func (j *job) Work(ctx context.Context) error { return j.runner.send(ctx, j.inquiry) }

// Attrs returns the attributes of the attempt's log record.
func (j *job) Attrs() []slog.Attr { return []slog.Attr{slog.String("inquiry", j.inquiry.ID.String())} }

// level is the log level of a delivery that ended with err.
func level(err error) slog.Level {
	if err != nil {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// send composes the message and delivers it.
func (r *MailSender) send(ctx context.Context, row postgres.Inquiry) error {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	return r.Transport.Send(ctx, Compose(row, r.Envelope))
}

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
