package httpapi

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// exchange sends a raw request and returns everything until the server closes the
// connection.
func (b *bundle) exchange(t *testing.T, method, version string, id uuid.UUID) (head, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "%s %s/%s %s\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-Request-Id: essai\r\n\r\n", method, askPath, id, version, b.token)
	ok(t, err)
	got, err := io.ReadAll(conn)
	ok(t, err)
	head, body, _ = strings.Cut(string(got), "\r\n\r\n")
	return head, body
}

// The stream writes its hijacked connection itself: its HTTP is checked here, for every
// kind of client.
func TestStreamAsItIsOnTheWire(t *testing.T) {
	b := setup(t)
	_, id, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "?"})
	ok(t, err)
	b.takeUp(t, id).finish(chat.Done, "Oui.", []int{4})
	for _, c := range []struct{ method, version, status, framing string }{
		{"GET", "HTTP/1.1", "HTTP/1.1 200 OK", "Transfer-Encoding: chunked"},
		{"GET", "HTTP/1.0", "HTTP/1.1 200 OK", ""},
		{"HEAD", "HTTP/1.1", "HTTP/1.1 200 OK", ""},
	} {
		head, body := b.exchange(t, c.method, c.version, id)
		lines := strings.Split(head, "\r\n")
		equal(t, "status", lines[0], c.status)
		for _, want := range []string{"Content-Type: text/event-stream; charset=utf-8", "Cache-Control: no-store, no-transform", "Connection: close",
			"X-Accel-Buffering: no", "X-Message-Id: " + id.String(), "X-Request-Id: essai", c.framing} {
			if !strings.Contains("\r\n"+head+"\r\n", "\r\n"+want+"\r\n") && want != "" {
				t.Errorf("%s %s: no %s in %q", c.method, c.version, want, head)
			}
		}
		equal(t, c.method+" "+c.version+": chunked", strings.Contains(head, "chunked"), c.framing != "")
		switch {
		case c.method == "HEAD":
			equal(t, "body of HEAD", body, "")
		case c.framing != "":
			if !strings.HasSuffix(body, "\r\n0\r\n\r\n") || !strings.Contains(body, "id: 1\nevent: chunk\ndata: {\"text\":\"Oui.\"}\n\n") {
				t.Errorf("chunked body %q", body)
			}
		case !strings.HasPrefix(body, "id: 1\nevent: chunk\n") || !strings.HasSuffix(body, "\n\n"):
			t.Errorf("body until the end of the connection %q", body)
		}
	}
}

// HEAD of a running answer leaves no subscription behind, which the end of the test would
// detect.
func TestHeadOfALiveStream(t *testing.T) {
	b := setup(t)
	_, id, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "?"})
	ok(t, err)
	b.takeUp(t, id)
	head, body := b.exchange(t, "HEAD", "HTTP/1.1", id)
	if !strings.Contains(head, "text/event-stream") || body != "" {
		t.Errorf("head %q, body %q", head, body)
	}
}
