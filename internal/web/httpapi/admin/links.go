package admin

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// AnyLinkBody is a link as an administrator sees it, without a word of the conversation.
type AnyLinkBody struct {
	ID        uuid.UUID `json:"id"`
	UserID    uuid.UUID `json:"user_id"`
	UserEmail string    `json:"user_email" doc:"L’adresse de qui partage."`
	CreatedAt string    `json:"created_at" format:"date-time"`
	Questions int       `json:"questions" doc:"Combien de questions le lien montre."`
	Opens     bool      `json:"opens" doc:"false : le compte est fermé, et le lien n’ouvre rien."`
}

func showAnyLink(l postgres.AnyLink) AnyLinkBody {
	return AnyLinkBody{l.Conversation, l.Owner, l.OwnerEmail, respond.ShowTime(l.CreatedAt), l.Questions, l.Opens}
}

// listAllLinks serves GET /admin/shared. It lists the links of all accounts, newest first, by
// cursor.
func (s *Handlers) listAllLinks(c *fiber.Ctx, _ postgres.User, input respond.Cursor) (reply respond.Listing[AnyLinkBody], _ error) {
	return respond.ByCursor(c, input, s.DB.Links, showAnyLink)
}

// withdrawLink serves DELETE /admin/shared/:id. It withdraws the link of a conversation of
// anybody.
func (s *Handlers) withdrawLink(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.DB.WithdrawLink(c.UserContext(), input.ID), "Cette conversation n’a pas de lien.")
}
