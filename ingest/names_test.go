package main

import (
	"testing"

	"vigueur/internal/web/httpapi/admin"
)

func TestNames(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "names", "list").want(t, exitDone, "Aucun nom n’est donné.")
	d.run(t, "names", "add", "Code vert", "loi n° 2016-32", "--pays", "sn").want(t, exitDone, "Code vert")
	d.run(t, "names", "add", "code vert", "loi n° 2016-33").want(t, exitFailed, "déjà donné")
	d.run(t, "names", "add", "Sagesse", "le bon sens").want(t, exitUsage, "ni le numéro ni le titre")
	d.run(t, "names", "list").want(t, exitDone, "Code vert", "loi n° 2016-32", "sn")
	if got := items[admin.TextNameBody](t, d.run(t, "names", "list", "--json")); len(got) != 1 || got[0].Country != "sn" {
		t.Errorf("%+v", got)
	}
	d.run(t, "names", "remove", "CODE VERT").want(t, exitDone, "est retiré")
	d.run(t, "names", "remove", "Code vert").want(t, exitUsage, "Aucun texte n’a reçu le nom")
}
