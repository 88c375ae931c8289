package admin

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// ReindexBody says what is indexed again.
type ReindexBody struct {
	Texts    int  `json:"texts"`    // that each worker reads again; 0: no passages were asked for
	Passages bool `json:"passages"` // the passages in Milvus
	Titles   bool `json:"titles"`   // the titles in Meilisearch
}

// reindex serves POST /admin/reindex. It has the workers make the indexes again, beside those that serve meanwhile.
func (s *Handlers) reindex(c *fiber.Ctx, _ postgres.User) error {
	in := transport.ReadBody(c)
	passages, titles := in.MustFlag("passages"), in.MustFlag("titles")
	if err := in.Err(); err != nil {
		return err
	}
	ctx, done := c.UserContext(), ReindexBody{Passages: passages && s.Milvus, Titles: titles && s.Meili}
	if passages {
		var err error
		if done.Texts, err = s.DB.ReindexPassages(ctx); err != nil {
			return err
		}
	}
	if done.Passages {
		if err := s.DB.PassageIndex().Remake(ctx); err != nil {
			return err
		}
	}
	if done.Titles {
		if err := s.DB.TitleIndex().Remake(ctx); err != nil {
			return err
		}
	}
	return c.Status(fiber.StatusAccepted).JSON(done)
}
