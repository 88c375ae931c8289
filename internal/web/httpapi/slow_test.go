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

	"vigueur/internal/store/blobs"
	"vigueur/internal/web/httpapi/transport"
)

// impatient makes the server's timeout short, but long enough for normal clients on a busy
// machine.
func impatient(s *Server) { s.limits.Read = 3 * time.Second }

// drip sends byte after byte until the server closes the connection; it returns the
// server's response, which may be empty.
func (b *bundle) drip(t *testing.T, start string) (answer []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, start)
	ok(t, err)
	read := make(chan []byte, 1)
	go func() {
		got, err := io.ReadAll(conn) // a reset also ends the connection
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
			_, _ = conn.Write([]byte("a")) // a failed write is noticed when reading
		}
	}
}

// Clients that send byte by byte have the same timeout as others.
func TestAClientThatSendsAByteAtATime(t *testing.T) {
	b := setup(t, impatient)
	for name, c := range map[string]struct {
		start    string
		answered bool // whether the server responds with 408
	}{
		"the request line": {"G", false},
		"headers":          {"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ", false},
		"a body":           {"POST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{", true},
		"a chunk":          {"POST " + transport.Prefix + "/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{", true},
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

// heldFiles reports how much of an opened file was read when it is closed, and makes it large.
type heldFiles struct {
	blobs.Store
	closed chan int64
}

type endless struct {
	blobs.File
	closed chan int64
	read   *int64
}

func (h heldFiles) Open(ctx context.Context, sha string) (blobs.File, error) {
	f, err := h.Store.Open(ctx, sha)
	return endless{f, h.closed, new(int64)}, err
}

func (endless) Size() int64 { return 1 << 30 }

func (endless) Seek(int64, int) (int64, error) { return 0, nil }

func (e endless) Read(p []byte) (int, error) { *e.read += int64(len(p)); return len(p), nil }

func (e endless) Close() error {
	e.closed <- *e.read
	return e.File.Close()
}

// A client that requests a PDF and never reads does not keep the file open longer because
// it is large, and no more of the file is read than the client takes.
func TestAClientThatNeverReadsAFile(t *testing.T) {
	closed := make(chan int64, 1)
	b := setup(t, func(s *Server) {
		s.limits.Pace = 3 * time.Second // the same as impatient's, for reading clients
		s.Blobs = heldFiles{s.Blobs, closed}
	})
	text := newText("Loi", "2023-05-02")
	b.addTexts(t, text)
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	// More than the kernels buffer for a client that does not read.
	tcp, _ := conn.(*net.TCPConn)
	ok(t, tcp.SetReadBuffer(64<<10))
	_, err = fmt.Fprintf(conn, "GET %s/documents/%s/file HTTP/1.1\r\nHost: x\r\n\r\n", transport.Prefix, text.Document.ID)
	ok(t, err)
	select {
	case read := <-closed:
		if read > 64<<20 { // what the kernels hold
			t.Errorf("%d MiB were read", read>>20)
		}
	case <-time.After(hang):
		t.Error("the file is still open")
	}
	equal(t, "those who read", b.get(t, "/healthz").status, http.StatusOK)
}
