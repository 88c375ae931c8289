package account

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// Signup says who may open an account; the zero value: nobody.
type Signup struct {
	Domains []string // of addresses, lower case; "*": any
}

// takes reports whether accounts for an address are allowed.
func (s Signup) takes(email string) bool {
	_, domain, _ := strings.Cut(strings.ToLower(email), "@")
	return slices.Contains(s.Domains, "*") || slices.Contains(s.Domains, domain)
}

// The pages of links. The token follows the #, so browsers do not send it, and it is not in
// any server's or proxy's log.
const (
	resetPage  = "/mot-de-passe#jeton="
	signupPage = "/inscription#jeton="
)

// countRequest calls ask, which needs no authentication, unless the limit of the client's network
// is reached or, if email is not empty, the limit of the address. The limits are the same
// whether or not the address has an account.
func (s *Handlers) countRequest(c *fiber.Ctx, what, email string, ask func() error) error {
	ctx := c.UserContext()
	begun, err := s.BeginVisit(ctx, s.LinkRequests, what, s.Address(c))
	if err != nil {
		return err
	}
	if email != "" {
		own, err := s.Mailbox.Begin(ctx, s.Key(what+"|"+email, ""))
		if err != nil {
			// The request still counts for the network.
			_, failed := begun.Count(ctx)
			return cmp.Or(failed, err)
		}
		begun.Add(own)
	}
	least, err := begun.Count(ctx)
	if err != nil {
		return err
	}
	if err := ask(); err != nil {
		return err
	}
	transport.SetQuota(c, least)
	return nil
}

// askReset serves POST /auth/password/forgotten. It queues a message with a link to set a new
// password. The response and its timing are the same whether or not the address has an account,
// because a worker makes the message.
func (s *Handlers) askReset(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	email := body.Email("email")
	if err := body.Err(); err != nil {
		return err
	}
	err := s.countRequest(c, "reset", email, func() error {
		return s.DB.AskReset(c.UserContext(), email, s.Base()+resetPage)
	})
	if err != nil {
		return err
	}
	c.Status(fiber.StatusAccepted)
	return nil
}

// resetPassword serves POST /auth/password/reset. It sets a new password with a link's token,
// once. The password is hashed only if the link is valid, because hashing is expensive.
func (s *Handlers) resetPassword(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	token, fresh := body.Secret("token", 1, form.TokenLimit), ReadNewPassword(body, "new_password")
	if err := body.Err(); err != nil {
		return err
	}
	ctx, hash := c.UserContext(), sealed.HashToken(token)
	return respond.NoContent(c, s.useLink(c, body, "new_password", fresh, hash, postgres.ResetNotification, func(password string) error {
		return s.DB.ResetPassword(ctx, hash, password)
	}))
}

// useLink counts the use of a link. If the link is valid and the password in a field of the body is not easy to guess, it
// calls use with what is kept of the password.
func (s *Handlers) useLink(c *fiber.Ctx, body *form.Object, field, password string, hash []byte, owner string, use func(password string) error) error {
	return s.countRequest(c, "use", "", func() error {
		email, name, err := s.DB.LinkOwner(c.UserContext(), hash, owner)
		if err != nil {
			return err
		}
		if err := CheckStrength(body, field, password, email, name); err != nil {
			return err
		}
		kept, err := s.Passwords.Hash(c.UserContext(), password)
		if err != nil {
			return err
		}
		return use(kept)
	})
}

// errNoSignup returns the error for a service in which nobody may open an account.
func errNoSignup() error {
	return errs.New(errs.Forbidden, "Les inscriptions ne sont pas ouvertes. Demandez un compte à l’administrateur.")
}

// askSignup serves POST /auth/signup. It queues a message with a link to open an account. The
// response does not reveal whether the address has one.
func (s *Handlers) askSignup(c *fiber.Ctx) error {
	if len(s.Signup.Domains) == 0 {
		return errNoSignup()
	}
	body := transport.ReadBody(c)
	email, name := body.Email("email"), body.Name("full_name", 1, FullNameLimit)
	if body.Err() == nil && !s.Signup.takes(email) {
		body.Refuse("email", "Les inscriptions ne sont pas ouvertes aux adresses de ce domaine.")
	}
	if err := body.Err(); err != nil {
		return err
	}
	err := s.countRequest(c, "signup", email, func() error {
		return s.DB.AskSignup(c.UserContext(), email, name, s.Base()+signupPage)
	})
	if err != nil {
		return err
	}
	c.Status(fiber.StatusAccepted)
	return nil
}

// confirmSignup serves POST /auth/signup/confirm. It opens an account with a link's token, once.
func (s *Handlers) confirmSignup(c *fiber.Ctx) error {
	if len(s.Signup.Domains) == 0 {
		return errNoSignup()
	}
	body := transport.ReadBody(c)
	token, password := body.Secret("token", 1, form.TokenLimit), ReadNewPassword(body, "password")
	if err := body.Err(); err != nil {
		return err
	}
	ctx, hash := c.UserContext(), sealed.HashToken(token)
	var made postgres.User
	err := s.useLink(c, body, "password", password, hash, postgres.SignupNotification, func(password string) (err error) {
		made, err = s.DB.ConfirmSignup(ctx, hash, password, func(email string) error {
			if !s.Signup.takes(email) { // the operator's list may have changed
				return errNoSignup()
			}
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(showUser(made))
}
