package hangup_test

import (
	"crypto/tls"
	"net"
	"sync"
	"testing"
	"time"

	"vigueur/internal/kit/hangup"
	"vigueur/internal/kit/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// pair returns both ends of a TCP connection.
func pair(t *testing.T) (server, client *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialled, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = dialled.Close(), accepted.Close() })
	server, _ = accepted.(*net.TCPConn)
	client, _ = dialled.(*net.TCPConn)
	return server, client
}

func isGone(gone <-chan struct{}, within time.Duration) bool {
	select {
	case <-gone:
		return true
	case <-time.After(within):
		return false
	}
}

const (
	soon   = 10 * time.Second
	aWhile = 50 * time.Millisecond
)

func TestWatch(t *testing.T) {
	for name, leave := range map[string]func(*net.TCPConn) error{
		"close":      (*net.TCPConn).Close,
		"half close": (*net.TCPConn).CloseWrite,
		"close behind a further request": func(c *net.TCPConn) error {
			if _, err := c.Write([]byte("GET / HTTP/1.1")); err != nil {
				return err
			}
			return c.Close()
		},
		"reset": func(c *net.TCPConn) error {
			if err := c.SetLinger(0); err != nil {
				return err
			}
			return c.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			server, client := pair(t)
			gone, unwatch := hangup.Watch(server)
			defer unwatch()
			if isGone(gone, aWhile) {
				t.Fatal("the client is there, and is told as gone")
			}
			if err := leave(client); err != nil {
				t.Fatal(err)
			}
			if !isGone(gone, soon) {
				t.Fatal("the client has left, and is not told as gone")
			}
		})
	}
}

// A client that has left before the watch is told, and so is a connection that the server closed.
func TestWatchAfterTheEnd(t *testing.T) {
	server, client := pair(t)
	_ = client.Close()
	gone, unwatch := hangup.Watch(server)
	if !isGone(gone, soon) {
		t.Error("the client had left")
	}
	unwatch()
	_ = server.Close()
	gone, unwatch = hangup.Watch(server)
	defer unwatch()
	if !isGone(gone, soon) {
		t.Error("the connection was closed")
	}
}

// What the client sends ends the watch, and unwatch says that a byte of it is lost.
func TestWatchOfAPipe(t *testing.T) {
	server, client := net.Pipe()
	gone, unwatch := hangup.Watch(server)
	_ = client.Close()
	if !isGone(gone, soon) {
		t.Error("the client has left")
	}
	if unwatch() {
		t.Error("nothing was sent")
	}

	server, client = net.Pipe()
	_, unwatch = hangup.Watch(server)
	if _, err := client.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if !unwatch() {
			t.Error("a byte was read, and unwatch does not say so")
		}
	}
	_, _ = server.Close(), client.Close()
}

func TestWatchOfTLS(t *testing.T) {
	server, client := pair(t)
	gone, unwatch := hangup.Watch(tls.Server(server, &tls.Config{MinVersion: tls.VersionTLS13}))
	defer unwatch()
	_ = client.Close()
	if !isGone(gone, soon) {
		t.Error("the client has left")
	}
}

// Connections come and go at once, and none is told of another's end.
func TestWatchOfMany(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 50 {
				server, client := pair(t)
				gone, unwatch := hangup.Watch(server)
				if i%2 == 0 {
					_ = client.Close()
					if !isGone(gone, soon) {
						t.Error("a client has left and is not told")
					}
				} else if isGone(gone, time.Millisecond) {
					t.Error("a client is told as gone while it is there")
				}
				unwatch()
				unwatch() // a second call does nothing
				_, _ = server.Close(), client.Close()
			}
		})
	}
	all.Wait()
}
