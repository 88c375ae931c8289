package httpapi

import (
	"bufio"
	"net/http"
	"strconv"
	"testing"
	"time"

	"vigueur/internal/web/httpapi/transport"
)

// The server enforces its limit, and closing a connection frees its slot.
func TestAServerHoldsItsBound(t *testing.T) {
	b := setup(t, func(s *Server) { s.Connections.All, s.limits.Patience = 2, hang })
	first := b.dial(t, "")
	second := b.dial(t, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	r, err := http.ReadResponse(bufio.NewReader(second), nil) // both have been accepted
	ok(t, err)
	equal(t, "one within the bound", r.StatusCode, http.StatusOK)
	const request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	refusal := b.raw(t, request)
	wantDetail(t, refusal, http.StatusServiceUnavailable)
	equal(t, "Retry-After", refusal.header.Get("Retry-After"), strconv.Itoa(transport.RetryAfter))
	ok(t, first.Close())
	for deadline := time.Now().Add(hang); b.raw(t, request).status != http.StatusOK; {
		if time.Now().After(deadline) {
			t.Fatal("the place is not given back")
		}
	}
}
