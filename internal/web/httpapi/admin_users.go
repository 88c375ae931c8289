package httpapi

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// fullNameLimit is the maximum length of a person's name, in code points.
const fullNameLimit = 255

// accountBody is an account as an administrator sees it.
type accountBody struct {
	userBody
	Active       bool    `json:"active"`
	SecondFactor bool    `json:"second_factor"`
	CreatedAt    string  `json:"created_at"`
	LastSignIn   *string `json:"last_sign_in_at"`
}

func showAccount(u postgres.User) accountBody {
	return accountBody{userBody: showUser(u), Active: u.Active, SecondFactor: u.SecondFactor, CreatedAt: showTime(u.CreatedAt), LastSignIn: maybeTime(u.LastSignIn)}
}

// listUsers shows the accounts, newest first, by cursor; with q only those with it in their name
// or address.
func (s *Server) listUsers(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	text := q.text("q")
	if err := q.err(); err != nil {
		return err
	}
	return listed(c, func(ctx context.Context, before *time.Time, limit int) ([]postgres.User, *time.Time, error) {
		return s.DB.UserPage(ctx, text, before, limit)
	}, showAccount)
}

// createUser opens an account.
func (s *Server) createUser(c *fiber.Ctx, _ postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	u := postgres.User{
		ID:       postgres.NewID(),
		Email:    strings.ToLower(body.email("email")),
		FullName: body.text("full_name", 1, fullNameLimit),
		Role:     body.mustOne("role", roles),
		Active:   true,
	}
	password := body.freshPassword("password")
	if err := body.err(); err != nil {
		return err
	}
	if err := body.strong("password", password, u.Email, u.FullName); err != nil {
		return err
	}
	ctx := c.UserContext()
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
	c.Set(fiber.HeaderLocation, prefix+"/admin/users/"+u.ID.String())
	return c.Status(fiber.StatusCreated).JSON(showAccount(u))
}

// showAccountOf shows one account.
func (s *Server) showAccountOf(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	u, err := s.DB.UserByID(c.UserContext(), id)
	if err != nil {
		return noAccount(err)
	}
	return c.JSON(showAccount(u))
}

// changeUser changes the role, the state or the name of an account.
func (s *Server) changeUser(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	change := postgres.UserChange{
		Role:     body.maybeOne("role", roles),
		Active:   body.maybeFlag("active"),
		FullName: body.maybeText("full_name", 1, fullNameLimit),
	}
	if err := body.err(); err != nil {
		return err
	}
	u, err := s.DB.ChangeUser(c.UserContext(), id, change)
	if err != nil {
		return noAccount(err)
	}
	return c.JSON(showAccount(u))
}

func noAccount(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Compte introuvable.", err)
	}
	return err
}
