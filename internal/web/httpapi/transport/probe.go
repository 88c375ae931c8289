package transport

import "github.com/gofiber/fiber/v2"

// isProbe reports whether a request asks whether the service lives. Probes hold nothing, and
// an attack must not make a supervisor take the service for dead.
func isProbe(c *fiber.Ctx) bool { return c.Path() == "/healthz" || c.Path() == "/readyz" }
