package httpapi

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"vigueur/internal/web/httpapi/transport"
)

const viaProxy = "X-Forwarded-For"

// slowly opens a request through a trusted proxy and never sends the rest of its body.
func (b *bundle) slowly(t *testing.T, path, address string) net.Conn {
	t.Helper()
	return b.dial(t, "POST "+path+" HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: "+address+"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
}

// answered reads the response on a connection.
func answeredOn(t *testing.T, conn net.Conn) reply {
	t.Helper()
	ok(t, conn.SetReadDeadline(time.Now().Add(hang)))
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	ok(t, err)
	body, err := io.ReadAll(r.Body)
	ok(t, err)
	return reply{r.StatusCode, r.Header, body}
}

// Behind a proxy, a client with slow bodies takes its own places and nobody else's.
func TestAClientBehindAProxyIsBounded(t *testing.T) {
	b := setup(t, func(s *Server) {
		s.Connections = transport.Connections{All: 1000, Each: 5}
		s.limits.Read = hang
	})
	const models = transport.Prefix + "/models"
	attack := b.crowd(t, "203.0.113.9", http.StatusTooManyRequests, func() int { return b.do(t, "GET", models, "", viaProxy, "203.0.113.9").status })
	refused := b.do(t, "GET", models, "", viaProxy, "203.0.113.9")
	wantDetail(t, refused, http.StatusTooManyRequests)
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "1")
	equal(t, "somebody else", b.do(t, "GET", models, "", viaProxy, "198.51.100.1").status, http.StatusOK)
	equal(t, "a probe from the same address", b.do(t, "GET", "/healthz", "", viaProxy, "203.0.113.9").status, http.StatusOK)
	equal(t, "a forged address", b.do(t, "GET", models, "", viaProxy, "198.51.100.1, 203.0.113.9").status, http.StatusTooManyRequests)
	// One of them ends; some were refused themselves, and their end changes nothing.
	for status := 0; status != http.StatusOK; attack = attack[1:] {
		if len(attack) == 1 {
			t.Fatal("the end of a request gives no place back")
		}
		ok(t, attack[0].Close())
		for deadline := time.Now().Add(time.Second); status != http.StatusOK && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			status = b.do(t, "GET", models, "", viaProxy, "203.0.113.9").status
		}
	}
}

// crowd opens slow requests of an address until send, which it tries after each, returns the
// status. A slow request is counted when the server has read its head, which may be during a
// trial; then it can be refused itself, and another takes its place.
func (b *bundle) crowd(t *testing.T, address string, want int, send func() int) (slow []net.Conn) {
	t.Helper()
	awaitStatus(t, want, func() int {
		slow = append(slow, b.slowly(t, transport.Prefix+"/auth/login", address))
		return send()
	})
	return slow
}

// await sends requests from an address until one has the status.
func (b *bundle) await(t *testing.T, path, source string, status int) {
	t.Helper()
	awaitStatus(t, status, func() int { return b.do(t, "GET", path, "", viaProxy, source, "Accept-Encoding", "identity").status })
}

// awaitStatus calls send, at a pace that no limit notices, until it returns the status.
func awaitStatus(t *testing.T, want int, send func() int) {
	t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(20 * time.Millisecond) {
		got := send()
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("status %d, want %d", got, want)
		}
	}
}

// A stream counts until it ends.
func TestAStreamIsCountedToItsEnd(t *testing.T) {
	b := setup(t, func(s *Server) { s.Connections = transport.Connections{All: 1000, Each: 1} })
	l := b.listen(t, "POST", askPath, `{"question":"?"}`, viaProxy, "203.0.113.9")
	b.hinted(t)
	get := func() int { return b.do(t, "GET", transport.Prefix+"/models", "", viaProxy, "203.0.113.9").status }
	equal(t, "during the stream", get(), http.StatusTooManyRequests)
	ok(t, l.Body.Close())
	for deadline := time.Now().Add(hang); get() != http.StatusOK; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the place of the stream is not given back")
		}
	}
}

// Nothing of a body is read before its client was authenticated: a stranger is refused while
// the body has not arrived.
func TestNoBodyIsReadOfAStranger(t *testing.T) {
	b := setup(t, func(s *Server) { s.limits.Read, s.limits.Linger = hang, time.Millisecond })
	for _, path := range []string{askPath, transport.Prefix + "/admin/users", transport.Prefix + "/auth/password"} {
		wantDetail(t, answeredOn(t, b.slowly(t, path, "203.0.113.9")), http.StatusUnauthorized)
	}
	user := b.dial(t, "POST "+transport.Prefix+"/admin/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+b.token+
		"\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
	wantDetail(t, answeredOn(t, user), http.StatusForbidden)
}

// Bodies share a bounded room: of all, and of one network.
func TestBodiesShareARoom(t *testing.T) {
	const piece = firstPiece
	b := setup(t, func(s *Server) {
		s.Bodies = transport.ByteRoom{All: 3 * piece, Each: 2 * piece}
		s.limits.Read = hang
	})
	login := func(address string) reply {
		return b.do(t, "POST", transport.Prefix+"/auth/login", `{"x":"`+strings.Repeat("a", piece/2)+`"}`, viaProxy, address)
	}
	await := func(address string, status int) {
		t.Helper()
		awaitStatus(t, status, func() int { return login(address).status })
	}
	slow := b.crowd(t, "203.0.113.9", http.StatusServiceUnavailable, func() int { return login("203.0.113.9").status })
	full := login("203.0.113.9")
	wantDetail(t, full, http.StatusServiceUnavailable)
	equal(t, "Retry-After", full.header.Get("Retry-After"), "5")
	equal(t, "somebody else", login("198.51.100.1").status, http.StatusUnprocessableEntity)
	slow = append(slow, b.crowd(t, "198.51.100.2", http.StatusServiceUnavailable, func() int { return login("198.51.100.1").status })...)
	wantDetail(t, login("198.51.100.1"), http.StatusServiceUnavailable)
	for _, c := range slow {
		ok(t, c.Close())
	}
	await("198.51.100.1", http.StatusUnprocessableEntity)
	await("203.0.113.9", http.StatusUnprocessableEntity)
	// A body that grows beyond the room is refused while it arrives.
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/auth/login", `{"x":"`+strings.Repeat("a", 5*piece)+`"}`, viaProxy, "203.0.113.9"), http.StatusServiceUnavailable)
	equal(t, "after a body that was refused", login("203.0.113.9").status, http.StatusUnprocessableEntity)
}

// The rest of a body that nobody reads is read and dropped, so that the client, which sends
// all before it reads, gets its response whole; the rest does not become the next request.
func TestTheRestOfABodyIsDropped(t *testing.T) {
	b := setup(t)
	large := strings.Repeat("a", 3<<20)
	for path, status := range map[string]int{transport.Prefix + "/nowhere": http.StatusNotFound, askPath: http.StatusUnauthorized, "/healthz": http.StatusMethodNotAllowed} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		ok(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		tcp, _ := conn.(*net.TCPConn)
		ok(t, tcp.SetWriteBuffer(64<<10)) // less than the body: who does not read it, stops the client
		for range 2 {                     // the connection stays open
			_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(large), large)
			ok(t, err)
			wantDetail(t, answeredOn(t, conn), status)
		}
	}
}

// A client that is refused for its number of requests holds nothing: its body is not waited
// for.
func TestARefusedClientIsNotWaitedFor(t *testing.T) {
	b := setup(t, func(s *Server) {
		s.Connections = transport.Connections{All: 1000, Each: 1}
		s.limits.Read, s.limits.Linger = hang, hang
	})
	l := b.listen(t, "POST", askPath, `{"question":"?"}`, viaProxy, "203.0.113.9")
	b.hinted(t)
	began := time.Now()
	refused := answeredOn(t, b.slowly(t, transport.Prefix+"/auth/login", "203.0.113.9"))
	wantDetail(t, refused, http.StatusTooManyRequests)
	if took := time.Since(began); took > hang/2 {
		t.Errorf("the refusal took %v", took)
	}
	ok(t, l.Body.Close())
}
