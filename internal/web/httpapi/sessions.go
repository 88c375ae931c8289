package httpapi

import (
	"context"
	"log/slog"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// sessionWatch ends the streams of sessions that have ended: a request is authenticated
// only once, but a stream lives on. The zero value is ready to use once ended is set.
type sessionWatch struct {
	ended func(ctx context.Context, sessions []postgres.Session) ([]postgres.Session, error)
	log   *slog.Logger

	mu   sync.Mutex
	open map[postgres.Session]*openSession
}

// openSession is one session with streams.
type openSession struct {
	streams int
	over    chan struct{}
}

// join adds a stream of a session: over is closed when the session has ended. leave must be
// called once.
func (w *sessionWatch) join(s postgres.Session) (over <-chan struct{}, leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == nil {
		w.open = map[postgres.Session]*openSession{}
	}
	own := w.open[s]
	if own == nil {
		own = &openSession{over: make(chan struct{})}
		w.open[s] = own
	}
	own.streams++
	return own.over, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if own.streams--; own.streams == 0 && w.open[s] == own {
			delete(w.open, s)
		}
	}
}

// look checks all sessions and ends the streams of those that have ended. If the sessions
// cannot be read, the next look tries again.
func (w *sessionWatch) look(ctx context.Context) {
	w.mu.Lock()
	sessions := make([]postgres.Session, 0, len(w.open))
	for s := range w.open {
		sessions = append(sessions, s)
	}
	w.mu.Unlock()
	if len(sessions) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rowsTimeout)
	defer cancel()
	ended, err := w.ended(ctx, sessions)
	if err != nil {
		w.log.WarnContext(ctx, "look at the sessions of streams", "sessions", len(sessions), "error", err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range ended {
		if own := w.open[s]; own != nil {
			close(own.over)
			delete(w.open, s)
		}
	}
}

// sessionOf returns the session of a request to a route that requires role.
func sessionOf(user postgres.User, role string) postgres.Session {
	return postgres.Session{User: user.ID, Version: user.TokenVersion, Role: role}
}

// sessionFor returns the session of the request c, which was made by a person or with an
// API key.
func sessionFor(c *fiber.Ctx, user postgres.User, role string) postgres.Session {
	s := sessionOf(user, role)
	s.Key = postgres.KeyOf(c.UserContext())
	return s
}

// streamsOfAnswer is the maximum number of streams of one answer that a process keeps open.
// A further stream replaces the oldest, because a client with a bad network reconnects long
// before the server knows that its old connections are dead.
const streamsOfAnswer = 8

// crowd makes room for one more stream of an answer. The caller must hold r.mu.
func (r *rowWatch) crowd(answer uuid.UUID) {
	streams := r.streams[answer]
	for len(streams) >= streamsOfAnswer {
		close(streams[0].crowded)
		streams = streams[1:]
	}
	r.streams[answer] = streams
}
