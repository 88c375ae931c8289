package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue"
)

// ingests is a worker that treats each file as the file's bytes say.
func (d *desk) ingests(t *testing.T) {
	t.Helper()
	db := d.db(t)
	store, err := blobs.Open(blobs.Settings{URL: d.environ["VIGUEUR_BLOBS_URL"]})
	if err != nil {
		t.Fatal(err)
	}
	d.worker(t, queue.Ingestions, func(ctx context.Context, id uuid.UUID) error {
		row, err := db.StartIngestion(ctx, id)
		if errs.Is(err, errs.LeaseLost) {
			return nil // a second hint
		}
		if err != nil {
			return err
		}
		path, release, err := store.Local(ctx, row.SHA256)
		if err != nil {
			return err
		}
		defer release()
		fate, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(fate), "échoue") {
			return db.MarkIngestion(ctx, id, row.Attempt, "failed", "Le PDF est protégé par un mot de passe.")
		}
		if strings.Contains(string(fate), "une fois") && row.Attempt == 1 {
			return db.MarkIngestion(ctx, id, row.Attempt, "failed", "Tesseract n’est pas installé.")
		}
		return ingested(ctx, db, row, strings.Contains(string(fate), "doute"))
	})
}

// ingested saves three pages and a text of two articles, with a doubt if requested.
func ingested(ctx context.Context, db *postgres.DB, row postgres.Ingestion, doubtful bool) error {
	var pages []postgres.StoredPage
	for n := 1; n <= 3; n++ {
		pages = append(pages, postgres.StoredPage{Number: n, Source: layout.Layer, Content: []byte("x")})
	}
	if err := db.SavePages(ctx, row.ID, row.Attempt, pages, 3); err != nil {
		return err
	}
	day := time.Date(2023, 3, 12, 0, 0, 0, 0, time.UTC)
	t := postgres.StoredText{Document: law.Document{ID: uuid.NewSHA1(row.ID, []byte("text")), Title: "Loi n° 2023-04 portant code du travail",
		Type: law.Loi, Domain: "travail", OfficialNumber: "2023-04", Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 3}}
	for n, number := range []string{"1er", "2"} {
		id := uuid.NewSHA1(row.ID, []byte(number))
		t.Articles = append(t.Articles, law.Article{ID: id, Number: number, Position: n, Page: n + 1, Text: "Texte."})
		t.Passages = append(t.Passages, law.Passage{ID: uuid.NewSHA1(id, []byte("p")), ArticleID: id, Position: n, Page: n + 1, Text: "Texte."})
	}
	state := "done"
	if doubtful {
		state, t.Doubts = "review", []law.Doubt{{Field: "date_promulgation", Reason: "Aucune date de promulgation n’a été trouvée."}}
		t.Evidence = []law.Evidence{{Field: "numero_officiel", Words: "LOI N° 2023-04 portant code du travail", Page: 1, Confidence: 0.95},
			{Field: "date_promulgation"}, {Field: "domaine", Confidence: 1}}
	}
	if err := db.SaveSegmentation(ctx, row.ID, row.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{t}}); err != nil {
		return err
	}
	return db.MarkIngestion(ctx, row.ID, row.Attempt, state, "")
}

func TestAddGoodAndBadFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	good := d.file(t, "jo-2023-04.pdf", pdf("réussit"))
	d.file(t, "sous/dossier/a.PDF", pdf("réussit, a"))
	d.file(t, "sous/b.pdf", pdf("échoue"))
	d.file(t, "sous/vide.pdf", "")
	d.file(t, "sous/page.pdf", "<!DOCTYPE html><html>")
	d.file(t, "sous/lisez-moi.txt", "pas un PDF")
	d.file(t, "rien/lisez-moi.txt", "pas un PDF")
	hostile := d.file(t, "\x1b[31mrouge\u202efdp\xff\n.pdf", pdf("réussit, nom hostile"))
	loop := filepath.Join(d.dir, "boucle.pdf")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	r := d.run(t, "add", good, filepath.Join(d.dir, "sous"), filepath.Join(d.dir, "rien"), hostile, loop,
		filepath.Join(d.dir, "absent.pdf"), "/dev/null")
	r.want(t, exitFailed, "jo-2023-04.pdf : terminé")
	d.golden(t, "add", r.out)
	if strings.ContainsAny(r.out+r.err, "\x1b\u202e") {
		t.Error("a file's name reaches the terminal unclean")
	}
	again := d.run(t, "add", good)
	again.want(t, exitDone, "Déjà connu : mêmes octets que jo-2023-04.pdf", "terminé")
	d.golden(t, "status", withoutOrder(d.run(t, "status").out))
}

// withoutOrder sorts the rows of a table, whose order depends on the clock.
func withoutOrder(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	rows := lines[1:]
	for i := range rows { // insertion sort by the text after the time
		for k := i; k > 0 && rows[k][19:] < rows[k-1][19:]; k-- {
			rows[k], rows[k-1] = rows[k-1], rows[k]
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestAddSameBytesUnderTwoNames(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	one, two := d.file(t, "un.pdf", pdf("réussit")), d.file(t, "deux.pdf", pdf("réussit"))
	r := d.run(t, "add", "--json", one, two)
	r.want(t, exitDone)
	files := items[added](t, r)
	if len(files) != 2 {
		t.Fatalf("files %+v", files)
	}
	if files[0].Known || !files[1].Known || *files[0].Ingestion != *files[1].Ingestion {
		t.Errorf("files %+v", files)
	}
	for _, f := range files {
		if f.State != "done" || f.Articles != 2 || len(f.Documents) != 1 || f.PagesDone != 3 {
			t.Errorf("file %+v", f)
		}
	}
}

func TestTwoAddsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	path := d.file(t, "jo.pdf", pdf("réussit"))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			r := d.runWith(t.Context(), "", nil, "add", path)
			r.want(t, exitDone, "terminé")
		})
	}
	group.Wait()
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil || len(rows) != 1 || rows[0].State != "done" || rows[0].Attempt != 1 {
		t.Errorf("rows %+v, error %v", rows, err)
	}
}

func TestAddAgainAfterFailure(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	path := d.file(t, "jo.pdf", pdf("une fois"))
	d.run(t, "add", path).want(t, exitFailed, "échec", "Tesseract")
	d.run(t, "add", path).want(t, exitFailed, "échec", "Tesseract", "--retry")
	if err := os.RemoveAll(strings.TrimPrefix(d.environ["VIGUEUR_BLOBS_URL"], "file://")); err != nil {
		t.Fatal(err)
	}
	// The attempts are counted again, so the worker of this test would fail the file again; the test reads the row
	// instead.
	r := d.run(t, "add", "--no-wait", "--retry", path)
	r.want(t, exitDone, "Déjà connu")
}

func TestAddWithoutWorkerAndInterrupted(t *testing.T) {
	t.Parallel()
	for _, drawn := range []bool{false, true} {
		d := newDesk(t)
		d.stalled, d.bar = 50*time.Millisecond, drawn
		path := d.file(t, "jo.pdf", pdf("réussit"))
		ctx, interrupt := context.WithCancel(t.Context())
		said := make(chan string, 100)
		go func() {
			for s := range said {
				if strings.Contains(s, "Aucun worker") {
					interrupt()
				}
			}
		}()
		r := d.runWith(ctx, "", said, "add", path)
		close(said)
		r.want(t, exitInterrupted, "systemctl start vigueur-worker", "Le traitement continue sans vous (1 fichier)", "ingest status")
		if n := strings.Count(r.err, "Aucun worker"); n != 1 {
			t.Errorf("it was said %d times", n)
		}
		rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{State: "queued"}, nil, 10)
		if err != nil || len(rows) != 1 {
			t.Errorf("rows %+v, error %v", rows, err)
		}
	}
}

func TestAddWithBar(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.bar = true
	d.ingests(t)
	r := d.run(t, "add", d.file(t, "jo.pdf", pdf("réussit")), d.file(t, "jo-2.pdf", pdf("réussit aussi")))
	r.want(t, exitDone, "2 fichiers (terminé : 2).", "jo.pdf")
}

func TestBar(t *testing.T) {
	t.Parallel()
	w := &heard{}
	b := newBar(w)
	files := []*added{{File: "jo-1.pdf", State: "done", PagesDone: 10, PagesTotal: 10},
		{File: "jo-2.pdf", State: "running", PagesDone: 20, PagesTotal: 50, base: 20}}
	b.show(files)
	files[1].PagesDone = 30
	b.since = time.Now().Add(-10 * time.Second)
	b.show(files)
	b.say("Aucun worker.")
	files[1].PagesDone, files[1].State = 50, "review"
	b.since = time.Now().Add(-10 * time.Second)
	b.show(files)
	b.show(files)
	b.end()
	for _, want := range []string{"2/2, 50 % (20/40 pages, 2,0 pages/s, reste 11 s) jo-2.pdf", "Aucun worker."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(w.String(), want) {
				t.Errorf("the bar does not show %q: %q", want, w.String())
			}
		})
	}
}

// TestBarFitsTheTerminal draws bars with long names on a narrow terminal.
func TestBarFitsTheTerminal(t *testing.T) {
	t.Parallel()
	w := &heard{}
	b := newBar(terminal.Screen{Writer: w, Width: func() int { return 80 }})
	files := []*added{{File: strings.Repeat("gazettes/", 20) + "jo.pdf", State: "running", PagesTotal: 123456}}
	b.admit(120, 3000, files[0].File)
	for done := range 100 {
		files[0].PagesDone = done * 1000
		b.since = time.Now().Add(-10 * time.Second)
		b.show(files)
	}
	b.end()
	for _, line := range strings.FieldsFunc(w.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\x1b[K")); n > 80 {
			t.Errorf("a line of %d: %q", n, line)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	w := &heard{}
	l := newLines(w)
	f := &added{File: "jo.pdf", State: "queued"}
	l.show([]*added{f})
	f.State, f.PagesTotal = "running", 40
	l.show([]*added{f})
	l.show([]*added{f})
	f.PagesDone = 20
	l.seen[f].last = time.Now().Add(-lineEvery)
	l.seen[f].since = time.Now().Add(-10 * time.Second)
	l.show([]*added{f})
	f.State = "done"
	l.show([]*added{f})
	want := "jo.pdf : en attente\njo.pdf : en cours, 0/40 pages\njo.pdf : 20/40 pages, 2,0 pages/s\njo.pdf : terminé, 20/40 pages\n"
	if w.String() != want {
		t.Errorf("got\n%swant\n%s", w.String(), want)
	}
}

func TestStoresThatAreDown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	path := d.file(t, "jo.pdf", pdf("réussit"))
	down := freeAddress(t)
	up := d.environ["VIGUEUR_REDIS_URL"]
	for _, command := range [][]string{{"add", path}, {"ask", "Quel préavis ?"}} {
		d.environ["VIGUEUR_REDIS_URL"] = "redis://" + down
		d.run(t, command...).want(t, exitStore, "Redis ne répond pas", "scripts/services start")
	}
	d.environ["VIGUEUR_REDIS_URL"] = up
	if rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10); err != nil || len(rows) != 0 {
		t.Errorf("without Redis rows were made: %+v, error %v", rows, err)
	}
	d.environ["VIGUEUR_BLOBS_URL"] = "file:///dev/null/blobs"
	d.run(t, "add", path).want(t, exitStore, "Le dossier des fichiers")
	d.environ["VIGUEUR_DATABASE_URL"] = "postgres://vigueur:motdepasse@" + down + "/vigueur"
	for _, command := range [][]string{{"add", path}, {"status"}, {"documents"}, {"user", "list"}, {"migrate", "up"}, {"migrate", "status"}} {
		r := d.run(t, command...)
		r.want(t, exitStore, "PostgreSQL ne répond pas ("+down+"). Vérifiez qu’il tourne et que VIGUEUR_DATABASE_URL le désigne (dans une copie du dépôt, scripts/services start le démarre).")
		if strings.Contains(r.out+r.err, "motdepasse") {
			t.Errorf("%v tells the password: %s", command, r.err)
		}
	}
}

func TestAddUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	d := newDesk(t)
	closed := filepath.Dir(d.file(t, "fermé/jo.pdf", pdf("réussit")))
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) }) // otherwise the folder cannot be removed
	secret := d.file(t, "secret.pdf", pdf("réussit"))
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	d.run(t, "add", secret, d.dir).want(t, exitFailed, "vérifiez les droits d’accès", "Ce dossier ne peut pas être lu")
}
