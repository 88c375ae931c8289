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

// dial opens a connection to the server and sends a string.
func (b *bundle) dial(t *testing.T, sent string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, sent)
	ok(t, err)
	return conn
}

// A connection without any data is closed like one with an incomplete request.
func TestAClientThatSendsNothing(t *testing.T) {
	b := setup(t, impatient)
	conn := b.dial(t, "")
	ok(t, conn.SetReadDeadline(time.Now().Add(hang)))
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err != io.EOF { //nolint:errorlint // the error must be io.EOF itself
		t.Errorf("read %d bytes, %v; want the end of the connection", n, err)
	}
}

// An ambiguous request is rejected at once, and nothing that follows on the connection is
// read.
func TestAHeadThatCanBeReadInTwoWays(t *testing.T) {
	b := setup(t)
	for name, head := range map[string]string{
		"two lengths":              "Content-Length: 2\r\nContent-Length: 60\r\n",
		"two equal lengths":        "Content-Length: 2\r\nContent-Length: 2\r\n",
		"a list of lengths":        "Content-Length: 2, 60\r\n",
		"a signed length":          "Content-Length: +2\r\n",
		"a length and chunks":      "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n",
		"chunks and a length":      "Transfer-Encoding: chunked\r\nContent-Length: 60\r\n",
		"HTTP/1.0 and chunks":      "Transfer-Encoding: chunked\r\n",
		"lower case":               "content-length: 60\r\ntransfer-encoding: chunked\r\n",
		"a zero length and chunks": "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
		"an unknown coding":        "Transfer-Encoding: xchunked\r\n",
		"two codings":              "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
		"no colon":                 "Content-Length: 2\r\nX-Nothing\r\n",
		"no colon in the first":    "X-Nothing\r\nContent-Length: 2\r\n",
		"no colon anywhere":        "X-Nothing\r\n",
		"a blank before the colon": "Content-Length : 2\r\n",
		"a folded line":            "Content-Length: 2\r\n X-More: y\r\n",
		"a NUL":                    "X-A: b\x00c\r\nContent-Length: 2\r\n",
		"a name of nothing":        ": b\r\nContent-Length: 2\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := "Host: x\r\n"
			if name == "no colon anywhere" {
				host = ""
			}
			body := "{}"
			if strings.Contains(head, "chunked") { // valid both ways: as chunks, and as so many bytes
				body = "2\r\n{}\r\n0\r\n\r\n"
				head = strings.ReplaceAll(head, "ength: 60", fmt.Sprintf("ength: %d", len(body)))
			}
			version := "HTTP/1.1"
			if strings.HasPrefix(name, "HTTP/1.0") {
				version = "HTTP/1.0"
				host += "Connection: keep-alive\r\n"
			}
			conn := b.dial(t, "POST "+transport.Prefix+"/auth/login "+version+"\r\n"+host+head+"Content-Type: application/json\r\n\r\n"+body+
				"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			ok(t, conn.SetReadDeadline(time.Now().Add(hang)))
			from := bufio.NewReader(conn)
			began := time.Now()
			r, err := http.ReadResponse(from, nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r.Body)
			ok(t, err)
			wantDetail(t, reply{r.StatusCode, r.Header, text}, http.StatusBadRequest)
			if rest, err := io.ReadAll(from); err != nil || len(rest) > 0 {
				t.Errorf("after the refusal came %q, %v", rest, err)
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("refused after %v", took)
			}
		})
	}
}

// After a broken chunk nothing is read as a request.
func TestAChunkThatIsNone(t *testing.T) {
	b := setup(t)
	const next = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, body := range map[string]string{
		"no size": "x0\r\n\r\n", "a blank": " 2\r\n0\r\n\r\n", "a sign": "-2\r\n0\r\n\r\n", "hexadecimal by name": "0x\r\n", "another end": "2\r\n{}XX0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := b.dial(t, "POST "+transport.Prefix+"/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"+body+next)
			ok(t, conn.SetReadDeadline(time.Now().Add(hang)))
			all, err := io.ReadAll(conn)
			ok(t, err)
			if n := strings.Count(string(all), "HTTP/1.1 "); n != 1 || !strings.HasPrefix(string(all), "HTTP/1.1 400 ") {
				t.Errorf("%d responses: %q", n, all)
			}
		})
	}
}

// Codings are case-insensitive, and one body after another is read.
func TestHeadsThatAreOnlyUnusual(t *testing.T) {
	b := setup(t)
	for name, request := range map[string]string{
		"chunks":               "POST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"chunks, spelled":      "POST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\ntransfer-encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"blanks after a value": "POST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length:  2 \r\n\r\n{}",
		"an empty value":       "POST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
		"blank lines before":   "\r\nPOST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := bufio.NewReader(b.dial(t, request+request))
			for range 2 {
				r, err := http.ReadResponse(from, nil)
				ok(t, err)
				body, err := io.ReadAll(r.Body)
				ok(t, err)
				equal(t, "status", r.StatusCode, http.StatusUnprocessableEntity)
				if len(body) == 0 {
					t.Error("no body")
				}
			}
		})
	}
}
