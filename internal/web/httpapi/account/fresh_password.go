package account

import (
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/strength"
)

// ReadNewPassword reads a new password.
func ReadNewPassword(o *form.Object, name string) string {
	return o.Secret(name, auth.MinPassword, auth.MaxPassword)
}

// CheckStrength records a fault if the password is easy to guess, also from the user's own data.
// It takes some tens of milliseconds, so it comes after all other checks. The fault does
// not repeat the password.
func CheckStrength(o *form.Object, name, password string, own ...string) error {
	if strength.Weak(password, own...) {
		o.Faults.Add("value_error", o.At(name), nil, "Ce mot de passe est trop facile à deviner : il est courant, tiré de votre nom ou de votre adresse, "+
			"ou fait d’une suite, d’une répétition ou d’une date. Choisissez plusieurs mots sans rapport entre eux.")
	}
	return o.Err()
}

// CheckFresh returns a fault if the new password in a field is easy to guess; see CheckStrength.
func CheckFresh(name, password string, own ...string) error {
	if !strength.Weak(password, own...) {
		return nil
	}
	var f form.Faults
	f.Add("value_error", []any{"body", name}, nil, "Ce mot de passe est trop facile à deviner : il est courant, tiré de votre nom ou de votre adresse, "+
		"ou fait d’une suite, d’une répétition ou d’une date. Choisissez plusieurs mots sans rapport entre eux.")
	return f
}
