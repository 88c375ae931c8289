package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/gazettes"
)

// listed adds a file with a text to the catalogue and returns the text's id.
func (d *desk) listed(t *testing.T, name string) (id string) {
	t.Helper()
	d.run(t, "add", d.file(t, name, pdf("réussit "+name))).want(t, exitDone)
	var list struct {
		Items []law.Record `json:"items"`
	}
	if err := json.Unmarshal([]byte(d.run(t, "documents", "--json").out), &list); err != nil || len(list.Items) != 1 {
		t.Fatalf("items %+v, error %v", list.Items, err)
	}
	return list.Items[0].ID.String()
}

// bytesKept returns the number of files in the store.
func (d *desk) bytesKept(t *testing.T) int {
	t.Helper()
	kept, err := filepath.Glob(filepath.Join(strings.TrimPrefix(d.environ["VIGUEUR_BLOBS_URL"], "file://"), "*", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(kept)
}

func TestDocumentsShowAndSet(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.listed(t, "jo.pdf")
	d.golden(t, "documents-show", d.run(t, "documents", "show", id).out)
	d.run(t, "documents", "show", id, "--text", "--json").want(t, exitDone, `"filename": "jo.pdf"`, `"text": "Texte."`)
	d.run(t, "documents", "show", "12").want(t, exitUsage, "n’est pas l’identifiant d’un texte")
	d.run(t, "documents", "show", uuid.NewString()).want(t, exitFailed, "au catalogue")

	d.run(t, "documents", "set", id).want(t, exitUsage, "CHAMP=VALEUR")
	for _, bad := range []string{"couleur=bleu", "date=12/03/2023", "doc_type=roman", "title=", "statut=perdu", "abroge_par=" + id, "abroge_par=x", "numero"} {
		d.run(t, "documents", "set", id, bad).want(t, exitUsage)
	}
	d.run(t, "documents", "set", id, "statut=abroge", "statut=modifie").want(t, exitUsage, "deux fois")
	d.run(t, "documents", "set", id, "abroge_par="+uuid.NewString()).want(t, exitUsage, "Ce document n’existe pas.")
	d.run(t, "documents", "set", id, "abroge_par="+uuid.NewString(), "statut=en_vigueur").want(t, exitUsage, "abroge")
	d.run(t, "documents", "set", id, "title=Code civil", "nature=Ordonnance", "date=2023-03-10", "statut=modifie").want(t, exitDone, "Corrigé : Code civil (ordonnance, modifie).")
	d.run(t, "documents", "show", id).want(t, exitDone, "Code civil", "2023-03-10", "modifie")
	d.run(t, "documents", "set", id, id[:8]).want(t, exitUsage, "Il manque CHAMP=VALEUR")
	wrong := d.run(t, "documents", "set", id, uuid.NewString(), "statut=oublié")
	wrong.want(t, exitUsage, "statut : Valeur attendue : 'en_vigueur', 'abroge' ou 'modifie'.")
	if n := strings.Count(wrong.err, "statut"); n != 1 {
		t.Errorf("a wrong value is told %d times: %s", n, wrong.err)
	}
	d.run(t, "documents", "set", id, "abroge_par=", "--json").want(t, exitDone, `"statut": "modifie"`)
	d.run(t, "documents", "set", id, "statut=", "abroge_par=", "--json").want(t, exitDone, `"statut": "en_vigueur"`)
	log, _, err := d.db(t).Audit(t.Context(), postgres.AuditQuery{Action: postgres.DocumentChanged, Limit: 10})
	if err != nil || len(log) != 3 || log[0].UserID != nil || log[0].Object != id {
		t.Errorf("log %+v, error %v", log, err)
	}
	d.run(t, "documents", "set", id, uuid.NewString(), "nature=Ordonnance", "--json").want(t, exitFailed, `"title": "Code civil"`, `"error": "Aucun texte`)
}

func TestDocumentsDelete(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.listed(t, "jo.pdf")
	d.run(t, "documents", "delete", id).want(t, exitUsage, "Rien n’est supprimé")
	d.runWith(t.Context(), "non\n", nil, "documents", "delete", id).want(t, exitUsage, "Rien n’est supprimé")
	d.runWith(t.Context(), "oui\n", nil, "documents", "delete", id).want(t, exitDone, "Tapez « oui »", "Supprimé : Loi n° 2023-04")
	d.run(t, "documents", "delete", id, "--yes").want(t, exitFailed, "au catalogue")
	if n := d.bytesKept(t); n != 0 {
		t.Errorf("%d files are kept", n)
	}
	d.run(t, "status").want(t, exitDone, "Aucune ingestion")
	again := d.listed(t, "jo.pdf")
	d.run(t, "documents", "delete", again, "--yes", "--json").want(t, exitDone, `"id": "`+again+`"`)
}

// TestGazetteDelete deletes a file with a text that repeals another and one that superseded
// another.
func TestGazetteDelete(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const words = "Les présidents des conseils d’administration répondent de leur gestion devant l’assemblée générale des actionnaires."
	repealed := said("Loi n° 1990-1 portant code des impôts", "1990-1", "1990-01-01", "Un.")
	worse := said("Loi n° 2000-1 portant attributions", "2000-1", "2000-01-01", "Les prÉsid*nts des conseils d'adm!nistration répondent de leur gest!on devant l’assemblée générale des actionnaires.")
	d.catalogue(t, "a1", repealed, worse)
	day := repealed.Document.Promulgated
	doubtful := said("Loi douteuse", "2024-9", "2024-01-01", "Trois.")
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "illisible"}}
	d.catalogue(t, "a2", said("Loi n° 2000-1 portant attributions", "2000-1", "2000-01-01", words), doubtful,
		said("Loi de finances", "2024-1", "2024-01-01", "La loi n° 1990-1 est abrogée.", law.Relation{Kind: law.Repeals, TargetType: law.Loi, TargetNumber: "1990-1", TargetDate: &day}))
	d.run(t, "documents", "--statut", "abroge").want(t, exitDone, "Loi n° 1990-1", "1 texte sur 1.")
	d.run(t, "review", "editions").want(t, exitDone, worse.Document.ID.String())
	var id string
	for _, i := range items[gazettes.IngestionBody](t, d.run(t, "status", "--json")) {
		if i.Filename == "a2.pdf" {
			id = i.ID.String()
		}
	}
	d.runWith(t.Context(), "non\n", nil, "gazette", "delete", id).want(t, exitUsage, "« a2.pdf » sera supprimé, sans retour, avec 3 textes (dont 1 en revue).", "Rien n’est supprimé")
	d.runWith(t.Context(), "oui\n", nil, "gazette", "delete", id).want(t, exitDone, "Supprimé : a2.pdf et 3 textes.")
	d.run(t, "documents").want(t, exitDone, "2 textes sur 2.", worse.Document.ID.String())
	d.run(t, "documents", "--statut", "abroge").want(t, exitDone, "Aucun texte.")
	d.run(t, "review", "list").want(t, exitDone, "Aucun texte n’attend en revue.")
	d.run(t, "gazette", "delete", id, "--yes").want(t, exitFailed, "Aucune ingestion")
	log, _, err := d.db(t).Audit(t.Context(), postgres.AuditQuery{Action: postgres.FileForgotten, Limit: 10})
	if err != nil || len(log) != 1 || log[0].Object != id || !strings.Contains(string(log[0].Details), `"texts": 3`) {
		t.Errorf("log %+v, error %v", log, err)
	}
	queued := postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.Repeat("c", 64), Filename: "c.pdf", Size: 1}
	if err := pgtest.AddFile(t.Context(), d.db(t), queued); err != nil {
		t.Fatal(err)
	}
	d.run(t, "gazette", "delete", queued.ID.String(), "--yes").want(t, exitFailed, "encore en traitement")
}

func TestForget(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.listed(t, "bon.pdf")
	path := d.file(t, "coupe.pdf", pdf("une fois"))
	fail := func() postgres.Ingestion {
		t.Helper()
		d.run(t, "add", path).want(t, exitFailed, "échec")
		rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{State: "failed"}, nil, 10)
		if err != nil || len(rows) != 1 {
			t.Fatalf("rows %+v, error %v", rows, err)
		}
		return rows[0]
	}
	row := fail()
	d.run(t, "forget", uuid.NewString()).want(t, exitFailed, "à oublier")
	d.run(t, "forget", "inconnu.pdf").want(t, exitFailed, "à oublier")
	d.run(t, "forget", filepath.Join(d.dir, "bon.pdf")).want(t, exitFailed, "bon.pdf reste", "a donné des textes")
	d.run(t, "forget", row.ID.String()).want(t, exitDone, "Oublié : coupe.pdf (échec).")
	d.run(t, "status", row.ID.String()).want(t, exitFailed, "Aucune ingestion")
	if n := d.bytesKept(t); n != 1 {
		t.Errorf("%d files are kept, want the other's", n)
	}
}

func TestForgetByNameAndPath(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	queued := d.file(t, "jo.pdf", pdf("attend"))
	d.run(t, "add", "--no-wait", queued).want(t, exitDone)
	d.run(t, "forget", queued).want(t, exitFailed, "encore en traitement")
	cancel := func(name, content string) {
		t.Helper()
		d.run(t, "add", "--no-wait", d.file(t, name, pdf(content))).want(t, exitDone)
		rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{State: "queued"}, nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			d.run(t, "cancel", r.ID.String()).want(t, exitDone)
		}
	}
	cancel("a/x.pdf", "un")
	cancel("b/x.pdf", "deux")
	d.run(t, "forget", "x.pdf").want(t, exitUsage, "Plusieurs fichiers")
	d.run(t, "forget", filepath.Join(d.dir, "a", "x.pdf")).want(t, exitDone, "Oublié : ")
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{State: "cancelled"}, nil, 10)
	if err != nil || len(rows) != 2 {
		t.Fatalf("rows %+v, error %v", rows, err)
	}
	d.run(t, "forget", rows[0].Filename, "--json").want(t, exitDone, `"state": "cancelled"`)
}

func TestReviewReopen(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.waiting(t, "jo.pdf")
	d.run(t, "review", "reopen", id).want(t, exitFailed, "au catalogue")
	d.run(t, "review", "accept", id, "--set", "date=2023-03-10", "--set", "title=Code civil").want(t, exitDone)
	d.run(t, "review", "reopen", id).want(t, exitDone, "De nouveau en revue : Loi n° 2023-04")
	d.run(t, "documents").want(t, exitDone, "Aucun texte.")
	d.run(t, "review", "show", id).want(t, exitDone, "date_promulgation    (à donner)")
	d.run(t, "review", "accept", id).want(t, exitFailed, "--set date_promulgation=")
	d.run(t, "review", "accept", id, "--set", "date=2023-03-11").want(t, exitDone)
	d.run(t, "review", "reopen", id, "--json").want(t, exitDone, `"title": "Loi n° 2023-04`)
}
