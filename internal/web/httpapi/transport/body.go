package transport

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/form"
)

// BodyLimit is the maximum size of a JSON body, in bytes.
const BodyLimit = 1 << 20

const (
	// mostValues is the maximum number of values, fields and elements, of a body. A decoded value
	// takes many times the bytes that it has in JSON. The largest correction has some thousands.
	mostValues = 20_000
	// readLimit is how many bytes of a body are read and dropped: the client of a slightly too large one still gets the
	// response.
	readLimit = 4 << 20
	// firstByte is how long the first byte of a body may take. It is short, because the HTTP
	// server waits for it before the request is counted for its client; clients send it right
	// after the head.
	firstByte = 5 * time.Second
	// bodyWait is how long a body may take besides the time that its bytes take at the
	// slowest rate.
	bodyWait = 10 * time.Second
	// firstPiece is the size of the first buffer for a body. Most questions fit.
	firstPiece = 4 << 10
	// lingerTime and lingerIdle are how long the rest of a body is still read, so that the client, which sends before it
	// reads, gets the response.
	lingerTime = 5 * time.Second
	lingerIdle = 500 * time.Millisecond
)

// CheckJSON checks by the head of a request that its body is JSON.
func CheckJSON(c *fiber.Ctx) error {
	if c.Request().Header.ContentLength() > BodyLimit {
		return fiber.ErrRequestEntityTooLarge
	}
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationJSON {
		return errs.New(errs.Unsupported, "Le corps de la requête doit être du JSON (Content-Type: application/json).")
	}
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return errs.New(errs.Unsupported, "Le corps de la requête ne doit pas être compressé.")
	}
	return nil
}

// ReadJSON returns the bytes of a JSON body of at most mostValues values.
func ReadJSON(c *fiber.Ctx) ([]byte, error) {
	if err := CheckJSON(c); err != nil {
		return nil, err
	}
	if err := Gather(c); err != nil {
		return nil, err
	}
	body := c.Request().Body()
	if !hasFewValues(body) {
		var f form.Faults
		f.Add("value_error", []any{"body"}, nil, "Le corps de la requête a plus de %d valeurs.", mostValues)
		return nil, f
	}
	return body, nil
}

// hasFewValues reports whether JSON has at most mostValues values: a comma or an opening bracket
// outside of strings comes before each but the first.
func hasFewValues(body []byte) bool {
	values, inside := 1, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			inside = !inside
		case inside && c == '\\':
			i++
		case !inside && (c == ',' || c == '{' || c == '['):
			if values++; values > mostValues {
				return false
			}
		}
	}
	return true
}

// Bodies are streams; Fiber's own limit does not apply then. A body is read into memory only
// when its handler asks for it (Gather): after the client was authenticated, where the route
// requires that, within the limits of Transport.Bodies, and only while it arrives at a reasonable
// pace. An uploaded file, which may be larger than memory, is read by its handler
// piece by piece. What remains of a body must not be parsed as the next request, so it is
// read and dropped before the response, or the connection is closed after it (discardRest).

// Gather reads the body of a request into memory, and gives the handler its whole time from
// then on. The error is a *fiber.Error if the body is too large or did not arrive, and
// Unavailable if there is no room for it.
func Gather(c *fiber.Ctx) error {
	e := eventOf(c)
	if !c.Request().IsBodyStream() {
		return nil
	}
	conn, stream, began := c.Context().Conn(), c.Context().RequestBodyStream(), time.Now()
	markIncomplete(conn)
	defer markComplete(conn)
	var body []byte
	for {
		if len(body) == cap(body) {
			more := min(max(cap(body), firstPiece), BodyLimit+1-cap(body))
			if more == 0 {
				return fiber.ErrRequestEntityTooLarge
			}
			if !e.server.bodies.take(e.client, more, e.server.Bodies, false) {
				return errBusy("Trop de requêtes volumineuses arrivent à la fois. Réessayez dans un instant.")
			}
			e.body += more
			body = append(make([]byte, 0, cap(body)+more), body...)
		}
		wait := cmp.Or(e.server.Limits.Read, bodyWait) + time.Duration(len(body))*time.Second/slowest
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
		case err != nil: // a broken chunk: where the next request begins is not known
			e.refused = true
			c.Context().SetConnectionClose()
			return fiber.ErrBadRequest
		}
	}
}

// restart gives the handler its whole time from now on.
func (e *Event) restart(c *fiber.Ctx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), e.server.WorkTime()) //nolint:gosec // observe calls cancel (event.leave)
	e.cancel = cancel
	c.SetUserContext(ctx)
}

// scratches is a pool of buffers for dropped bytes.
var scratches = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// discardRest drops what its handler did not read of a body. The connection is closed after
// the response unless the whole rest arrived in time; after a refused upload it always is.
func (s *Transport) discardRest(c *fiber.Ctx) {
	if !c.Request().IsBodyStream() {
		return
	}
	if s.drop(c) && !s.isUpload(c) {
		c.Request().SetBodyRaw(nil)
	} else {
		c.Context().SetConnectionClose()
	}
}

// isUpload reports whether the handler reads the body itself.
func (s *Transport) isUpload(c *fiber.Ctx) bool { return s.IsUpload != nil && s.IsUpload(c) }

// drop reads the rest of a body; whole reports whether it came to its end. Meanwhile the
// connection gives its place to others as while a request arrives.
func (s *Transport) drop(c *fiber.Ctx) (whole bool) {
	most := readLimit
	if s.isUpload(c) {
		most = s.MostUpload
	} else if c.Request().Header.ContentLength() > readLimit {
		return false
	}
	conn, stream := c.Context().Conn(), c.Context().RequestBodyStream()
	markIncomplete(conn)
	defer markComplete(conn)
	scratch, _ := scratches.Get().(*[16 << 10]byte)
	defer scratches.Put(scratch)
	deadline := time.Now().Add(cmp.Or(s.Limits.Linger, lingerTime))
	for read := 0; read <= most && time.Now().Before(deadline); {
		if conn.SetReadDeadline(time.Now().Add(cmp.Or(s.Limits.Linger, lingerIdle))) != nil {
			return false
		}
		n, err := stream.Read(scratch[:])
		if read += n; err != nil {
			return errors.Is(err, io.EOF)
		}
	}
	return false
}
