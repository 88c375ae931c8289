package main

import (
	"testing"

	"vigueur/internal/web/httpapi/alerts"
)

func TestFollow(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.seedTexts(t)
	d.user(t, good, "create", "--email", "lise@vigueur.local", "--name", "Lise", "--password-stdin").want(t, exitDone)
	const lise = "lise@vigueur.local"
	document := items[struct{ ID, Title string }](t, d.run(t, "documents", "--json"))[0]
	d.run(t, "follow", "add", "--owner", lise, "--text", document.ID[:len(document.ID)-2]).want(t, exitDone, document.Title)
	d.run(t, "follow", "add", "--owner", lise, "--text", document.ID).want(t, exitDone, " suit : ")
	d.run(t, "follow", "add", "--owner", lise, "--search", "attributions", "--pays", "bf").want(t, exitDone, "« attributions », BF")
	d.run(t, "follow", "add", "--owner", lise, "--text", document.ID[:len(document.ID)-2], "--article", "premier").want(t, exitDone, "suit : Article 1er – "+document.Title)
	article := items[alerts.FollowBody](t, d.run(t, "follow", "list", lise, "--json"))[0].Article
	if article == nil {
		t.Fatal("the follow has no article")
	}
	d.run(t, "follow", "add", "--owner", lise, "--text", document.ID, "--article", article.String()).want(t, exitDone, "suit : Article 1er")
	d.run(t, "follow", "add", "--owner", lise, "--text", document.ID, "--article", "999").want(t, exitFailed, "Le texte n’a pas d’article 999.")
	for _, id := range []string{document.ID, "00000000-0000-4000-8000-000000000000"} {
		d.run(t, "follow", "add", "--owner", lise, "--text", id, "--article", "00000000-0000-4000-8000-000000000000").want(t, exitFailed, "cet article")
	}
	d.run(t, "follow", "add", "--owner", lise, "--text", "00000000-0000-4000-8000-000000000000", "--article", "1").want(t, exitFailed, "Aucun texte")
	for _, args := range [][]string{{"--text", document.ID}, {"--owner", lise}, {"--owner", lise, "--search", "de la"}, {"--owner", lise, "--pays", "xx9"}, {"--owner", lise, "--type", "rien"},
		{"--owner", lise, "--text", document.ID, "--pays", "bf"}, {"--owner", lise, "--text", "zz"}, {"--owner", lise, "--article", "1"},
		{"--owner", lise, "--domaine", "travail", "--article", "1"}, {"--owner", lise, "--text", document.ID, "--article", "1", "--search", "sel"}} {
		d.run(t, append([]string{"follow", "add"}, args...)...).want(t, exitUsage)
	}
	d.run(t, "follow", "add", "--owner", lise, "--domaine", "rien").want(t, exitFailed)
	follows := items[alerts.FollowBody](t, d.run(t, "follow", "list", lise, "--json"))
	if len(follows) != 3 {
		t.Fatalf("follows %+v", follows)
	}
	d.run(t, "follow", "list", lise).want(t, exitDone, "recherche")
	for _, f := range follows {
		d.run(t, "follow", "delete", f.ID.String()).want(t, exitDone)
	}
	d.run(t, "follow", "delete", follows[0].ID.String()).want(t, exitFailed)
	d.run(t, "follow", "list", lise).want(t, exitDone, "Ce compte ne suit rien.")
}
