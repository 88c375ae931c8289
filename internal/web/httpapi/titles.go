package httpapi

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
)

// Limits of title suggestions.
const (
	titlesDefault = 8
	titlesMost    = 20
	typedLimit    = 200 // maximum length of the typed text in code points
)

// titleBody is a suggested text.
type titleBody struct {
	ID          uuid.UUID  `json:"id"`
	Title       string     `json:"title"`
	Marks       []markBody `json:"marks"`
	Type        string     `json:"doc_type"`
	Nature      string     `json:"nature"`
	Number      string     `json:"numero_officiel"`
	Promulgated string     `json:"date_promulgation"`
	Status      string     `json:"statut"`
}

// suggestTitles completes a title while it is typed: for signed-in users and, if the
// operator allows it, within a limit for anybody.
func (s *Server) suggestTitles(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderAuthorization) != "" || s.Guests == nil {
		return s.protected(s.shared(s.listTitles))(c)
	}
	if err := s.admitGuest(c); err != nil {
		return err
	}
	if err := s.listTitles(c, postgres.User{}); err != nil {
		return err
	}
	return kept(c)
}

// admitGuest counts a request without authentication.
func (s *Server) admitGuest(c *fiber.Ctx) error {
	event, err := s.beginIn(c.UserContext(), s.Guests, "", s.address(c))
	if err != nil {
		return err
	}
	quota, err := event.Count(c.UserContext())
	if err != nil {
		return err
	}
	setQuota(c, quota)
	return nil
}

func (s *Server) listTitles(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	typed, limit := q.needed("q", typedLimit), q.number("limit", titlesDefault, 1, titlesMost)
	if err := q.err(); err != nil {
		return err
	}
	list, alike, err := s.DB.SuggestTitles(c.UserContext(), typed, limit)
	if err != nil {
		return err
	}
	items, beginnings := make([]titleBody, 0, len(list)), fulltext.Beginnings(typed)
	for _, d := range list {
		r := d.Record()
		items = append(items, titleBody{r.ID, r.Title, showMarks(fulltext.MarkBeginnings(r.Title, beginnings)), string(r.Type), r.Nature,
			r.OfficialNumber, r.Promulgated, string(r.Status)})
	}
	return c.JSON(struct {
		Items []titleBody `json:"items"`
		Alike bool        `json:"alike"`
	}{items, alike})
}
