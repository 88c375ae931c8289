package httpapi

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/transport"
)

// cable is a TCP proxy that can be cut.
type cable struct {
	ln    net.Listener
	mu    sync.Mutex
	conns []net.Conn
	cut   bool
	all   sync.WaitGroup
}

func newCable(t *testing.T, target string) *cable {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	c := &cable{ln: ln}
	c.all.Go(func() {
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil || !c.keep(in, out) {
				_ = in.Close()
				continue
			}
			c.all.Go(func() { _, _ = io.Copy(out, in); _ = out.Close() })
			c.all.Go(func() { _, _ = io.Copy(in, out); _ = in.Close() })
		}
	})
	t.Cleanup(c.sever)
	return c
}

func (c *cable) keep(conns ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.cut {
		c.conns = append(c.conns, conns...)
	}
	return !c.cut
}

// sever closes every connection and accepts no more.
func (c *cable) sever() {
	c.mu.Lock()
	c.cut = true
	_ = c.ln.Close()
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.mu.Unlock()
	c.all.Wait()
}

// All connections of PostgreSQL are in use: the response to a request that needs one says
// that the client can retry.
func TestPostgresIsFull(t *testing.T) {
	t.Parallel()
	address, allow := pgtest.NewFullURL(t)
	allow(-1)
	u, err := url.Parse(address)
	ok(t, err)
	q := u.Query()
	q.Set("application_name", "served")
	u.RawQuery = q.Encode()
	db, err := postgres.Open(t.Context(), u.String())
	ok(t, err)
	t.Cleanup(db.Close)
	b := start(t, db, sharedRedis.URL())
	equal(t, "at first", b.get(t, "/api/v1/documents").status, http.StatusOK)
	pgtest.Exec(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'served'`)
	allow(0)
	for _, path := range []string{"/documents", "/conversations", "/auth/me"} {
		for range 10 { // some requests find a connection that was closed
			r := b.get(t, transport.Prefix+path)
			wantDetail(t, r, http.StatusServiceUnavailable)
			equal(t, "Retry-After of "+path, r.header.Get("Retry-After"), "5")
		}
	}
}

// PostgreSQL goes down: every route that needs it returns a public message.
func TestPostgresDown(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(pgtest.NewURL(t))
	ok(t, err)
	line := newCable(t, address.Host)
	address.Host = line.ln.Addr().String()
	db, err := postgres.Open(t.Context(), address.String())
	ok(t, err)
	t.Cleanup(db.Close)
	b := start(t, db, sharedRedis.URL(), withPublic)
	equal(t, "at first", b.get(t, "/api/v1/documents").status, http.StatusOK)
	line.sever()
	for _, path := range []string{"/documents", "/domaines", "/conversations", "/auth/me", "/models", "/documents/" + uuid.NewString() + "/file", "/chat-rag/stream/" + uuid.NewString()} {
		r := b.get(t, transport.Prefix+path)
		wantDetail(t, r, http.StatusServiceUnavailable)
		equal(t, "Retry-After of "+path, r.header.Get("Retry-After"), "5")
	}
	page := b.guest(t, "/akn") // says so to people, on a page
	equal(t, "a public page", []any{page.status, page.header.Get("Content-Type"), page.header.Get("Retry-After")}, []any{http.StatusServiceUnavailable, "text/html; charset=utf-8", "5"})
	page.has(t, "La page ne peut pas être montrée")
	wantDetail(t, b.do(t, "POST", askPath, `{"question":"?"}`), http.StatusServiceUnavailable)
	for range 7 { // a password that could not be checked does not count as a failure, so there is no 429
		wantDetail(t, b.login(t, "awa@example.org", "x"), http.StatusServiceUnavailable)
	}
	equal(t, "readyz", string(b.get(t, "/readyz").body), `{"status":"down","stores":{"postgres":{"status":"down"},"redis":{"status":"ok"}}}`)
	equal(t, "healthz", b.get(t, "/healthz").status, http.StatusOK)
}
