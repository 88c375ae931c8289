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
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// listUsers serves GET /admin/users. It shows the accounts, newest first, by cursor; with q only
// those with it in their name or address.
func (s *Handlers) listUsers(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	text := q.Text("q")
	if err := q.Err(); err != nil {
		return err
	}
	return respond.ListByCursor(c, func(ctx context.Context, before *time.Time, limit int) ([]postgres.User, *time.Time, error) {
		return s.DB.UserPage(ctx, text, before, limit)
	}, account.ShowAccount)
}

// createUser serves POST /admin/users. It opens an account.
func (s *Handlers) createUser(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	u := postgres.User{
		ID:       postgres.NewID(),
		Email:    strings.ToLower(body.Email("email")),
		FullName: body.Name("full_name", 1, account.FullNameLimit),
		Role:     body.MustOne("role", guard.Roles),
		Active:   true,
	}
	password := account.ReadNewPassword(body, "password")
	if err := body.Err(); err != nil {
		return err
	}
	if err := account.CheckStrength(body, "password", password, u.Email, u.FullName); err != nil {
		return err
	}
	ctx := c.UserContext()
	var err error
	if u.PasswordHash, err = s.Passwords.Hash(ctx, password); err != nil {
		return err
	}
	err = s.DB.CreateUser(ctx, u)
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(errs.Conflict, "Un compte existe déjà pour cette adresse e-mail.", err)
	}
	if err != nil {
		return err
	}
	if u, err = s.DB.UserByID(ctx, u.ID); err != nil {
		return err
	}
	c.Set(fiber.HeaderLocation, transport.Prefix+"/admin/users/"+u.ID.String())
	return c.Status(fiber.StatusCreated).JSON(account.ShowAccount(u))
}

// showAccountOf serves GET /admin/users/:id. It shows one account.
func (s *Handlers) showAccountOf(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	u, err := s.DB.UserByID(c.UserContext(), id)
	if err != nil {
		return account.NameAccount(err)
	}
	return c.JSON(account.ShowAccount(u))
}

// changeUser serves PATCH /admin/users/:id. It changes the role, the state, the name or the country
// of an account.
func (s *Handlers) changeUser(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	body := transport.ReadBody(c)
	change := postgres.UserChange{
		Role:     body.MaybeOne("role", guard.Roles),
		Active:   body.MaybeFlag("active"),
		FullName: body.MaybeName("full_name", 1, account.FullNameLimit),
		Country:  body.MaybeCountry("pays"),
	}
	if err := body.Err(); err != nil {
		return err
	}
	u, err := s.DB.ChangeUser(c.UserContext(), id, change)
	if err != nil {
		return account.NameAccount(err)
	}
	return c.JSON(account.ShowAccount(u))
}
