package postgres_test

import (
	"context"
	"slices"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// wantFound checks the result of a search: titles, each with the article's number after a
// slash.
func (b bundle) wantFound(t *testing.T, words string, want ...string) {
	t.Helper()
	r, err := b.Search(t.Context(), postgres.SearchQuery{Words: fulltext.Parse(words), Page: 1, PageSize: 50})
	ok(t, err)
	var found []string
	for _, h := range r.Hits {
		name := h.Document.Title
		if h.Article != nil {
			name += "/" + h.Article.Number
		}
		found = append(found, name)
	}
	slices.Sort(found)
	if !slices.Equal(found, want) || r.Total != len(want) {
		t.Errorf("%s: %q of %d, want %q", words, found, r.Total, want)
	}
}

// milled returns a law with one article about a mill.
func milled(title, number string) postgres.StoredText {
	x := text(title, number, day("2021-01-01"), "1er")
	x.Articles[0].Text = "La meule tourne de nuit."
	return x
}

func TestSearchFollowsTheCatalogue(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	mill, waiting := milled("Loi sur le moulin", "2021-01"), milled("Loi sur la roue", "2021-02")
	waiting.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.save(t, i, mill, waiting)
	ok(t, b.MarkIngestion(ctx, i.ID, i.Attempt, "review", ""))
	b.wantFound(t, "meule", "Loi sur le moulin/1er") // texts in review are not found
	b.wantFound(t, "moulin meule", "Loi sur le moulin/1er")
	_, err := b.AcceptText(ctx, i.ID, waiting.Document.ID, postgres.DocumentChange{Title: ptr("Loi sur le bief")})
	ok(t, err)
	b.wantFound(t, "meule", "Loi sur le bief/1er", "Loi sur le moulin/1er")
	b.wantFound(t, "bief meule", "Loi sur le bief/1er") // found by its new title
	b.wantFound(t, "roue bief", "Loi sur le bief")      // no longer found by its old title: it has only one word of two
	b.wantFound(t, `"meule tourne de nuit"`, "Loi sur le bief/1er", "Loi sur le moulin/1er")
	_, err = b.ChangeDocument(ctx, mill.Document.ID, postgres.DocumentChange{OfficialNumber: ptr("2021-77/AN")}, postgres.StatusChange{})
	ok(t, err)
	b.wantFound(t, "n° 2021-77", "Loi sur le moulin")
	_, err = b.DeleteDocument(ctx, mill.Document.ID)
	ok(t, err)
	b.wantFound(t, "moulin")
}

// TestAcronymsAndTheirWordsFindEachOther looks for an acronym and for what it stands for.
func TestAcronymsAndTheirWordsFindEachOther(t *testing.T) {
	b := setup(t)
	long, short, other := milled("Loi sur le travail", "2021-01"), milled("Loi sur les usages", "2021-02"), milled("Loi sur la meule", "2021-03")
	long.Articles[0].Text = "Le contrat de travail à durée déterminée est écrit."
	short.Articles[0].Text = "Le CDD est écrit."
	other.Articles[0].Text = "Le contrat à durée indéterminée est écrit."
	b.save(t, b.addGazette(t, "a1"), long, short, other)
	both := []string{"Loi sur le travail/1er", "Loi sur les usages/1er"}
	for _, typed := range []string{"CDD", "cdd écrit", "contrat à durée déterminée", "écrit contrat durée déterminée"} {
		b.wantFound(t, typed, both...)
	}
	b.wantFound(t, `"CDD"`, both[1])
	b.wantFound(t, `"durée déterminée"`, both[0])
}

// The cached counts of all texts follow the catalogue when texts are added, changed or
// deleted, even by another process.
func TestWhatIsCountedOfAllTextsFollowsTheCatalogue(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), pgtest.NewURL(t)
	open := func() *postgres.DB {
		db, err := postgres.Open(ctx, url)
		ok(t, err)
		t.Cleanup(db.Close)
		return db
	}
	b, other := bundle{DB: open()}, open()
	want := func(total, decrees, older int) {
		t.Helper()
		for _, db := range []*postgres.DB{b.DB, other, b.DB} {
			all, err := db.Search(ctx, postgres.SearchQuery{All: true, Page: 1, PageSize: 5})
			ok(t, err)
			previous := day("2021-12-31")
			old, err := db.Search(ctx, postgres.SearchQuery{All: true, To: &previous, Page: 1, PageSize: 5})
			ok(t, err)
			found := 0
			for _, c := range all.Facets.Types {
				if c.Value == string(law.Decret) {
					found = c.N
				}
			}
			if all.Total != total || len(all.Hits) != min(total, 5) || found != decrees || old.Total != older {
				t.Errorf("%d texts, %d of them shown, %d decrees, %d older ones, want %d, %d and %d", all.Total, len(all.Hits), found, old.Total, total, decrees, older)
			}
		}
	}
	want(0, 0, 0)
	i := b.addGazette(t, "a1")
	old, late := milled("Loi sur le moulin", "2021-01"), milled("Loi sur la roue", "2022-02")
	late.Document.Promulgated = day("2022-02-02")
	b.save(t, i, old, late)
	want(2, 0, 1)
	_, err := b.ChangeDocument(ctx, late.Document.ID, postgres.DocumentChange{Type: ptr(law.Decret)}, postgres.StatusChange{})
	ok(t, err)
	want(2, 1, 1)
	_, err = b.DeleteDocument(ctx, old.Document.ID)
	ok(t, err)
	want(1, 1, 0)
}

// The migration makes search units for texts that lack them, and remakes units of an older
// analysis.
func TestMigrateMakesTheCatalogueSearchable(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	b := bundle{DB: db}
	b.save(t, b.addGazette(t, "a1"), milled("Loi sur le moulin", "2021-01"))
	b.save(t, b.addGazette(t, "b2"), milled("Loi sur la roue", "2021-02"))
	ok(t, db.Exec(t.Context(), `DELETE FROM search_units WHERE document_id = (SELECT min(id::text)::uuid FROM documents)`))
	ok(t, db.Exec(t.Context(), `UPDATE search_units SET words = '', analysis = CASE position WHEN -1 THEN 0 END`))
	_, err = postgres.Migrate(context.WithoutCancel(t.Context()), url, nil)
	ok(t, err)
	b.wantFound(t, "meule", "Loi sur la roue/1er", "Loi sur le moulin/1er")
	b.wantFound(t, "moulin", "Loi sur le moulin")
	b.wantFound(t, "roue meule", "Loi sur la roue/1er")
}
