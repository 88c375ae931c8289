package transport

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/cors"
)

// crossOrigin allows pages of the configured origins to call from a browser, with the
// session's cookie. Only listed origins are allowed to send credentials. Without configured
// origins this handler is not installed, and browsers block all pages of other origins.
func (s *Transport) crossOrigin() fiber.Handler {
	return cors.New(cors.Config{
		AllowOrigins:     strings.Join(s.Origins, ","),
		AllowCredentials: true,
		AllowMethods:     "GET,HEAD,POST,PATCH,DELETE",
		AllowHeaders:     "Authorization,Content-Type,Last-Event-ID,X-Request-Id,Idempotency-Key,Range,If-Range,If-None-Match",
		ExposeHeaders: "X-Request-Id,X-Conversation-Id,X-Message-Id,Retry-After,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,RateLimit-Policy,Idempotency-Replayed," +
			"Content-Disposition,Content-Range,Accept-Ranges,ETag,X-Page-Width",
		MaxAge: preflightLife,
	})
}
