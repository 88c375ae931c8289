package gazettes

import (
	"errors"
	"math"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/form"
)

// pageImage serves GET /admin/ingestions/:id/pages/:page.png. It renders a page of a file.
func (s *Handlers) pageImage(c *fiber.Ctx, user postgres.User) error {
	i, n, err := s.filePage(c)
	q := form.ReadQuery(c)
	width := q.Number("width", 1200, 100, 2400)
	if err := form.Join(err, q.Err()); err != nil {
		return err
	}
	return s.Images.Send(c, catalogue.Page{Ingestion: i.ID, SHA256: i.SHA256, N: n, Width: width}, user.ID.String(), catalogue.DrawMost, "private, max-age=86400")
}

// filePage returns the file and the page number in the path.
func (s *Handlers) filePage(c *fiber.Ctx) (i postgres.Ingestion, n int, err error) {
	n, err = form.PathNumber(c, "page")
	var f form.Faults
	if err != nil && !errors.As(err, &f) {
		return i, 0, err
	}
	i, failed := s.ingestion(c)
	if err := form.Join(failed, err); err != nil {
		return i, 0, err
	}
	if i.PagesTotal > 0 && n > i.PagesTotal || n > math.MaxInt32 {
		return i, 0, catalogue.ErrNoPage(n)
	}
	return i, n, nil
}
