package respond

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
)

// Revalidate sets the ETag of a response, by which clients revalidate it, and responds 304 if the
// client has it.
func Revalidate(c *fiber.Ctx) error {
	r := c.Response()
	if r.StatusCode() != fiber.StatusOK || r.IsBodyStream() {
		return nil
	}
	sum := sha256.Sum256(r.Body())
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	c.Set(fiber.HeaderETag, "W/"+etag) // weak: the same for every encoding
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	c.Vary(fiber.HeaderAuthorization, fiber.HeaderAcceptEncoding)
	if Matches(c.Get(fiber.HeaderIfNoneMatch), etag) {
		r.ResetBody()
		r.Header.Del(fiber.HeaderContentType)
		return c.SendStatus(fiber.StatusNotModified)
	}
	return compress(c)
}

// compress encodes a body in an encoding that the client accepts, preferring brotli to
// gzip.
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

// acceptedEncodings parses Accept-Encoding (RFC 9110, 12.5.3): names without a quality of
// 0. « * » is ignored.
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
