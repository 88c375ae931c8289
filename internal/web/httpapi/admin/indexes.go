package admin

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
)

// ReindexBody says what is indexed again.
type ReindexBody struct {
	Texts    int  `json:"texts" doc:"Les textes que chaque worker relit."` // that each worker reads again; 0: no passages were asked for
	Passages bool `json:"passages" doc:"Milvus est refait aussi."`         // the passages in Milvus
	Titles   bool `json:"titles" doc:"Meilisearch est refait."`            // the titles in Meilisearch
}

type reindexInput struct {
	Passages bool `json:"passages"`
	Titles   bool `json:"titles"`
}

// reindex serves POST /admin/reindex. It has the workers make the indexes again, beside those that serve meanwhile.
func (s *Handlers) reindex(c *fiber.Ctx, _ postgres.User, input reindexInput) (reply ReindexBody, _ error) {
	ctx, done := c.UserContext(), ReindexBody{Passages: input.Passages && s.Milvus, Titles: input.Titles && s.Meili}
	if input.Passages {
		var err error
		if done.Texts, err = s.DB.ReindexPassages(ctx); err != nil {
			return reply, err
		}
	}
	if done.Passages {
		if err := s.DB.PassageIndex().Remake(ctx); err != nil {
			return reply, err
		}
	}
	if done.Titles {
		if err := s.DB.TitleIndex().Remake(ctx); err != nil {
			return reply, err
		}
	}
	return done, nil
}
