package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
)

// watched runs « ingest watch » until the test's code returns. The code can read the
// command's output.
func (d *desk) watched(t *testing.T, dir string, during func(said func(words string))) result {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var out heard
	lines := make(chan string, 1000)
	out.said = lines
	a := &app{in: strings.NewReader(""), out: &out, err: &heard{}, environ: d.environ, poll: 5 * time.Millisecond, stalled: time.Minute}
	ended := make(chan int)
	go func() { ended <- a.run(ctx, []string{"watch", "--settle", "1s", dir}) }()
	during(func(words string) {
		t.Helper()
		for {
			select {
			case line := <-lines:
				if strings.Contains(line, words) {
					return
				}
			case code := <-ended:
				t.Fatalf("it ended with %d before it said %q: %s", code, words, out.String())
			}
		}
	})
	stop()
	return result{<-ended, out.String(), ""}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	whole := func(fate string) string { return pdf(fate) + "%%EOF\n" }
	dir := filepath.Join(d.dir, "arrivées")
	d.file(t, "arrivées/a.pdf", whole("réussit"))
	d.file(t, "arrivées/.caché.pdf", whole("réussit, caché"))
	d.file(t, "arrivées/lisez-moi.txt", "pas un PDF")
	r := d.watched(t, dir, func(said func(string)) {
		said("a.pdf : terminé, 1 texte, 2 articles")
		d.file(t, "arrivées/sous/b.pdf", whole("échoue"))
		said("b.pdf : échec. Le PDF est protégé")
		moved := d.file(t, "ailleurs.pdf", whole("réussit, venu d’ailleurs"))
		if err := os.Rename(moved, filepath.Join(dir, "c.pdf")); err != nil {
			t.Fatal(err)
		}
		said("c.pdf : terminé")
		d.file(t, "arrivées/d.pdf", "<!DOCTYPE html><html>%%EOF")
		said("d.pdf : refusé. Le fichier est une page web")
		d.file(t, "arrivées/i.pdf.part", whole("réussit, en route"))
		// A file that is still being written is not added.
		d.file(t, "arrivées/e.pdf", pdf("réussit, en deux fois"))
		d.file(t, "arrivées/f.pdf", whole("réussit, après e"))
		said("f.pdf : terminé")
		d.file(t, "arrivées/e.pdf", whole("réussit, en deux fois"))
		said("e.pdf : terminé")
	})
	if r.code != exitDone {
		t.Errorf("code %d", r.code)
	}
	for words, times := range map[string]int{"d.pdf : refusé": 1, "lisez-moi": 0, "caché": 0, ".part": 0} {
		t.Run(words, func(t *testing.T) {
			if n := strings.Count(r.out, words); n != times {
				t.Errorf("%q is said %d times, want %d: %s", words, n, times, r.out)
			}
		})
	}
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 100)
	if err != nil || len(rows) != 5 {
		t.Errorf("%d ingestions, want 5 (a, b, c, e, f), %v", len(rows), err)
	}
	again := d.watched(t, dir, func(said func(string)) {
		said("5 fichiers déjà connus (terminé : 4, échec : 1) : rien n’est repris.")
	})
	if again.code != exitDone || strings.Contains(again.out, "a.pdf") {
		t.Errorf("code %d, %q", again.code, again.out)
	}
	if rows, _, err = d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 100); err != nil || len(rows) != 5 {
		t.Errorf("%d ingestions after a restart, %v", len(rows), err)
	}
	d.run(t, "watch", filepath.Join(d.dir, "absent")).want(t, exitUsage, "n’est pas un dossier")
	d.run(t, "watch", "--settle", "0s", dir).want(t, exitUsage, "--settle")
}
