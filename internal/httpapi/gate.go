package httpapi

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Connections bounds the connections that are open at once.
type Connections struct {
	All  int // of everybody
	Each int // of one network; loopback and trusted proxies, which speak for many, have no bound of their own
}

// gate accepts connections within the bounds. Each has a deadline for its first
// byte, which the HTTP server sets for the bytes after it only, and paced writes.
type gate struct {
	net.Listener
	bounds Connections
	shared func(netip.Addr) bool // peers that speak for many clients
	first  time.Duration         // for the first byte to arrive
	spread func() float64        // how much longer than others a connection is waited for, of what all are, 0 to 1
	pace   time.Duration         // see pacedConn
	log    *slog.Logger

	mu     sync.Mutex
	open   int
	of     map[netip.Prefix]int
	warned time.Time // when a refusal was last logged
}

// Accept gives the next connection that the bounds have room for. The others are
// told to come back, and closed.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := peer(c.RemoteAddr())
		key := network(from)
		if !g.enter(key, g.shared(from)) {
			g.refuse(c)
			continue
		}
		paced := &pacedConn{Conn: c, limit: g.pace, more: g.spread(), closed: sync.OnceFunc(func() { g.leave(key) })}
		if err := paced.SetReadDeadline(time.Now().Add(g.first)); err != nil {
			_ = paced.Close() // it is gone already
			continue
		}
		return paced, nil
	}
}

// enter counts a connection when there is room for it.
func (g *gate) enter(key netip.Prefix, shared bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open >= g.bounds.All || !shared && g.of[key] >= g.bounds.Each {
		return false
	}
	if g.of == nil {
		g.of = map[netip.Prefix]int{}
	}
	g.open++
	g.of[key]++
	return true
}

func (g *gate) leave(key netip.Prefix) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	if g.of[key]--; g.of[key] == 0 {
		delete(g.of, key)
	}
}

// refuse answers before anything was read. A connection that is new takes so few
// bytes without waiting; one that does not is closed without them.
func (g *gate) refuse(c net.Conn) {
	g.mu.Lock()
	open, quiet := g.open, time.Since(g.warned) < time.Minute
	if !quiet {
		g.warned = time.Now()
	}
	g.mu.Unlock()
	if !quiet {
		g.log.Warn("connections refused", "open", open, "all", g.bounds.All, "each", g.bounds.Each)
	}
	const body = `{"detail":"Trop de connexions sont ouvertes. Réessayez dans un instant."}`
	_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // the write tells
	_, _ = fmt.Fprintf(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Retry-After: %d\r\nCache-Control: no-store\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n%s", len(body), retryAfter, uuid.NewString(), body)
	_ = c.Close() // the refusal was sent or not
}

// network is what a bound counts as one client: a subscriber of IPv6 is given a
// /64 at least, and can make up addresses in it for every connection.
func network(a netip.Addr) netip.Prefix {
	bits := 64
	if a = a.Unmap().WithZone(""); a.Is4() {
		bits = 32
	}
	return netip.PrefixFrom(a, bits).Masked()
}

// slowest is the rate, in bytes a second, below which a client loses its
// connection.
const slowest = 32 << 10

// pacedConn is a connection whose client must read: of the time that writes wait
// for it, each limit must see as many bytes taken as the slowest rate has in it,
// or the response's end. So a client that never reads costs the connection no
// longer than limit, however long the response is, and a response that is slow to
// be made costs none of it.
//
// Whoever sets a write deadline itself is left alone from then on.
//
// Its reads are waited for somewhat longer than they are set to be, each connection's
// by a share of its own: thousands that came together, and say nothing, would be closed
// at the same moment otherwise, and whoever asks something then would wait for that.
type pacedConn struct {
	net.Conn
	limit  time.Duration
	more   float64
	closed func()

	own atomic.Bool // the deadlines are somebody else's

	// For the one goroutine that reads and writes.
	left  time.Duration // for the bytes that are owed
	owed  int           // before there is more time
	fresh bool          // left and owed are of this response
}

// Close ends the connection and gives its place back.
func (c *pacedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// Read reads what the client sends; what is written next is a new response.
func (c *pacedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && !c.own.Load() {
		c.fresh = false
	}
	return n, err
}

// Write writes for as long as the client keeps the pace.
func (c *pacedConn) Write(p []byte) (n int, err error) {
	if c.own.Load() {
		return c.Conn.Write(p)
	}
	for len(p) > 0 {
		if !c.fresh || c.owed <= 0 {
			c.fresh, c.left, c.owed = true, c.limit, int(slowest*c.limit.Seconds())
		}
		began := time.Now()
		if err := c.Conn.SetWriteDeadline(began.Add(c.left)); err != nil {
			return n, err
		}
		written, err := c.Conn.Write(p[:min(len(p), c.owed)])
		c.left -= time.Since(began)
		n, c.owed, p = n+written, c.owed-written, p[written:]
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// SetReadDeadline sets the deadline of reads, the connection's share later.
func (c *pacedConn) SetReadDeadline(t time.Time) error {
	if wait := time.Until(t); wait > 0 && !t.IsZero() {
		t = t.Add(time.Duration(c.more * float64(wait)))
	}
	return c.Conn.SetReadDeadline(t)
}

// SetDeadline sets both deadlines; the pace ends.
func (c *pacedConn) SetDeadline(t time.Time) error {
	c.own.Store(true)
	return c.Conn.SetDeadline(t)
}

// SetWriteDeadline sets the deadline of writes; the pace ends.
func (c *pacedConn) SetWriteDeadline(t time.Time) error {
	c.own.Store(true)
	return c.Conn.SetWriteDeadline(t)
}
