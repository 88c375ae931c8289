package main

import (
	"context"
	"fmt"
	"log/slog"
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
	d.golden(t, "gazette-lines", d.run(t, "gazette", "lines", id, "--page", "1").out)
	d.run(t, "gazette", "lines", id, "--page", "1", "--json").want(t, exitDone, `"text": "DÉCRET N° 2019-12 DU 2 MARS 2019"`, `"label": "head"`)
	d.run(t, "gazette", "edits", id).want(t, exitDone, "Aucune correction.")

	d.run(t, "gazette", "split", id, "--page", "1", "--line", "6", "--type", "circulaire", "--title", "Avis du sel", "--numero", "3", "--date", "2019-03-02").want(t, exitDone,
		"Correction notée : un texte commence à « Article 2. Il est affiché (sel). »", "ingest gazette undo "+id)
	titles("prix du sel", "Avis du sel", "prix du blé")
	d.run(t, "gazette", "merge", id, "--page", "2", "--line", "1").want(t, exitDone, "aucun texte ne commence à « DÉCRET N° 2019-13")
	titles("prix du sel", "Avis du sel")
	d.run(t, "gazette", "move", id, "--page", "2", "--line", "3", "--through", "4", "--to", "loose").want(t, exitDone, "hors de tout texte")
	d.run(t, "gazette", "move", id, "--page", "2", "--line", "6", "--to", "after", "--after", "1:5").want(t, exitDone, "derrière « Article 1er. Le prix du sel")
	d.run(t, "gazette", "renumber", id, "--page", "2", "--line", "5", "--number", "3").want(t, exitDone, "est le n° 3")
	d.run(t, "gazette", "retitle", id, "--page", "1", "--line", "1", "--title", "Décret du sel").want(t, exitDone)
	d.run(t, "gazette", "retitle", id, "--page", "1", "--line", "5", "--title", "Prix", "--article").want(t, exitDone, "l’article de")
	d.runWith(t.Context(), "Le prix est libre.\n\nToujours.\n", nil, "gazette", "correct", id, "--page", "1", "--line", "5", "--article", "--text-stdin").want(t, exitDone)
	d.run(t, "gazette", "correct", id, "--page", "1", "--line", "4", "--text", "DÉCIDE :").want(t, exitDone, "se lit « DÉCIDE : »")
	titles("Décret du sel", "Avis du sel")
	row, err := db.Ingestion(t.Context(), rows[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, "export", row.Documents[0].ID.String()).want(t, exitDone, "DÉCIDE", "Le prix est libre.\n\nToujours.", "Prix")
	r := d.run(t, "gazette", "edits", id)
	d.golden(t, "gazette-edits", r.out)
	edits := items[gazettes.EditBody](t, d.run(t, "gazette", "edits", id, "--json"))
	if len(edits) != 9 {
		t.Fatalf("%d edits", len(edits))
	}
	for _, e := range edits[2:] {
		d.run(t, "gazette", "undo", id, e.ID.String()).want(t, exitDone)
	}
	d.run(t, "gazette", "undo", id, edits[1].ID.String(), "--json").want(t, exitDone, `"edit": null`, `"state": "done"`)
	titles("prix du sel", "Avis du sel", "prix du blé")
	d.run(t, "gazette", "recut", id).want(t, exitDone, "terminé")
	d.run(t, "gazette", "undo", id, edits[1].ID.String()).want(t, exitFailed, "Cette correction est déjà annulée.")
	d.run(t, "gazette", "undo", id, uuid.NewString()).want(t, exitFailed, "Aucune correction")
}

func TestGazetteRefusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.cuts(t)
	d.run(t, "add", d.file(t, "jo.pdf", pdf("deux décrets"))).want(t, exitDone, "terminé")
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	id := rows[0].ID.String()
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "Il manque l’identifiant", []string{"lines"}},
		{exitUsage, "--page manque", []string{"lines", id}},
		{exitUsage, "n’est pas l’identifiant", []string{"lines", "x", "--page", "1"}},
		{exitFailed, "Aucune ingestion", []string{"lines", uuid.NewString(), "--page", "1"}},
		{exitFailed, "n’a pas de page 9", []string{"lines", id, "--page", "9"}},
		{exitUsage, "les lignes 1 à 6", []string{"merge", id, "--page", "1", "--line", "7"}},
		{exitUsage, "les lignes 1 à 6", []string{"merge", id, "--page", "1"}},
		{exitUsage, "Aucun texte ne précède", []string{"merge", id, "--page", "1", "--line", "1"}},
		{exitUsage, "--to : Ce champ est obligatoire.", []string{"move", id, "--page", "1", "--line", "1"}},
		{exitUsage, "vont ensemble", []string{"move", id, "--page", "1", "--line", "1", "--to", "after"}},
		{exitUsage, "PAGE:LIGNE", []string{"move", id, "--page", "1", "--line", "1", "--to", "after", "--after", "3"}},
		{exitUsage, "pas de texte voisin", []string{"move", id, "--page", "1", "--line", "1", "--to", "previous"}},
		{exitUsage, "--date : Une date de la forme AAAA-MM-JJ est attendue.", []string{"split", id, "--page", "1", "--line", "5", "--date", "hier"}},
		{exitUsage, "--type : ", []string{"split", id, "--page", "1", "--line", "5", "--type", "roman"}},
		{exitUsage, "2000 caractères", []string{"split", id, "--page", "1", "--line", "5", "--title", strings.Repeat("x", 2001)}},
		{exitUsage, "--number : Ce champ est obligatoire.", []string{"renumber", id, "--page", "1", "--line", "5"}},
		{exitUsage, "pas les deux", []string{"correct", id, "--page", "1", "--line", "5", "--text", "x", "--text-stdin"}},
		{exitUsage, "--text : Ce champ est obligatoire.", []string{"correct", id, "--page", "1", "--line", "5"}},
		{exitUsage, "n’est pas l’identifiant d’une correction", []string{"undo", id, "x"}},
	} {
		d.run(t, append([]string{"gazette"}, c.args...)...).want(t, c.code, c.says)
	}
	if edits, err := d.db(t).Edits(t.Context(), rows[0].ID); err != nil || len(edits) != 0 {
		t.Errorf("edits %+v, %v", edits, err)
	}
	if _, err := d.db(t).StartIngestion(t.Context(), rows[0].ID); err == nil {
		t.Error("a refused edit has queued the file")
	}
}
