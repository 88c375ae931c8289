package postgres_test

import (
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// TestWhatPersonsSaidOutlivesAnotherCut segments a file again after a person has accepted a
// text, settled two relations and set a status. All these decisions stay, although another
// text now precedes the others, and everything else is as newly read.
func TestWhatPersonsSaidOutlivesAnotherCut(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	other := text("Décret n° 7 relatif au sel", "7", day("2020-01-01"), "1er")
	b.ingested(t, "a1", other)
	printed := func(x postgres.Text, words string, page int) postgres.Text {
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
