package gazettes

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

const (
	// changesMost is the maximum number of files that one look reads; the next look reads the others.
	changesMost = 200
	// overlap is how far each look goes back: a change may become visible that much later than one that
	// happened after it.
	overlap = 5 * time.Second
)

// followIngestions serves GET /admin/ingestion-events. It streams each file that changes, and with
// after those that have changed since that moment, so that a client that was cut off misses none. The
// stream ends when no file waits or is processed.
func (s *Handlers) followIngestions(c *fiber.Ctx, user postgres.User) error {
	q := form.ReadQuery(c)
	cursor := q.Moment("after", 0)
	if err := q.Err(); err != nil {
		return err
	}
	if cursor == nil {
		cursor = new(s.Now())
	}
	s.OpenEventStream(c, guard.SessionFor(c, user, "editor"), func(w *transport.EventConn, _ *transport.Event) error {
		return (&changeStream{Handlers: s, EventConn: w, after: *cursor, sent: map[uuid.UUID]time.Time{}}).run()
	})
	return nil
}

// changeStream streams the files that change to one client.
type changeStream struct {
	*Handlers
	*transport.EventConn
	after time.Time               // what changed before is known to the client
	sent  map[uuid.UUID]time.Time // when the files that the client has of the overlap changed
	seq   int64
}

// run streams changes until every file has ended, or the client, the session or the server ends, and
// returns why it stopped.
func (t *changeStream) run() error {
	return follow(t.EventConn, t.look, t.look)
}

// look sends the files that have changed. If they cannot be read, the next look tries again.
func (t *changeStream) look() error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RowTimeout)
	defer cancel()
	pending, err := t.DB.HasPendingIngestions(ctx) // before the look, which then sees the last change
	if err != nil {
		return nil
	}
	changed, err := t.DB.ChangedIngestions(ctx, t.after, changesMost)
	if err != nil {
		return nil
	}
	for _, i := range changed {
		if t.sent[i.ID].Equal(i.UpdatedAt) {
			continue
		}
		data, err := json.Marshal(showIngestion(i))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		t.seq++
		transport.Wire{}.Event(&out, chat.Event{Seq: t.seq, Kind: progressEvent, Data: data})
		if err := t.Send(out.Bytes()); err != nil {
			return err
		}
		t.sent[i.ID] = i.UpdatedAt
	}
	t.forget(changed)
	if !pending && len(changed) < changesMost {
		return transport.ErrEnded
	}
	return nil
}

// forget moves on to the last change of a look, less the overlap.
func (t *changeStream) forget(changed []postgres.Ingestion) {
	if len(changed) == 0 {
		return
	}
	last := changed[len(changed)-1].UpdatedAt
	if len(changed) < changesMost {
		last = last.Add(-overlap)
	}
	if !last.After(t.after) {
		return
	}
	t.after = last
	for id, moment := range t.sent {
		if moment.Before(last) {
			delete(t.sent, id)
		}
	}
}
