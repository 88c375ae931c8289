package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// lookEvery is how often a file's row is looked at for those who follow it.
const lookEvery = 500 * time.Millisecond

// The events of a file: each holds it as it is then.
const (
	progressEvent chat.EventKind = "progress"
	finalEvent    chat.EventKind = "final" // it has ended, or waits for a person; last
)

// followIngestion streams a file each time that something of it has changed,
// until it has ended.
func (s *Server) followIngestion(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		fiber.HeaderContentType:  "text/event-stream; charset=utf-8",
		fiber.HeaderCacheControl: "no-store, no-transform",
		"X-Accel-Buffering":      "no",
		fiber.HeaderConnection:   "close", // what the client sends meanwhile is swallowed by watch
	} {
		c.Set(name, value)
	}
	note(c, slog.String("route", c.Route().Path), slog.String("ingestion_id", i.ID.String()))
	event := eventOf(c).take(fiber.StatusOK)
	conn, stop := c.Context().Conn(), c.Context().Done()
	c.Response().ImmediateHeaderFlush = true
	_ = conn.SetWriteDeadline(time.Now().Add(sendLimit)) // a connection that takes none is gone: the write will tell
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		s.streamOpen()
		defer func() {
			if cause := recover(); cause != nil {
				event.attrs = append(event.attrs, slog.String("outcome", outcomePanic))
				event.err = fmt.Errorf("httpapi: panic in a stream: %v\n%s", cause, debug.Stack())
			}
			s.record(context.Background(), event)
		}()
		gone, unwatch := watch(conn)
		defer unwatch()
		t := &teller{Server: s, w: w, conn: conn}
		event.attrs = append(event.attrs, slog.String("outcome", outcome(t.run(i, gone, stop))))
	})
	return nil
}

// teller sends one file to one client.
type teller struct {
	*Server
	w    *bufio.Writer
	conn net.Conn
	last []byte // the file as the client has it
	seq  int64
}

// run sends the file until it has ended and says why it stopped.
func (t *teller) run(i postgres.Ingestion, gone, stop <-chan struct{}) error {
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
		case <-gone:
			err = errGone
		case <-stop:
			if err = t.send([]byte("retry: 2000\n\n")); err == nil {
				err = errShutdown
			}
		}
	}
	return err
}

// look reads the row. One that cannot be read now is looked at again later.
func (t *teller) look(i postgres.Ingestion) error {
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

// tell sends the file when it is not what the client has; errEnded after its end.
func (t *teller) tell(i postgres.Ingestion) error {
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

func (t *teller) event(kind chat.EventKind, data []byte) error {
	var out bytes.Buffer
	t.seq++
	writeEvent(&out, chat.Event{Seq: t.seq, Kind: kind, Data: data})
	if err := t.send(out.Bytes()); err != nil {
		return err
	}
	if kind != progressEvent {
		return errEnded
	}
	return nil
}

func (t *teller) send(b []byte) error {
	if err := t.conn.SetWriteDeadline(time.Now().Add(sendLimit)); err != nil {
		return err
	}
	if _, err := t.w.Write(b); err != nil {
		return err
	}
	return t.w.Flush()
}
