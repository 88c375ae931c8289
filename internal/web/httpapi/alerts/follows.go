package alerts

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// FollowBody is what an account follows.
type FollowBody struct {
	postgres.Follow
	CreatedAt string `json:"created_at"`
}

// ShowFollow shows what an account follows.
func ShowFollow(f postgres.Follow) FollowBody {
	return FollowBody{f, respond.ShowTime(f.CreatedAt)}
}

// listFollows serves GET /me/follows.
func (s *Handlers) listFollows(c *fiber.Ctx, user postgres.User) error {
	follows, err := s.DB.Follows(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": respond.ShowAll(follows, ShowFollow)})
}

// addFollow serves POST /me/follows. It adds what the account follows: 201, or 200 if it follows
// it already.
func (s *Handlers) addFollow(c *fiber.Ctx, user postgres.User) error {
	body := transport.ReadBody(c)
	f := readFollow(body)
	if err := body.Err(); err != nil {
		return err
	}
	made, added, err := s.DB.AddFollow(c.UserContext(), user.ID, f)
	if err != nil {
		return respond.NotFound(err, "Ce texte n’est pas au catalogue, ou cet article, cette réponse ou ce domaine n’existe pas.")
	}
	if added {
		c.Status(fiber.StatusCreated)
	}
	return c.JSON(ShowFollow(made))
}

// readFollow reads a new follow. Fields that the kind does not need are validated and
// dropped.
func readFollow(body *form.Object) postgres.Follow {
	f := postgres.Follow{Kind: body.MustOne("kind", postgres.FollowKinds())}
	body.Only("kind", "document_id", "article_id", "message_id", "q", "doc_type", "nature", "domaine", "pays")
	for name, field := range map[string]struct {
		id     **uuid.UUID
		needed bool
	}{
		"document_id": {&f.Document, f.Kind == postgres.FollowText || f.Kind == postgres.FollowArticle},
		"article_id":  {&f.Article, f.Kind == postgres.FollowArticle},
		"message_id":  {&f.Message, f.Kind == postgres.FollowAnswer},
	} {
		if !field.needed {
			body.ID(name)
			continue
		}
		id := body.MustID(name)
		*field.id = &id
	}
	scope := postgres.Follow{Type: law.DocType(body.One("doc_type", form.Strings(law.DocTypes()))), Country: body.Country("pays")}
	for name, field := range map[string]*string{"nature": &scope.Nature, "domaine": &scope.Domain} {
		if value := body.UpTo(name, followWordLimit); value != nil {
			*field = *value
		}
	}
	if f.Kind == postgres.FollowSearch {
		if f.Words = body.Text("q", 1, catalogue.SearchLimit); f.Words != "" && fulltext.Parse(f.Words).Empty() {
			body.Refuse("q", "Ces mots sont trop courants pour être suivis.")
		}
	} else {
		body.UpTo("q", catalogue.SearchLimit)
	}
	if f.Kind == postgres.FollowSearch || f.Kind == postgres.FollowScope {
		f.Type, f.Nature, f.Domain, f.Country = scope.Type, scope.Nature, scope.Domain, scope.Country
	}
	if f.Kind == postgres.FollowScope && scope == (postgres.Follow{}) {
		body.Refuse("domaine", "Un domaine, un pays, un type ou une nature est attendu.")
	}
	return f
}

// deleteFollow serves DELETE /me/follows/:id.
func (s *Handlers) deleteFollow(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, s.DB.DeleteFollow(c.UserContext(), user.ID, id))
}

// ofAccount serves a route of an administrator as next serves it for the account that the path names.
func (s *Handlers) ofAccount(next guard.Handler) guard.Handler {
	return func(c *fiber.Ctx, _ postgres.User) error {
		id, err := form.PathID(c, "id")
		if err != nil {
			return err
		}
		u, err := s.DB.UserByID(c.UserContext(), id)
		if err != nil {
			return respond.NotFound(err, "Ce compte n’existe pas.")
		}
		return next(c, u)
	}
}

// deleteFollowOf serves DELETE /admin/follows/:id. It deletes what any account follows.
func (s *Handlers) deleteFollowOf(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	owner, err := s.DB.FollowOwner(c.UserContext(), id)
	if err == nil {
		err = s.DB.DeleteFollow(c.UserContext(), owner, id)
	}
	if err != nil {
		return respond.NotFound(err, "Ce sujet n’est pas suivi.")
	}
	return c.SendStatus(fiber.StatusNoContent)
}
