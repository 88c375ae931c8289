package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

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
func (s *Server) pageImage(c *fiber.Ctx, user postgres.User) error {
	i, n, err := s.filePage(c)
	q := query{c: c}
	width := q.number("width", widthUsual, widthLeast, widthMost)
	if err := joinFaults(err, q.err()); err != nil {
		return err
	}
	return s.sendPage(c, page{i.ID, i.SHA256, n, width}, user.ID.String(), drawMost, "private, max-age=86400")
}

// documentPage renders a page of a text's gazette, without authentication, as its file is
// served.
func (s *Server) documentPage(c *fiber.Ctx) error {
	id, failed := pathID(c, "id")
	n, err := pathNumber(c, "page")
	q := query{c: c}
	width := q.number("width", widthUsual, widthLeast, widthMost)
	if err := joinFaults(failed, err, q.err()); err != nil {
		return err
	}
	file, err := s.DB.DocumentFile(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	if n > math.MaxInt32 {
		return noPage(n)
	}
	// A text may leave the catalogue, so caches must revalidate, which is cheap.
	return s.sendPage(c, page{file.Ingestion, file.SHA256, n, width}, network(s.address(c)).String(), 1, "public, no-cache")
}

// page is a page of a file as it is to be rendered.
type page struct {
	ingestion uuid.UUID
	sha256    string
	n, width  int
}

func (p page) etag() string { return fmt.Sprintf(`"%s-%d-%d"`, p.sha256, p.n, p.width) }

// sendPage responds with the image of a page, which who wants to see. The header X-Page-Width
// has the width of the page in points, the unit of the regions of citations.
func (s *Server) sendPage(c *fiber.Ctx, p page, who string, each int, caching string) error {
	etag := p.etag()
	given := c.Get(fiber.HeaderIfNoneMatch)
	same := given != "" && matches(given, etag)
	image, kept := s.pages.get(etag)
	if !same && !kept {
		var err error
		image, err = s.draw(c.UserContext(), p, who, each)
		if errs.Is(err, errs.Unprocessable) || errs.Is(err, errs.Unsupported) { // the request is well formed, but there is no image
			return errs.Wrap(errs.NotFound, errs.Public(err), err)
		}
		if err != nil {
			return err
		}
		s.pages.keep(etag, image)
	}
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderCacheControl, caching)
	if same {
		return c.SendStatus(fiber.StatusNotModified)
	}
	c.Set("X-Page-Width", strconv.FormatFloat(image.points, 'f', 2, 64))
	c.Set(fiber.HeaderContentType, "image/png")
	return c.Send(image.png)
}

// pageImage is a page as a PNG file, and its width in points.
type pageImage struct {
	png    []byte
	points float64
}

// pagesKept is how many images of pages a server keeps, keptSize the size of the largest in
// bytes; most have a third of it.
const pagesKept, keptSize = 128, 256 << 10

// pageImages keeps the images that were rendered last, by their entity tags. The zero value is
// ready to use. It is safe for concurrent use.
type pageImages struct {
	mu sync.Mutex
	of *simplelru.LRU[string, pageImage]
}

func (p *pageImages) get(etag string) (image pageImage, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		return image, false
	}
	return p.of.Get(etag)
}

func (p *pageImages) keep(etag string, image pageImage) {
	if len(image.png) > keptSize {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of, _ = simplelru.NewLRU[string, pageImage](pagesKept, nil) // fails only for no size
	}
	p.of.Add(etag, image)
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

// draw renders a page for who, who may have so many rendered at the same time. The error is Unavailable if too many are being rendered.
func (s *Server) draw(ctx context.Context, p page, who string, each int) (out pageImage, err error) {
	release, err := s.drawing.take(ctx, who, each, false)
	if err != nil {
		return out, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, drawTimeout)
	defer cancel()
	path, done, err := s.Blobs.Local(ctx, p.sha256)
	if errs.Is(err, errs.NotFound) {
		return out, errs.Wrap(errs.NotFound, "Les octets de ce fichier sont introuvables.", err)
	}
	if err != nil {
		return out, err
	}
	defer done()
	pdf, err := s.OpenPDF(ctx, path)
	if err != nil {
		return out, fmt.Errorf("open %s: %w", p.sha256, err)
	}
	defer func() {
		if failed := pdf.Close(); err == nil {
			err = failed
		}
	}()
	if p.n > pdf.Pages() {
		return out, noPage(p.n)
	}
	if out.points, err = s.pageWidth(ctx, p, pdf); err != nil {
		return out, err
	}
	gray, err := pdf.Render(ctx, p.n, pointsInch*float64(p.width)/out.points)
	if err != nil {
		return out, err
	}
	var body bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&body, reduced(gray)); err != nil {
		return out, fmt.Errorf("encode page %d of %s: %w", p.n, p.sha256, err)
	}
	out.png = body.Bytes()
	return out, nil
}

// grays are the sixteen grays of an image: print needs no more, and it takes half the bytes.
var grays = func() (p color.Palette) {
	for i := range 16 {
		p = append(p, color.Gray{uint8(i * 17)})
	}
	return p
}()

// reduced returns an image in sixteen grays.
func reduced(gray *image.Gray) *image.Paletted {
	out := image.NewPaletted(gray.Rect, grays)
	for y := range gray.Rect.Dy() {
		from, to := gray.Pix[y*gray.Stride:], out.Pix[y*out.Stride:]
		for x := range gray.Rect.Dx() {
			to[x] = uint8((int(from[x]) + 8) / 17)
		}
	}
	return out
}

// pageWidth returns the width of a page in points: as stored when the page was read, else
// from the PDF.
func (s *Server) pageWidth(ctx context.Context, p page, pdf PDF) (float64, error) {
	lines, err := s.DB.PageLines(ctx, p.ingestion, p.n)
	if err == nil && lines.Width > 0 {
		return lines.Width, nil
	}
	if err != nil && !errs.Is(err, errs.NotFound) {
		return 0, err
	}
	small, err := pdf.Render(ctx, p.n, pointsInch)
	if err != nil {
		return 0, err
	}
	return float64(max(1, small.Rect.Dx())), nil
}
