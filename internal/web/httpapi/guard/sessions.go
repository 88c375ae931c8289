package guard

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/tick"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// sessionsEvery is the interval of looking at the sessions of streams, sessionsTimeout limits
// one look.
const sessionsEvery, sessionsTimeout = 2 * time.Second, 1500 * time.Millisecond

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

// join adds a stream of a session: ended is closed when the session has ended. leave must be
// called once.
func (w *sessionWatch) join(s postgres.Session) (ended <-chan struct{}, leave func()) {
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

// run looks at the sessions periodically until ctx ends.
func (w *sessionWatch) run(ctx context.Context) {
	for range tick.Every(ctx, sessionsEvery) {
		w.look(ctx)
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
	ctx, cancel := context.WithTimeout(ctx, sessionsTimeout)
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

// sessionKey is the key of Locals for the session of a request's token.
type sessionKey struct{}

// SessionFor returns the session of the request c to a route that requires role. The request was
// made by a person or with an API key.
func SessionFor(c *fiber.Ctx, user postgres.User, role string) postgres.Session {
	id, _ := c.Locals(sessionKey{}).(uuid.UUID)
	return postgres.Session{User: user.ID, Version: user.TokenVersion, Role: role, Key: postgres.KeyOf(c.UserContext()), ID: id}
}

// OpenEventStream makes the response an event stream that run writes, until the session
// ends; see openEvents.
func (s *Guard) OpenEventStream(c *fiber.Ctx, session postgres.Session, run func(w *transport.EventConn, e *transport.Event) error) (opened bool) {
	if session.User == uuid.Nil { // a guest has no session that could end
		return s.OpenEvents(c, nil, run)
	}
	return s.OpenEvents(c, func() (<-chan struct{}, func()) { return s.sessions.join(session) }, run)
}

// JoinSession returns a channel that is closed when a session has ended; leave must be called
// once.
func (s *Guard) JoinSession(session postgres.Session) (ended <-chan struct{}, leave func()) {
	return s.sessions.join(session)
}
