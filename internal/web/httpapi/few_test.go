package httpapi

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
)

// Of the reads that an account has at once, a few run and some wait; the others are refused,
// and nobody else notices.
func TestAnAccountReadsAFewThingsAtOnce(t *testing.T) {
	var running, most, held atomic.Int64
	leave := make(chan struct{})
	b := setup(t)
	app := b.app()
	app.Get("/held", b.protected(b.few(func(c *fiber.Ctx, _ postgres.User) error {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		held.Add(1)
		if c.Query("hold") != "" {
			<-leave
		}
		return c.SendString("ok")
	})))
	call := func(token, query string) int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://x/held"+query, http.NoBody)
		ok(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := app.Test(r, -1)
		ok(t, err)
		ok(t, answer.Body.Close())
		return answer.StatusCode
	}
	var all sync.WaitGroup
	var done, refused atomic.Int64
	const asked = 40
	for range asked {
		all.Go(func() {
			switch status := call(b.token, "?hold=1"); status {
			case http.StatusOK:
				done.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				t.Errorf("status %d", status)
			}
		})
	}
	for until := time.Now().Add(hang); refused.Load() < asked-readsAtOnce-readsWaiting || held.Load() < readsAtOnce; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d refused, %d run", refused.Load(), held.Load())
		}
	}
	equal(t, "somebody else", call(b.tokenOf(t, b.addUser(t, "autre@example.org")), ""), http.StatusOK)
	close(leave)
	all.Wait()
	equal(t, "ran", int(done.Load()), readsAtOnce+readsWaiting)
	equal(t, "at once", int(most.Load()) <= readsAtOnce+1, true) // and the other account's
	equal(t, "kept", len(b.reads.of), 0)
}
