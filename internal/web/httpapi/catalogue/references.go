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
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// letRead serves a part of a text to signed-in users and, where the catalogue is public and has
// the text, to anybody.
func (s *Handlers) letRead(show fiber.Handler) fiber.Handler {
	protected := s.Protect(s.WithETag(func(c *fiber.Ctx, _ postgres.User) error { return show(c) }))
	return func(c *fiber.Ctx) error {
		if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
			return protected(c)
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
		if err := show(c); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}
}

// listReferences serves GET /documents/:id/articles/:article_id/references. It shows where the
// references of an article lead.
func (s *Handlers) listReferences(c *fiber.Ctx) error {
	document, malformed := form.PathID(c, "id")
	article, other := form.PathID(c, "article_id")
	q := form.ReadQuery(c)
	on := q.Day("date")
	if err := form.Join(malformed, other, q.Err()); err != nil {
		return err
	}
	links, err := s.references(c.UserContext(), document, article, on)
	if err != nil {
		return respond.NotFound(err, "Article introuvable.")
	}
	return c.JSON(fiber.Map{"items": append([]verify.Link{}, links...)})
}

// references returns the references of an article as of a day; as printed and today if on is nil.
func (s *Handlers) references(ctx context.Context, document, article uuid.UUID, on *time.Time) ([]verify.Link, error) {
	of, a, day, err := s.articleOf(ctx, document, article, on)
	if err != nil {
		return nil, err
	}
	return verify.Links(ctx, s.DB, of, a, day)
}

// articleOf reads an article and its text, and the day whose law is meant.
func (s *Handlers) articleOf(ctx context.Context, document, article uuid.UUID, on *time.Time) (of postgres.AddressedText, a law.Article, day time.Time, err error) {
	texts, err := s.DB.AddressedTexts(ctx, []uuid.UUID{document})
	if err == nil && len(texts) == 0 {
		err = errs.New(errs.NotFound, "Texte introuvable.")
	}
	if err != nil {
		return of, a, day, err
	}
	of, day = texts[0], country.Today(s.Now(), texts[0].Countries...)
	if on != nil {
		day = *on
	}
	read, err := s.readArticle(ctx, document, article, on)
	return of, read.Article, day, err
}

// listCiting serves GET /documents/:id/articles/:article_id/cited-by. It shows the articles that
// refer to an article, and how many answers cite it.
func (s *Handlers) listCiting(c *fiber.Ctx, _ postgres.User) error {
	document, malformed := form.PathID(c, "id")
	article, other := form.PathID(c, "article_id")
	q := form.ReadQuery(c)
	on := q.Day("date")
	if err := form.Join(malformed, other, q.Err()); err != nil {
		return err
	}
	of, a, day, err := s.articleOf(c.UserContext(), document, article, on)
	if err != nil {
		return respond.NotFound(err, "Article introuvable.")
	}
	citing, err := verify.CitedBy(c.UserContext(), s.DB, of, a, day)
	if err != nil {
		return err
	}
	answers, err := s.DB.CountAnswersCiting(c.UserContext(), article)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": append([]verify.Citing{}, citing...), "answers": answers})
}
