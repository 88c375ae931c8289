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

// Connections limits the open connections.
type Connections struct {
	All  int // in total
	Each int // per network; loopback and trusted proxies, which have many clients, are exempt
}

// gate is a listener that limits connections. Each has a deadline for its first byte,
// because the HTTP server sets one only for the following ones, and paced writes.
type gate struct {
	net.Listener
	bounds Connections
	shared func(netip.Addr) bool // peers with many clients
	first  time.Duration         // for the first byte to arrive
	spread func() float64        // a connection's random share, 0 to 1, of additional waiting time
	pace   time.Duration         // see pacedConn
	log    *slog.Logger

	mu     sync.Mutex
	open   int
	of     map[netip.Prefix]int
	warned time.Time // when a refusal was last logged
}

// Accept returns the next connection within the limits. Others get a 503 and are closed.
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
			_ = paced.Close() // the client is gone already
			continue
		}
		return paced, nil
	}
}

// enter counts a connection if the limits allow it.
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

// refuse responds before anything was read. A new connection takes so few bytes without
// waiting; one that does not is closed without them.
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
	_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // the write will fail then
	_, _ = fmt.Fprintf(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Retry-After: %d\r\nCache-Control: no-store\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n%s", len(body), retryAfter, uuid.NewString(), body)
	_ = c.Close() // whether or not the refusal was sent
}

// network is what a limit counts as one client: an IPv6 subscriber has at least a /64, and
// could use a new address for every connection.
func network(a netip.Addr) netip.Prefix {
	bits := 64
	if a = a.Unmap().WithZone(""); a.Is4() {
		bits = 32
	}
	return netip.PrefixFrom(a, bits).Masked()
}

// slowest is the rate, in bytes per second, below which a client's connection is closed.
const slowest = 32 << 10

// pacedConn closes a connection whose client reads too slowly: per limit of time spent
// waiting for writes, the client must take as many bytes as the slowest rate allows, or the
// whole response. So a client that never reads holds the connection for at most limit,
// however long the response is, and time spent on producing a response does not count.
//
// A caller that sets a write deadline itself disables this.
//
// Read deadlines are extended by a random share per connection: otherwise thousands of idle
// connections that were opened together would be closed at the same moment and delay other
// clients.
type pacedConn struct {
	net.Conn
	limit  time.Duration
	more   float64
	closed func()

	own atomic.Bool // a caller has set deadlines

	// Used only by the goroutine that reads and writes.
	left  time.Duration // until owed bytes must be written
	owed  int           // bytes until left is reset
	fresh bool          // left and owed belong to this response
}

// Close closes the connection and frees its slot.
func (c *pacedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// Read reads from the client; the next write begins a new response.
func (c *pacedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && !c.own.Load() {
		c.fresh = false
	}
	return n, err
}

// Write fails if the client is too slow.
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

// SetReadDeadline sets the deadline of reads, extended by the connection's share.
func (c *pacedConn) SetReadDeadline(t time.Time) error {
	if wait := time.Until(t); wait > 0 && !t.IsZero() {
		t = t.Add(time.Duration(c.more * float64(wait)))
	}
	return c.Conn.SetReadDeadline(t)
}

// SetDeadline sets both deadlines and disables pacing.
func (c *pacedConn) SetDeadline(t time.Time) error {
	c.own.Store(true)
	return c.Conn.SetDeadline(t)
}

// SetWriteDeadline sets the deadline of writes and disables pacing.
func (c *pacedConn) SetWriteDeadline(t time.Time) error {
	c.own.Store(true)
	return c.Conn.SetWriteDeadline(t)
}
