package client

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/transport"
)

// silence is how long a stream may be silent. The server sends a comment every transport.KeepAlive, so that a line that
// was cut off without a word is noticed.
const silence = 4 * transport.KeepAlive

// callTime is how long a request that is no file and no stream may take.
const callTime = 2 * time.Minute

// Event is an event of a stream.
type Event struct {
	ID, Kind string
	Data     []byte
}

// Events sends a request and calls f with each event of the stream until f returns an error or the stream ends.
// begun is called with the headers of the response; it may be nil.
func (c *Client) Events(ctx context.Context, r *http.Request, begun func(http.Header), f func(e Event) error) error {
	silent, cancel := context.WithCancel(ctx)
	defer cancel()
	r = r.WithContext(silent)
	r.Header.Set("Accept", "text/event-stream")
	response, err := c.Send(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	alarm := time.AfterFunc(silence, cancel)
	defer alarm.Stop()
	if begun != nil {
		begun(response.Header)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, answerMost)
	var e Event
	for lines.Scan() {
		alarm.Reset(silence)
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.ID = value
		case "event":
			e.Kind = value
		case "data":
			e.Data = []byte(value)
			if err := f(e); err != nil {
				return err
			}
		}
	}
	if ctx.Err() == nil && silent.Err() != nil {
		return errs.Newf(errs.Unavailable, "Plus rien ne vient de %s.", c.Base)
	}
	return c.Away(ctx, cmp.Or(lines.Err(), io.ErrUnexpectedEOF))
}
