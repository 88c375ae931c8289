package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
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
	list := decode[struct{ Detail []fault }](t, r).Detail
	if len(list) != mostFaults || !strings.Contains(list[mostFaults-1].Msg, "pas listées") {
		t.Errorf("%d faults are told, the last: %+v", len(list), list[len(list)-1])
	}
	// Through a key's routes too, in OpenAI's form.
	key := b.newKey(t, `"chat"`, "").Key
	r = b.do(t, "POST", completionsRoute, `{"messages":[`+strings.Repeat(`{"role":"x"},`, 6000)+`{}]}`, bearer(key)...)
	if r.status != http.StatusUnprocessableEntity || len(r.body) > 32<<10 {
		t.Errorf("%d, %d bytes", r.status, len(r.body))
	}
}

// Faults of several parts of a request are as few together.
func TestJoinedFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var one, two faults
	for range mostFaults - 1 {
		one.missing([]any{"query", "a"})
		two.missing([]any{"query", "b"})
	}
	if err := joinFaults(one, two); len(err.(faults)) != mostFaults { //nolint:errorlint,errcheck // it has no other type
		t.Errorf("%d faults", len(err.(faults))) //nolint:errorlint,errcheck // the same
	}
}

func TestValuesOfABodyAreCounted(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return "[" + strings.Repeat("1,", n-2) + "1]" } // with the list itself
	for name, c := range map[string]struct {
		body string
		few  bool
	}{
		"nothing":               {"", true},
		"the most":              {list(mostValues), true},
		"one more":              {list(mostValues + 1), false},
		"within a string":       {`{"a":"` + strings.Repeat(`,[{`, mostValues) + `"}`, true},
		"after an escaped mark": {`{"a":"\"` + strings.Repeat(`,`, mostValues) + `"}`, true},
		"after a backslash":     {`{"a":"\\"` + strings.Repeat(`,`, mostValues) + `}`, false},
		"nested":                {strings.Repeat("[", mostValues+1), false},
	} {
		if got := fewValues([]byte(c.body)); got != c.few {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !json.Valid([]byte(list(5))) {
		t.Error("the list of the test is no JSON")
	}
}

// Responses that clients do not take have a room, as bodies have.
func TestRepliesShareARoom(t *testing.T) {
	b := setup(t, func(s *Server) { s.limits.pace = hang })
	size := len(b.get(t, "/openapi.json").body)
	if size <= smallReply {
		t.Fatalf("the document has %d bytes, and is not counted", size)
	}
	b.Replies.All, b.Replies.Each = 2*size+size/2, size+size/2
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
	held := func(least, most int) {
		t.Helper()
		for until := time.Now().Add(hang); ; time.Sleep(time.Millisecond) {
			b.replies.mu.Lock()
			n := b.replies.all
			b.replies.mu.Unlock()
			if least <= n && n <= most {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("%d bytes are held, want %d to %d", n, least, most)
			}
		}
	}
	first := stuck("203.0.113.9")
	held(size, size)
	time.Sleep(200 * time.Millisecond) // it stays stuck
	held(size, size)
	refused := get("203.0.113.9")
	equal(t, "while the first is not taken", refused.status, http.StatusServiceUnavailable)
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "5")
	equal(t, "somebody else", get("198.51.100.1").status, http.StatusOK)
	second := stuck("198.51.100.1")
	held(2*size, 2*size)
	equal(t, "when the room is taken", get("192.0.2.1").status, http.StatusServiceUnavailable)
	equal(t, "a small response", b.do(t, "GET", "/healthz", "", viaProxy, "192.0.2.1").status, http.StatusOK)
	ok(t, first.Close())
	ok(t, second.Close())
	held(0, 0)
	equal(t, "afterwards", get("203.0.113.9").status, http.StatusOK)
	held(0, 0)
}
