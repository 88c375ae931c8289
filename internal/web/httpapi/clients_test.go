package httpapi

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestNetworksOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7":             "[192.0.2.7/32 192.0.2.0/24]",
		"::ffff:192.0.2.7":      "[192.0.2.7/32 192.0.2.0/24]",
		"2001:db8:1:234::5":     "[2001:db8:1:234::/64 2001:db8:1:200::/56 2001:db8:1::/48]",
		"fe80::1%eth0":          "[fe80::/64 fe80::/56 fe80::/48]",
		"2001:db8:1:234:5::ff%": "",
	} {
		a, err := netip.ParseAddr(address)
		if err != nil {
			equal(t, address, "", want)
			continue
		}
		equal(t, address, fmt.Sprint(networks(a)), want)
	}
}

// A client with a /48 counts as a few clients, not as 65,536.
func TestWiderNetworksAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form string
		want int // of those that come from all of it, each may have 10
	}{
		{"192.0.2.%d", 20}, {"192.0.%d.1", 2000},
		{"2001:db8:1:2::%x", 10}, {"2001:db8:1:2%02x::1", 20}, {"2001:db8:1:%02x00::1", 40}, {"2001:db8:%x::1", 2000},
	} {
		held := tally{}
		var in []netip.Addr
		for i := range 200 {
			a := netip.MustParseAddr(fmt.Sprintf(c.form, i))
			for range 10 {
				if held.add(a, 1, 10) {
					in = append(in, a)
				}
			}
		}
		equal(t, c.form, len(in), c.want)
		for _, a := range in {
			held.remove(a, 1)
		}
		equal(t, c.form+": networks kept", len(held), 0)
	}
}

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
		s.Connections = Connections{All: 1000, Each: 5}
		s.limits.read = hang
	})
	var attack []net.Conn
	for range 5 {
		attack = append(attack, b.slowly(t, prefix+"/auth/login", "203.0.113.9"))
	}
	// The last one is counted once the server has read its head.
	client := netip.MustParseAddr("203.0.113.9")
	for until := time.Now().Add(hang); ; time.Sleep(time.Millisecond) {
		b.clients.mu.Lock()
		n := b.clients.requests[network(client)]
		b.clients.mu.Unlock()
		if n == 5 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("%d requests are counted", n)
		}
	}
	const models = prefix + "/models"
	refused := b.do(t, "GET", models, "", viaProxy, "203.0.113.9")
	wantDetail(t, refused, http.StatusTooManyRequests)
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "1")
	equal(t, "somebody else", b.do(t, "GET", models, "", viaProxy, "198.51.100.1").status, http.StatusOK)
	equal(t, "a probe from the same address", b.do(t, "GET", "/healthz", "", viaProxy, "203.0.113.9").status, http.StatusOK)
	equal(t, "a forged address", b.do(t, "GET", models, "", viaProxy, "198.51.100.1, 203.0.113.9").status, http.StatusTooManyRequests)
	ok(t, attack[0].Close())
	for until := time.Now().Add(hang); b.do(t, "GET", models, "", viaProxy, "203.0.113.9").status != http.StatusOK; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the place is not given back")
		}
	}
}

// A stream counts until it ends.
func TestAStreamIsCountedToItsEnd(t *testing.T) {
	b := setup(t, func(s *Server) { s.Connections = Connections{All: 1000, Each: 1} })
	l := b.listen(t, "POST", askPath, `{"question":"?"}`, viaProxy, "203.0.113.9")
	b.hinted(t)
	get := func() int { return b.do(t, "GET", prefix+"/models", "", viaProxy, "203.0.113.9").status }
	equal(t, "during the stream", get(), http.StatusTooManyRequests)
	ok(t, l.Body.Close())
	for until := time.Now().Add(hang); get() != http.StatusOK; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the place of the stream is not given back")
		}
	}
}

// Nothing of a body is read before its client was authenticated: a stranger is refused while
// the body has not arrived.
func TestNoBodyIsReadOfAStranger(t *testing.T) {
	b := setup(t, func(s *Server) { s.limits.read, s.limits.linger = hang, time.Millisecond })
	for _, path := range []string{askPath, prefix + "/admin/users", prefix + "/auth/password"} {
		wantDetail(t, answeredOn(t, b.slowly(t, path, "203.0.113.9")), http.StatusUnauthorized)
	}
	user := b.dial(t, "POST "+prefix+"/admin/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+b.token+
		"\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
	wantDetail(t, answeredOn(t, user), http.StatusForbidden)
}

// Bodies share a bounded room: of all, and of one network.
func TestBodiesShareARoom(t *testing.T) {
	const piece = firstPiece
	b := setup(t, func(s *Server) {
		s.Bodies = ByteRoom{All: 3 * piece, Each: 2 * piece}
		s.limits.read = hang
	})
	login := func(address string) reply {
		return b.do(t, "POST", prefix+"/auth/login", `{"x":"`+strings.Repeat("a", piece/2)+`"}`, viaProxy, address)
	}
	held := func(want int) {
		t.Helper()
		for until := time.Now().Add(hang); ; time.Sleep(time.Millisecond) {
			b.clients.mu.Lock()
			n := b.clients.all
			b.clients.mu.Unlock()
			if n == want {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("%d bytes are held, want %d", n, want)
			}
		}
	}
	first := b.slowly(t, prefix+"/auth/login", "203.0.113.9")
	second := b.slowly(t, prefix+"/auth/login", "203.0.113.9")
	held(2 * piece)
	full := login("203.0.113.9")
	wantDetail(t, full, http.StatusServiceUnavailable)
	equal(t, "Retry-After", full.header.Get("Retry-After"), "5")
	equal(t, "somebody else", login("198.51.100.1").status, http.StatusUnprocessableEntity)
	third := b.slowly(t, prefix+"/auth/login", "198.51.100.2")
	held(3 * piece)
	wantDetail(t, login("198.51.100.1"), http.StatusServiceUnavailable)
	for _, c := range []net.Conn{first, second, third} {
		ok(t, c.Close())
	}
	held(0)
	equal(t, "afterwards", login("198.51.100.1").status, http.StatusUnprocessableEntity)
	// A body that grows beyond the room is refused while it arrives.
	wantDetail(t, b.do(t, "POST", prefix+"/auth/login", `{"x":"`+strings.Repeat("a", 5*piece)+`"}`, viaProxy, "203.0.113.9"), http.StatusServiceUnavailable)
	held(0)
}

// The rest of a body that nobody reads is read and dropped, so that the client, which sends
// all before it reads, gets its response whole; the rest does not become the next request.
func TestTheRestOfABodyIsDropped(t *testing.T) {
	b := setup(t)
	large := strings.Repeat("a", 3<<20)
	for path, status := range map[string]int{prefix + "/nowhere": http.StatusNotFound, askPath: http.StatusUnauthorized, "/healthz": http.StatusMethodNotAllowed} {
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
		s.Connections = Connections{All: 1000, Each: 1}
		s.limits.read, s.limits.linger = hang, hang
	})
	l := b.listen(t, "POST", askPath, `{"question":"?"}`, viaProxy, "203.0.113.9")
	b.hinted(t)
	began := time.Now()
	refused := answeredOn(t, b.slowly(t, prefix+"/auth/login", "203.0.113.9"))
	wantDetail(t, refused, http.StatusTooManyRequests)
	if took := time.Since(began); took > hang/2 {
		t.Errorf("the refusal took %v", took)
	}
	ok(t, l.Body.Close())
}
