package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/versions"
)

// amended adds a code, a law that changes its article 1er, inserts an article 1er bis, and has
// an instruction whose words are only similar, and a law whose words are not there.
func (d *desk) amended(t *testing.T) (code, change postgres.StoredText) {
	t.Helper()
	code = said("Loi n° 2020-01 du 2 mai 2020 portant Code du sel", "2020-01", "2020-05-02", "Le sel est un bien public.")
	add := law.Article{ID: postgres.NewID(), Number: "2", Position: 1, Page: 2, Text: "Le commerce du sel est surveillé par le ministre."}
	code.Articles = append(code.Articles, add)
	code.Passages = append(code.Passages, law.Passage{ID: postgres.NewID(), ArticleID: add.ID, Page: 2, Position: 1, Text: add.Text})
	change = said("Loi n° 2024-12 du 2 mai 2024 modifiant le Code du sel", "2024-12", "2024-05-02",
		"À l’article 1er de la loi n° 2020-01 du 2 mai 2020 portant Code du sel, le mot : « public » est remplacé par le mot : « commun ».\n"+
			"Après l’article 1er de la même loi, il est inséré un article 1er bis ainsi rédigé :\n« Art. 1er bis. - Le sel est libre. »\n"+
			"À l’article 2 de la même loi, les mots : « survcillé par » sont remplacés par les mots : « confié à ».")
	d.catalogue(t, "c1", code)
	d.catalogue(t, "c2", change)
	db := d.db(t)
	if _, _, err := (&versions.VersionAssembler{DB: db}).Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	return code, change
}

func TestVersions(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "versions", "waiting").want(t, exitDone, "Aucune modification n’attend.")
	d.run(t, "versions", "decisions").want(t, exitDone, "Aucune décision.")
	code, change := d.amended(t)
	id := code.Document.ID.String()

	d.run(t, "versions", "list", id).want(t, exitDone, "imprimé", "consolidé", change.Document.ID.String(), "3 versions.")
	d.run(t, "versions", "list", change.Document.ID.String()).want(t, exitDone, "Aucun texte du catalogue ne modifie ce texte.")
	views := items[catalogue.ArticleVersion](t, d.run(t, "versions", "list", id, "--json"))
	if len(views) != 3 || views[1].Text != "Le sel est un bien commun." || views[1].By.Document != change.Document.ID || *views[1].ValidFrom != "2024-05-02" || views[2].Number != "1er bis" {
		t.Errorf("versions: %+v", views)
	}
	d.width = 80
	r := d.run(t, "versions", "list", id)
	r.want(t, exitDone, "2024-12")
	for line := range strings.Lines(r.out) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 && !strings.Contains(line, change.Document.ID.String()) && !strings.Contains(line, id) {
			t.Errorf("wider than 80 columns: %q", line)
		}
	}
	d.width = 0

	d.run(t, "versions", "show", id, "1").want(t, exitDone, "Le sel est un bien public.", "Le sel est un bien commun.", law.AssembledNotice, "Modifié par")
	d.run(t, "versions", "show", id, "1er", "--date", "2024-05-01").want(t, exitDone, "Le sel est un bien public.", "jusqu’au 2024-05-02, non compris")
	if r := d.run(t, "versions", "show", id, "1er", "--date", "2024-05-02"); strings.Contains(r.out, "bien public") {
		t.Errorf("the wording of another day: %s", r.out)
	}
	d.run(t, "versions", "show", id, "1er bis", "--date", "2024-05-01").want(t, exitFailed, "n’est pas en vigueur le 2024-05-01")
	d.run(t, "versions", "show", id, "1er", "--from", "2024-05-01", "--to", "2024-05-02").want(t, exitDone, "Le sel est un bien [-public.-]{+commun.+}")
	d.run(t, "versions", "show", id, "1er bis", "--from", "2024-05-01", "--to", "2024-05-02").want(t, exitDone, "L’article n’est pas en vigueur.", "{+Le sel est libre.+}")
	d.run(t, "versions", "show", id, "2").want(t, exitDone, "Le commerce du sel")
	d.run(t, "versions", "show", id, "9").want(t, exitFailed, "n’a pas d’article 9")
	d.run(t, "versions", "show", id, "1er", "--from", "2024-05-01").want(t, exitUsage, "--from et --to")
	d.run(t, "versions", "show", id, "1er", "--date", "hier").want(t, exitUsage, "--date attend une date")
	d.run(t, "versions", "rebuild", id).want(t, exitDone, "3 versions.")
	d.run(t, "versions", "rebuild").want(t, exitDone, "par un worker")
	if row, err := d.db(t).VersionIndex().Now(t.Context()); err != nil || !row.Rebuild {
		t.Errorf("rebuild is not asked for: %+v, %v", row, err)
	}
}

// TestVersionsSettled accepts, undoes, writes and rejects what waits.
func TestVersionsSettled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	code, _ := d.amended(t)
	id := code.Document.ID.String()
	waiting := func() gazettes.WaitingAmendmentBody {
		t.Helper()
		list := items[gazettes.WaitingAmendmentBody](t, d.run(t, "versions", "waiting", "--json"))
		if len(list) != 1 {
			t.Fatalf("waiting: %+v", list)
		}
		return list[0]
	}
	decision := func() string {
		t.Helper()
		list := items[gazettes.AmendmentSettledBody](t, d.run(t, "versions", "decisions", "--json"))
		if len(list) != 1 {
			t.Fatalf("decisions: %+v", list)
		}
		return list[0].ID.String()
	}
	w := waiting()
	if w.Article != "2" || w.Target.ID != code.Document.ID || w.Proposal == nil || *w.Proposal != "Le commerce du sel est confié à le ministre." {
		t.Fatalf("waiting: %+v", w)
	}
	d.run(t, "versions", "waiting").want(t, exitDone, w.ID.String(), "1 modification.")
	d.run(t, "status").want(t, exitDone, "1 modification en attente.", "Voir : ingest versions waiting")
	one := w.ID.String()
	d.run(t, "versions", "settle", one).want(t, exitUsage, "l’un des trois")
	d.run(t, "versions", "settle", one, "--accept", "--reject").want(t, exitUsage, "l’un des trois")
	d.run(t, "versions", "settle", one, "--text-file", filepath.Join(d.dir, "none")).want(t, exitUsage, "ne peut pas être lu")
	file := filepath.Join(d.dir, "article.txt")
	write := func(words string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(words), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("\n")
	d.run(t, "versions", "settle", one, "--text-file", file).want(t, exitUsage, "est vide")
	write("abc\xff")
	d.run(t, "versions", "settle", one, "--text-file", file).want(t, exitUsage, "UTF-8")
	d.run(t, "versions", "settle", one, "--accept").want(t, exitDone, "C’est noté")
	d.run(t, "versions", "settle", one, "--accept").want(t, exitFailed, "Aucune modification "+one+" n’attend")
	d.run(t, "versions", "show", id, "2").want(t, exitDone, "confié à le ministre.", "texte décidé par une personne")
	d.run(t, "versions", "decisions").want(t, exitDone, "accepté", "Code du sel")
	made := decision()
	d.run(t, "versions", "undo", made).want(t, exitDone, "annulée")
	d.run(t, "versions", "undo", made).want(t, exitFailed, "Aucune décision "+made)
	write("Le commerce du sel est confié au ministre.\n")
	d.run(t, "versions", "settle", waiting().ID.String(), "--text-file", file, "--date", "2024-06-01").want(t, exitDone, "C’est noté")
	d.run(t, "versions", "show", id, "2", "--date", "2024-05-31").want(t, exitDone, "surveillé par")
	d.run(t, "versions", "show", id, "2", "--date", "2024-06-01").want(t, exitDone, "confié au ministre.")
	d.run(t, "versions", "truth").want(t, exitDone, `"order":true`, "confié à")
	d.run(t, "versions", "undo", decision()).want(t, exitDone)
	d.run(t, "versions", "settle", waiting().ID.String(), "--reject").want(t, exitDone)
	d.run(t, "versions", "waiting").want(t, exitDone, "Aucune modification n’attend.")
	d.run(t, "versions", "show", id, "2").want(t, exitDone, "surveillé par")
}
