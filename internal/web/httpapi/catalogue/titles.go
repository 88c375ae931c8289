package catalogue

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// SuggestedTitleBody is a suggested text.
type SuggestedTitleBody struct {
	ID          uuid.UUID       `json:"id"`
	Title       string          `json:"title"`
	Marks       []fulltext.Mark `json:"marks" doc:"Les mots qui commencent comme ce qui est tapé."`
	Type        string          `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature      string          `json:"nature"`
	Number      string          `json:"numero_officiel"`
	Promulgated string          `json:"date_promulgation" format:"date"`
	Status      string          `json:"statut" enum:"en_vigueur,abroge,modifie"`
}

// letSuggest serves suggestions to signed-in users and, if the operator allows it, within a limit to anybody.
func (s *Handlers) letSuggest(h contract.Handler) contract.Handler {
	signed := s.Signed(s.Revalidated(h))
	return contract.Handler{In: h.In, Out: h.Out, Signed: true, ETag: true, Serve: func(c *fiber.Ctx, user postgres.User) error {
		if c.Get(fiber.HeaderAuthorization) != "" || s.Guests == nil {
			return signed.Serve(c, user)
		}
		if err := s.admitGuest(c); err != nil {
			return err
		}
		if err := h.Serve(c, user); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}}
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

type titlesInput struct {
	Q     string `query:"q" maxLength:"200" required:"true" doc:"Ce qui est tapé."`
	Pays  string `query:"pays" doc:"Pays dont les titres viennent d’abord."`
	Limit int    `query:"limit" default:"8" minimum:"1" maximum:"20" doc:"Titres au plus."`
}

type titlesBody struct {
	Items []SuggestedTitleBody `json:"items"`
	Alike bool                 `json:"alike" doc:"Aucun titre ne commence ainsi : ceux-ci le contiennent ou lui ressemblent."`
}

// suggestTitles serves GET /titles. It completes a title while it is typed.
func (s *Handlers) suggestTitles(c *fiber.Ctx, _ postgres.User, input titlesInput) (reply titlesBody, _ error) {
	list, alike, err := named.Suggest(c.UserContext(), s.DB, input.Q, input.Pays, input.Limit)
	if err != nil {
		return reply, err
	}
	items, beginnings := make([]SuggestedTitleBody, 0, len(list)), fulltext.Beginnings(input.Q)
	for _, d := range list {
		r := d.Record()
		items = append(items, SuggestedTitleBody{r.ID, r.Title, fulltext.MarkBeginnings(r.Title, beginnings), string(r.Type), r.Nature,
			r.OfficialNumber, r.Promulgated, string(r.Status)})
	}
	return titlesBody{items, alike}, nil
}
