package admin

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

type listUsersInput struct {
	respond.Cursor
	Q string `query:"q" doc:"Seulement ceux dont le nom ou l’adresse contient ces lettres, sans égard à la casse ni aux accents."`
}

// listUsers serves GET /admin/users. It shows the accounts, newest first, by cursor; with q only
// those with it in their name or address.
func (s *Handlers) listUsers(c *fiber.Ctx, _ postgres.User, input listUsersInput) (reply respond.Listing[account.Body], _ error) {
	return respond.ByCursor(c, input.Cursor, func(ctx context.Context, cursor *time.Time, limit int) ([]postgres.User, *time.Time, error) {
		return s.DB.UserPage(ctx, input.Q, cursor, limit)
	}, account.ShowAccount)
}

type accountInput struct {
	Email    string `json:"email" format:"email"`
	FullName string `json:"full_name" minLength:"1" maxLength:"255" format:"line"`
	Role     string `json:"role" enum:"user,editor,admin"`
	Password string `json:"password" minLength:"12" maxLength:"128" format:"password"`
}

// createUser serves POST /admin/users. It opens an account.
func (s *Handlers) createUser(c *fiber.Ctx, _ postgres.User, input accountInput) (reply account.Body, _ error) {
	u := postgres.User{ID: postgres.NewID(), Email: strings.ToLower(input.Email), FullName: input.FullName, Role: input.Role, Active: true}
	if err := account.CheckFresh("password", input.Password, u.Email, u.FullName); err != nil {
		return reply, err
	}
	ctx := c.UserContext()
	var err error
	if u.PasswordHash, err = s.Passwords.Hash(ctx, input.Password); err != nil {
		return reply, err
	}
	err = s.DB.CreateUser(ctx, u)
	if errs.Is(err, errs.Conflict) {
		return reply, errs.Wrap(errs.Conflict, "Un compte existe déjà pour cette adresse e-mail.", err)
	}
	if err != nil {
		return reply, err
	}
	if u, err = s.DB.UserByID(ctx, u.ID); err != nil {
		return reply, err
	}
	c.Set(fiber.HeaderLocation, transport.Prefix+"/admin/users/"+u.ID.String())
	return account.ShowAccount(u), nil
}

// showAccountOf serves GET /admin/users/:id. It shows one account.
func (s *Handlers) showAccountOf(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply account.Body, _ error) {
	u, err := s.DB.UserByID(c.UserContext(), input.ID)
	if err != nil {
		return reply, account.NameAccount(err)
	}
	return account.ShowAccount(u), nil
}

type accountChange struct {
	contract.ByID
	Role     *string `json:"role,omitempty" enum:"user,editor,admin"`
	Active   *bool   `json:"active,omitempty"`
	FullName *string `json:"full_name,omitempty" minLength:"1" maxLength:"255" format:"line"`
	Pays     *string `json:"pays,omitempty" format:"country" or:"" doc:"Le pays dont le droit répond aux questions qui n’en nomment pas ; vide, tous."`
}

// changeUser serves PATCH /admin/users/:id. It changes the role, the state, the name or the country
// of an account.
func (s *Handlers) changeUser(c *fiber.Ctx, _ postgres.User, input accountChange) (reply account.Body, _ error) {
	change := postgres.UserChange{
		Role:     input.Role,
		Active:   input.Active,
		FullName: input.FullName,
		Country:  input.Pays,
	}

	u, err := s.DB.ChangeUser(c.UserContext(), input.ID, change)
	if err != nil {
		return reply, account.NameAccount(err)
	}
	return account.ShowAccount(u), nil
}

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
