package respond

import (
	"fmt"
	"io"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/blobs"
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
