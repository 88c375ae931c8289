package conversations

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// ownLinkBody is a conversation of the caller that has a link.
type ownLinkBody struct {
	ID        uuid.UUID `json:"id"`
	Title     string    `json:"title"`
	CreatedAt string    `json:"created_at"`
	Questions int       `json:"questions"`
}

// OwnLinksBody lists the conversations of the caller that have a link.
type OwnLinksBody struct {
	Items []ownLinkBody `json:"items"`
}

// listOwnLinks serves GET /me/shared. It lists the conversations of the caller that have a link,
// the newest link first.
func (s *Handlers) listOwnLinks(c *fiber.Ctx, user postgres.User) error {
	links, err := s.DB.OwnLinks(c.UserContext(), user.ID)
	if err != nil {
		return err
	}
	return c.JSON(OwnLinksBody{respond.ShowAll(links, func(l postgres.OwnLink) ownLinkBody {
		return ownLinkBody{l.Conversation, l.Title, respond.ShowTime(l.CreatedAt), l.Questions}
	})})
}
