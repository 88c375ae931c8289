package httpapi

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// ownLinkBody is a conversation of the caller that has a link.
type ownLinkBody struct {
	ID        uuid.UUID `json:"id"`
	Title     string    `json:"title"`
	CreatedAt string    `json:"created_at"`
	Questions int       `json:"questions"`
}

type ownLinksBody struct {
	Items []ownLinkBody `json:"items"`
}

// listOwnLinks lists the conversations of the caller that have a link, the newest link first.
func (s *Server) listOwnLinks(c *fiber.Ctx, user postgres.User) error {
	links, err := s.DB.OwnLinks(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	body := ownLinksBody{make([]ownLinkBody, 0, len(links))}
	for _, l := range links {
		body.Items = append(body.Items, ownLinkBody{l.Conversation, l.Title, showTime(l.CreatedAt), l.Questions})
	}
	return c.JSON(body)
}

// anyLinkBody is a link as an administrator sees it, without a word of the conversation.
type anyLinkBody struct {
	ID        uuid.UUID `json:"id"`
	UserID    uuid.UUID `json:"user_id"`
	UserEmail string    `json:"user_email"`
	CreatedAt string    `json:"created_at"`
	Questions int       `json:"questions"`
	Opens     bool      `json:"opens"`
}

func showAnyLink(l postgres.AnyLink) anyLinkBody {
	return anyLinkBody{l.Conversation, l.Owner, l.OwnerEmail, showTime(l.CreatedAt), l.Questions, l.Opens}
}

// listAllLinks lists the links of all accounts, newest first, by cursor.
func (s *Server) listAllLinks(c *fiber.Ctx, _ postgres.User) error {
	return listed(c, s.DB.Links, showAnyLink)
}

// withdrawLink withdraws the link of a conversation of anybody.
func (s *Server) withdrawLink(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	err = s.DB.WithdrawLink(c.UserContext(), id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Cette conversation n’a pas de lien.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
