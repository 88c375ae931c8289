package httpapi

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/auth"
	"vigueur/internal/errs"
	"vigueur/internal/postgres"
	"vigueur/internal/ratelimit"
)

// Signup says who may open an account. Its zero value: nobody.
type Signup struct {
	Domains []string // of addresses, lower case; « * »: any
}

// takes tells whether accounts of an address are taken.
func (s Signup) takes(email string) bool {
	_, domain, _ := strings.Cut(strings.ToLower(email), "@")
	return slices.Contains(s.Domains, "*") || slices.Contains(s.Domains, domain)
}

// The pages that links lead to. What follows the # stays in the browser: no log of a
// server or proxy has it.
const (
	resetPage  = "/mot-de-passe#jeton="
	signupPage = "/inscription#jeton="
)

// within runs what anybody may ask for, within the limits of the network and, where
// there is one, of the address, whether anybody has it or not.
func (s *Server) within(c *fiber.Ctx, what, email string, ask func() error) error {
	limits := []struct {
		limiter *ratelimit.Limiter
		key     string
	}{{s.Letters, s.loginKey(what, network(s.address(c)).String())}, {s.Mailbox, s.loginKey(what+"|"+email, "")}}
	if email == "" {
		limits = limits[:1]
	}
	var least ratelimit.Quota
	for i, l := range limits {
		event, err := l.limiter.Begin(c.UserContext(), l.key)
		if err != nil {
			return err
		}
		quota, err := event.Count(c.UserContext())
		if err != nil {
			return err
		}
		if i == 0 || quota.Remaining < least.Remaining {
			least = quota
		}
	}
	if err := ask(); err != nil {
		return err
	}
	setQuota(c, least)
	return nil
}

// askReset has a link sent by which the owner of an address sets another password. The
// answer is the same, as soon, whether the address has an account or not: the message
// is made and sent elsewhere.
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

// resetPassword sets another password by a link's token, once. A password is hashed
// only when the link is good: hashing is dear.
func (s *Server) resetPassword(c *fiber.Ctx) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	token, fresh := body.secret("token", 1, tokenLimit), body.freshPassword("new_password")
	if err := body.err(); err != nil {
		return err
	}
	ctx, hash := c.UserContext(), auth.HashRefresh(token)
	err = s.within(c, "use", "", func() error {
		email, name, err := s.DB.LinkOwner(ctx, hash, postgres.ResetLetter)
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

// errNoSignup is what is told where nobody may open an account.
func errNoSignup() error {
	return errs.New(errs.Forbidden, "Les inscriptions ne sont pas ouvertes. Demandez un compte à l’administrateur.")
}

// askSignup has a link sent by which the owner of an address opens an account. The
// answer does not tell whether the address has one.
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

// confirmSignup opens an account by a link's token, once.
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
	ctx, hash := c.UserContext(), auth.HashRefresh(token)
	var made postgres.User
	err = s.within(c, "use", "", func() error {
		email, name, err := s.DB.LinkOwner(ctx, hash, postgres.SignupLetter)
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
			if !s.Signup.takes(email) { // the operator's list may be another by now
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
