package blobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"vigueur/internal/kit/errs"
)

// These tests distinguish a slow bucket from one that has stopped sending bytes. They wait for the silence of 30 s by
// a simulated clock.

// pipes is a listener whose connections are in memory, so that their deadlines use the simulated clock.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.accepted <- there:
		return here, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// slowBucket returns a bucket on a server that responds with answer.
func slowBucket(t *testing.T, answer http.HandlerFunc) *Bucket {
	t.Helper()
	listener := &pipes{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: answer, ReadHeaderTimeout: time.Hour}
	go func() { _ = server.Serve(listener) }() // the server ends with the test
	over := newTransport(false, listener.dial)
	b, err := newBucketOver(bucketAddress{host: "s3.example.org", bucket: "gazettes", region: "us-east-1", credentials: credentials.NewStaticV4("clef", "tresor", "")}, over)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		over.CloseIdleConnections()
		_ = server.Close()
		if b.copies.dir != "" {
			_ = os.RemoveAll(b.copies.dir)
		}
	})
	return b
}

// serves responds with the header of a file, and then calls write for the bytes.
func serves(data []byte, write func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Header().Set("ETag", `"one"`)
		if r.Method == http.MethodGet {
			write(w, r)
		}
	}
}

// trickle writes a byte after every pause.
func trickle(w http.ResponseWriter, data []byte, pause time.Duration) {
	for _, b := range data {
		time.Sleep(pause)
		if _, err := w.Write([]byte{b}); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush() // the next write returns the error, too
	}
}

func isAway(t *testing.T, err error) {
	t.Helper()
	if known, ok := errors.AsType[*errs.Error](err); !ok || known.Kind != errs.Unavailable || known.Public != "Le serveur S3 ne répond pas." {
		t.Errorf("%v, want Unavailable with its sentence", err)
	}
}

// nothingHalf fails the test if part of a file is left on this machine.
func nothingHalf(t *testing.T, b *Bucket) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(b.copies.dir, "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != lockName {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestSlowBucketIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := []byte("%PDF-1.7 journal")
		b := slowBucket(t, serves(data, func(w http.ResponseWriter, _ *http.Request) { trickle(w, data, silence-time.Second) }))
		began := time.Now()
		path, release, err := b.Local(t.Context(), hashOf(data))
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%q, %v", got, err)
		}
		if took := time.Since(began); took < time.Duration(len(data))*(silence-time.Second) {
			t.Errorf("it took %v: the bytes cannot have been as slow as meant", took)
		}
	})
}

func TestSlowBucketThatStopsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := []byte(strings.Repeat("journal ", 1000))
		b := slowBucket(t, serves(data, func(w http.ResponseWriter, r *http.Request) {
			trickle(w, data[:10], time.Second)
			<-r.Context().Done()
		}))
		began := time.Now()
		_, _, err := b.Local(t.Context(), hashOf(data))
		isAway(t, err)
		if took := time.Since(began); took < 10*time.Second+silence || took > 10*time.Second+silence+time.Second {
			t.Errorf("given up after %v, want %v after the last byte", took, silence)
		}
		nothingHalf(t, b)
	})
}

func TestSlowBucketThatSaysNothingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := slowBucket(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		began := time.Now()
		_, err := b.Open(t.Context(), hashOf([]byte("x")))
		isAway(t, err)
		if took := time.Since(began); took < silence || took > attempts*silence+10*time.Second {
			t.Errorf("given up after %v, want %d attempts of %v", took, attempts, silence)
		}
	})
}

func TestSlowBucketThatTakesNoMoreIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := slowBucket(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			<-t.Context().Done() // a server that has stopped reading does not notice that the client disconnects
			panic(http.ErrAbortHandler)
		})
		data := bytes.Repeat([]byte("journal "), 100_000)
		began := time.Now()
		isAway(t, b.Put(t.Context(), hashOf(data), bytes.NewReader(data)))
		if took := time.Since(began); took < silence || took > attempts*silence+10*time.Second {
			t.Errorf("given up after %v, want %d attempts of %v", took, attempts, silence)
		}
	})
}

func TestSlowBucketIsLeftAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := []byte("journal")
		b := slowBucket(t, serves(data, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		if _, _, err := b.Local(ctx, hashOf(data)); err == nil {
			t.Error("read")
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("left after %v, want 5 s: nobody waits for it any more", took)
		}
		nothingHalf(t, b)
	})
}
