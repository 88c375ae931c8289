package ingestion

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// issueOf returns three decrees on three pages: two on the first page, and one on the other
// pages.
func issueOf() []layout.Page {
	decree := func(number, subject string) []string {
		return []string{"DÉCRET N° 2019-" + number + " DU 3 MARS 2019", "fixant le prix du " + subject + ".", "", "Le Premier ministre,", "", "DÉCRÈTE :", "",
			"Article 1er. Le prix du " + subject + " est de dix écus le kilogramme.", "", "Article 2. Il est affiché sur les marchés de " + subject + ".", ""}
	}
	return []layout.Page{typeset(1, append(decree("12", "sel"), decree("13", "poivre")...)...), typeset(2, decree("14", "blé")...),
		typeset(3, "Article 3. Les ministres sont chargés de l’exécution du présent décret.")}
}

// edited adds an edit of the line of page n that begins with words.
func (b *bundle) edited(t *testing.T, n int, words string, e gazette.Edit) postgres.Edit {
	t.Helper()
	p, err := b.DB.PageLines(t.Context(), b.id, n)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range p.Lines {
		if strings.HasPrefix(l.Text, words) {
			e.Lines = []gazette.Place{gazette.PlaceAt(n, l.Rect, l.Text)}
		}
	}
	if e.Lines == nil {
		t.Fatalf("no line of page %d begins with %q: %+v", n, words, p.Lines)
	}
	payload, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	row, err := b.DB.AddEdit(t.Context(), b.id, postgres.Edit{ID: postgres.NewID(), Kind: string(e.Kind), Payload: payload})
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// runs runs the ingestion and returns its texts.
func (b *bundle) runs(t *testing.T) (titles []string, ids []uuid.UUID) {
	t.Helper()
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	for _, d := range b.row(t).Documents {
		title := d.Title
		if d.InReview {
			title += " ?"
		}
		titles, ids = append(titles, title), append(ids, d.ID)
	}
	return titles, ids
}

func TestEditsCutAFileAgainWithoutReadingIt(t *testing.T) {
	t.Parallel()
	b := setup(t, issueOf())
	titles, previous := b.runs(t)
	salt, pepper, wheat := "Décret n° 2019-12 du 3 mars 2019 fixant le prix du sel", "Décret n° 2019-13 du 3 mars 2019 fixant le prix du poivre", "Décret n° 2019-14 du 3 mars 2019 fixant le prix du blé"
	want := func(what string, got []string, list ...string) {
		t.Helper()
		if diff := compare.Diff(list, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	want("as read", titles, salt, pepper, wheat)

	// A new text begins within the first one: the other texts keep their ids.
	split := b.edited(t, 1, "Article 2. Il est affiché sur les marchés de sel", gazette.Edit{Kind: gazette.SplitHere, Title: "Avis", Type: law.Circulaire})
	if row := b.row(t); row.State != "queued" || !row.Resegment || row.PagesDone != 3 {
		t.Errorf("row %+v", row)
	}
	titles, following := b.runs(t)
	want("split", titles, salt, "Avis ?", pepper, wheat)
	if following[0] != previous[0] || following[2] != previous[1] || following[3] != previous[2] {
		t.Errorf("ids %v, were %v", following, previous)
	}
	// The metadata of the new text is corrected by hand and survives another segmentation.
	day := time.Date(2019, 3, 3, 0, 0, 0, 0, time.UTC)
	if _, err := b.DB.AcceptText(t.Context(), b.id, following[1], postgres.DocumentChange{OfficialNumber: new(string), Promulgated: &day}); err != nil {
		t.Fatal(err)
	}
	b.edited(t, 2, "DÉCRET", gazette.Edit{Kind: gazette.MergeBefore})
	titles, merged := b.runs(t)
	want("merged", titles, salt, "Avis", pepper)
	if merged[1] != following[1] || merged[2] != previous[1] {
		t.Errorf("ids %v, were %v", merged, previous)
	}
	p, err := b.DB.PageLines(t.Context(), b.id, 3)
	if err != nil || len(p.Lines) == 0 || p.Lines[0].DocumentID == nil || *p.Lines[0].DocumentID != previous[1] || *p.Lines[0].TextIndex != 2 || p.Width != 595 {
		t.Errorf("lines of page 3: %+v, %v", p, err)
	}
	if err := b.DB.UndoEdit(t.Context(), b.id, split.ID); err != nil {
		t.Fatal(err)
	}
	titles, undone := b.runs(t)
	want("undone", titles, salt, pepper)
	if undone[0] != previous[0] || undone[1] != previous[1] {
		t.Errorf("ids %v, were %v", undone, previous)
	}
	b.check(t, "done", "")
	b.pdf.readOnce(t)
	if b.pdf.opens != 1 {
		t.Errorf("the PDF was opened %d times", b.pdf.opens)
	}
}

// TestAnEditThatAppliesNoMoreIsTold segments a file again whose edit names a missing line.
// This is reported with the edit, in the remark on the file and in review; an accepted text
// is reopened only once.
func TestAnEditThatAppliesNoMoreIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t, issueOf())
	titles, ids := b.runs(t)
	if len(ids) != 3 {
		t.Fatalf("texts %v", titles)
	}
	payload, err := json.Marshal(gazette.Edit{Lines: []gazette.Place{gazette.PlaceAt(1, law.Rect{1, 2, 3, 4}, "Une ligne")}, Title: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.DB.AddEdit(t.Context(), b.id, postgres.Edit{ID: postgres.NewID(), Kind: "retitle", Payload: payload}); err != nil {
		t.Fatal(err)
	}
	b.runs(t)
	row := b.check(t, "review", "ne s’applique plus : la ligne « Une ligne »")
	if !row.Documents[1].InReview || row.Documents[0].InReview || row.Documents[2].InReview {
		t.Errorf("texts %+v", row.Documents)
	}
	list, err := b.DB.Edits(t.Context(), b.id)
	if err != nil || len(list) != 1 || !strings.HasPrefix(list[0].Fault, "La correction du ") {
		t.Errorf("edits %+v, %v", list, err)
	}
	if _, err := b.DB.AcceptText(t.Context(), b.id, ids[1], postgres.DocumentChange{}); err != nil {
		t.Fatal(err)
	}
	if err := b.DB.ResegmentIngestion(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	b.runs(t)
	b.check(t, "done", "ne s’applique plus")
}

// TestAKilledCutIsTakenUpAgain kills a worker before and after it has saved the result of
// edits.
func TestAKilledCutIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	for _, saved := range []bool{false, true} {
		b := setup(t, issueOf())
		_, previous := b.runs(t)
		b.edited(t, 2, "DÉCRET", gazette.Edit{Kind: gazette.MergeBefore})
		b.stop(t, saved)
		titles, following := b.runs(t)
		if len(titles) != 2 || !slices.Equal(following, previous[:2]) {
			t.Errorf("saved %v: texts %v, ids %v, were %v", saved, titles, following, previous)
		}
		b.check(t, "done", "")
		b.pdf.readOnce(t)
	}
}

// stop runs an attempt that ends like by kill -9 after segmentation, or after saving, and
// makes the row due again.
func (b *bundle) stop(t *testing.T, saved bool) {
	t.Helper()
	row, err := b.DB.StartIngestion(t.Context(), b.id)
	if err != nil {
		t.Fatal(err)
	}
	dead := make(chan struct{})
	go func() {
		defer close(dead)
		j := &job{GazetteReader: b.GazetteReader, Ingestion: row, log: b.Log}
		cut, err := j.cut(context.Background())
		if err == nil && saved {
			err = b.DB.SaveSegmentation(context.Background(), row.ID, row.Attempt, cut)
		}
		if err != nil {
			t.Error(err)
		}
		runtime.Goexit()
	}()
	<-dead
	if err := b.DB.ReleaseIngestion(t.Context(), b.id, row.Attempt); err != nil {
		t.Fatal(err)
	}
}
