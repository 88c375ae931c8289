package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// PDF is an open file whose pages can be rendered: *pdftext.Document. A separate process
// parses the file.
type PDF interface {
	// Pages returns the number of readable pages.
	Pages() int
	// Render renders page n in gray at the given resolution.
	Render(ctx context.Context, n int, dpi float64) (*image.Gray, error)
	// Close ends the process.
	Close() error
}

const (
	// drawMost is the maximum number of pages that a server renders at the same time. Each
	// is rendered by a process that may use as much memory as the largest page needs.
	drawMost = 2
	// drawWait is the maximum wait of a request for one of slots, drawTimeout the maximum time of
	// rendering. Their sum is less than a handler's timeout.
	drawWait, drawTimeout = 2 * time.Second, 7 * time.Second
	// The widths of a page's image, in pixels.
	widthLeast, widthUsual, widthMost = 100, 1200, 2400
	// pointsInch is the number of points per inch.
	pointsInch = 72
)

// pageImage renders a page of a file.
func (s *Server) pageImage(c *fiber.Ctx, _ postgres.User) error {
	i, n, err := s.filePage(c)
	q := query{c: c}
	width := q.number("width", widthUsual, widthLeast, widthMost)
	if err := joinFaults(err, q.err()); err != nil {
		return err
	}
	etag := fmt.Sprintf(`"%s-%d-%d"`, i.SHA256, n, width)
	if given := c.Get(fiber.HeaderIfNoneMatch); given != "" && matches(given, etag) {
		setImageHeaders(c, etag)
		return c.SendStatus(fiber.StatusNotModified)
	}
	picture, err := s.draw(c.UserContext(), i, n, width)
	if errs.Is(err, errs.Unprocessable) || errs.Is(err, errs.Unsupported) { // the request is well formed, but there is no image
		return errs.Wrap(errs.NotFound, errs.Public(err), err)
	}
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&body, picture); err != nil {
		return fmt.Errorf("encode page %d of %s: %w", n, i.SHA256, err)
	}
	setImageHeaders(c, etag)
	c.Set(fiber.HeaderContentType, "image/png")
	return c.Send(body.Bytes())
}

// setImageHeaders allows private caching: the same bytes always render the same, but not
// everybody may see them.
func setImageHeaders(c *fiber.Ctx, etag string) {
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderCacheControl, "private, max-age=86400")
}

// filePage returns the file and the page number in the path.
func (s *Server) filePage(c *fiber.Ctx) (i postgres.Ingestion, n int, err error) {
	n, err = pathNumber(c, "page")
	var f faults
	if err != nil && !errors.As(err, &f) {
		return i, 0, err
	}
	i, failed := s.ingestion(c)
	if err := joinFaults(failed, err); err != nil {
		return i, 0, err
	}
	if i.PagesTotal > 0 && n > i.PagesTotal || n > math.MaxInt32 {
		return i, 0, noPage(n)
	}
	return i, n, nil
}

// pathNumber reads a number from 1 up from the path; the error is a fault.
func pathNumber(c *fiber.Ctx, name string) (int, error) {
	value := c.Params(name)
	loc := []any{"path", name}
	n, err := strconv.Atoi(value)
	var f faults
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		f.add("int_parsing", loc, quoted(value), "Un nombre entier est attendu.")
	case n < 1:
		f.add("greater_than_equal", loc, quoted(value), "La valeur doit être au moins 1.")
	}
	return n, f.err()
}

func noPage(n int) error { return errs.Newf(errs.NotFound, "Ce fichier n’a pas de page %d.", n) }

// draw renders a page at the requested width.
func (s *Server) draw(ctx context.Context, i postgres.Ingestion, n, width int) (picture *image.Gray, err error) {
	release, err := s.drawing.take(ctx, "", drawMost, false)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, drawTimeout)
	defer cancel()
	path, done, err := s.Blobs.Local(ctx, i.SHA256)
	if errs.Is(err, errs.NotFound) {
		return nil, errs.Wrap(errs.NotFound, "Les octets de ce fichier sont introuvables.", err)
	}
	if err != nil {
		return nil, err
	}
	defer done()
	pdf, err := s.OpenPDF(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", i.SHA256, err)
	}
	defer func() {
		if failed := pdf.Close(); err == nil {
			err = failed
		}
	}()
	if n > pdf.Pages() {
		return nil, noPage(n)
	}
	points, err := s.pageWidth(ctx, i, n, pdf)
	if err != nil {
		return nil, err
	}
	return pdf.Render(ctx, n, pointsInch*float64(width)/points)
}

// pageWidth returns the width of a page in points: as stored when the page was read, else
// from the PDF.
func (s *Server) pageWidth(ctx context.Context, i postgres.Ingestion, n int, pdf PDF) (float64, error) {
	lines, err := s.DB.PageLines(ctx, i.ID, n)
	if err == nil && lines.Width > 0 {
		return lines.Width, nil
	}
	if err != nil && !errs.Is(err, errs.NotFound) {
		return 0, err
	}
	small, err := pdf.Render(ctx, n, pointsInch)
	if err != nil {
		return 0, err
	}
	return float64(max(1, small.Rect.Dx())), nil
}
