package transport

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/hangup"
)

// WatchClient returns a context for a handler that may take up to limit, longer than others. It
// ends when the client closes the connection and when the server shuts down. leave must be
// called before the response is written.
func WatchClient(c *fiber.Ctx, limit time.Duration) (ctx context.Context, leave func()) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), limit)
	gone, unwatch := hangup.Watch(c.Context().Conn())
	done := make(chan struct{})
	stopped := c.Context().Done()
	go func() {
		select {
		case <-gone:
		case <-stopped:
		case <-done:
		}
		cancel()
	}()
	return ctx, func() {
		close(done)
		if unwatch() { // a piece of a further request is lost
			c.Context().SetConnectionClose()
		}
	}
}
