package httpapi

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/form"
)

// manyFields is a JSON object with so many fields that no request has.
func manyFields(n int) string {
	var b bytes.Buffer
	b.WriteString(`{"question":"Combien ?"`)
	for i := range n {
		fmt.Fprintf(&b, `,"x%d":1`, i)
	}
	b.WriteByte('}')
	return b.String()
}

// A response is never much larger than its request, whatever is wrong with that, nor is the log.
func TestFaultsAreBounded(t *testing.T) {
	b := setup(t, guests(100))
	for name, body := range map[string]string{
		"fields that are not known":   manyFields(10_000),
		"names that are long":         `{"question":"Combien ?","` + strings.Repeat("é", 100_000) + `":1,"` + strings.Repeat("z", 100_000) + `":2}`,
		"more values than are read":   manyFields(60_000),
		"more elements than are read": `{"question":[` + strings.Repeat("[],", 100_000) + `1]}`,
	} {
		r := b.do(t, "POST", guestPath, body, "Authorization", "")
		equal(t, name, r.status, http.StatusUnprocessableEntity)
		if strings.HasPrefix(name, "more") != strings.Contains(string(r.body), "plus de 20000 valeurs") {
			t.Errorf("%s: %.300s", name, r.body)
		}
		if len(r.body) > 32<<10 {
			t.Errorf("%s: %d bytes of faults", name, len(r.body))
		}
		if line := b.log.await(t, `POST`, `"status":422`); len(line) > 32<<10 {
			t.Errorf("%s: %d bytes of log", name, len(line))
		}
	}
	r := b.do(t, "POST", guestPath, manyFields(1000), "Authorization", "")
	list := decode[struct{ Detail []form.Fault }](t, r).Detail
	if len(list) != mostFaults || !strings.Contains(list[mostFaults-1].Msg, "pas listées") {
		t.Errorf("%d faults are told, the last: %+v", len(list), list[len(list)-1])
	}
	// Through a key's routes too, in OpenAI's form.
	key := b.newKey(t, `"chat"`, "").Key
	r = b.do(t, "POST", conversations.CompletionsRoute, `{"messages":[`+strings.Repeat(`{"role":"x"},`, 6000)+`{}]}`, bearer(key)...)
	if r.status != http.StatusUnprocessableEntity || len(r.body) > 32<<10 {
		t.Errorf("%d, %d bytes", r.status, len(r.body))
	}
}

// Responses that clients do not take have a room, as bodies have.
func TestRepliesShareARoom(t *testing.T) {
	b := setup(t, func(s *Server) { s.limits.Pace = hang })
	size := len(b.get(t, "/openapi.json").body)
	if size <= smallReply {
		t.Fatalf("the document has %d bytes, and is not counted", size)
	}
	b.Transport.Replies.All, b.Transport.Replies.Each = 2*size+size/2, size+size/2
	get := func(address string) reply {
		return b.do(t, "GET", "/openapi.json", "", viaProxy, address, "Accept-Encoding", "identity")
	}
	stuck := func(address string) net.Conn {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		ok(t, err)
		ok(t, conn.(*net.TCPConn).SetReadBuffer(4<<10)) //nolint:errcheck // it is one
		for range 200 {                                 // until neither side's buffers take more
			_, err = fmt.Fprintf(conn, "GET /openapi.json HTTP/1.1\r\nHost: x\r\n%s: %s\r\n\r\n", viaProxy, address)
			ok(t, err)
		}
		return conn
	}
	// refuses waits until the address is refused for 200 ms: before the buffers are full, there is room between two responses.
	refuses := func(address string) {
		for refusals := 0; refusals < 10; time.Sleep(20 * time.Millisecond) {
			b.await(t, "/openapi.json", address, http.StatusServiceUnavailable)
			if refusals++; get(address).status != http.StatusServiceUnavailable {
				refusals = 0
			}
		}
	}
	first := stuck("203.0.113.9")
	refuses("203.0.113.9")
	refused := get("203.0.113.9")
	equal(t, "while the first is not taken", refused.status, http.StatusServiceUnavailable)
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "5")
	equal(t, "somebody else", get("198.51.100.1").status, http.StatusOK)
	second := stuck("198.51.100.1")
	refuses("192.0.2.1")
	equal(t, "a small response", b.do(t, "GET", "/healthz", "", viaProxy, "192.0.2.1").status, http.StatusOK)
	ok(t, first.Close())
	ok(t, second.Close())
	b.await(t, "/openapi.json", "203.0.113.9", http.StatusOK)
	b.await(t, "/openapi.json", "192.0.2.1", http.StatusOK)
}
