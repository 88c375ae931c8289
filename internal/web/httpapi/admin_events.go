package httpapi

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
)

// lookEvery is the interval at which the row of a followed file is read.
const lookEvery = 500 * time.Millisecond

// The events of a file; each contains the file's current state.
const (
	progressEvent chat.EventKind = "progress"
	finalEvent    chat.EventKind = "final" // last event: the file has ended or waits in review
)

// followIngestion streams a file's state after each change until the file has ended.
func (s *Server) followIngestion(c *fiber.Ctx, user postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	note(c, slog.String("ingestion_id", i.ID.String()))
	s.openEventStream(c, sessionFor(c, user, "editor"), func(w *eventConn, _ *event) error { return (&fileStream{Server: s, eventConn: w}).run(i) })
	return nil
}

// fileStream streams the state of one file to one client.
type fileStream struct {
	*Server
	*eventConn
	last []byte // the state that the client has
	seq  int64
}

// run streams the state until the file has ended, and returns why it stopped.
func (t *fileStream) run(i postgres.Ingestion) error {
	look, alive := time.NewTicker(lookEvery), time.NewTicker(keepAlive)
	defer look.Stop()
	defer alive.Stop()
	err := t.tell(i)
	for err == nil {
		select {
		case <-look.C:
			err = t.look(i)
		case <-alive.C:
			err = t.send([]byte(": keep-alive\n\n"))
		case <-t.revoked:
			err = endEarly(t.send, ownWire{}.failed(revokedText), errRevoked)
		case <-t.gone:
			err = errGone
		case <-t.stop:
			if err = t.send([]byte("retry: 2000\n\n")); err == nil {
				err = errShutdown
			}
		}
	}
	return err
}

// look reads the row and sends its state. If the row cannot be read, the next look tries
// again.
func (t *fileStream) look(i postgres.Ingestion) error {
	ctx, cancel := context.WithTimeout(context.Background(), rowTimeout)
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
	ownWire{}.event(&out, chat.Event{Seq: t.seq, Kind: kind, Data: data})
	if err := t.send(out.Bytes()); err != nil {
		return err
	}
	if kind != progressEvent {
		return errEnded
	}
	return nil
}
