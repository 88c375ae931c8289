package admin

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// AnyLinkBody is a link as an administrator sees it, without a word of the conversation.
type AnyLinkBody struct {
	ID        uuid.UUID `json:"id"`
	UserID    uuid.UUID `json:"user_id"`
	UserEmail string    `json:"user_email"`
	CreatedAt string    `json:"created_at"`
	Questions int       `json:"questions"`
	Opens     bool      `json:"opens"`
}

func showAnyLink(l postgres.AnyLink) AnyLinkBody {
	return AnyLinkBody{l.Conversation, l.Owner, l.OwnerEmail, respond.ShowTime(l.CreatedAt), l.Questions, l.Opens}
}

// listAllLinks serves GET /admin/shared. It lists the links of all accounts, newest first, by
// cursor.
func (s *Handlers) listAllLinks(c *fiber.Ctx, _ postgres.User) error {
	return respond.ListByCursor(c, s.DB.Links, showAnyLink)
}

// withdrawLink serves DELETE /admin/shared/:id. It withdraws the link of a conversation of
// anybody.
func (s *Handlers) withdrawLink(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound(s.DB.WithdrawLink(c.UserContext(), id), "Cette conversation n’a pas de lien."))
}
