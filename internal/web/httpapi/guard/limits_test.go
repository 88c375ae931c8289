package guard

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
)

// Of the reads that an account has at once, a few run and some wait; the others are refused,
// and nobody else notices.
func TestAnAccountReadsAFewThingsAtOnce(t *testing.T) {
	var running, most, held atomic.Int64
	leave := make(chan struct{})
	t.Parallel()
	g := &Guard{}
	app := fiber.New(fiber.Config{DisableStartupMessage: true, ErrorHandler: func(c *fiber.Ctx, err error) error {
		return c.SendStatus(errs.Describe(errs.KindOf(err)).Status)
	}})
	limited := g.InTurn(contract.Handler{Serve: func(c *fiber.Ctx, _ postgres.User) error {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		held.Add(1)
		if c.Query("hold") != "" {
			<-leave
		}
		return c.SendString("ok")
	}})
	app.Get("/held/:user", func(c *fiber.Ctx) error { return limited.Serve(c, postgres.User{ID: uuid.MustParse(c.Params("user"))}) })
	one, other := uuid.New(), uuid.New()
	call := func(user uuid.UUID, query string) int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://x/held/"+user.String()+query, http.NoBody)
		ok(t, err)
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
			switch status := call(one, "?hold=1"); status {
			case http.StatusOK:
				done.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				t.Errorf("status %d", status)
			}
		})
	}
	for deadline := time.Now().Add(hang); refused.Load() < asked-readsAtOnce-readsWaiting || held.Load() < readsAtOnce; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d refused, %d run", refused.Load(), held.Load())
		}
	}
	equal(t, "somebody else", call(other, ""), http.StatusOK)
	close(leave)
	all.Wait()
	equal(t, "ran", int(done.Load()), readsAtOnce+readsWaiting)
	equal(t, "at once", int(most.Load()) <= readsAtOnce+1, true) // and the other account's
}
