package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
)

// shares adds a conversation of an account with a link, and returns its id.
func (d *desk) shares(t *testing.T, owner uuid.UUID, question string) uuid.UUID {
	t.Helper()
	db := d.db(t)
	id, message, err := db.CreateTurn(t.Context(), postgres.NewTurn{UserID: owner, Question: question, Model: "extractif"})
	if err != nil {
		t.Fatal(err)
	}
	w, err := db.StartAnswer(t.Context(), message)
	if err == nil {
		_, err = db.FinishAnswer(t.Context(), message, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Un mois."})
	}
	if err != nil {
		t.Fatal(err)
	}
	_, hash := sealed.NewToken()
	if _, err := db.ShareConversation(t.Context(), owner, id, hash); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestShared(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "shared", "list").want(t, exitDone, "Aucune conversation n’est partagée.")
	d.user(t, good, "create", "--email", "lise@vigueur.local", "--name", "Lise", "--password-stdin").want(t, exitDone, "est créé")
	lise := items[accountBody](t, d.user(t, "", "list", "--json"))[0].ID
	first, second := d.shares(t, lise, "Quel secret ?"), d.shares(t, lise, "Quel préavis ?")
	list := d.run(t, "shared", "list")
	list.want(t, exitDone, "lise@vigueur.local", "ouvert")
	if strings.Contains(list.out, "secret") {
		t.Errorf("words of a conversation: %q", list.out)
	}
	d.user(t, "", "deactivate", "lise@vigueur.local").want(t, exitDone)
	if got := items[admin.AnyLinkBody](t, d.run(t, "shared", "list", "--json")); len(got) != 2 || got[0].ID != second || got[0].Questions != 1 || got[0].Opens {
		t.Errorf("%+v", got)
	}
	d.run(t, "shared", "withdraw", "x").want(t, exitUsage, "n’est pas l’identifiant d’une conversation")
	d.run(t, "shared", "withdraw", first.String()).want(t, exitDone, "est retiré")
	d.run(t, "shared", "withdraw", first.String(), second.String(), "--json").want(t, exitFailed, `"withdrawn": true`, "n’est partagée")
	d.run(t, "shared", "list").want(t, exitDone, "Aucune conversation")
	log, _, err := d.db(t).Audit(t.Context(), postgres.AuditQuery{Action: postgres.LinkWithdrawn, Limit: 10})
	if err != nil || len(log) != 2 {
		t.Errorf("log %+v, error %v", log, err)
	}
}
