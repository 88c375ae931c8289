package account

import (
	"context"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/form"
)

// ownerProof proves that the caller owns the account and did not just find an open session:
// the password, or a token of a fresh sign-in at a provider.
type ownerProof struct{ password, fresh string }

// readProof reads the password from a field, or « proof » instead.
func readProof(o *form.Object, password string) (p ownerProof) {
	if _, given := o.Optional("proof"); given {
		p.fresh = o.Secret("proof", 1, proofLimit)
		return p
	}
	p.password = o.Secret(password, 1, auth.MaxPassword)
	return p
}

// owns reports whether a proof is valid for an account.
func (s *Handlers) owns(ctx context.Context, user postgres.User, p ownerProof) (bool, error) {
	if p.fresh == "" {
		return s.Passwords.Verify(ctx, p.password, user.PasswordHash)
	}
	if s.Providers.Fresh == nil {
		return false, nil
	}
	bearer, err := s.Providers.Fresh.Read(p.fresh)
	return err == nil && bearer.User == user.ID && bearer.Version == user.TokenVersion, nil
}

// ownerOf returns the account of a verified owner, in the state in which it was read.
func ownerOf(user postgres.User) postgres.Verified {
	return postgres.Verified{User: user.ID, Version: user.TokenVersion}
}

// bearerOf returns the bearer for an account's tokens.
func bearerOf(user postgres.User) auth.Bearer {
	return auth.Bearer{User: user.ID, Email: user.Email, Role: user.Role, Version: user.TokenVersion}
}

// wrongProof returns the message for an invalid proof: wrong if the user sent a password.
func wrongProof(p ownerProof, user postgres.User, wrong string) string {
	switch {
	case p.fresh != "":
		return "La confirmation de votre identité a expiré. Recommencez-la."
	case user.PasswordHash == "":
		return "Ce compte n’a pas de mot de passe. Confirmez votre identité auprès de votre fournisseur, ou choisissez un mot de passe par « Mot de passe oublié »."
	}
	return wrong
}
