package postgres_test

import (
	"encoding/json"
	"testing"

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

func begun(title, number, begins string) postgres.Text {
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
	doubt := func(x postgres.Text) postgres.Text {
		x.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
		return x
	}
	accepted, rejected, deleted, other := doubt(begun("L1", "1", "1:a")), doubt(begun("L2", "2", "1:b")), begun("Loi 3", "3", "1:c"), begun("Loi 4", "4", "1:d")
	i := b.read(t, "a1", "review", postgres.Segmentation{Texts: []postgres.Text{accepted, rejected, deleted, other}})
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
	again := []postgres.Text{accepted, rejected, made, deleted, other}
	b.cut(t, b.again(t, i.ID), "done", postgres.Segmentation{Texts: again})
	want("cut again", "Loi 1", "Loi 5", "Loi 4")
	for begins, want := range map[string]bool{"1:a": true, "1:b": false, "1:d": false, "": false} {
		if settled, err := b.SettledByHand(ctx, i.ID, begins); err != nil || settled != want {
			t.Errorf("the text at %q is settled by hand: %t, %v", begins, settled, err)
		}
	}
	if settled, err := b.SettledByHand(ctx, uuid.New(), "1:a"); err != nil || settled {
		t.Errorf("a text of another file is settled by hand: %t, %v", settled, err)
	}

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
	i := b.read(t, "a1", "done", postgres.Segmentation{Texts: []postgres.Text{x}, Pages: []postgres.PageLines{{Page: 1, Width: 595, Height: 842, Lines: lines}}})
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
		text postgres.Text
	}{"the new one's file": {file.ID, other}, "the old one's file": {old.ID, there}} {
		ok(t, b.ResegmentIngestion(ctx, f.id))
		row := b.again(t, f.id)
		b.cut(t, row, "done", postgres.Segmentation{Texts: []postgres.Text{f.text}})
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
