package httpapi

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
)

// documentFile serves the PDF of a text's gazette, without authentication.
func (s *Server) documentFile(c *fiber.Ctx) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	about, err := s.DB.DocumentFile(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	etag := `"` + about.SHA256 + `"`
	if given := c.Get(fiber.HeaderIfNoneMatch); given != "" && matches(given, etag) {
		setFileHeaders(c, etag, about.Title)
		return c.SendStatus(fiber.StatusNotModified)
	}
	file, err := s.Blobs.Open(c.UserContext(), about.SHA256)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Le fichier de ce document est introuvable.", err)
	}
	if err != nil {
		return err
	}
	if err := sendFile(c, file, etag); err != nil {
		return err
	}
	setFileHeaders(c, etag, about.Title)
	return nil
}

func setFileHeaders(c *fiber.Ctx, etag, title string) {
	c.Set(fiber.HeaderContentType, "application/pdf")
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderContentDisposition, disposition(title))
	// A text may leave the catalogue, so caches must revalidate, which is cheap.
	c.Set(fiber.HeaderCacheControl, "public, no-cache")
	// The built-in viewer of a browser must be able to show the file.
	c.Set(fiber.HeaderContentSecurityPolicy, "frame-ancestors 'self'")
}

// sendFile makes the file, or the requested range, the response's body; it is streamed and
// closed afterwards. If sendFile fails, it closes the file.
func sendFile(c *fiber.Ctx, file blobs.File, etag string) error {
	part, status := span{0, file.Size()}, fiber.StatusOK
	if asked := c.Get(fiber.HeaderRange); asked != "" && c.Method() == fiber.MethodGet && rangeHolds(c, etag) {
		r, whole, err := parseRange(asked, file.Size())
		if err != nil {
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes */%d", file.Size()))
			return closing(file, fiber.ErrRequestedRangeNotSatisfiable)
		}
		if !whole {
			part, status = r, fiber.StatusPartialContent
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes %d-%d/%d", r.start, r.start+r.length-1, file.Size()))
		}
	}
	if _, err := file.Seek(part.start, io.SeekStart); err != nil {
		return closing(file, err)
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

func closing(file blobs.File, err error) error {
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

// nameLimit is the maximum length of a file name in code points, without .pdf.
const nameLimit = 120

// disposition names the file after its title (RFC 6266): in ASCII for old clients, and in
// full.
func disposition(title string) string {
	name := fileName(title)
	return fmt.Sprintf(`inline; filename="%s.pdf"; filename*=UTF-8''%s.pdf`, ascii(name), percent(name))
}

// fileName converts a title to a name that is valid on every system.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, title)
	runes := []rune(strings.Join(strings.Fields(name), " "))
	name = strings.Trim(string(runes[:min(len(runes), nameLimit)]), " .")
	if name == "" {
		return "document"
	}
	return name
}

// ascii replaces what is not ASCII by underscores.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || r == '%' {
			return '_'
		}
		return r
	}, name)
}

// percent encodes a value by RFC 8187.
func percent(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < 0x80 && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
