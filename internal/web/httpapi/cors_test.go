package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/store/chat"
	"vigueur/internal/web/httpapi/transport"
)

const (
	friend  = "https://droit.example"
	another = "http://localhost:5173"
)

func withOrigins(s *Server) { s.Origins = []string{friend, another} }

// preflight sends a browser's preflight request.
func (b *bundle) preflight(t *testing.T, path, origin, method string) reply {
	t.Helper()
	return b.do(t, "OPTIONS", path, "", "Authorization", "", "Origin", origin, "Access-Control-Request-Method", method,
		"Access-Control-Request-Headers", "authorization,content-type,x-evil")
}

func TestPagesOfOtherOriginsAreKeptOut(t *testing.T) {
	b := setup(t)
	r := b.do(t, "GET", "/healthz", "", "Origin", friend)
	equal(t, "status", r.status, http.StatusOK)
	wantDetail(t, b.preflight(t, askPath, friend, "POST"), http.StatusMethodNotAllowed)
	for name := range r.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("%s without an origin configured", name)
		}
	}
}

func TestOnlyTheOriginsThemselvesMayCall(t *testing.T) {
	b := setup(t, withOrigins)
	for _, origin := range []string{friend, another} {
		for what, r := range map[string]reply{
			"request": b.do(t, "GET", transport.Prefix+"/models", "", "Origin", origin), "preflight": b.preflight(t, askPath, origin, "POST"),
			"error":  b.do(t, "GET", transport.Prefix+"/models", "", "Origin", origin, "Authorization", ""),
			"no way": b.do(t, "GET", "/nothing", "", "Origin", origin),
			"large":  b.raw(t, "POST "+transport.Prefix+"/auth/login HTTP/1.1\r\nHost: x\r\nOrigin: "+origin+"\r\nContent-Length: 99999999\r\n\r\n"+strings.Repeat(" ", 8<<10)),
		} {
			equal(t, what+" of "+origin, r.header.Get("Access-Control-Allow-Origin"), origin)
			equal(t, what+": cookie", r.header.Get("Access-Control-Allow-Credentials"), "true")
			if !strings.Contains(r.header.Get("Vary"), "Origin") {
				t.Errorf("%s of %s: Vary %q", what, origin, r.header.Get("Vary"))
			}
		}
	}
	for _, origin := range []string{
		"null", "https://evil.example", "https://droit.example.evil.example", "https://evildroit.example", "https://droit.example:443", "https://droit.example:8443",
		"http://droit.example", "https://x.droit.example", "https://droit.example/", "https://droit.example@evil.example", "https://droit.example, https://evil.example",
		"http://localhost", "http://localhost:51730", "http://127.0.0.1:5173", "*", "https://*", "droit.example", "file://", "https://droit.exämple",
	} {
		for what, r := range map[string]reply{
			"request": b.do(t, "GET", transport.Prefix+"/models", "", "Origin", origin), "preflight": b.preflight(t, askPath, origin, "POST"),
		} {
			for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"} {
				if got := r.header.Get(name); got != "" {
					t.Errorf("%s of %s: %s %q", what, origin, name, got)
				}
			}
		}
	}
	// Hosts are case-insensitive, but browsers send them in lower case.
	equal(t, "capitals", b.do(t, "GET", "/healthz", "", "Origin", strings.ToUpper(friend)).header.Get("Access-Control-Allow-Origin"), friend)
	equal(t, "of no page", b.get(t, "/healthz").header.Get("Access-Control-Allow-Origin"), "")
}

func TestAPreflightSaysWhatMayBeSent(t *testing.T) {
	b := setup(t, withOrigins)
	r := b.preflight(t, conversationsPath+"/x", friend, "PATCH")
	equal(t, "status", r.status, http.StatusNoContent)
	equal(t, "body", len(r.body), 0)
	equal(t, "methods", r.header.Get("Access-Control-Allow-Methods"), "GET,HEAD,POST,PATCH,DELETE")
	equal(t, "for", r.header.Get("Access-Control-Max-Age"), "600")
	headers := strings.ToLower(r.header.Get("Access-Control-Allow-Headers"))
	for name, want := range map[string]bool{"authorization": true, "content-type": true, "last-event-id": true, "x-evil": false, "*": false} {
		equal(t, name, strings.Contains(headers, name), want)
	}
	equal(t, "named", r.header.Get("X-Request-Id") != "", true)
	// Without the method header it is an ordinary OPTIONS, which no route allows.
	wantDetail(t, b.do(t, "OPTIONS", transport.Prefix+"/models", "", "Origin", friend), http.StatusMethodNotAllowed)
}

func TestAStreamIsReadAcrossOrigins(t *testing.T) {
	b := setup(t, withOrigins)
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`, "Origin", friend)
	equal(t, "origin", l.Header.Get("Access-Control-Allow-Origin"), friend)
	for _, name := range []string{"X-Request-Id", "X-Conversation-Id", "X-Message-Id", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
		if !strings.Contains(l.Header.Get("Access-Control-Expose-Headers"), name) {
			t.Errorf("%s is not exposed", name)
		}
	}
	b.takeUp(t, b.hinted(t)).write(chat.Done, "Dix [1].")
	l.rest(t)
}
