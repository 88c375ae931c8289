package httpapi

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
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

// within calls ask, which needs no authentication, unless the limit of the client's network
// is reached or, if email is not empty, the limit of the address. The limits are the same
// whether or not the address has an account.
func (s *Server) within(c *fiber.Ctx, what, email string, ask func() error) error {
	ctx := c.UserContext()
	begun, err := s.beginIn(ctx, s.LinkRequests, what, s.address(c))
	if err != nil {
		return err
	}
	if email != "" {
		own, err := s.Mailbox.Begin(ctx, s.loginKey(what+"|"+email, ""))
		if err != nil {
			// The request still counts for the network.
			_, failed := begun.Count(ctx)
			return firstOf(failed, err)
		}
		begun = append(begun, own)
	}
	least, err := begun.Count(ctx)
	if err != nil {
		return err
	}
	if err := ask(); err != nil {
		return err
	}
	setQuota(c, least)
	return nil
}

// askReset queues a message with a link to set a new password. The response and its timing
// are the same whether or not the address has an account, because a worker makes the
// message.
func (s *Server) askReset(c *fiber.Ctx) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	email := body.email("email")
	if err := body.err(); err != nil {
		return err
	}
	err = s.within(c, "reset", email, func() error {
		return s.DB.AskReset(c.UserContext(), email, strings.TrimRight(s.BaseURL, "/")+resetPage)
	})
	if err != nil {
		return err
	}
	c.Status(fiber.StatusAccepted)
	return nil
}

// resetPassword sets a new password with a link's token, once. The password is hashed only
// if the link is valid, because hashing is expensive.
func (s *Server) resetPassword(c *fiber.Ctx) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	token, fresh := body.secret("token", 1, tokenLimit), body.freshPassword("new_password")
	if err := body.err(); err != nil {
		return err
	}
	ctx, hash := c.UserContext(), sealed.HashToken(token)
	err = s.within(c, "use", "", func() error {
		email, name, err := s.DB.LinkOwner(ctx, hash, postgres.ResetNotification)
		if err != nil {
			return err
		}
		if err := body.strong("new_password", fresh, email, name); err != nil {
			return err
		}
		password, err := s.Passwords.Hash(ctx, fresh)
		if err != nil {
			return err
		}
		return s.DB.ResetPassword(ctx, hash, password)
	})
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// errNoSignup returns the error for a service in which nobody may open an account.
func errNoSignup() error {
	return errs.New(errs.Forbidden, "Les inscriptions ne sont pas ouvertes. Demandez un compte à l’administrateur.")
}

// askSignup queues a message with a link to open an account. The response does not reveal
// whether the address has one.
func (s *Server) askSignup(c *fiber.Ctx) error {
	if len(s.Signup.Domains) == 0 {
		return errNoSignup()
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	email, name := body.email("email"), body.text("full_name", 1, fullNameLimit)
	if body.err() == nil && !s.Signup.takes(email) {
		body.refuse("email", "Les inscriptions ne sont pas ouvertes aux adresses de ce domaine.")
	}
	if err := body.err(); err != nil {
		return err
	}
	err = s.within(c, "signup", email, func() error {
		return s.DB.AskSignup(c.UserContext(), email, name, strings.TrimRight(s.BaseURL, "/")+signupPage)
	})
	if err != nil {
		return err
	}
	c.Status(fiber.StatusAccepted)
	return nil
}

// confirmSignup opens an account with a link's token, once.
func (s *Server) confirmSignup(c *fiber.Ctx) error {
	if len(s.Signup.Domains) == 0 {
		return errNoSignup()
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	token, password := body.secret("token", 1, tokenLimit), body.freshPassword("password")
	if err := body.err(); err != nil {
		return err
	}
	ctx, hash := c.UserContext(), sealed.HashToken(token)
	var made postgres.User
	err = s.within(c, "use", "", func() error {
		email, name, err := s.DB.LinkOwner(ctx, hash, postgres.SignupNotification)
		if err != nil {
			return err
		}
		if err := body.strong("password", password, email, name); err != nil {
			return err
		}
		kept, err := s.Passwords.Hash(ctx, password)
		if err != nil {
			return err
		}
		made, err = s.DB.ConfirmSignup(ctx, hash, kept, func(email string) error {
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
