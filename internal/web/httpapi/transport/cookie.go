package transport

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// SetCookie sets a cookie for life, sent only to routes below path; a life of 0 deletes it.
func (s *Transport) SetCookie(c *fiber.Ctx, name, path, value string, life time.Duration) {
	var expires time.Time
	if life == 0 {
		expires = time.Unix(1, 0) // Fiber writes no Max-Age below 1
	}
	c.Cookie(&fiber.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(life / time.Second), Expires: expires,
		HTTPOnly: true, Secure: s.secureCookies(), SameSite: fiber.CookieSameSiteStrictMode,
	})
}

// secureCookies reports whether cookies are sent over TLS only: unless the service's own
// address is the local machine, which has no TLS. The request's host is not used, because
// the client chooses it.
func (s *Transport) secureCookies() bool {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Scheme == "https" {
		return true
	}
	a, err := netip.ParseAddr(u.Hostname())
	return !strings.EqualFold(u.Hostname(), "localhost") && (err != nil || !a.IsLoopback())
}
