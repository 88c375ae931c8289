package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
)

// A panic and an unclassified error are logged in full, and the client learns nothing about
// them.
func TestWhatGoesWrongInsideStaysInside(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := &Transport{Log: slog.New(slog.NewJSONHandler(&log, nil)), Now: time.Now}
	app := fiber.New(fiber.Config{ErrorHandler: s.respondUnparsed, DisableStartupMessage: true})
	app.Use(s.observe)
	app.Get("/panic", func(*fiber.Ctx) error { panic("table users, row 5") })
	app.Get("/error", func(*fiber.Ctx) error { return fmt.Errorf("sql: table users") })
	app.Get("/down", func(*fiber.Ctx) error {
		return errs.Wrap(errs.Unavailable, "Redis ne répond pas (10.0.0.1)", fmt.Errorf("dial"))
	})
	for path, status := range map[string]int{"/panic": 500, "/error": 500, "/down": 503} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", "http://x"+path, nil)
		ok(t, err)
		response, err := app.Test(request)
		ok(t, err)
		body, err := io.ReadAll(response.Body)
		ok(t, err)
		var shown struct{ Detail string }
		ok(t, json.Unmarshal(body, &shown))
		equal(t, path, []any{response.StatusCode, response.Header.Get("Content-Type"), shown.Detail != "", response.Header.Get("X-Request-Id") != ""},
			[]any{status, "application/json", true, true})
		for _, inside := range []string{"users", "dial", "10.0.0.1"} {
			if strings.Contains(string(body), inside) {
				t.Errorf("%s tells %q", path, body)
			}
		}
		if status == 503 {
			equal(t, "Retry-After", response.Header.Get("Retry-After"), "5")
		}
		line := log.String()
		for _, part := range []string{`"route":"` + path + `"`, fmt.Sprintf(`"status":%d`, status), `"error":`} {
			if !strings.Contains(line, part) {
				t.Errorf("the log lacks %s: %s", part, line)
			}
		}
		log.Reset()
	}
}

// Requests beyond the rate are 429, of their client alone; probes are not counted.
func TestAClientThatSendsTooManyRequests(t *testing.T) {
	t.Parallel()
	s := &Transport{Log: slog.New(slog.DiscardHandler), Now: time.Now, Connections: Connections{All: 1000, Each: 100}, Proxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}
	app := s.NewApp(func(app *fiber.App) {
		for _, path := range []string{"/docs", "/readyz"} {
			app.Get(path, func(c *fiber.Ctx) error { return c.SendString("ok") })
		}
	})
	send := func(path, source string) *http.Response {
		request, err := http.NewRequestWithContext(t.Context(), "GET", "http://x"+path, nil)
		ok(t, err)
		request.Header.Set("X-Forwarded-For", source)
		response, err := app.Test(request, -1)
		ok(t, err)
		ok(t, response.Body.Close())
		return response
	}
	for range requestBurst {
		s.clients.rates.take(netip.MustParseAddr("203.0.113.9"), time.Now().Add(time.Hour)) // no token comes back meanwhile
	}
	refused := send("/docs", "203.0.113.9")
	equal(t, "refused", []any{refused.StatusCode, refused.Header.Get("RateLimit-Limit"), refused.Header.Get("RateLimit-Remaining"), refused.Header.Get("Retry-After")},
		[]any{http.StatusTooManyRequests, strconv.Itoa(requestRate), "0", "1"})
	equal(t, "somebody else", send("/docs", "198.51.100.9").StatusCode, http.StatusOK)
	equal(t, "a probe", send("/readyz", "203.0.113.9").StatusCode, http.StatusOK)
}
