package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// found reads the first passage of a text as a search does.
func (b bundle) found(t *testing.T, text postgres.Text) postgres.Found {
	t.Helper()
	id := text.Passages[0].ID
	all, err := b.Found(t.Context(), []uuid.UUID{id})
	ok(t, err)
	return all[id]
}

// wantRepeal checks that both texts, and citations of the old text, show the repeal; with a
// nil day, that they show none.
func (b bundle) wantRepeal(t *testing.T, old, by postgres.Text, on *time.Time) {
	t.Helper()
	active, err := b.Relations(t.Context(), by.Document.ID)
	ok(t, err)
	passive, err := b.Relations(t.Context(), old.Document.ID)
	ok(t, err)
	f := b.found(t, old)
	if on == nil {
		if len(active.Repeals)+len(passive.RepealedBy)+len(f.Relations) != 0 || f.To != nil {
			t.Errorf("no repeal is in force, yet %+v, %+v, cited %+v until %v", active, passive, f.Relations, f.To)
		}
		return
	}
	if len(active.Repeals) != 1 || active.Repeals[0].ID != old.Document.ID || !active.Repeals[0].Date.Equal(*on) {
		t.Errorf("the text that repeals has %+v", active)
	}
	if len(passive.RepealedBy) != 1 || passive.RepealedBy[0].ID != by.Document.ID {
		t.Errorf("the repealed text has %+v", passive)
	}
	want := law.RelationRef{Type: law.RepealedBy, DocumentID: by.Document.ID, Title: by.Document.Title, Date: on.Format(time.DateOnly)}
	if len(f.Relations) != 1 || f.Relations[0] != want {
		t.Errorf("cited with %+v, want %+v", f.Relations, want)
	}
	if f.To == nil || !f.To.Equal(*on) {
		t.Errorf("law until %v, want %v", f.To, on)
	}
}

func TestRepealByHandIsTheRepealOfBothTexts(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old, by := text("Loi n° 2020-1", "2020-1", day("2020-01-01"), "1er"), text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	b.save(t, b.addGazette(t, "a1"), old)
	gazette := b.addGazette(t, "b2")
	b.save(t, gazette, by)
	since := by.Document.EntersInForce
	set := func(s postgres.StatusChange) {
		t.Helper()
		_, err := b.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, s)
		ok(t, err)
	}
	b.wantRepeal(t, old, by, nil)
	set(postgres.StatusChange{RepealedBy: &by.Document.ID})
	b.wantRepeal(t, old, by, &since)
	// The file of the repealing text is segmented again.
	b.save(t, gazette, by)
	b.wantRepeal(t, old, by, &since)
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
	since := other.Document.EntersInForce
	b.wantRepeal(t, old, other, &since)
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
