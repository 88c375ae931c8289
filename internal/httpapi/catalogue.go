package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/postgres"
)

// worthwhile is how many bytes a body has, at least, that is compressed: a smaller
// one goes in one packet as it is.
const worthwhile = 1200

// shared is a route of the catalogue, whose answers are the same for everybody: a
// client that has one is told so, and long ones travel compressed. What only one
// person may read is not compressed: its length would tell of it.
func (s *Server) shared(next func(c *fiber.Ctx, user postgres.User) error) func(c *fiber.Ctx, user postgres.User) error {
	return func(c *fiber.Ctx, user postgres.User) error {
		if err := next(c, user); err != nil {
			return err
		}
		return kept(c)
	}
}

// kept lets a client keep an answer, to be asked about each time.
func kept(c *fiber.Ctx) error {
	r := c.Response()
	if r.StatusCode() != fiber.StatusOK || r.IsBodyStream() {
		return nil
	}
	sum := sha256.Sum256(r.Body())
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	c.Set(fiber.HeaderETag, "W/"+etag) // of what it says, in whatever encoding
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	c.Vary(fiber.HeaderAuthorization, fiber.HeaderAcceptEncoding)
	if matches(c.Get(fiber.HeaderIfNoneMatch), etag) {
		r.ResetBody()
		r.Header.Del(fiber.HeaderContentType)
		return c.SendStatus(fiber.StatusNotModified)
	}
	return compress(c)
}

// compress encodes a body by what the client takes, brotli before gzip.
func compress(c *fiber.Ctx) error {
	r := c.Response()
	if len(r.Body()) < worthwhile || c.Method() == fiber.MethodHead {
		return nil
	}
	accepted := acceptedEncodings(c.Get(fiber.HeaderAcceptEncoding))
	var short bytes.Buffer
	for _, e := range []struct {
		name string
		to   io.WriteCloser
	}{{"br", brotli.NewWriter(&short)}, {"gzip", gzip.NewWriter(&short)}} {
		if !accepted[e.name] {
			continue
		}
		_, err := e.to.Write(r.Body())
		if err := errors.Join(err, e.to.Close()); err != nil {
			return fmt.Errorf("httpapi: compress: %w", err)
		}
		r.SetBodyRaw(short.Bytes())
		c.Set(fiber.HeaderContentEncoding, e.name)
		return nil
	}
	return nil
}

// acceptedEncodings reads Accept-Encoding (RFC 9110, 12.5.3): names without a
// quality of 0. « * » names none: who wants one says which.
func acceptedEncodings(header string) map[string]bool {
	accepted := map[string]bool{}
	for entry := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(entry, ";")
		quality := strings.ReplaceAll(parameters, " ", "")
		refused := strings.HasPrefix(quality, "q=0") && strings.Trim(quality[len("q=0"):], ".0") == ""
		accepted[strings.ToLower(strings.TrimSpace(name))] = !refused
	}
	return accepted
}
