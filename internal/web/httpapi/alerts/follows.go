package alerts

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// FollowBody is what an account follows.
type FollowBody struct {
	postgres.Follow
	CreatedAt string `json:"created_at" format:"date-time"`
}

// ShowFollow shows what an account follows.
func ShowFollow(f postgres.Follow) FollowBody {
	return FollowBody{f, respond.ShowTime(f.CreatedAt)}
}

// listFollows serves GET /me/follows.
func (s *Handlers) listFollows(c *fiber.Ctx, user postgres.User, _ contract.None) (reply respond.All[FollowBody], _ error) {
	follows, err := s.DB.Follows(c.UserContext(), user.ID)
	if err != nil {
		return reply, err
	}
	return respond.All[FollowBody]{Items: respond.ShowAll(follows, ShowFollow)}, nil
}

// NewFollow is a new follow. Fields that its kind does not need are dropped.
type NewFollow struct {
	_        struct{}    `additionalProperties:"false"`
	Kind     string      `json:"kind" enum:"text,article,answer,search,scope"`
	Document *uuid.UUID  `json:"document_id,omitempty"`
	Article  *uuid.UUID  `json:"article_id,omitempty"`
	Message  *uuid.UUID  `json:"message_id,omitempty"`
	Words    string      `json:"q,omitempty" maxLength:"200"`
	Type     law.DocType `json:"doc_type,omitempty" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature   string      `json:"nature,omitempty" maxLength:"100"`
	Domain   string      `json:"domaine,omitempty" maxLength:"100"`
	Country  string      `json:"pays,omitempty" format:"country" doc:"Un code de pays en deux lettres."`
}

// follow returns what the input asks to follow.
func (i NewFollow) follow() (f postgres.Follow) {
	f.Kind = i.Kind
	switch i.Kind {
	case postgres.FollowText:
		f.Document = i.Document
	case postgres.FollowArticle:
		f.Document, f.Article = i.Document, i.Article
	case postgres.FollowAnswer:
		f.Message = i.Message
	case postgres.FollowSearch:
		f.Words = i.Words
		fallthrough
	case postgres.FollowScope:
		f.Type, f.Nature, f.Domain, f.Country = i.Type, i.Nature, i.Domain, i.Country
	}
	return f
}

// Check finds what the kind needs and is not given.
func (i *NewFollow) Check(f *form.Faults) {
	switch asked := i.follow(); {
	case (i.Kind == postgres.FollowText || i.Kind == postgres.FollowArticle) && i.Document == nil:
		f.Missing([]any{"body", "document_id"})
	case i.Kind == postgres.FollowAnswer && i.Message == nil:
		f.Missing([]any{"body", "message_id"})
	case i.Kind == postgres.FollowSearch && i.Words == "":
		f.Missing([]any{"body", "q"})
	case i.Kind == postgres.FollowSearch && fulltext.Parse(i.Words).Empty():
		f.Refuse("q", i.Words, "Ces mots sont trop courants pour être suivis.")
	case i.Kind == postgres.FollowScope && asked == (postgres.Follow{Kind: i.Kind}):
		f.Refuse("domaine", nil, "Un domaine, un pays, un type ou une nature est attendu.")
	}
	if i.Kind == postgres.FollowArticle && i.Article == nil {
		f.Missing([]any{"body", "article_id"})
	}
}

// addFollow serves POST /me/follows. It adds what the account follows: 201, or 200 if it follows
// it already.
func (s *Handlers) addFollow(c *fiber.Ctx, user postgres.User, input NewFollow) (reply FollowBody, _ error) {
	made, added, err := s.DB.AddFollow(c.UserContext(), user.ID, input.follow())
	if err != nil {
		return reply, respond.NotFound(err, "Ce texte n’est pas au catalogue, ou cet article, cette réponse ou ce domaine n’existe pas.")
	}
	if !added {
		c.Status(fiber.StatusOK)
	}
	return ShowFollow(made), nil
}

// deleteFollow serves DELETE /me/follows/:id.
func (s *Handlers) deleteFollow(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, s.DB.DeleteFollow(c.UserContext(), user.ID, input.ID)
}

// listFollowsOf serves GET /admin/users/:id/follows.
func (s *Handlers) listFollowsOf(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply respond.All[FollowBody], _ error) {
	user, err := s.account(c, input.ID)
	if err != nil {
		return reply, err
	}
	return s.listFollows(c, user, contract.None{})
}

// addFollowOf serves POST /admin/users/:id/follows.
func (s *Handlers) addFollowOf(c *fiber.Ctx, _ postgres.User, input struct {
	contract.ByID
	NewFollow
}) (reply FollowBody, _ error) {
	user, err := s.account(c, input.ID)
	if err != nil {
		return reply, err
	}
	return s.addFollow(c, user, input.NewFollow)
}

// account returns the account that an administrator asks about.
func (s *Handlers) account(c *fiber.Ctx, id uuid.UUID) (postgres.User, error) {
	u, err := s.DB.UserByID(c.UserContext(), id)
	return u, respond.NotFound(err, "Ce compte n’existe pas.")
}

// deleteFollowOf serves DELETE /admin/follows/:id. It deletes what any account follows.
func (s *Handlers) deleteFollowOf(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	owner, err := s.DB.FollowOwner(c.UserContext(), input.ID)
	if err == nil {
		err = s.DB.DeleteFollow(c.UserContext(), owner, input.ID)
	}
	if err != nil {
		return reply, respond.NotFound(err, "Ce sujet n’est pas suivi.")
	}
	return reply, nil
}
