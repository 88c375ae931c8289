package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work"
	"vigueur/internal/work/ingestion"
	"vigueur/internal/work/queue"
)

// issue is a fake PDF of a gazette with two decrees on two pages.
type issue struct{ ingestion.Document }

func (issue) Pages() int   { return 2 }
func (issue) Missing() int { return 0 }
func (issue) Close() error { return nil }

func (issue) Read(_ context.Context, start, to int) (pages []layout.Page, err error) {
	for n := start; n <= to; n++ {
		p := layout.Page{Number: n, Width: 595, Height: 842, Source: layout.Layer}
		subject := []string{"sel", "blé"}[n-1]
		for i, line := range []string{fmt.Sprintf("DÉCRET N° 2019-%d DU %d MARS 2019", 11+n, n+1), "fixant le prix du " + subject + ".", "", "Le Premier ministre,", "", "DÉCRÈTE :", "",
			"Article 1er. Le prix du " + subject + " est de dix écus le kilogramme.", "", "Article 2. Il est affiché (" + subject + ")."} {
			x, y := 72.0, float64(72+20*n+i*14)
			for word := range strings.FieldsSeq(line) {
				width := 5 * float64(len([]rune(word)))
				p.Words = append(p.Words, layout.Word{Text: word, Size: 10, Rect: law.Rect{x, y, x + width, y + 10}})
				x += width + 4
			}
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// cuts processes ingestions as a worker does, without reading the file.
func (d *desk) cuts(t *testing.T) {
	t.Helper()
	store, err := blobs.Open(blobs.Settings{URL: d.environ["VIGUEUR_BLOBS_URL"]})
	if err != nil {
		t.Fatal(err)
	}
	r := &ingestion.GazetteReader{DB: d.db(t), Blobs: store, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Read: func(context.Context, string) (ingestion.Document, error) { return issue{}, nil }}
	d.worker(t, queue.Ingestions, func(ctx context.Context, id uuid.UUID) error {
		if err := work.Run(ctx, r, id); !errs.Is(err, errs.LeaseLost) {
			return err
		}
		return nil
	})
}

func TestGazette(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.cuts(t)
	d.run(t, "add", d.file(t, "jo.pdf", pdf("deux décrets"))).want(t, exitDone, "terminé")
	db := d.db(t)
	rows, _, err := db.IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	id := rows[0].ID.String()
	titles := func(want ...string) {
		t.Helper()
		row, err := db.Ingestion(t.Context(), rows[0].ID)
		if err != nil || len(row.Documents) != len(want) {
			t.Fatalf("texts %+v, %v; want %v", row.Documents, err, want)
		}
		for i, d := range row.Documents {
			if !strings.Contains(d.Title, want[i]) {
				t.Errorf("text %d is %q, want %q", i, d.Title, want[i])
			}
		}
	}
	titles("prix du sel", "prix du blé")
	d.run(t, "gazette", "edits", id).want(t, exitDone, "Aucune correction.")
	d.edit(t, id, 1, 6, map[string]any{"kind": "split", "doc_type": "circulaire", "title": "Avis du sel", "number": "3", "date_promulgation": "2019-03-02"})
	titles("prix du sel", "Avis du sel", "prix du blé")
	d.edit(t, id, 2, 1, map[string]any{"kind": "merge"})
	titles("prix du sel", "Avis du sel")
	d.edit(t, id, 1, 5, map[string]any{"kind": "renumber", "number": "3"})
	r := d.run(t, "gazette", "edits", id)
	d.golden(t, "gazette-edits", r.out)
	edits := items[gazettes.EditBody](t, d.run(t, "gazette", "edits", id, "--json"))
	if len(edits) != 3 {
		t.Fatalf("%d edits", len(edits))
	}
	d.run(t, "gazette", "undo", id, edits[2].ID.String()).want(t, exitDone)
	d.run(t, "gazette", "undo", id, edits[1].ID.String(), "--json").want(t, exitDone, `"state": "done"`)
	titles("prix du sel", "Avis du sel", "prix du blé")
	d.run(t, "gazette", "recut", id).want(t, exitDone, "terminé")
	d.run(t, "gazette", "undo", id, edits[1].ID.String()).want(t, exitFailed, "Cette correction est déjà annulée.")
	d.run(t, "gazette", "undo", id, uuid.NewString()).want(t, exitFailed, "Aucune correction")
	d.run(t, "gazette", "undo", id, "x").want(t, exitUsage, "n’est pas l’identifiant d’une correction")
}

// edit corrects a line of a file as the page does, and waits until the file is cut again.
func (d *desk) edit(t *testing.T, id string, page, line int, fields map[string]any) {
	t.Helper()
	a := &app{out: io.Discard, err: io.Discard, environ: d.environ, poll: 5 * time.Millisecond, busy: time.Minute}
	err := a.withServer(t.Context(), func(s *server) error {
		var shown gazettes.LinesBody
		if err := s.Call(t.Context(), http.MethodGet, fmt.Sprintf("/admin/ingestions/%s/pages/%d/lines", id, page), nil, nil, &shown); err != nil {
			return err
		}
		l := shown.Lines[line-1]
		fields["line"] = gazettes.EditLineBody{Page: page, Rect: l.Rect, Text: l.Text}
		return s.Call(t.Context(), http.MethodPost, "/admin/ingestions/"+id+"/edits", nil, fields, nil)
	})
	for db := d.db(t); err == nil; {
		var row postgres.Ingestion
		if row, err = db.Ingestion(t.Context(), uuid.MustParse(id)); err == nil && endedState(row.State) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal(err)
}
