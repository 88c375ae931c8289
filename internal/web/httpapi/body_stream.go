package httpapi

import (
	"cmp"
	"errors"
	"io"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Bodies are streams, because an uploaded file may be larger than memory; Fiber's own limit
// does not apply then. gather reads every other body completely, up to readLimit, before
// its handler runs. An unread rest of a stream must not be parsed as the next request, so
// the connection is closed after the response (leave).

// uploadRoute is the route whose handler reads the stream itself.
const uploadRoute = prefix + "/admin/documents"

// isUpload reports whether the handler reads the body itself.
func isUpload(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodPost && c.Path() == uploadRoute
}

// gather reads the body of a request into memory. The error is a *fiber.Error: the body is
// too large, or did not arrive.
func gather(c *fiber.Ctx) error {
	if !c.Request().IsBodyStream() || isUpload(c) {
		return nil
	}
	if c.Request().Header.ContentLength() > readLimit {
		return fiber.ErrRequestEntityTooLarge
	}
	body, err := io.ReadAll(io.LimitReader(c.Context().RequestBodyStream(), readLimit+1))
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return fiber.ErrRequestTimeout
	case err != nil:
		return fiber.ErrBadRequest
	case len(body) > readLimit:
		return fiber.ErrRequestEntityTooLarge
	}
	c.Request().SetBodyRaw(body)
	return nil
}

// How long the body of a rejected upload is still read, so that the client, which sends
// before it reads, gets the response.
const (
	lingerTime = 5 * time.Second
	lingerIdle = 500 * time.Millisecond
)

// leave closes the connection after the response if the body was not read to its end.
func (s *Server) leave(c *fiber.Ctx) {
	if !c.Request().IsBodyStream() {
		return
	}
	c.Context().SetConnectionClose()
	if !isUpload(c) {
		return
	}
	conn, stream := c.Context().Conn(), c.Context().RequestBodyStream()
	scratch := make([]byte, 64<<10)
	for until := time.Now().Add(cmp.Or(s.limits.linger, lingerTime)); time.Now().Before(until); {
		if conn.SetReadDeadline(time.Now().Add(cmp.Or(s.limits.linger, lingerIdle))) != nil {
			return
		}
		if _, err := stream.Read(scratch); err != nil {
			return
		}
	}
}
