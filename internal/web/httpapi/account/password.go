package account

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/strength"
)

// CheckFresh returns a fault if the new password in a field is easy to guess, also from the user's own data. It takes
// some tens of milliseconds, so it comes after all other checks. The fault does not repeat the password.
func CheckFresh(name, password string, own ...string) error {
	if !strength.Weak(password, own...) {
		return nil
	}
	var f form.Faults
	f.Add("value_error", []any{"body", name}, nil, "Ce mot de passe est trop facile à deviner : il est courant, tiré de votre nom ou de votre adresse, "+
		"ou fait d’une suite, d’une répétition ou d’une date. Choisissez plusieurs mots sans rapport entre eux.")
	return f
}

// OwnerProof proves that the caller owns the account and did not just find an open session:
// the password, or a token of a fresh sign-in at a provider.
type OwnerProof struct {
	Password string `json:"password,omitempty" format:"password" minLength:"1" maxLength:"128"`
	Fresh    string `json:"proof,omitempty" format:"password" minLength:"1" maxLength:"4096" doc:"En place du mot de passe : ce que donne POST /api/v1/auth/providers/{provider}/fresh/callback."`
}

// owns reports whether a proof is valid for an account.
func (s *Handlers) owns(ctx context.Context, user postgres.User, p OwnerProof) (bool, error) {
	if p.Fresh == "" {
		return s.Passwords.Verify(ctx, p.Password, user.PasswordHash)
	}
	if s.Providers.Fresh == nil {
		return false, nil
	}
	bearer, err := s.Providers.Fresh.Read(p.Fresh)
	return err == nil && bearer.User == user.ID && bearer.Version == user.TokenVersion, nil
}

// ownerOf returns the account of a verified owner, in the state in which it was read.
func ownerOf(user postgres.User) postgres.Verified {
	return postgres.Verified{User: user.ID, Version: user.TokenVersion}
}

// bearerOf returns the bearer for an account's tokens of a session, zero if there is none.
func bearerOf(user postgres.User, session uuid.UUID) auth.Bearer {
	return auth.Bearer{User: user.ID, Email: user.Email, Role: user.Role, Version: user.TokenVersion, Session: session}
}

// wrongProof returns the message for an invalid proof: wrong if the user sent a password.
func wrongProof(p OwnerProof, user postgres.User, wrong string) string {
	switch {
	case p.Fresh != "":
		return "La confirmation de votre identité a expiré. Recommencez-la."
	case user.PasswordHash == "":
		return "Ce compte n’a pas de mot de passe. Confirmez votre identité auprès de votre fournisseur, ou choisissez un mot de passe par « Mot de passe oublié »."
	}
	return wrong
}

type passwordInput struct {
	_       struct{} `either:"current_password,proof"`
	Current string   `json:"current_password,omitempty" format:"password" minLength:"1" maxLength:"128"`
	Fresh   string   `json:"proof,omitempty" format:"password" minLength:"1" maxLength:"4096" doc:"En place du mot de passe : ce que donne POST /api/v1/auth/providers/{provider}/fresh/callback."`
	New     string   `json:"new_password" format:"password" minLength:"12" maxLength:"128"`
}

// changePassword serves POST /auth/password. It replaces the caller's password, or sets the
// account's first; all earlier tokens become invalid.
func (s *Handlers) changePassword(c *fiber.Ctx, user postgres.User, input passwordInput) (reply contract.None, _ error) {
	proof := OwnerProof{input.Current, input.Fresh}
	if err := s.prove(c, user, func(ctx context.Context) (bool, error) { return s.owns(ctx, user, proof) },
		wrongProof(proof, user, "Le mot de passe actuel est incorrect.")); err != nil {
		return reply, err
	}
	if err := CheckFresh("new_password", input.New, user.Email, user.FullName); err != nil {
		return reply, err
	}
	hash, err := s.Passwords.Hash(c.UserContext(), input.New)
	if err != nil {
		return reply, err
	}
	return reply, s.DB.ChangePassword(c.UserContext(), ownerOf(user), hash)
}

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
	begun, err := s.BeginVisit(c, s.LinkRequests, what)
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

type resetInput struct {
	Email string `json:"email" format:"email" doc:"Un « @ », un point dans ce qui le suit, aucun blanc." example:"awa.sorel@justice.astrevalle.example"`
}

// askReset serves POST /auth/password/forgotten. It queues a message with a link to set a new
// password. The response and its timing are the same whether or not the address has an account,
// because a worker makes the message.
func (s *Handlers) askReset(c *fiber.Ctx, input resetInput) (reply contract.None, _ error) {
	return reply, s.countRequest(c, "reset", input.Email, func() error {
		return s.DB.AskReset(c.UserContext(), input.Email, s.Base()+resetPage)
	})
}

// LinkInput is the token of a link.
type LinkInput struct {
	Token string `json:"token" format:"password" minLength:"1" maxLength:"512" doc:"Ce qui suit jeton= dans le lien."`
}

type passwordResetInput struct {
	LinkInput
	New string `json:"new_password" format:"password" minLength:"12" maxLength:"128"`
}

// resetPassword serves POST /auth/password/reset. It sets a new password with a link's token,
// once. The password is hashed only if the link is valid, because hashing is expensive.
func (s *Handlers) resetPassword(c *fiber.Ctx, input passwordResetInput) (reply contract.None, _ error) {
	ctx, hash := c.UserContext(), sealed.HashToken(input.Token)
	return reply, s.useLink(c, "new_password", input.New, hash, postgres.ResetNotification, func(password string) error {
		return s.DB.ResetPassword(ctx, hash, password)
	})
}

// useLink counts the use of a link. If the link is valid and the password in a field of the body is not easy to guess, it
// calls use with what is kept of the password.
func (s *Handlers) useLink(c *fiber.Ctx, field, password string, hash []byte, owner string, use func(password string) error) error {
	return s.countRequest(c, "use", "", func() error {
		email, name, err := s.DB.LinkOwner(c.UserContext(), hash, owner)
		if err != nil {
			return err
		}
		if err := CheckFresh(field, password, email, name); err != nil {
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

type signupInput struct {
	Email    string `json:"email" format:"email" doc:"Un « @ », un point dans ce qui le suit, aucun blanc." example:"noe.lancel@justice.astrevalle.example"`
	FullName string `json:"full_name" minLength:"1" maxLength:"255" format:"line" example:"Noé Lancel"`
}

// askSignup serves POST /auth/signup. It queues a message with a link to open an account. The
// response does not reveal whether the address has one.
func (s *Handlers) askSignup(c *fiber.Ctx, input signupInput) (reply contract.None, _ error) {
	if len(s.Signup.Domains) == 0 {
		return reply, errNoSignup()
	}
	if !s.Signup.takes(input.Email) {
		return reply, form.Refused("email", input.Email, "Les inscriptions ne sont pas ouvertes aux adresses de ce domaine.")
	}
	return reply, s.countRequest(c, "signup", input.Email, func() error {
		return s.DB.AskSignup(c.UserContext(), input.Email, input.FullName, s.Base()+signupPage)
	})
}

type confirmationInput struct {
	LinkInput
	Password string `json:"password" format:"password" minLength:"12" maxLength:"128"`
}

// confirmSignup serves POST /auth/signup/confirm. It opens an account with a link's token, once.
func (s *Handlers) confirmSignup(c *fiber.Ctx, input confirmationInput) (reply UserBody, _ error) {
	if len(s.Signup.Domains) == 0 {
		return reply, errNoSignup()
	}
	ctx, hash := c.UserContext(), sealed.HashToken(input.Token)
	var made postgres.User
	err := s.useLink(c, "password", input.Password, hash, postgres.SignupNotification, func(password string) (err error) {
		made, err = s.DB.ConfirmSignup(ctx, hash, password, func(email string) error {
			if !s.Signup.takes(email) { // the operator's list may have changed
				return errNoSignup()
			}
			return nil
		})
		return err
	})
	if err != nil {
		return reply, err
	}
	return showUser(made), nil
}
