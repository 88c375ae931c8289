package account

import (
	"context"
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
)

// Factors says how second factors are stored, and whether editors and administrators must
// have one.
type Factors struct {
	Box      *factor.Box
	Pending  *auth.Tokens // tokens of the first sign-in step, with an audience of their own
	Required bool         // for editors and administrators
}

// factorIssuer is the name under which authenticator apps list the secret.
const factorIssuer = "Vigueur"

// FactorBody is a second factor as its owner sees it.
type FactorBody struct {
	Enabled  bool    `json:"enabled"`
	Since    *string `json:"enabled_at" format:"date-time"`
	Codes    int     `json:"recovery_codes_left"`
	Required bool    `json:"required" doc:"Le service l’exige de ce rôle."`
}

// showFactor serves GET /auth/second-factor. It shows whether the caller has a second factor.
func (s *Handlers) showFactor(c *fiber.Ctx, user postgres.User, _ contract.None) (FactorBody, error) {
	return s.FactorOf(c, user)
}

// FactorOf reads the second factor of an account as its owner sees it.
func (s *Handlers) FactorOf(c *fiber.Ctx, user postgres.User) (FactorBody, error) {
	body := FactorBody{Required: s.Factors.Required && slices.Contains(guard.Roles[1:], user.Role)}
	f, err := s.DB.FactorOf(c.UserContext(), user.ID)
	switch {
	case errs.Is(err, errs.NotFound):
	case err != nil:
		return body, err
	case f.Confirmed != nil:
		since := respond.ShowTime(*f.Confirmed)
		body.Enabled, body.Since, body.Codes = true, &since, f.Codes
	}
	return body, nil
}

type factorInput struct {
	_ struct{} `either:"password,proof"`
	OwnerProof
}

// factorOffer is the secret of a new second factor.
type factorOffer struct {
	Secret factor.Secret `json:"secret" doc:"En base 32, à recopier dans l’application."`
	Link   string        `json:"uri" doc:"Le même secret, en adresse otpauth:."`
	QR     qrCode        `json:"qr" doc:"L’adresse en code QR : les modules sombres, en chemin SVG où un module a 1 de côté. La marge de 4 modules n’y est pas."`
}

type qrCode struct {
	Size int    `json:"size" doc:"Modules de côté."`
	Path string `json:"path"`
}

// beginFactor serves POST /auth/second-factor. It generates the secret of a second factor, which
// becomes active with its first code. It requires the password, or another proof of ownership, so
// that somebody who finds an open session cannot lock the owner out.
func (s *Handlers) beginFactor(c *fiber.Ctx, user postgres.User, input factorInput) (reply factorOffer, _ error) {
	if user.SecondFactor {
		return reply, errs.New(errs.Conflict, "Un second facteur protège déjà ce compte. Retirez-le avant d’en choisir un autre.")
	}
	if err := s.Prove(c, user, input.OwnerProof); err != nil {
		return reply, err
	}
	secret, sealed := s.Factors.Box.NewSecret(user.ID)
	if err := s.DB.BeginFactor(c.UserContext(), ownerOf(user), sealed); err != nil {
		return reply, err
	}
	link := secret.Link(factorIssuer, user.Email)
	picture, err := factor.Draw(link)
	return factorOffer{secret, link, qrCode(picture)}, err
}

// Prove returns an error unless the proof shows that the caller is the account's owner, within the limits on passwords.
func (s *Handlers) Prove(c *fiber.Ctx, user postgres.User, p OwnerProof) error {
	return s.prove(c, user, func(ctx context.Context) (bool, error) { return s.owns(ctx, user, p) }, wrongProof(p, user, "Le mot de passe est incorrect."))
}

// prove runs a check that the caller is the account's owner, within the limits on
// passwords; Invalid with the given message if it fails.
func (s *Handlers) prove(c *fiber.Ctx, user postgres.User, check func(context.Context) (bool, error), wrong string) error {
	right, err := s.checkPassword(c, user.Email, check)
	if err != nil || right {
		return err
	}
	if err := s.noteFailure(c, user); err != nil {
		return err
	}
	return errs.New(errs.Invalid, wrong)
}

// CodesBody holds recovery codes, which are shown only once.
type CodesBody struct {
	Codes []string `json:"recovery_codes"`
}

type confirmFactorInput struct {
	CodeInput
	CookieInput
}

type factorConfirmed struct {
	CodesBody
	Session SessionBody `json:"session"`
}

// confirmFactor serves POST /auth/second-factor/confirm. It activates a second factor with its
// first code. All sessions end, and a new one begins.
func (s *Handlers) confirmFactor(c *fiber.Ctx, user postgres.User, input confirmFactorInput) (reply factorConfirmed, _ error) {
	ctx := c.UserContext()
	f, err := s.DB.FactorOf(ctx, user.ID)
	if errs.Is(err, errs.NotFound) {
		return reply, errs.Wrap(errs.Conflict, "Aucun second facteur n’attend d’être confirmé. Recommencez.", err)
	}
	if err != nil {
		return reply, err
	}
	var step int64
	if err := s.prove(c, user, func(ctx context.Context) (right bool, err error) {
		step, right, err = s.match(ctx, user, f, input.Code)
		return right, err
	}, "Le code est incorrect. Vérifiez que l’heure de votre téléphone est juste."); err != nil {
		return reply, err
	}
	codes, hashes := factor.NewCodes(user.ID)
	refresh, signIn := s.newSignIn(c, user)
	if user, err = s.DB.ConfirmFactor(ctx, signIn, f.Secret, step, hashes); err != nil {
		return reply, err
	}
	session, err := s.sessionOf(c, user, signIn.Session, refresh, input.Cookie, s.Lives.Refresh)
	return factorConfirmed{CodesBody{codes}, session}, err
}

// match returns the step of an authenticator's code; Conflict if the secret cannot be
// decrypted.
func (s *Handlers) match(ctx context.Context, user postgres.User, f postgres.Factor, given string) (step int64, right bool, err error) {
	code, ok := factor.IsCode(given)
	if !ok {
		return 0, false, nil
	}
	secret, err := s.Factors.Box.Open(f.Secret, user.ID)
	if err != nil {
		s.Log.ErrorContext(ctx, "a second factor cannot be read: has VIGUEUR_ADDRESS_SECRET changed?", "user_id", user.ID, "error", err)
		return 0, false, errs.Wrap(errs.Conflict, "Les codes de ce compte ne peuvent plus être vérifiés. Utilisez un code de secours, ou demandez à l’administrateur de retirer le second facteur.", err)
	}
	return secret.Match(code, s.Now(), f.LastStep)
}

// spend uses up an authenticator or recovery code of an account with an active second
// factor, and reports whether it was valid. Each code works once.
func (s *Handlers) spend(ctx context.Context, user postgres.User, given string) (bool, error) {
	f, err := s.DB.FactorOf(ctx, user.ID)
	if err != nil || f.Confirmed == nil {
		if errs.Is(err, errs.NotFound) {
			err = nil // the factor was removed in the meantime
		}
		return false, err
	}
	if _, ok := factor.IsCode(given); !ok {
		return s.DB.SpendCode(ctx, user.ID, factor.HashCode(user.ID, given))
	}
	step, right, err := s.match(ctx, user, f, given)
	if err != nil {
		return false, err
	}
	if right {
		right, err = s.DB.SpendStep(ctx, user.ID, step)
	} else {
		err = s.DB.MissCode(ctx, user.ID)
	}
	return right, err
}

type factorProofInput struct {
	_ struct{} `either:"password,proof"`
	OwnerProof
	CodeInput
}

// proveBoth checks the password and the code.
func (s *Handlers) proveBoth(c *fiber.Ctx, user postgres.User, input factorProofInput) error {
	if !user.SecondFactor {
		return errs.New(errs.NotFound, noFactor)
	}
	return s.prove(c, user, func(ctx context.Context) (bool, error) {
		right, err := s.owns(ctx, user, input.OwnerProof)
		if err != nil || !right {
			return false, err
		}
		return s.spend(ctx, user, input.Code)
	}, wrongProof(input.OwnerProof, user, "Le mot de passe ou le code est incorrect."))
}

const noFactor = "Ce compte n’a pas de second facteur."

// renewCodes serves POST /auth/second-factor/recovery-codes. It replaces the caller's recovery
// codes.
func (s *Handlers) renewCodes(c *fiber.Ctx, user postgres.User, input factorProofInput) (reply CodesBody, _ error) {
	if err := s.proveBoth(c, user, input); err != nil {
		return reply, err
	}
	codes, hashes := factor.NewCodes(user.ID)
	return CodesBody{codes}, s.DB.RenewCodes(c.UserContext(), ownerOf(user), hashes)
}

// disableFactor serves POST /auth/second-factor/disable. It removes the caller's second factor.
func (s *Handlers) disableFactor(c *fiber.Ctx, user postgres.User, input factorProofInput) (reply contract.None, _ error) {
	if err := s.proveBoth(c, user, input); err != nil {
		return reply, err
	}
	return reply, s.DB.DisableFactor(c.UserContext(), ownerOf(user))
}

// resetFactor serves DELETE /admin/users/:id/second-factor. It removes the second factor of
// another user who has lost it.
func (s *Handlers) resetFactor(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.None, _ error) {
	if input.ID == user.ID { // an open session alone must not be enough to remove one's own factor
		return reply, errs.New(errs.Conflict, "Retirez votre propre second facteur depuis votre compte, avec votre mot de passe et un code.")
	}
	if _, err := s.DB.UserByID(c.UserContext(), input.ID); err != nil {
		return reply, NameAccount(err)
	}
	return reply, respond.NotFound(s.DB.ResetFactor(c.UserContext(), input.ID), noFactor)
}
