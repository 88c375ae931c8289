package main

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/gazettes"
)

// catalogue saves texts as one file.
func (d *desk) catalogue(t *testing.T, sha string, texts ...postgres.StoredText) {
	t.Helper()
	db := d.db(t)
	row := postgres.Ingestion{ID: postgres.NewID(), SHA256: (sha + "0000000000000000000000000000000000000000000000000000000000000000")[:64], Filename: sha + ".pdf", Size: 1}
	if err := pgtest.AddFile(t.Context(), db, row); err != nil {
		t.Fatal(err)
	}
	row, err := db.StartIngestion(t.Context(), row.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.SaveSegmentation(t.Context(), row.ID, row.Attempt, postgres.Segmentation{Texts: texts}); err != nil {
		t.Fatal(err)
	}
	state := "done"
	if slices.ContainsFunc(texts, func(text postgres.StoredText) bool { return len(text.Doubts) > 0 }) {
		state = "review"
	}
	if err := db.MarkIngestion(t.Context(), row.ID, row.Attempt, state, ""); err != nil {
		t.Fatal(err)
	}
}

// said returns a text with one article.
func said(title, number, day, words string, relations ...law.Relation) postgres.StoredText {
	date, _ := time.Parse(time.DateOnly, day)
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "autre", OfficialNumber: number,
		Promulgated: date, EntersInForce: date, FirstPage: 1, LastPage: 1}}
	a := law.Article{ID: postgres.NewID(), Number: "1er", Page: 1, Text: words}
	t.Articles = []law.Article{a}
	t.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: a.ID, Page: 1, Text: words}}
	for _, r := range relations {
		r.ID, r.SourceArticle, r.Effective = postgres.NewID(), a.ID, date
		t.Relations = append(t.Relations, r)
	}
	return t
}

func TestEditions(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "review", "editions").want(t, exitDone, "Aucun texte n’a été remplacé.")
	const words = "Les présidents des conseils d’administration répondent de leur gestion devant l’assemblée générale des actionnaires."
	old, better := said("Loi n° 2000-1 portant attributions", "2000-1", "2000-01-01", "Les prÉsid*nts des conseils d'adm!nistration répondent de leur gest!on devant l’assemblée générale des actionnaires."),
		said("Loi n° 2000-1 portant attributions", "2000-1", "2000-01-01", words)
	d.catalogue(t, "a1", old)
	d.catalogue(t, "a2", better)
	d.run(t, "review", "editions").want(t, exitDone, old.Document.ID.String(), better.Document.ID.String())
	d.run(t, "documents").want(t, exitDone, "1 texte sur 1.")
	d.run(t, "review", "restore", better.Document.ID.String()).want(t, exitFailed, "Aucune édition n’a remplacé")
	d.run(t, "review", "restore", "x").want(t, exitUsage, "n’est pas l’identifiant")
	d.run(t, "review", "restore", old.Document.ID.String()).want(t, exitDone, "De nouveau au catalogue")
	d.run(t, "documents").want(t, exitDone, "2 textes sur 2.")
}

func TestRelationsAreSettled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "review", "relations").want(t, exitDone, "Aucune relation n’est incertaine.")
	first, second := said("Code des impôts de 1990", "1990-1", "1990-01-01", "Un."), said("Code des impôts de 2000", "2000-7", "2000-01-01", "Deux.")
	d.catalogue(t, "a1", first, second)
	d.catalogue(t, "a2", said("Loi de finances", "2024-1", "2024-01-01", "Est abrogé le code des impôts.",
		law.Relation{Kind: law.Repeals, TargetType: law.Code, TargetTitle: "Code des impôts"}))
	list := items[gazettes.UncertainRelationBody](t, d.run(t, "review", "relations", "--json"))
	if len(list) != 1 || len(list[0].Candidates) != 2 {
		t.Fatalf("relations %+v", list)
	}
	id := list[0].ID.String()
	d.run(t, "review", "list").want(t, exitDone, "Aucun texte n’attend en revue.", "1 relation de cible incertaine.")
	d.run(t, "review", "relations").want(t, exitDone, id, "abroge : Code des impôts", "Code des impôts de 2000")
	d.run(t, "review", "relation", id).want(t, exitUsage, "--target ou --none")
	d.run(t, "review", "relation", id, "--target", "x").want(t, exitUsage, "n’est pas l’identifiant")
	d.run(t, "review", "relation", uuid.NewString(), "--none").want(t, exitFailed, "Aucune relation")
	d.run(t, "review", "relation", id, "--target", second.Document.ID.String()).want(t, exitDone, "C’est noté")
	d.run(t, "documents", "--statut", "abroge").want(t, exitDone, "Code des impôts de 2000", "1 texte sur 1.")
	d.run(t, "review", "relation", id, "--none").want(t, exitDone, "C’est noté")
	d.run(t, "documents", "--statut", "abroge").want(t, exitDone, "Aucun texte.")
}
