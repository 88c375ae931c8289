package postgres_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// read adds a file whose only page was read and that has ended, with the given
// segmentation.
func (b bundle) read(t *testing.T, name, state string, cut postgres.Segmentation) postgres.Ingestion {
	t.Helper()
	i := b.addGazette(t, name)
	ok(t, b.SavePages(t.Context(), i.ID, i.Attempt, []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("x")}}, 1))
	b.cut(t, i, state, cut)
	return i
}

// cut saves a segmentation of a file and ends it.
func (b bundle) cut(t *testing.T, i postgres.Ingestion, state string, cut postgres.Segmentation) {
	t.Helper()
	ok(t, b.SaveSegmentation(t.Context(), i.ID, i.Attempt, cut))
	ok(t, b.MarkIngestion(t.Context(), i.ID, i.Attempt, state, ""))
}

// again leases a file that was queued to be segmented again.
func (b bundle) again(t *testing.T, id uuid.UUID) postgres.Ingestion {
	t.Helper()
	i, err := b.StartIngestion(t.Context(), id)
	ok(t, err)
	return i
}

func begun(title, number, begins string) postgres.StoredText {
	x := text(title, number, day("2021-01-01"), "1er")
	x.Begins = begins
	return x
}

func (b bundle) edit(t *testing.T, ingestion uuid.UUID) postgres.Edit {
	t.Helper()
	e, err := b.AddEdit(t.Context(), ingestion, postgres.Edit{ID: postgres.NewID(), Kind: "merge", Payload: json.RawMessage(`{"lines": []}`)})
	ok(t, err)
	return e
}

func TestEditsAreKeptInOrderAndUndone(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	add := func(kind string) (postgres.Edit, error) {
		return b.AddEdit(ctx, i.ID, postgres.Edit{ID: postgres.NewID(), Kind: kind, Payload: json.RawMessage(`{"lines": []}`)})
	}
	_, err := add("merge")
	wantKind(t, err, errs.Conflict) // the file is being processed
	wantKind(t, b.ResegmentIngestion(ctx, i.ID), errs.Conflict)
	ok(t, b.MarkIngestion(ctx, i.ID, i.Attempt, "done", ""))
	_, err = add("merge")
	wantKind(t, err, errs.Conflict) // no page was read
	ok(t, b.Exec(ctx, `UPDATE ingestions SET pages_done = 1, pages_total = 1 WHERE id = $1`, i.ID))
	first, err := add("merge")
	ok(t, err)
	second, err := add("move") // while the file is queued
	ok(t, err)
	if first.Position != 1 || second.Position != 2 || first.By != nil || first.CreatedAt.IsZero() {
		t.Errorf("%+v, %+v", first, second)
	}
	row := b.again(t, i.ID)
	if !row.Resegment || row.Tries != 1 {
		t.Errorf("row %+v", row)
	}
	_, err = add("merge")
	wantKind(t, err, errs.Conflict)
	b.cut(t, row, "done", postgres.Segmentation{Faults: map[uuid.UUID]string{second.ID: "Plus là."}})
	ok(t, b.UndoEdit(ctx, i.ID, first.ID))
	wantKind(t, b.UndoEdit(ctx, i.ID, first.ID), errs.Conflict)
	wantKind(t, b.UndoEdit(ctx, i.ID, uuid.New()), errs.NotFound)
	_, err = b.AddEdit(ctx, uuid.New(), first)
	wantKind(t, err, errs.NotFound)
	list, err := b.Edits(ctx, i.ID)
	ok(t, err)
	if len(list) != 2 || list[0].UndoneAt == nil || list[1].UndoneAt != nil || list[1].Fault != "Plus là." || list[1].Kind != "move" {
		t.Errorf("edits %+v", list)
	}
	log, _, err := b.Audit(ctx, postgres.AuditQuery{Limit: 4})
	ok(t, err)
	var actions []string
	for _, l := range log {
		actions = append(actions, string(l.Action))
	}
	if diff := compare.Diff([]string{"ingestion.undo", "ingestion.edit", "ingestion.edit", "ingestion.create"}, actions); diff != "" {
		t.Error(diff)
	}
}

// TestDecisionsOutliveACutByEdits segments a file again after a person has decided about
// its texts. Accepted texts stay accepted, and rejected and deleted texts stay away, even
// if the texts of a page have no printed title that would identify them. Of an acceptance
// and an edit of the same field the later one wins.
func TestDecisionsOutliveACutByEdits(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	doubt := func(x postgres.StoredText) postgres.StoredText {
		x.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
		return x
	}
	accepted, rejected, deleted, other := doubt(begun("L1", "1", "1:a")), doubt(begun("L2", "2", "1:b")), begun("Loi 3", "3", "1:c"), begun("Loi 4", "4", "1:d")
	i := b.read(t, "a1", "review", postgres.Segmentation{Texts: []postgres.StoredText{accepted, rejected, deleted, other}})
	_, err := b.AcceptText(ctx, i.ID, accepted.Document.ID, postgres.DocumentChange{Title: ptr("Loi 1")})
	ok(t, err)
	ok(t, b.RejectText(ctx, i.ID, rejected.Document.ID, ""))
	_, err = b.DeleteDocument(ctx, deleted.Document.ID)
	ok(t, err)
	titles := func() (all []string) {
		t.Helper()
		row, err := b.Ingestion(ctx, i.ID)
		ok(t, err)
		for _, d := range row.Documents {
			if d.InReview {
				d.Title += " ?"
			}
			all = append(all, d.Title)
		}
		return all
	}
	want := func(what string, list ...string) {
		t.Helper()
		if diff := compare.Diff(list, titles()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	e := b.edit(t, i.ID)
	made := begun("Loi 5", "5", "1:e")
	again := []postgres.StoredText{accepted, rejected, made, deleted, other}
	b.cut(t, b.again(t, i.ID), "done", postgres.Segmentation{Texts: again})
	want("cut again", "Loi 1", "Loi 5", "Loi 4")
	b.edit(t, i.ID)
	again[0].Document.Title, again[0].Edited = "Loi une", map[string]string{"title": "Loi une"}
	b.cut(t, b.again(t, i.ID), "done", postgres.Segmentation{Texts: again})
	want("an edit after the acceptance", "Loi une", "Loi 5", "Loi 4")
	_, err = b.ChangeDocument(ctx, accepted.Document.ID, postgres.DocumentChange{Title: ptr("Loi première")}, postgres.StatusChange{})
	ok(t, err)
	ok(t, b.UndoEdit(ctx, i.ID, e.ID))
	b.cut(t, b.again(t, i.ID), "done", postgres.Segmentation{Texts: again})
	want("a change after the edit", "Loi première", "Loi 5", "Loi 4")

	again[0].Reopened = true
	again[0].Doubts = append(again[0].Doubts, law.Doubt{Field: "correction", Reason: "Plus là."})
	ok(t, b.ResegmentIngestion(ctx, i.ID))
	b.cut(t, b.again(t, i.ID), "review", postgres.Segmentation{Texts: again})
	want("something new to say", "Loi première ?", "Loi 5", "Loi 4")
	review, err := b.Review(ctx, accepted.Document.ID)
	ok(t, err)
	if len(review.Doubts) != 1 || review.Doubts[0].Field != "correction" {
		t.Errorf("doubts %+v", review.Doubts)
	}
}

func TestLinesOfAPage(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	x := text("Loi", "1", day("2021-01-01"), "1er")
	gone := uuid.New()
	lines := []postgres.Line{
		{Rect: law.Rect{1, 2, 3, 4}, Text: "LOI", Label: "head", Confidence: 1, TextIndex: ptr(0), DocumentID: &x.Document.ID},
		{Text: "Art. 1er", Label: "article", Confidence: 1, TextIndex: ptr(1), DocumentID: &gone, Article: ptr("1er")},
	}
	i := b.read(t, "a1", "done", postgres.Segmentation{Texts: []postgres.StoredText{x}, Pages: []postgres.PageLines{{Page: 1, Width: 595, Height: 842, Lines: lines}}})
	got, err := b.PageLines(ctx, i.ID, 1)
	ok(t, err)
	lines[1].DocumentID = nil
	if diff := compare.Diff(postgres.PageLines{Page: 1, Width: 595, Height: 842, Lines: lines}, got); diff != "" {
		t.Error(diff)
	}
	_, err = b.PageLines(ctx, i.ID, 2)
	wantKind(t, err, errs.NotFound)
}

// TestAnsweredEditionsAreNotAskedAbout segments the files of two editions again after a
// person has superseded one by the other: the decision stays.
func TestAnsweredEditionsAreNotAskedAbout(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	there, other := decree(false, "2000-05-17"), decree(false, "2000-05-18")
	there.Begins, other.Begins = "1:a", "1:b"
	old := b.ingested(t, "a1", there)
	file := b.ingested(t, "a2", other)
	_, err := b.AcceptText(ctx, file.ID, other.Document.ID, postgres.DocumentChange{Supersedes: &there.Document.ID})
	ok(t, err)
	b.wantListed(t, other.Document.ID)
	for what, f := range map[string]struct {
		id   uuid.UUID
		text postgres.StoredText
	}{"the new one's file": {file.ID, other}, "the old one's file": {old.ID, there}} {
		ok(t, b.ResegmentIngestion(ctx, f.id))
		row := b.again(t, f.id)
		b.cut(t, row, "done", postgres.Segmentation{Texts: []postgres.StoredText{f.text}})
		b.wantListed(t, other.Document.ID)
		d, err := b.Document(ctx, there.Document.ID)
		if err != nil || d.SupersededBy == nil || *d.SupersededBy != other.Document.ID {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
		if waiting, err := b.ReviewPage(ctx, postgres.ReviewQuery{}, 1, 10); err != nil || len(waiting.Items) != 0 {
			t.Errorf("%s: %+v waits, %v", what, waiting, err)
		}
	}
}

// TestWhatPersonsSaidOutlivesAnotherCut segments a file again after a person has accepted a
// text, settled two relations and set a status. All these decisions stay, although another
// text now precedes the others, and everything else is as newly read.
func TestWhatPersonsSaidOutlivesAnotherCut(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	other := text("Décret n° 7 relatif au sel", "7", day("2020-01-01"), "1er")
	b.ingested(t, "a1", other)
	printed := func(x postgres.StoredText, words string, page int) postgres.StoredText {
		x.Document.FirstPage, x.Document.LastPage = page, page
		x.Evidence = []law.Evidence{{Field: "numero_officiel", Words: "no"}, {Field: "title", Words: words, Page: page, Confidence: 0.95}}
		return x
	}
	doubtful := printed(text("Lo1 n° 8", "8", day("2021-01-01"), "1er"), "LO1 N° 8", 2)
	doubtful.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
	doubtful.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: doubtful.Articles[0].ID, Kind: law.Repeals, TargetTitle: "les règles du sel", Effective: day("2021-01-01")}}
	plain, kept := printed(text("Loi n° 9", "9", day("2021-02-01"), "1er"), "LOI N° 9", 2), printed(text("Loi n° 10", "10", day("2021-03-01"), "1er"), "LOI N° 10", 3)
	file := b.addGazette(t, "a2")
	ok(t, b.SavePages(ctx, file.ID, file.Attempt, []postgres.StoredPage{{Number: 1, Source: layout.None, Content: []byte("x"), Unread: true}}, 1))
	b.save(t, file, doubtful, plain, kept)
	ok(t, b.MarkIngestion(ctx, file.ID, file.Attempt, "review", ""))
	_, err := b.AcceptText(ctx, file.ID, doubtful.Document.ID, postgres.DocumentChange{Title: ptr("Loi n° 8 relative au sel"), Nature: ptr("Ordonnance")})
	ok(t, err)
	ok(t, b.SettleRelation(ctx, doubtful.Relations[0].ID, &other.Document.ID))
	_, err = b.ChangeDocument(ctx, kept.Document.ID, postgres.DocumentChange{}, postgres.StatusChange{Status: ptr(law.Repealed)})
	ok(t, err)
	third := text("Loi n° 11", "11", day("2022-01-01"), "1er")
	third.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: third.Articles[0].ID, Kind: law.Amends, TargetTitle: "les lois", Effective: day("2022-01-01")}}
	b.ingested(t, "a3", third)
	ok(t, b.SettleRelation(ctx, third.Relations[0].ID, &plain.Document.ID))

	ok(t, b.RetryIngestion(ctx, file.ID, nil))
	again, err := b.StartIngestion(ctx, file.ID)
	ok(t, err)
	first := printed(text("Loi n° 6", "6", day("2021-01-01"), "1er"), "LOI N° 6", 1)
	plain.Document.Title, plain.Document.Nature = "Loi n° 9 du 1er février 2021", "Loi"
	b.save(t, again, first, doubtful, plain, kept)

	got, err := b.Document(ctx, doubtful.Document.ID)
	ok(t, err)
	if got.Title != "Loi n° 8 relative au sel" || got.Nature != "Ordonnance" {
		t.Errorf("the accepted text is called %q, of the nature %q", got.Title, got.Nature)
	}
	if got, err = b.Document(ctx, plain.Document.ID); err != nil || got.Title != "Loi n° 9 du 1er février 2021" || got.Nature != "Loi" || got.Status != law.Amended {
		t.Errorf("the text that a relation was said to mean: %+v, %v", got, err)
	}
	if got, err = b.Document(ctx, kept.Document.ID); err != nil || got.Status != law.Repealed {
		t.Errorf("the text that was said to be repealed: %+v, %v", got, err)
	}
	if got, err = b.Document(ctx, other.Document.ID); err != nil || got.Status != law.Repealed || got.RepealedBy == nil || *got.RepealedBy != doubtful.Document.ID {
		t.Errorf("the text that a relation of the file was said to mean: %+v, %v", got, err)
	}
	_, err = b.ReopenText(ctx, file.ID, doubtful.Document.ID)
	wantKind(t, err, errs.Conflict) // still running
	ok(t, b.MarkIngestion(ctx, again.ID, again.Attempt, "done", ""))
	if got, err = b.ReopenText(ctx, file.ID, doubtful.Document.ID); err != nil || got.Title != "Lo1 n° 8" || got.Nature != "" {
		t.Errorf("reopened after another cut: %+v, %v", got, err)
	}
	if got, err = b.Document(ctx, other.Document.ID); err != nil || got.Status != law.InForce {
		t.Errorf("what it repealed: %+v, %v", got, err)
	}
}

// found reads the first passage of a text as a search does.
func (b bundle) found(t *testing.T, text postgres.StoredText) postgres.Found {
	t.Helper()
	id := text.Passages[0].ID
	all, err := b.Found(t.Context(), []uuid.UUID{id})
	ok(t, err)
	return all[id]
}

// wantRepeal checks that both texts, and citations of the old text, show the repeal; with a
// nil day, that they show none.
func (b bundle) wantRepeal(t *testing.T, old, by postgres.StoredText, day *time.Time) {
	t.Helper()
	active, err := b.Relations(t.Context(), by.Document.ID)
	ok(t, err)
	passive, err := b.Relations(t.Context(), old.Document.ID)
	ok(t, err)
	f := b.found(t, old)
	if day == nil {
		if len(active.Repeals)+len(passive.RepealedBy)+len(f.Relations) != 0 || f.To != nil {
			t.Errorf("no repeal is in force, yet %+v, %+v, cited %+v until %v", active, passive, f.Relations, f.To)
		}
		return
	}
	if len(active.Repeals) != 1 || active.Repeals[0].ID != old.Document.ID || !active.Repeals[0].Date.Equal(*day) {
		t.Errorf("the text that repeals has %+v", active)
	}
	if len(passive.RepealedBy) != 1 || passive.RepealedBy[0].ID != by.Document.ID {
		t.Errorf("the repealed text has %+v", passive)
	}
	want := law.RelationRef{Type: law.RepealedBy, DocumentID: by.Document.ID, Title: by.Document.Title, Date: day.Format(time.DateOnly)}
	if len(f.Relations) != 1 || f.Relations[0] != want {
		t.Errorf("cited with %+v, want %+v", f.Relations, want)
	}
	if f.To == nil || !f.To.Equal(*day) {
		t.Errorf("law until %v, want %v", f.To, day)
	}
}

func TestRepealByHandIsTheRepealOfBothTexts(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old, by := text("Loi n° 2020-1", "2020-1", day("2020-01-01"), "1er"), text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	b.save(t, b.addGazette(t, "a1"), old)
	gazette := b.addGazette(t, "b2")
	b.save(t, gazette, by)
	start := by.Document.EntersInForce
	set := func(s postgres.StatusChange) {
		t.Helper()
		_, err := b.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, s)
		ok(t, err)
	}
	b.wantRepeal(t, old, by, nil)
	set(postgres.StatusChange{RepealedBy: &by.Document.ID})
	b.wantRepeal(t, old, by, &start)
	// The file of the repealing text is segmented again.
	b.save(t, gazette, by)
	b.wantRepeal(t, old, by, &start)
	set(postgres.StatusChange{Unrepealed: true})
	b.wantRepeal(t, old, by, nil)
}

func TestPersonContradictsARepealThatWasRead(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old, by := text("Loi n° 2020-1", "2020-1", day("2020-01-01"), "1er"), text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	by.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: by.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2020-1", Effective: day("2024-03-01")}}
	other := text("Loi n° 2023-7", "2023-7", day("2023-07-01"), "1er")
	b.save(t, b.addGazette(t, "a1"), old)
	b.save(t, b.addGazette(t, "b2"), by)
	b.save(t, b.addGazette(t, "c3"), other)
	if f := b.found(t, old); len(f.Relations) != 1 || f.Relations[0].ArticleID == nil {
		t.Fatalf("read: %+v", f.Relations)
	}
	inForce := law.InForce
	_, err := b.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, postgres.StatusChange{Status: &inForce})
	ok(t, err)
	b.wantRepeal(t, old, by, nil)
	_, err = b.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, postgres.StatusChange{RepealedBy: &other.Document.ID})
	ok(t, err)
	start := other.Document.EntersInForce
	b.wantRepeal(t, old, other, &start)
	// A repeal that was read names its article, even if a person has confirmed it.
	_, err = b.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, postgres.StatusChange{RepealedBy: &by.Document.ID})
	ok(t, err)
	if f := b.found(t, old); len(f.Relations) != 1 || f.Relations[0].ArticleID == nil || *f.Relations[0].ArticleID != by.Articles[0].ID {
		t.Errorf("confirmed: %+v", f.Relations)
	}
}

func TestRepealByHandTakesEffectOnItsDay(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old, by := text("Loi n° 2020-1", "2020-1", day("2020-01-01"), "1er"), text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	later := time.Now().UTC().AddDate(0, 0, 3).Truncate(24 * time.Hour)
	by.Document.EntersInForce = later
	b.save(t, b.addGazette(t, "a1"), old)
	b.save(t, b.addGazette(t, "b2"), by)
	d, err := b.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, postgres.StatusChange{RepealedBy: &by.Document.ID})
	ok(t, err)
	if d.Status != law.InForce || d.RepealedBy == nil {
		t.Errorf("status %s, repealed by %v", d.Status, d.RepealedBy)
	}
	b.wantRepeal(t, old, by, &later)
	if n, err := b.RefreshStatuses(ctx); err != nil || n != 0 {
		t.Errorf("three days before: %d refreshed, %v", n, err)
	}
	ok(t, b.Exec(ctx, `UPDATE documents SET repealed_on = current_date WHERE id = $1`, old.Document.ID))
	if n, err := b.RefreshStatuses(ctx); err != nil || n != 1 {
		t.Errorf("on the day: %d refreshed, %v", n, err)
	}
	if d, err = b.Document(ctx, old.Document.ID); err != nil || d.Status != law.Repealed {
		t.Errorf("status %s, %v", d.Status, err)
	}
	// A text that no other text repeals any more has no future end.
	ok(t, b.Exec(ctx, `UPDATE documents SET repealed_on = current_date + 3, statut = 'en_vigueur' WHERE id = $1`, old.Document.ID))
	_, err = b.DeleteDocument(ctx, by.Document.ID)
	ok(t, err)
	if f := b.found(t, old); f.To != nil || len(f.Relations) != 0 {
		t.Errorf("law until %v, %+v", f.To, f.Relations)
	}
}
