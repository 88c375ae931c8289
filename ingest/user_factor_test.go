package main

import (
	"testing"
	"time"

	"vigueur/internal/store/postgres"
)

func TestResetFactor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, good, "create", "--email", "awa@vigueur.local", "--name", "Awa", "--role", "admin", "--password-stdin").want(t, exitDone)
	d.user(t, "", "reset-factor", "awa@vigueur.local").want(t, exitFailed, "n’a pas de second facteur")
	d.user(t, "", "reset-factor", "personne@vigueur.local").want(t, exitFailed, "Aucun compte pour personne@vigueur.local")
	db := d.db(t)
	u, err := db.UserByEmail(t.Context(), "awa@vigueur.local")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.BeginFactor(t.Context(), postgres.Verified{User: u.ID, Version: u.TokenVersion}, []byte("scellé")); err != nil {
		t.Fatal(err)
	}
	signIn := postgres.SignIn{Hash: []byte("x"), User: u.ID, Version: u.TokenVersion, Expires: time.Now().Add(time.Hour), Ends: time.Now().Add(time.Hour)}
	if _, err := db.ConfirmFactor(t.Context(), signIn, []byte("scellé"), 1, nil); err != nil {
		t.Fatal(err)
	}
	d.user(t, "", "reset-factor", "AWA@vigueur.local").want(t, exitDone, "Le second facteur de awa@vigueur.local est retiré ; ses sessions sont fermées.")
	if _, err := db.RotateRefreshToken(t.Context(), postgres.Renewal{Old: signIn.Hash, Fresh: []byte("y"), Expires: time.Now().Add(time.Hour)}); err == nil {
		t.Error("a session is still open")
	}
	d.user(t, "", "reset-factor", "awa@vigueur.local", "--json").want(t, exitFailed, "not_found")
}
