package httpapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
)

// Bodies are streams; Fiber's own limit does not apply then. A body is read into memory only
// when its handler asks for it (gather): after the client was authenticated, where the route
// requires that, within the bounds of Bodies, and only as long as it arrives at a
// reasonable pace. An uploaded file, which may be larger than memory, is read by its handler
// piece by piece. What remains of a body must not be parsed as the next request, so it is
// read and dropped before the response, or the connection is closed after it (discardRest).

// uploadRoute is the route whose handler reads the stream itself.
const uploadRoute = prefix + "/admin/documents"

// isUpload reports whether the handler reads the body itself.
func isUpload(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodPost && (c.Path() == uploadRoute || c.Path() == verifyRoute && isForm(c))
}

const (
	// firstByte is how long the first byte of a body may take. It is short, because the HTTP
	// server waits for it before the request is counted for its client; clients send it right
	// after the head.
	firstByte = 5 * time.Second
	// bodyWait is how long a body may take besides the time that its bytes take at the
	// slowest rate.
	bodyWait = 10 * time.Second
	// firstPiece is the size of the first buffer for a body. Most questions fit.
	firstPiece = 4 << 10
)

// errBodies is the error if the room for bodies is taken.
func errBodies() error {
	return &retryLater{after: retryAfter * time.Second, cause: errs.New(errs.Unavailable, "Trop de requêtes volumineuses arrivent à la fois. Réessayez dans un instant.")}
}

// gather reads the body of a request into memory, and gives the handler its whole time from
// then on. The error is a *fiber.Error if the body is too large or did not arrive, and
// Unavailable if there is no room for it.
func (e *event) gather(c *fiber.Ctx) error {
	if !c.Request().IsBodyStream() {
		return nil
	}
	conn, stream, began := c.Context().Conn(), c.Context().RequestBodyStream(), time.Now()
	incomplete(conn)
	defer complete(conn)
	var body []byte
	for {
		if len(body) == cap(body) {
			more := min(max(cap(body), firstPiece), BodyLimit+1-cap(body))
			if more == 0 {
				return fiber.ErrRequestEntityTooLarge
			}
			if !e.server.clients.hold(e.client, more, e.server.Bodies) {
				return errBodies()
			}
			e.body += more
			body = append(make([]byte, 0, cap(body)+more), body...)
		}
		wait := cmp.Or(e.server.limits.read, bodyWait) + time.Duration(len(body))*time.Second/slowest
		if err := conn.SetReadDeadline(began.Add(wait)); err != nil {
			return fiber.ErrBadRequest
		}
		n, err := stream.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		var network net.Error
		switch {
		case len(body) > BodyLimit:
			return fiber.ErrRequestEntityTooLarge
		case errors.Is(err, io.EOF):
			c.Request().SetBodyRaw(body)
			e.restart(c)
			return nil
		case errors.As(err, &network) && network.Timeout():
			return fiber.ErrRequestTimeout
		case err != nil:
			return fiber.ErrBadRequest
		}
	}
}

// restart gives the handler its whole time from now on.
func (e *event) restart(c *fiber.Ctx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), e.server.workTime()) //nolint:gosec // observe calls cancel (event.leave)
	e.cancel = cancel
	c.SetUserContext(ctx)
}

// How long the rest of a body is still read, so that the client, which sends before it
// reads, gets the response.
const (
	lingerTime = 5 * time.Second
	lingerIdle = 500 * time.Millisecond
)

// scratches are buffers for what is dropped.
var scratches = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// discardRest drops what its handler did not read of a body. The connection is closed after
// the response unless the whole rest arrived in time; after a refused upload it always is.
func (s *Server) discardRest(c *fiber.Ctx) {
	if !c.Request().IsBodyStream() {
		return
	}
	if s.drop(c) && !isUpload(c) {
		c.Request().SetBodyRaw(nil)
	} else {
		c.Context().SetConnectionClose()
	}
}

// drop reads the rest of a body; whole reports whether it came to its end. Meanwhile the
// connection gives its place to others as while a request arrives.
func (s *Server) drop(c *fiber.Ctx) (whole bool) {
	most := readLimit
	if isUpload(c) {
		most = uploadLimit
	} else if c.Request().Header.ContentLength() > readLimit {
		return false
	}
	conn, stream := c.Context().Conn(), c.Context().RequestBodyStream()
	incomplete(conn)
	defer complete(conn)
	scratch, _ := scratches.Get().(*[16 << 10]byte)
	defer scratches.Put(scratch)
	until := time.Now().Add(cmp.Or(s.limits.linger, lingerTime))
	for read := 0; read <= most && time.Now().Before(until); {
		if conn.SetReadDeadline(time.Now().Add(cmp.Or(s.limits.linger, lingerIdle))) != nil {
			return false
		}
		n, err := stream.Read(scratch[:])
		if read += n; err != nil {
			return errors.Is(err, io.EOF)
		}
	}
	return false
}
