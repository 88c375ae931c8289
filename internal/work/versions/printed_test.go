package versions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
)

// inserting returns an act that inserts article 14 bis into the code and prints its words, which
// are an article of the act.
func inserting() postgres.StoredText {
	const words = "Le râteau appartient au saunier."
	act := text("Loi n° 2024-02 du 2 février 2024 modifiant le Code du travail", "2024-02", "2024-02-02", "2024-03-01",
		"1er: Après l’article 14 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, il est inséré un article 14 bis ainsi rédigé : « Article 14 bis : "+words+" »",
		"14 bis (nouveau): "+words)
	start := act.Document.EntersInForce
	act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi, TargetNumber: "2023-07",
		TargetArticles: []string{"14 bis"}, Effective: start, Adds: true}}
	w := &act.Articles[1]
	w.ValidFrom, w.Spans = &start, []law.Span{{Start: 0, End: len(words), Page: 2, Rect: law.Rect{10, 20, 300, 32}}}
	w.Wording = &law.Wording{Within: act.Articles[0].ID, Relation: act.Relations[0].ID, Number: "14 bis", Inserted: true}
	act.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: w.ID, Position: 0, Page: 2, Text: words}}
	return act
}

// found returns what a search by words finds on a day: « number: words », and the articles.
func (b *bundle) found(t *testing.T, words, target string) (shown []string, articles []uuid.UUID) {
	t.Helper()
	d := day(target)
	r, err := b.DB.Search(t.Context(), postgres.SearchQuery{Words: fulltext.Parse(words), Kind: postgres.ArticleUnits, On: &d, Page: 1, PageSize: 10})
	ok(t, err)
	for _, h := range r.Hits {
		if h.Article.Wording != nil {
			shown, articles = append(shown, h.Article.Number+": "+h.Article.Text), append(articles, h.Article.ID)
		}
	}
	return shown, articles
}

// TestInsertedArticleIsChanged checks that an article that the text itself does not print is found
// in the words that it has after a later act, where its first words are printed.
func TestInsertedArticleIsChanged(t *testing.T) {
	b := setup(t)
	c, i := code(), inserting()
	l := text("Loi n° 2026-01 du 2 janvier 2026 modifiant le Code du travail", "2026-01", "2026-01-02", "2026-02-01",
		"1er: À l’article 14 bis de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, le mot : « râteau » est remplacé par le mot : « tamis ».")
	end := text("Loi n° 2027-01 du 2 janvier 2027 modifiant le Code du travail", "2027-01", "2027-01-02", "2027-02-01",
		"1er: L’article 14 bis de la loi n° 2023-07 du 14 mars 2023 portant Code du travail est abrogé.")
	b.add(t, c, i)
	b.follow(t)
	b.add(t, l, end)
	b.follow(t)
	for _, x := range []struct {
		words, on string
		want      []string
	}{
		{"râteau", "2024-02-29", nil}, {"râteau", "2024-03-01", []string{"14 bis: Le râteau appartient au saunier."}},
		{"saunier", "2026-02-01", []string{"14 bis: Le tamis appartient au saunier."}}, {"tamis", "2026-02-01", []string{"14 bis: Le tamis appartient au saunier."}},
		{"saunier", "2027-02-01", nil},
	} {
		shown, articles := b.found(t, x.words, x.on)
		want(t, x.words+" on "+x.on, shown, x.want...)
		if len(articles) > 0 && articles[0] != i.Articles[1].ID {
			t.Errorf("%s on %s: article %s, want that of the act", x.words, x.on, articles[0])
		}
	}
	var rows []postgres.IndexRow
	ok(t, b.DB.IndexRows(t.Context(), []uuid.UUID{i.Document.ID}, func(r postgres.IndexRow) error {
		rows = append(rows, r)
		return nil
	}))
	if len(rows) != 1 || rows[0].Passage.Text != "Le râteau appartient au saunier.\ntamis" || rows[0].To == nil || !rows[0].To.Equal(day("2027-02-01")) {
		t.Errorf("the index has %+v", rows)
	}
	found, err := b.DB.Found(t.Context(), []uuid.UUID{i.Passages[0].ID})
	ok(t, err)
	if v := found[i.Passages[0].ID].Versions; len(v) != 3 || v[0].Act != nil || v[1].Elsewhere || len(v[1].Spans) != 2 || v[1].Spans[0].Page != 2 || !v[2].Gone {
		t.Errorf("the versions that the passage has: %+v", v)
	}
	// Without the act that changes it, the article is as it was printed.
	_, err = b.DB.DeleteDocument(t.Context(), l.Document.ID)
	ok(t, err)
	b.follow(t)
	shown, _ := b.found(t, "saunier", "2026-02-01")
	want(t, "without the act", shown, "14 bis: Le râteau appartient au saunier.")
	if shown, _ := b.found(t, "tamis", "2026-02-01"); shown != nil {
		t.Errorf("words of a deleted act: %s", shown)
	}
}

// TestFileIsReadAgain checks that the index reads the assembled words of a text again after its
// file was read again, which leaves the versions as they were.
func TestFileIsReadAgain(t *testing.T) {
	b := setup(t)
	c := code()
	c.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: c.Articles[1].ID, Position: 0, Page: 2, Text: c.Articles[1].Text}}
	file := postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.Repeat("f", 64), Filename: "code.pdf", Size: 1}
	b.add(t, words())
	file = b.start(t, file)
	ok(t, b.DB.SaveSegmentation(t.Context(), file.ID, file.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{c}}))
	b.follow(t)
	ok(t, b.DB.SaveSegmentation(t.Context(), file.ID, file.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{c}}))
	version, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	b.follow(t)
	changed, _, err := b.DB.Changes(t.Context(), version)
	ok(t, err)
	if len(changed) != 1 || changed[0] != c.Document.ID {
		t.Errorf("the index reads %v again, want the code", changed)
	}
	var indexed []string
	ok(t, b.DB.IndexRows(t.Context(), []uuid.UUID{c.Document.ID}, func(r postgres.IndexRow) error {
		indexed = append(indexed, r.Passage.Text)
		return nil
	}))
	want(t, "index", indexed, "La période d’essai dure trente jours au plus.\nquarante")
	day := time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC)
	r, err := b.DB.Search(t.Context(), postgres.SearchQuery{Words: fulltext.Parse("quarante"), Kind: postgres.ArticleUnits, Document: &c.Document.ID, On: &day, Page: 1, PageSize: 10})
	ok(t, err)
	if r.Total != 1 || r.Hits[0].Assembled == nil {
		t.Errorf("%d hits: %+v", r.Total, r.Hits)
	}
}

// TestWordsOfManyWordingsCountOnce checks that an article does not rank above another one because
// acts have changed a sentence of it that does not have the words.
func TestWordsOfManyWordingsCountOnce(t *testing.T) {
	b := setup(t)
	c := text("Loi n° 2023-07 du 14 mars 2023 portant Code du travail", "2023-07", "2023-03-14", "2023-07-01",
		"14: Le tamis est gris. La période d’essai dure trente jours.", "15: Le tamis est gris. Le préavis est de dix jours.")
	b.add(t, c, words(), later())
	b.follow(t)
	r, err := b.DB.Search(t.Context(), postgres.SearchQuery{Words: fulltext.Parse("tamis"), Kind: postgres.ArticleUnits, Document: &c.Document.ID, Page: 1, PageSize: 10})
	ok(t, err)
	if r.Total != 2 || r.Hits[0].Score != r.Hits[1].Score {
		t.Errorf("%d hits: %+v", r.Total, r.Hits)
	}
	for _, words := range []string{"soixante", "« La période d’essai dure quarante jours »"} {
		if r, err = b.DB.Search(t.Context(), postgres.SearchQuery{Words: fulltext.Parse(words), Kind: postgres.ArticleUnits, Document: &c.Document.ID, Page: 1, PageSize: 10}); err != nil || r.Total != 1 {
			t.Errorf("%s: %d hits, %v", words, r.Total, err)
		}
	}
}

// TestAWordingIsReadInItsWordsOfTheDay checks that a reader of the act that printed the words of
// an article gets them as they are on a day, with the act that changed them since.
func TestAWordingIsReadInItsWordsOfTheDay(t *testing.T) {
	b := setup(t)
	c, i := code(), inserting()
	l := text("Loi n° 2026-01 du 2 janvier 2026 modifiant le Code du travail", "2026-01", "2026-01-02", "2026-02-01",
		"1er: À l’article 14 bis de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, le mot : « râteau » est remplacé par le mot : « tamis ».")
	end := text("Loi n° 2027-01 du 2 janvier 2027 modifiant le Code du travail", "2027-01", "2027-01-02", "2027-02-01",
		"1er: L’article 14 bis de la loi n° 2023-07 du 14 mars 2023 portant Code du travail est abrogé.")
	b.add(t, c, i, l, end)
	b.follow(t)
	wording := i.Articles[1].ID
	for _, x := range []struct {
		on, words string
		by        uuid.UUID
	}{{"2024-03-01", "Le râteau appartient au saunier.", uuid.Nil}, {"2026-02-01", "Le tamis appartient au saunier.", l.Document.ID}, {"2027-02-01", "", uuid.Nil}} {
		list, n, err := b.DB.ReadArticlesOn(t.Context(), i.Document.ID, day(x.on), 1, 10, true)
		ok(t, err)
		if x.words == "" {
			if n != 1 || list[0].ID == wording {
				t.Errorf("on %s the act gives %+v", x.on, list)
			}
			continue
		}
		if n != 2 || list[1].ID != wording || list[1].Text != x.words || (list[1].Assembled != nil) != (x.by != uuid.Nil) || list[1].Assembled != nil && list[1].Assembled.Act != x.by {
			t.Errorf("on %s the act gives %+v", x.on, list)
		}
	}
	versions, titles, err := b.DB.VersionsOf(t.Context(), i.Document.ID, wording)
	ok(t, err)
	if len(versions) != 3 || versions[0].Act != nil || *versions[1].Act != l.Document.ID || !versions[2].Gone || titles[l.Document.ID] != l.Document.Title || versions[1].Inserted {
		t.Errorf("versions %+v, titles %v", versions, titles)
	}
	days, _, err := b.DB.ChangeDays(t.Context(), i.Document.ID)
	ok(t, err)
	if len(days) != 3 || !days[1].Day.Equal(day("2026-02-01")) || days[1].Acts[0] != l.Document.ID {
		t.Errorf("days %+v", days)
	}
}
