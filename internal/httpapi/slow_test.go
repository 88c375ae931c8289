package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"vigueur/internal/blobs"
)

// impatient makes the server wait for slow clients for a moment only, in which
// those who are not slow come through on a busy machine too.
func impatient(s *Server) { s.limits.read = 3 * time.Second }

// drip sends a byte at a time, for ever, until the server has had enough; it
// gives what the server answered, nothing when it only closed the connection.
func (b *bundle) drip(t *testing.T, start string) (answer []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, start)
	ok(t, err)
	read := make(chan []byte, 1)
	go func() {
		got, err := io.ReadAll(conn) // a reset is an end like any
		if err != nil && len(got) > 0 && errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the connection was not ended: %v", err)
		}
		read <- got
	}()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case got := <-read:
			return got
		case <-tick.C:
			_, _ = conn.Write([]byte("a")) // what cannot be sent any more shows in what is read
		}
	}
}

// Clients that send a byte at a time are not waited for longer than the others.
func TestAClientThatSendsAByteAtATime(t *testing.T) {
	b := setup(t, impatient)
	for name, c := range map[string]struct {
		start    string
		answered bool // with 408
	}{
		"the request line": {"G", false},
		"headers":          {"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ", false},
		"a body":           {"POST " + prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{", true},
		"a chunk":          {"POST " + prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := b.drip(t, c.start)
			if len(answer) == 0 {
				if c.answered {
					t.Error("the connection was closed without a word")
				}
				return
			}
			r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answer)), nil)
			if err != nil {
				t.Fatalf("%q: %v", answer, err)
			}
			body, err := io.ReadAll(r.Body)
			ok(t, err)
			wantDetail(t, reply{r.StatusCode, r.Header, body}, http.StatusRequestTimeout)
			if !r.Close {
				t.Error("the rest of the body would be taken for a request")
			}
		})
	}
	equal(t, "those who are not slow", b.get(t, "/healthz").status, http.StatusOK)
}

// heldFiles tells when a file that was opened is closed, and makes it large.
type heldFiles struct {
	blobs.Store
	closed chan struct{}
}

type endless struct {
	blobs.File
	closed chan struct{}
}

func (h heldFiles) Open(ctx context.Context, sha string) (blobs.File, error) {
	f, err := h.Store.Open(ctx, sha)
	return endless{f, h.closed}, err
}

func (endless) Size() int64 { return 1 << 30 }

func (endless) Seek(int64, int) (int64, error) { return 0, nil }

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func (e endless) Close() error {
	close(e.closed)
	return e.File.Close()
}

// A client that asks for a PDF and never reads it keeps the file open no longer
// for the file's being large.
func TestAClientThatNeverReadsAFile(t *testing.T) {
	closed := make(chan struct{})
	b := setup(t, func(s *Server) {
		s.limits.pace = 3 * time.Second // as long as impatient's, for those who read
		s.Blobs = heldFiles{s.Blobs, closed}
	})
	text := newText("Loi", "2023-05-02")
	b.addTexts(t, text)
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	// More than the kernels between them keep for a client that does not read.
	tcp, _ := conn.(*net.TCPConn)
	ok(t, tcp.SetReadBuffer(64<<10))
	_, err = fmt.Fprintf(conn, "GET %s/documents/%s/file HTTP/1.1\r\nHost: x\r\n\r\n", prefix, text.Document.ID)
	ok(t, err)
	select {
	case <-closed:
	case <-time.After(hang):
		t.Error("the file is still open")
	}
	equal(t, "those who read", b.get(t, "/healthz").status, http.StatusOK)
}
