package transport

import (
	"net/netip"
	"sync"

	"github.com/gofiber/fiber/v2"
)

// replies counts the bytes of responses that their clients have not taken yet, of all and of
// each network. Streams, which hold little, are not counted. It is safe for concurrent use.
type replies struct {
	mu  sync.Mutex
	of  tally
	all int
}

// hold counts a response until release, unless there is no room for it. The only response of
// all or of a network always has room.
func (r *replies) hold(a netip.Addr, n int, room ByteRoom) (release func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = tally{}
	}
	each := room.Each
	if r.of[Network(a)] == 0 || a.IsLoopback() { // loopback may be an undeclared proxy with all its clients
		each = max(each, room.All, n)
	}
	if r.all > 0 && r.all+n > room.All || !r.of.add(a, n, each) {
		return nil, false
	}
	r.all += n
	return sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.of.remove(a, n)
		r.all -= n
	}), true
}

// holdReply counts the response of a request until its client has it. The error is
// Unavailable if there is no room for it.
func (s *Transport) holdReply(c *fiber.Ctx, e *Event) error {
	if e.taken || c.Response().IsBodyStream() {
		return nil
	}
	n := len(c.Response().Body())
	conn, holds := c.Context().Conn().(*pacedConn)
	if n <= smallReply || !holds {
		return nil
	}
	release, ok := s.replies.hold(e.client, n, s.Replies)
	if !ok {
		return errBusy("Trop de réponses volumineuses sont en cours d’envoi. Réessayez dans un instant.")
	}
	conn.holds(release)
	return nil
}
