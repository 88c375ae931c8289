package catalogue

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// TitleBody is a suggested text.
type TitleBody struct {
	ID          uuid.UUID       `json:"id"`
	Title       string          `json:"title"`
	Marks       []fulltext.Mark `json:"marks"`
	Type        string          `json:"doc_type"`
	Nature      string          `json:"nature"`
	Number      string          `json:"numero_officiel"`
	Promulgated string          `json:"date_promulgation"`
	Status      string          `json:"statut"`
}

// suggestTitles serves GET /titles. It completes a title while it is typed: for signed-in users
// and, if the operator allows it, within a limit for anybody.
func (s *Handlers) suggestTitles(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderAuthorization) != "" || s.Guests == nil {
		return s.Protect(s.WithETag(s.listTitles))(c)
	}
	if err := s.admitGuest(c); err != nil {
		return err
	}
	if err := s.listTitles(c, postgres.User{}); err != nil {
		return err
	}
	return respond.Revalidate(c)
}

// admitGuest counts a request without authentication.
func (s *Handlers) admitGuest(c *fiber.Ctx) error {
	event, err := s.BeginVisit(c.UserContext(), s.Guests, "", s.Address(c))
	if err != nil {
		return err
	}
	quota, err := event.Count(c.UserContext())
	if err != nil {
		return err
	}
	transport.SetQuota(c, quota)
	return nil
}

func (s *Handlers) listTitles(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	typed, limit, country := q.Needed("q", public.TypedLimit), q.Number("limit", titlesDefault, 1, titlesMost), q.Text("pays")
	if err := q.Err(); err != nil {
		return err
	}
	list, alike, err := named.Suggest(c.UserContext(), s.DB, typed, country, limit)
	if err != nil {
		return err
	}
	items, beginnings := make([]TitleBody, 0, len(list)), fulltext.Beginnings(typed)
	for _, d := range list {
		r := d.Record()
		items = append(items, TitleBody{r.ID, r.Title, fulltext.MarkBeginnings(r.Title, beginnings), string(r.Type), r.Nature,
			r.OfficialNumber, r.Promulgated, string(r.Status)})
	}
	return c.JSON(struct {
		Items []TitleBody `json:"items"`
		Alike bool        `json:"alike"`
	}{items, alike})
}
