package relay

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/work/queue/redistest"
)

func TestAnswerOverTLS(t *testing.T) {
	t.Parallel()
	r := openAt(t, redistest.NewTLS(t).URL())
	ctx, id := t.Context(), uuid.New()
	s := subscribe(t, r, id, 0)
	p := r.publisher(ctx, id, 1)
	p.Text(ctx, "sous clé")
	p.End(ctx, chat.Final, []byte("{}"))
	if got := textOf(t, rest(t, s)); got != "sous clé" {
		t.Errorf("got %q", got)
	}
}

// The master fails while an answer is being streamed: within seconds the replica takes
// over, the reader continues, and no event is missing.
func TestAnswerOutlivesTheMaster(t *testing.T) {
	t.Parallel()
	pair := redistest.NewPair(t)
	r := openAt(t, pair.URL())
	ctx, id := t.Context(), uuid.New()
	s := subscribe(t, r, id, 0)
	p := r.publisher(ctx, id, 1)
	p.Text(ctx, "avant ")
	next(t, s)
	pair.Master.Stop()
	p.Text(ctx, "pendant ")
	p.Flush(ctx)
	limited, cancel := context.WithTimeout(ctx, 2*hang)
	defer cancel()
	for r.ping(limited) != nil {
		if limited.Err() != nil {
			t.Fatal("no new master")
		}
	}
	p.mu.Lock()
	p.retryAt = time.Time{} // the pause is over
	p.mu.Unlock()
	p.Text(ctx, "après")
	p.End(ctx, chat.Final, []byte("{}"))
	got := textOf(t, rest(t, s)) // the reader's subscription may end; then it subscribes again, as the HTTP server does
	if got != "pendant après" {
		got = textOf(t, rest(t, subscribe(t, r, id, 1)))
	}
	if got != "pendant après" {
		t.Errorf("got %q", got)
	}
}

func TestWrongAddressIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Open("http://ailleurs", nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("%v", err)
	}
}
