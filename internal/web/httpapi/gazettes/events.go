package gazettes

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// The events of a file; each contains the file's current state.
const (
	progressEvent chat.EventKind = "progress"
	finalEvent    chat.EventKind = "final" // last event: the file has ended or waits in review
)

// followIngestion serves GET /admin/ingestions/:id/events. It streams a file's state after each
// change until the file has ended.
func (s *Handlers) followIngestion(c *fiber.Ctx, user postgres.User, i postgres.Ingestion) error {
	transport.Note(c, slog.String("ingestion_id", i.ID.String()))
	s.OpenEventStream(c, guard.SessionFor(c, user, "editor"), func(w *transport.EventConn, _ *transport.Event) error {
		return (&fileStream{Handlers: s, EventConn: w}).run(i)
	})
	return nil
}

// fileStream streams the state of one file to one client.
type fileStream struct {
	*Handlers
	*transport.EventConn
	last []byte // the state that the client has
	seq  int64
}

// run streams the state until the file has ended, and returns why it stopped.
func (t *fileStream) run(i postgres.Ingestion) error {
	return follow(t.EventConn, func() error { return t.tell(i) }, func() error { return t.look(i) })
}

// follow calls first and then, every lookEvery, look, until one of them returns an error, or the client, the session or
// the server ends. It returns why it stopped.
func follow(conn *transport.EventConn, first, look func() error) error {
	tick, alive := time.NewTicker(lookEvery), time.NewTicker(transport.KeepAlive)
	defer tick.Stop()
	defer alive.Stop()
	err := first()
	for err == nil {
		select {
		case <-tick.C:
			err = look()
		case <-alive.C:
			err = conn.Send([]byte(": keep-alive\n\n"))
		case <-conn.Revoked:
			err = transport.EndEarly(conn.Send, transport.Wire{}.Failed(transport.RevokedText), transport.ErrRevoked)
		case <-conn.Gone:
			err = transport.ErrGone
		case <-conn.Stop:
			if err = conn.Send(transport.Wire{}.Stopped()); err == nil {
				err = transport.ErrShutdown
			}
		}
	}
	return err
}

// look reads the row and sends its state. If the row cannot be read, the next look tries
// again.
func (t *fileStream) look(i postgres.Ingestion) error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RowTimeout)
	defer cancel()
	now, err := t.DB.Ingestion(ctx, i.ID)
	switch {
	case errs.Is(err, errs.NotFound):
		return t.event(chat.ErrorKind, chat.ErrorData("Ce fichier a été supprimé."))
	case err != nil:
		return nil
	}
	return t.tell(now)
}

// tell sends the state if it has changed. It returns errEnded after the last state.
func (t *fileStream) tell(i postgres.Ingestion) error {
	data, err := json.Marshal(showIngestion(i))
	switch {
	case err != nil:
		return err
	case i.Ended():
		return t.event(finalEvent, data)
	case bytes.Equal(data, t.last):
		return nil
	}
	t.last = data
	return t.event(progressEvent, data)
}

func (t *fileStream) event(kind chat.EventKind, data []byte) error {
	var out bytes.Buffer
	t.seq++
	transport.Wire{}.Event(&out, chat.Event{Seq: t.seq, Kind: kind, Data: data})
	if err := t.Send(out.Bytes()); err != nil {
		return err
	}
	if kind != progressEvent {
		return transport.ErrEnded
	}
	return nil
}
