package transport

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/valyala/fasthttp"
)

// dialed is a listener whose connections have addresses chosen by the test.
type dialed chan net.Conn

func (d dialed) Accept() (net.Conn, error) {
	c, more := <-d
	if !more {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (d dialed) Close() error { return nil }

func (d dialed) Addr() net.Addr { return &net.TCPAddr{} }

type from struct {
	net.Conn
	address netip.Addr
}

func (f from) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(f.address, 1))
}

// testGate is a gate with connections made by the test.
type testGate struct {
	gate
	arriving dialed
	accepted chan net.Conn
}

func newGate(t *testing.T, all, each int) *testGate {
	t.Helper()
	g := &testGate{arriving: make(dialed), accepted: make(chan net.Conn)}
	g.gate = gate{
		Listener: g.arriving, bounds: Connections{All: all, Each: each}, pace: time.Minute, patience: hang, log: slog.New(slog.DiscardHandler),
		spread: func() float64 { return 0 },
		shared: func(a netip.Addr) bool { return a == netip.MustParseAddr("10.0.0.1") },
	}
	go func() {
		for c, err := g.Accept(); err == nil; c, err = g.Accept() {
			g.accepted <- c
		}
	}()
	t.Cleanup(func() { close(g.arriving) })
	return g
}

// arrive connects from an address; nil if the gate refused it.
func (g *testGate) arrive(t *testing.T, address string) net.Conn {
	t.Helper()
	client, end := net.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	g.arriving <- from{end, netip.MustParseAddr(address)}
	refused := make(chan []byte, 1)
	go func() {
		said, _ := io.ReadAll(client) // for an accepted connection this ends with the test
		refused <- said
	}()
	select {
	case c := <-g.accepted:
		return c
	case said := <-refused:
		if !bytes.HasPrefix(said, []byte("HTTP/1.1 503")) {
			t.Errorf("refused with %q", said)
		}
		return nil
	}
}

func TestConnectionsOfANetworkAreBounded(t *testing.T) {
	t.Parallel()
	g := newGate(t, 100, 2)
	var first net.Conn
	for i, c := range []struct {
		from string
		in   bool
	}{
		{"2001:db8:1:2::1", true}, {"2001:db8:1:2:ffff::2", true}, {"2001:db8:1:2::3", false}, // one /64
		{"2001:db8:1:3::1", true},                                             // another network
		{"192.0.2.1", true}, {"::ffff:192.0.2.1", true}, {"192.0.2.1", false}, // one address in two notations
		{"192.0.2.2", true},
		{"10.0.0.1", true}, {"10.0.0.1", true}, {"10.0.0.1", true}, // a proxy
	} {
		server := g.arrive(t, c.from)
		if (server != nil) != c.in {
			t.Errorf("connection %d, from %s: accepted is %v", i, c.from, server != nil)
		}
		if first == nil {
			first = server
		}
	}
	ok(t, first.Close())
	_ = first.Close() // its slot is freed once
	if server := g.arrive(t, "2001:db8:1:2::4"); server == nil {
		t.Error("the place of a connection that ended is not given back")
	}
	if server := g.arrive(t, "2001:db8:1:2::4"); server != nil {
		t.Error("a connection that was closed twice gave two places back")
	}
}

func TestConnectionsOfAllAreBounded(t *testing.T) {
	t.Parallel()
	g := newGate(t, 3, 2)
	for i, in := range []bool{true, true, true, false} { // the proxy too
		if server := g.arrive(t, []string{"192.0.2.1", "192.0.2.2", "10.0.0.1", "10.0.0.1"}[i]); (server != nil) != in {
			t.Errorf("connection %d: accepted is %v", i, server != nil)
		}
	}
	equal(t, "counted", g.open, 3)
}

// Idle connections that were opened together are not closed together: each has a random
// additional time before its first byte and between two requests.
func TestACrowdIsNotClosedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, 100, 100)
		const crowd = 50
		drawn := 0
		g.spread = func() float64 { drawn++; return float64(drawn) / (2 * crowd) }
		began := time.Now()
		closed := make(chan time.Duration, crowd)
		for range crowd {
			c := g.arrive(t, "10.0.0.1")
			go func() {
				defer c.Close()
				for range 2 { // first without a request, then as if after one
					_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // as the HTTP server does
					if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
						t.Error(err)
					}
					closed <- time.Since(began)
				}
			}()
		}
		for round := range 2 {
			for i := range crowd {
				share := time.Minute + time.Duration(i+1)*time.Minute/(2*crowd)
				if got, want := <-closed, time.Duration(round+1)*share; got != want {
					t.Errorf("connection %d is closed after %v, want %v", i, got, want)
				}
			}
		}
	})
	s := &Transport{}
	draw, seen := s.spread(), map[float64]bool{}
	for range 100 {
		share := draw()
		seen[share] = true
		if share < 0 || share >= .5 {
			t.Errorf("a share of %v", share)
		}
	}
	if len(seen) < 90 {
		t.Errorf("%d shares of 100 connections", len(seen))
	}
}

// If all places are taken, those who wait longest for their clients give theirs: first
// connections without a request, then those whose request is incomplete.
func TestWhoWaitsLongestGivesItsPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, 4, 4)
		g.patience = time.Second
		begun, idle, young, working := g.arrive(t, "10.0.0.1"), g.arrive(t, "10.0.0.1"), g.arrive(t, "10.0.0.1"), g.arrive(t, "10.0.0.1")
		g.follow(begun, fasthttp.StateActive)
		g.follow(working, fasthttp.StateActive)
		markComplete(working)
		if g.arrive(t, "192.0.2.1") != nil {
			t.Error("a connection of less than a second gave its place")
		}
		time.Sleep(2 * time.Second)
		g.follow(young, fasthttp.StateActive)
		for i, want := range []net.Conn{idle, begun} {
			if g.arrive(t, "192.0.2."+strconv.Itoa(1+i)) == nil {
				t.Errorf("newcomer %d is refused", i)
			}
			if _, err := want.Write([]byte("x")); err == nil {
				t.Errorf("connection %d of those that wait is still open", i)
			}
		}
		if g.arrive(t, "198.51.100.3") != nil {
			t.Error("a request that was complete, or a young connection, gave its place")
		}
		equal(t, "open", g.open, 4)
		for _, c := range []net.Conn{begun, idle, young, working} {
			_ = c.Close() // two of them are closed already
		}
		equal(t, "open after all", g.open, 2)
		equal(t, "of the proxy", g.of[Network(netip.MustParseAddr("10.0.0.1"))], 0)
	})
}

// A network that has its own limit takes no place of others, however long they wait.
func TestANetworkAtItsLimitTakesNobodysPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, 4, 1)
		g.patience = time.Second
		for _, source := range []string{"10.0.0.1", "10.0.0.1", "192.0.2.1", "198.51.100.1"} {
			if g.arrive(t, source) == nil {
				t.Errorf("%s is refused", source)
			}
		}
		time.Sleep(time.Minute)
		for range 5 {
			if g.arrive(t, "192.0.2.1") != nil {
				t.Error("a second connection of a network that may have one")
			}
		}
		equal(t, "open", g.open, 4)
		equal(t, "evicted", g.evicted, 0)
		equal(t, "of the network", g.of[Network(netip.MustParseAddr("192.0.2.1"))], 1)
		if g.arrive(t, "203.0.113.1") == nil {
			t.Error("a newcomer is refused")
		}
		equal(t, "evicted for a newcomer", g.evicted, 1)
	})
}

// paced is a connection whose client reads so many bytes at a time, and waits in between.
func paced(t *testing.T, length, piece int, wait time.Duration) (sent int, took time.Duration, err error) {
	t.Helper()
	began, left := time.Now(), make(chan struct{})
	client, server := net.Pipe()
	defer func() { <-left }()
	go func() {
		defer close(left)
		defer client.Close()
		for read := 0; read < length; {
			n, err := io.ReadFull(client, make([]byte, min(piece, length-read)))
			if read += n; err != nil {
				return
			}
			time.Sleep(wait)
		}
	}()
	c := &pacedConn{Conn: server, limit: readTimeout}
	defer c.Close()
	for sent < length {
		n, err := c.Write(make([]byte, min(4096, length-sent)))
		if sent += n; err != nil {
			return sent, time.Since(began), err
		}
	}
	return sent, time.Since(began), nil
}

func TestAClientMustKeepThePace(t *testing.T) {
	t.Parallel()
	const file = 64 << 20
	for name, c := range map[string]struct {
		length, piece int
		wait          time.Duration
		whole         bool
		within        time.Duration // 0: at the client's pace
	}{
		"fast":                      {file, 1 << 20, 0, true, time.Second},
		"a little above the rate":   {file, slowest, 990 * time.Millisecond, true, 0},
		"a little below the rate":   {file, slowest, 1100 * time.Millisecond, false, time.Minute},
		"a byte a second":           {file, 1, time.Second, false, readTimeout},
		"fast, then never":          {file, file - 1<<20, time.Hour, false, 2 * readTimeout},
		"a small response":          {100, 10, time.Second, true, 0},
		"a small one, never read":   {100, 10, time.Hour, false, readTimeout},
		"stalls that are made good": {file, 30 * slowest, 29 * time.Second, true, 0},
	} {
		t.Run(name+" "+strconv.Itoa(c.piece), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sent, took, err := paced(t, c.length, c.piece, c.wait)
				if (err == nil) != c.whole || err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("%d of %d bytes sent, %v", sent, c.length, err)
				}
				if c.within > 0 && took > c.within {
					t.Errorf("over after %v, want %v", took, c.within)
				}
			})
		})
	}
}

// A client is not blamed for a response that is slow to be produced.
func TestTimeInWhichNothingIsWrittenIsNotTheClients(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer client.Close()
		go func() { _, _ = io.Copy(io.Discard, client) }()
		c := &pacedConn{Conn: server, limit: readTimeout}
		defer c.Close()
		for range 10 {
			_, err := c.Write([]byte("page"))
			ok(t, err)
			time.Sleep(readTimeout)
		}
	})
}
