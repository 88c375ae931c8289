package httpapi

import (
	"vigueur/internal/web/auth"
	"vigueur/internal/web/strength"
)

// freshPassword reads a new password.
func (o *object) freshPassword(name string) string {
	return o.secret(name, auth.MinPassword, auth.MaxPassword)
}

// strong records a fault if the password is easy to guess, also from the user's own data.
// It takes some tens of milliseconds, so it comes after all other checks. The fault does
// not repeat the password.
func (o *object) strong(name, password string, own ...string) error {
	if strength.Weak(password, own...) {
		o.faults.add("value_error", o.at(name), nil, "Ce mot de passe est trop facile à deviner : il est courant, tiré de votre nom ou de votre adresse, "+
			"ou fait d’une suite, d’une répétition ou d’une date. Choisissez plusieurs mots sans rapport entre eux.")
	}
	return o.err()
}
