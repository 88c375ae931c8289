package account

import (
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// Body is an account as an administrator sees it.
type Body struct {
	UserBody
	Active       bool    `json:"active"`
	SecondFactor bool    `json:"second_factor" doc:"Le compte se connecte avec un second facteur."`
	Country      string  `json:"pays" doc:"Le pays dont le droit répond aux questions qui n’en nomment pas ; vide, tous."` // default country of questions; empty: all countries
	CreatedAt    string  `json:"created_at" format:"date-time"`
	LastSignIn   *string `json:"last_sign_in_at" format:"date-time" doc:"La dernière connexion ; null : aucune."`
}

// ShowAccount shows an account as an administrator sees it.
func ShowAccount(u postgres.User) Body {
	return Body{UserBody: showUser(u), Active: u.Active, SecondFactor: u.SecondFactor, Country: u.Country, CreatedAt: respond.ShowTime(u.CreatedAt), LastSignIn: respond.MaybeTime(u.LastSignIn)}
}

// NameAccount gives a NotFound error the sentence for a missing account.
func NameAccount(err error) error {
	return respond.NotFound(err, "Compte introuvable.")
}
