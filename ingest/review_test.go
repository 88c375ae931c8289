package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/gazettes"
)

// waiting adds a file with a text in review and returns the text's id.
func (d *desk) waiting(t *testing.T, name string) (id string) {
	t.Helper()
	d.run(t, "add", d.file(t, name, pdf("doute, "+name))).want(t, exitDone, "en revue")
	list := items[gazettes.WaitingBody](t, d.run(t, "review", "list", "--json"))
	for _, r := range list {
		if r.Filename == name {
			return r.Review.ID.String()
		}
	}
	t.Fatalf("%s does not wait: %+v", name, list)
	return ""
}

func TestReview(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "review", "list").want(t, exitDone, "Aucun texte n’attend en revue.")
	id := d.waiting(t, "jo.pdf")
	r := d.run(t, "review", "list")
	r.want(t, exitDone, "jo.pdf", "date_promulgation", id, "1 texte.")
	d.golden(t, "review-show", d.run(t, "review", "show", id).out)
	d.run(t, "review", "show", id, "--text", "--json").want(t, exitDone, `"doubts"`, `"text": "Texte."`)
	for _, bad := range []string{"couleur=bleu", "date=12/03/2023", "doc_type=roman", "domaine=cuisine", "title=", "numero", "numero=" + strings.Repeat("9", 101), "nature=" + strings.Repeat("é", 101)} {
		t.Run(bad, func(t *testing.T) {
			if r := d.run(t, "review", "accept", id, "--set", "date_entree_vigueur=2023-03-12", "--set", "date_promulgation=2023-03-12", "--set", bad); r.code != exitUsage {
				t.Errorf("--set %s: code %d, %s", bad, r.code, r.err)
			}
		})
	}
	d.run(t, "review", "accept", id, "--set", "date=2023-01-01", "--set", "date_promulgation=2023-01-02").want(t, exitUsage, "deux fois")
	d.run(t, "review", "accept", id).want(t, exitFailed, "--set date_promulgation=2000-05-17")
	d.run(t, "review", "accept", id, "--set", "numero=2023-05").want(t, exitFailed, "reste en revue")
	d.run(t, "documents").want(t, exitDone, "Aucun texte.")
	d.run(t, "review", "accept", id, "--set", "date_promulgation=2023-03-10", "--set", "numero= 2023-05 ", "--set", "doc_type=loi", "--set", "nature=Ordonnance").want(t, exitDone, "Au catalogue : Loi n° 2023-04")
	d.run(t, "documents").want(t, exitDone, "2023-03-10", "ordonnance", "2023-05")
	d.run(t, "review", "accept", id).want(t, exitFailed, "Aucun texte "+id+" n’attend en revue")
	d.run(t, "review", "show", "12").want(t, exitUsage, "n’est pas l’identifiant d’un texte")
	log, _, err := d.db(t).Audit(t.Context(), postgres.AuditQuery{Action: postgres.TextAccepted, Limit: 10})
	if err != nil || len(log) != 1 || log[0].UserID != nil || log[0].Object != id {
		t.Errorf("log %+v, error %v", log, err)
	}
}

// TestReviewAsksForWhatIsLacking checks that the command asks on the terminal for a date
// that could not be read, and checks the date like one in an option. If nothing is typed,
// the text stays in review.
func TestReviewAsksForWhatIsLacking(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.waiting(t, "jo.pdf")
	d.typed = []string{""}
	d.run(t, "review", "accept", id).want(t, exitFailed, "--set date_promulgation=")
	d.typed = []string{"12 mars"}
	d.run(t, "review", "accept", id).want(t, exitUsage, "AAAA-MM-JJ")
	d.typed = []string{"2023-03-10"}
	d.run(t, "review", "accept", id).want(t, exitDone, "Au catalogue")
	d.run(t, "documents").want(t, exitDone, "2023-03-10")
}

func TestReviewReject(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.waiting(t, "jo.pdf")
	d.run(t, "review", "reject", id).want(t, exitDone, "Rejeté : Loi n° 2023-04")
	d.run(t, "review", "reject", uuid.NewString()).want(t, exitFailed, "n’attend en revue")
	d.run(t, "status", "--state", "cancelled").want(t, exitDone, "jo.pdf")
}

func TestRetry(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "jo.pdf", pdf("une fois"))).want(t, exitFailed, "échec")
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{State: "failed"}, nil, 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("rows %+v, error %v", rows, err)
	}
	id := rows[0].ID.String()
	d.run(t, "retry").want(t, exitUsage, "--all")
	d.run(t, "retry", "--all", id).want(t, exitUsage, "--all")
	d.run(t, "retry", "x").want(t, exitUsage, "n’est pas l’identifiant")
	d.run(t, "retry", uuid.NewString()).want(t, exitFailed, "Aucune ingestion")
	d.run(t, "retry", "--all", "--type", "decret", "--date", "2023-03-01").want(t, exitDone, "jo.pdf", "terminé")
	if row, err := d.db(t).Ingestion(t.Context(), rows[0].ID); err != nil || row.Attempt != 2 ||
		string(row.Metadata) != `{"doc_type": "decret", "date_promulgation": "2023-03-01"}` {
		t.Errorf("row %+v (%s), error %v", row, row.Metadata, err)
	}
	d.run(t, "retry", id).want(t, exitFailed, "Seul un fichier en échec, annulé ou dont des pages")
}

func TestAddWithMetadata(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	path := d.file(t, "jo.pdf", pdf("réussit"))
	for _, bad := range [][]string{{"--type", "roman"}, {"--date", "hier"}, {"--domaine", "cuisine"}, {"--published", "2023"}, {"--numero", strings.Repeat("1", 101)}} {
		d.run(t, append([]string{"add", path}, bad...)...).want(t, exitUsage, bad[0])
	}
	d.run(t, "add", "--no-wait", "--title", " Loi X ", "--nature", "Acte uniforme", "--numero", "2023-04", "--published", "2023-04-01", "--vigueur", "2023-05-01", path).want(t, exitDone, "en attente")
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil || len(rows) != 1 || string(rows[0].Metadata) !=
		`{"title": "Loi X", "nature": "Acte uniforme", "numero_officiel": "2023-04", "date_publication": "2023-04-01", "date_entree_vigueur": "2023-05-01"}` {
		t.Errorf("rows %+v, error %v", rows, err)
	}
}

func TestAddDryRun(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	d.file(t, "b.pdf", pdf("réussit aussi"))
	d.file(t, "vide.pdf", "")
	r := d.run(t, "add", "--dry-run", d.dir)
	r.want(t, exitFailed, "à ajouter : 1", "terminé : 1", "refusé : 1", "Déjà connu")
	if rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10); err != nil || len(rows) != 1 {
		t.Errorf("a dry run made rows: %+v, error %v", rows, err)
	}
	blobs, err := filepath.Glob(filepath.Join(strings.TrimPrefix(d.environ["VIGUEUR_BLOBS_URL"], "file://"), "*", "*"))
	if err != nil || len(blobs) > 1 {
		t.Errorf("a dry run stored files: %v, error %v", blobs, err)
	}
}

func TestAddAFolderOfMany(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	const many = listed + 10
	for i := range many {
		d.file(t, "f/"+strings.Repeat("x", i%7)+uuid.NewString()+".pdf", pdf("réussit "+uuid.NewString()))
	}
	d.file(t, "f/vide.pdf", "")
	d.file(t, "f/doute.pdf", pdf("doute"))
	r := d.run(t, "add", filepath.Join(d.dir, "f"))
	r.want(t, exitFailed, "vide.pdf", "doute.pdf", "212 fichiers (en revue : 1, terminé : 210, refusé : 1).")
	if lines := strings.Count(r.out, "\n"); lines > 12 {
		t.Errorf("%d lines for files that went well:\n%s", lines, r.out)
	}
	again := d.run(t, "add", "--no-wait", filepath.Join(d.dir, "f"))
	again.want(t, exitFailed, "terminé : 210")
	if strings.Contains(again.out, "encore") || strings.Count(again.out, "\n") > 12 {
		t.Errorf("files that went well before are told one by one:\n%s", again.out)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.waiting(t, "jo.pdf")
	d.run(t, "export", id).want(t, exitDone, "# Loi n° 2023-04 portant code du travail", "###### Article 1er")
	d.run(t, "export", id, "--format", "json").want(t, exitDone, `"numero_officiel": "2023-04"`)
	if r := d.run(t, "export", id, "--json"); r.code != exitDone || !json.Valid([]byte(r.out)) {
		t.Errorf("export --json: exit %d, %s%s", r.code, r.out, r.err)
	}
	d.run(t, "export", id, "--json", "--format", "md").want(t, exitUsage, "--json écrit du JSON")
	out := filepath.Join(d.dir, "loi.xml")
	if r := d.run(t, "export", id, "--format", "akn", "-o", out); r.code != exitDone || r.out != "" || !strings.HasPrefix(r.err, "Écrit : ") {
		t.Errorf("result %+v", r)
	}
	if written, err := os.ReadFile(out); err != nil || !strings.Contains(string(written), "<akomaNtoso") {
		t.Errorf("%q, error %v", written, err)
	}
	d.run(t, "export", id, "--format", "odt").want(t, exitUsage, "md, json, akn, docx")
	d.run(t, "export", id, "-o", filepath.Join(d.dir, "absent", "x")).want(t, exitFailed, "ne peut pas être écrit")
	d.run(t, "export", uuid.NewString()).want(t, exitFailed, "Aucun texte")
}

func TestCancel(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "add", "--no-wait", d.file(t, "jo.pdf", pdf("réussit"))).want(t, exitDone)
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	id := rows[0].ID.String()
	d.run(t, "cancel", "x").want(t, exitUsage, "n’est pas l’identifiant")
	d.run(t, "cancel", uuid.NewString()).want(t, exitFailed, "Aucune ingestion")
	d.run(t, "cancel", id).want(t, exitDone, "jo.pdf : annulé.")
	d.run(t, "cancel", id).want(t, exitDone, "jo.pdf a déjà fini : annulé.")
	d.run(t, "retry", "--no-wait", id).want(t, exitDone, "en attente")
	if _, err := d.db(t).StartIngestion(t.Context(), rows[0].ID); err != nil {
		t.Fatal(err)
	}
	d.run(t, "cancel", id).want(t, exitDone, "le worker l’abandonne")
	d.run(t, "cancel", "--json", id).want(t, exitDone, `"state": "running"`)
}

// TestFullDisk adds files to a folder on a full disk: the store is reported as down, and no
// incomplete file is left.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small disk cannot be made here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(small, 0); err != nil {
			t.Error(err)
		}
	})
	d.environ["VIGUEUR_BLOBS_URL"] = "file://" + small
	path := d.file(t, "grand.pdf", pdf("réussit")+strings.Repeat("x", 200<<10))
	d.run(t, "add", path).want(t, exitStore, "Il ne reste plus de place dans le dossier des fichiers.")
	if rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10); err != nil || len(rows) != 0 {
		t.Errorf("rows %+v, %v", rows, err)
	}
	if left, err := filepath.Glob(filepath.Join(small, "incoming", "*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	d.ingests(t)
	d.run(t, "add", d.file(t, "petit.pdf", pdf("réussit"))).want(t, exitDone, "terminé")
}
