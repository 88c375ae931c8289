package catalogue

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// articlePath is the input of a route to an article.
type articlePath struct {
	contract.ByID
	Article uuid.UUID `path:"article_id" doc:"Identifiant d’un article du texte."`
}

// articleOnInput is that of a route to an article on a day.
type articleOnInput struct {
	articlePath
	Date *time.Time `query:"date" format:"date" doc:"La rédaction de ce jour et le droit de ce jour ; sans lui, la rédaction imprimée et le droit d’aujourd’hui."`
}

// letRead serves a part of a text to signed-in users and, where the catalogue is public and has
// the text, to anybody.
func (s *Handlers) letRead(h contract.Handler) contract.Handler {
	signed := s.Signed(s.Revalidated(h))
	return contract.Handler{In: h.In, Out: h.Out, Signed: true, ETag: true, Serve: func(c *fiber.Ctx, user postgres.User) error {
		if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
			return signed.Serve(c, user)
		}
		release, err := s.Public.AdmitReader(c)
		if err != nil {
			return err
		}
		defer release()
		if id, malformed := form.PathID(c, "id"); malformed == nil {
			addresses, err := s.Public.AddressesOf(c.UserContext(), []uuid.UUID{id})
			if err == nil && addresses[id] == "" {
				err = errs.New(errs.NotFound, "Texte introuvable.")
			}
			if err != nil {
				return err
			}
		}
		if err := h.Serve(c, user); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}}
}

// listReferences serves GET /documents/:id/articles/:article_id/references. It shows where the
// references of an article lead.
func (s *Handlers) listReferences(c *fiber.Ctx, _ postgres.User, input articleOnInput) (reply respond.All[verify.Link], _ error) {
	links, err := s.references(c.UserContext(), input.ID, input.Article, input.Date)
	if err != nil {
		return reply, respond.NotFound(err, "Article introuvable.")
	}
	return respond.All[verify.Link]{Items: append([]verify.Link{}, links...)}, nil
}

// references returns the references of an article as of a day; as printed and today if on is nil.
func (s *Handlers) references(ctx context.Context, document, article uuid.UUID, date *time.Time) ([]verify.Link, error) {
	addressedText, a, day, err := s.articleOf(ctx, document, article, date)
	if err != nil {
		return nil, err
	}
	return verify.Links(ctx, s.DB, addressedText, a, day)
}

// articleOf reads an article and its text, and the day whose law is meant.
func (s *Handlers) articleOf(ctx context.Context, document, article uuid.UUID, date *time.Time) (addressedText postgres.AddressedText, a law.Article, day time.Time, err error) {
	texts, err := s.DB.AddressedTexts(ctx, []uuid.UUID{document})
	if err == nil && len(texts) == 0 {
		err = errs.New(errs.NotFound, "Texte introuvable.")
	}
	if err != nil {
		return addressedText, a, day, err
	}
	addressedText, day = texts[0], country.Today(s.Now(), texts[0].Countries...)
	if date != nil {
		day = *date
	}
	read, err := s.readArticle(ctx, document, article, date)
	return addressedText, read.Article, day, err
}

type citingListBody struct {
	Items   []verify.Citing `json:"items"`
	Answers int             `json:"answers" doc:"Combien de réponses le citent."`
}

// listCiting serves GET /documents/:id/articles/:article_id/cited-by. It shows the articles that
// refer to an article, and how many answers cite it.
func (s *Handlers) listCiting(c *fiber.Ctx, _ postgres.User, input articleOnInput) (reply citingListBody, _ error) {
	addressedText, a, day, err := s.articleOf(c.UserContext(), input.ID, input.Article, input.Date)
	if err != nil {
		return reply, respond.NotFound(err, "Article introuvable.")
	}
	citing, err := verify.CitedBy(c.UserContext(), s.DB, addressedText, a, day)
	if err != nil {
		return reply, err
	}
	answers, err := s.DB.CountAnswersCiting(c.UserContext(), input.Article)
	if err != nil {
		return reply, err
	}
	return citingListBody{append([]verify.Citing{}, citing...), answers}, nil
}
