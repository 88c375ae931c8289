package respond

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/blobs"
	"vigueur/internal/web/webpage"
)

// SendFile makes the file, or the requested range, the response's body; it is streamed and
// closed afterwards. If sendFile fails, it closes the file.
func SendFile(c *fiber.Ctx, file blobs.File, etag string) error {
	part, status := span{0, file.Size()}, fiber.StatusOK
	if asked := c.Get(fiber.HeaderRange); asked != "" && c.Method() == fiber.MethodGet && rangeHolds(c, etag) {
		r, whole, err := parseRange(asked, file.Size())
		if err != nil {
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes */%d", file.Size()))
			return closeWith(file, fiber.ErrRequestedRangeNotSatisfiable)
		}
		if !whole {
			part, status = r, fiber.StatusPartialContent
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes %d-%d/%d", r.start, r.start+r.length-1, file.Size()))
		}
	}
	if _, err := file.Seek(part.start, io.SeekStart); err != nil {
		return closeWith(file, err)
	}
	c.Status(status).Context().SetBodyStream(filePart{io.LimitReader(file, part.length), file}, int(part.length))
	if c.Method() == fiber.MethodHead {
		c.Set(fiber.HeaderContentLength, strconv.FormatInt(part.length, 10))
	}
	return nil
}

// filePart is a streamed body that closes its file.
type filePart struct {
	io.Reader
	io.Closer
}

func closeWith(file blobs.File, err error) error {
	if failed := file.Close(); failed != nil {
		return fmt.Errorf("%w (and %w)", err, failed)
	}
	return err
}

// rangeHolds reports whether the file still matches If-Range.
func rangeHolds(c *fiber.Ctx, etag string) bool {
	condition := c.Get(fiber.HeaderIfRange)
	return condition == "" || condition == etag
}

// span is a byte range of a file.
type span struct {
	start, length int64
}

// errRange means that a range is outside the file (416).
var errRange = errors.New("range not satisfiable")

// parseRange parses a Range header for a file of size bytes (RFC 9110, 14.1 and 14.2).
// whole is true if the header must be ignored, as the RFC allows for malformed ones, other
// units and multiple ranges.
func parseRange(header string, size int64) (r span, whole bool, err error) {
	set, ok := strings.CutPrefix(header, "bytes=")
	first, last, dash := strings.Cut(strings.TrimSpace(set), "-")
	if !ok || !dash || strings.Contains(set, ",") {
		return span{}, true, nil
	}
	if first == "" {
		return suffix(last, size)
	}
	start, err := position(first)
	if err != nil {
		return span{}, true, nil
	}
	end := size - 1
	if last != "" {
		if end, err = position(last); err != nil || end < start {
			return span{}, true, nil
		}
	}
	if start >= size {
		return span{}, false, errRange
	}
	return span{start, min(end, size-1) - start + 1}, false, nil
}

// suffix returns the range of the last n bytes.
func suffix(n string, size int64) (span, bool, error) {
	length, err := position(n)
	switch {
	case err != nil:
		return span{}, true, nil
	case length == 0 || size == 0:
		return span{}, false, errRange
	}
	length = min(length, size)
	return span{size - length, length}, false, nil
}

// position parses a number of digits only, without a sign.
func position(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err
}

// Matches reports whether an If-None-Match header contains etag, by weak comparison (RFC
// 9110, 13.1.2).
func Matches(header, etag string) bool {
	for _, one := range strings.Split(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == etag {
			return true
		}
	}
	return false
}

// worthwhile is the minimum size of a body that is compressed, in bytes: a smaller body
// fits into one packet.
const worthwhile = 1200

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

// SendStatic sends a file in the best encoding that the client accepts, or 304 if it has it.
func SendStatic(c *fiber.Ctx, f *webpage.File, cache string) error {
	c.Set(fiber.HeaderCacheControl, cache)
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderETag, f.ETag)
	if Matches(c.Get(fiber.HeaderIfNoneMatch), strings.TrimPrefix(f.ETag, "W/")) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	body, encoding := f.Encoded(c.Get(fiber.HeaderAcceptEncoding))
	if encoding != "" {
		c.Set(fiber.HeaderContentEncoding, encoding)
	}
	c.Set(fiber.HeaderContentType, f.Type)
	return c.Send(body)
}
