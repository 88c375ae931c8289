package main

import (
	"encoding/json"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func TestErasingAnAccount(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for email, role := range map[string]string{"ada@vigueur.local": "admin", "lise@vigueur.local": "user", "marc@vigueur.local": "user"} {
		d.user(t, good, "create", "--email", email, "--name", "Nom", "--role", role, "--password-stdin").want(t, exitDone)
	}
	db := d.db(t)
	lise, err := db.UserByEmail(t.Context(), "lise@vigueur.local")
	if err != nil {
		t.Fatal(err)
	}
	_, running, err := db.CreateTurn(t.Context(), postgres.NewTurn{UserID: lise.ID, Question: "Combien ?"})
	if err != nil {
		t.Fatal(err)
	}

	d.user(t, "", "erase").want(t, exitUsage, "Il manque l’adresse")
	d.user(t, "", "erase", "lise@vigueur.local").want(t, exitUsage, "Rien n’est effacé")
	d.user(t, "oui\n", "erase", "lise@vigueur.local").want(t, exitUsage, "Rien n’est effacé")
	d.user(t, "", "erase", operator, "--yes").want(t, exitFailed, "ne s’efface pas")
	d.user(t, "", "erase", "ada@vigueur.local", "--yes").want(t, exitFailed, "dernier administrateur")
	if _, err := db.Answer(t.Context(), lise.ID, running); err != nil {
		t.Fatalf("what was not confirmed is gone: %v", err)
	}

	d.user(t, "LISE@vigueur.local\n", "erase", "lise@vigueur.local").want(t, exitDone, "Le compte est effacé, avec 1 conversation et 2 messages", postgres.Pseudonym(lise.ID))
	if _, err := db.Answer(t.Context(), lise.ID, running); !errs.Is(err, errs.NotFound) {
		t.Errorf("the running answer is there: %v", err)
	}
	d.user(t, "", "list").want(t, exitDone, postgres.Pseudonym(lise.ID), "fermé")
	d.user(t, "", "erase", "lise@vigueur.local", "--yes", "--inquiries").want(t, exitDone, "rien à effacer", "Demandes de rendez-vous effacées : 0")

	var shown map[string]any
	r := d.user(t, "", "erase", "marc@vigueur.local", "--yes", "--json")
	r.want(t, exitDone)
	if err := json.Unmarshal([]byte(r.out), &shown); err != nil || len(shown) != 6 || shown["user_id"] == nil || shown["conversations"] != 0.0 {
		t.Errorf("%s, %v", r.out, err)
	}
	r = d.user(t, "", "erase", "marc@vigueur.local", "--yes", "--json")
	if err := json.Unmarshal([]byte(r.out), &shown); err != nil || r.code != exitDone || shown["user_id"] != nil {
		t.Errorf("again: %d %s, %v", r.code, r.out, err)
	}
}
