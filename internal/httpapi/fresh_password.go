package httpapi

import (
	"vigueur/internal/auth"
	"vigueur/internal/strength"
)

// freshPassword reads a password that is to be an account's.
func (o *object) freshPassword(name string) string {
	return o.secret(name, auth.MinPassword, auth.MaxPassword)
}

// strong refuses a password of the body that is easily guessed by somebody who knows what
// is the person's own. It takes some tens of milliseconds: it comes when all else is right.
// The password is never repeated.
func (o *object) strong(name, password string, own ...string) error {
	if strength.Weak(password, own...) {
		o.faults.add("value_error", o.at(name), nil, "Ce mot de passe est trop facile à deviner : il est courant, tiré de votre nom ou de votre adresse, "+
			"ou fait d’une suite, d’une répétition ou d’une date. Choisissez plusieurs mots sans rapport entre eux.")
	}
	return o.err()
}
