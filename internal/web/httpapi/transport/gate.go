package transport

import (
	"cmp"
	linked "container/list"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

const (
	patience = time.Second // for a client that sends nothing, if all places are taken
	slowest  = 32 << 10    // bytes a second: the connection of a slower client is closed
)

// Connections limits the open connections.
type Connections struct {
	All  int // in total
	Each int // per network; loopback and trusted proxies, which have many clients, are exempt
}

// each is how many connections or requests one network may have: never more than a quarter
// of all, so that a wide network (see networks) cannot have all of them on a small machine.
func (c Connections) each() int { return max(1, min(c.Each, c.All/4)) }

// gate is a listener that limits connections, whose writes are paced.
//
// If all places are taken, the connection that has waited longest for its client gives its
// place to a new one: first those between two requests, then those whose request is
// incomplete. So clients that send nothing, or slowly, keep out nobody, from however many
// networks or proxies they come.
type gate struct {
	net.Listener
	bounds Connections
	shared func(netip.Addr) bool // peers with many clients
	spread func() float64        // a connection's random share, 0 to 1, of additional waiting time
	pace   time.Duration         // see pacedConn
	// patience is how long a connection is left to its client even if all places are taken.
	patience time.Duration
	log      *slog.Logger

	mu      sync.Mutex
	open    int
	of      tally
	idle    linked.List // of *pacedConn without a request, the longest first
	begun   linked.List // of *pacedConn whose request is incomplete, the longest first
	warned  time.Time   // when a refusal was last logged
	evicted int         // connections that gave their place
}

// gate wraps ln with the server's limits.
func (s *Transport) gate(ln net.Listener) *gate {
	return &gate{
		Listener: ln, bounds: s.Connections, pace: cmp.Or(s.Limits.Pace, readTimeout), patience: cmp.Or(s.Limits.Patience, patience), log: s.Log,
		shared: func(a netip.Addr) bool { return a.IsLoopback() || isTrusted(a, s.Proxies) }, spread: s.spread(),
	}
}

// spread returns random shares of additional waiting time: up to half as long again.
func (s *Transport) spread() func() float64 {
	if s.Limits.Read > 0 {
		return func() float64 { return 0 }
	}
	return func() float64 { return rand.Float64() / 2 }
}

// Accept returns the next connection within the limits. Others get a 503 and are closed.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := peer(c.RemoteAddr())
		paced := &pacedConn{Conn: c, limit: g.pace, more: g.spread(), gate: g, from: address}
		if !g.enter(paced, g.shared(address)) {
			g.refuse(c)
			continue
		}
		return paced, nil
	}
}

// enter counts a connection if the limits allow it.
func (g *gate) enter(c *pacedConn, shared bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil {
		g.of = tally{}
	}
	each := g.bounds.each()
	if shared {
		each = math.MaxInt32
	}
	// Its own limit comes first: a network that has reached it takes no place of others.
	if !g.of.add(c.from, 1, each) {
		return false
	}
	if g.open >= g.bounds.All && !g.evict() {
		g.of.remove(c.from, 1)
		return false
	}
	g.open++
	c.wait(&g.idle)
	return true
}

// evict closes the connection that has waited longest for its client. It is false if none
// has waited for patience. The caller holds mu.
func (g *gate) evict() bool {
	for _, waiting := range []*linked.List{&g.idle, &g.begun} {
		first := waiting.Front()
		if first == nil {
			continue
		}
		c, _ := first.Value.(*pacedConn)
		if time.Since(c.since) < g.patience {
			continue
		}
		g.forget(c)
		g.evicted++
		_ = c.Conn.Close() // its reader sees it and calls Close, which does nothing more
		return true
	}
	return false
}

// forget gives the place of a connection back, once. The caller holds mu.
func (g *gate) forget(c *pacedConn) {
	if c.over {
		return
	}
	c.over = true
	c.sent()
	c.stopWaiting()
	g.open--
	g.of.remove(c.from, 1)
}

// follow handles the connection states that the HTTP server reports.
func (g *gate) follow(conn net.Conn, state fasthttp.ConnState) {
	c, ok := conn.(*pacedConn)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case c.over:
	case state == fasthttp.StateActive:
		c.wait(&g.begun)
	case state == fasthttp.StateIdle:
		c.sent()
		c.wait(&g.idle)
	case state == fasthttp.StateHijacked:
		c.stopWaiting()
	}
}

// markComplete records that the request of a connection has arrived.
func markComplete(conn net.Conn) {
	if c, ok := conn.(*pacedConn); ok && c.gate != nil {
		c.gate.mu.Lock()
		defer c.gate.mu.Unlock()
		c.stopWaiting()
	}
}

// markIncomplete records that the rest of the request of a connection is waited for.
func markIncomplete(conn net.Conn) {
	if c, ok := conn.(*pacedConn); ok && c.gate != nil {
		c.gate.mu.Lock()
		defer c.gate.mu.Unlock()
		if !c.over {
			c.wait(&c.gate.begun)
		}
	}
}

// refuse responds before anything was read. A new connection takes so few bytes without
// waiting; one that does not is closed without them.
func (g *gate) refuse(c net.Conn) {
	g.mu.Lock()
	open, evicted, quiet := g.open, g.evicted, time.Since(g.warned) < time.Minute
	if !quiet {
		g.warned = time.Now()
	}
	g.mu.Unlock()
	if !quiet {
		g.log.Warn("connections refused", "open", open, "all", g.bounds.All, "each", g.bounds.each(), "evicted", evicted)
	}
	const body = `{"detail":"Trop de connexions sont ouvertes. Réessayez dans un instant."}`
	_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // the write will fail then
	_, _ = fmt.Fprintf(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Retry-After: %d\r\nCache-Control: no-store\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n%s", len(body), RetryAfter, uuid.NewString(), body)
	_ = c.Close() // whether or not the refusal was sent
}

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
	limit time.Duration
	more  float64
	gate  *gate
	from  netip.Addr

	// Guarded by gate.mu.
	waiting *linked.List    // that the connection is in, nil if it does not wait for its client
	place   *linked.Element // in waiting
	since   time.Time       // when it began to wait
	over    bool            // it has no place any more
	release func()          // frees the room of the response that is being sent; nil if it has none

	own atomic.Bool // a caller has set deadlines

	// Used only by the goroutine that reads and writes.
	left  time.Duration // until owed bytes must be written
	owed  int           // bytes until left is reset
	fresh bool          // left and owed belong to this response
}

// holds has the room of a response given back when the client has taken it, or is gone.
func (c *pacedConn) holds(release func()) {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	c.sent()
	if c.release = release; c.over {
		c.sent()
	}
}

// sent gives back the room of the response. The caller holds gate.mu.
func (c *pacedConn) sent() {
	if c.release != nil {
		c.release()
		c.release = nil
	}
}

// wait puts the connection at the end of a list of those that wait for their clients.
func (c *pacedConn) wait(list *linked.List) {
	c.stopWaiting()
	c.waiting, c.place, c.since = list, list.PushBack(c), time.Now()
}

// stopWaiting takes the connection out of its list.
func (c *pacedConn) stopWaiting() {
	if c.waiting != nil {
		c.waiting.Remove(c.place)
		c.waiting, c.place = nil, nil
	}
}

// Close closes the connection and gives its place back.
func (c *pacedConn) Close() error {
	if c.gate != nil {
		defer func() {
			c.gate.mu.Lock()
			defer c.gate.mu.Unlock()
			c.gate.forget(c)
		}()
	}
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
