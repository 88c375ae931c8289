package postgres_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// amending returns a law that gives article 5 of law 2023-04 a new wording from a day on
// and inserts article 5 bis. The change names only article 5.
func amending(number string, start time.Time) postgres.StoredText {
	t := text("Loi modificative "+number, number, start, "1er", "2")
	gives := t.Articles[0].ID
	replaces := law.Relation{ID: postgres.NewID(), SourceArticle: gives, Kind: law.Amends, TargetType: law.Loi, TargetNumber: "2023-04",
		TargetArticles: []string{"5"}, Effective: start}
	adds := replaces
	adds.ID, adds.Adds, adds.TargetArticles = postgres.NewID(), true, nil
	t.Relations = []law.Relation{replaces, adds}
	t.Passages[0].Quoted = true
	for i, n := range []string{"5", "5 bis"} {
		w := &law.Wording{Within: gives, Relation: t.Relations[i].ID, Number: n, Inserted: n == "5 bis"}
		a := law.Article{ID: postgres.NewID(), Position: 2 + i, Number: law.NewNumber(n, ""), Page: 1, Text: "Les mots nouveaux de " + number, ValidFrom: &start, Wording: w}
		t.Articles = append(t.Articles, a)
		t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: 2 + i, Page: 1, Text: a.Text})
	}
	return t
}

// lasting returns the number of an article with its first and last day in force.
func (b bundle) lasting(t *testing.T, document, article uuid.UUID) string {
	t.Helper()
	a, err := b.Article(t.Context(), document, article)
	ok(t, err)
	days := ""
	for _, d := range []*time.Time{a.ValidFrom, a.ValidTo} {
		if d == nil {
			days += " –"
			continue
		}
		days += " " + d.Format(time.DateOnly)
	}
	return a.Number + days
}

func TestANewWordingIsLawFromItsChangeToTheNext(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Code du travail", "2023-04", day("2023-03-01"), "5", "6")
	first, second := amending("2024-01", day("2024-06-01")), amending("2025-01", day("2025-06-01"))
	b.ingested(t, "c1", first) // before the amended text is added
	if got := b.lasting(t, first.Document.ID, first.Articles[2].ID); got != "5 (nouveau) 2024-06-01 –" {
		t.Errorf("alone: %s", got)
	}
	b.ingested(t, "c2", code)
	b.ingested(t, "c3", second)
	for article, want := range map[[2]uuid.UUID]string{
		{code.Document.ID, code.Articles[0].ID}:     "5 2023-03-01 2024-06-01",
		{code.Document.ID, code.Articles[1].ID}:     "6 2023-03-01 –",
		{first.Document.ID, first.Articles[0].ID}:   "1er 2024-06-01 –",
		{first.Document.ID, first.Articles[2].ID}:   "5 (nouveau) 2024-06-01 2025-06-01",
		{first.Document.ID, first.Articles[3].ID}:   "5 bis (nouveau) 2024-06-01 –", // the second law inserts another article and replaces nothing
		{second.Document.ID, second.Articles[2].ID}: "5 (nouveau) 2025-06-01 –",
	} {
		if got := b.lasting(t, article[0], article[1]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	list, _, err := b.ReadArticlesOn(ctx, first.Document.ID, day("2025-06-01"), 1, 100, false)
	ok(t, err)
	if len(list) != 3 || list[2].Wording == nil || *list[2].Wording.TargetID != code.Document.ID || list[2].Wording.TargetTitle != "Code du travail" || list[2].Wording.WithinNumber != "1er" {
		t.Errorf("law on the day: %+v", list)
	}
	whole, err := b.WholeText(ctx, first.Document.ID)
	ok(t, err)
	if relationRef := whole.Ended[first.Articles[2].ID]; len(whole.Ended) != 1 || relationRef.DocumentID != second.Document.ID || relationRef.Type != law.AmendedBy {
		t.Errorf("ended by %+v", whole.Ended)
	}
	if whole, err = b.WholeText(ctx, code.Document.ID); err != nil || whole.Ended[code.Articles[0].ID].DocumentID != first.Document.ID {
		t.Errorf("article 5 ended by %+v, %v", whole.Ended, err)
	}
	found, err := b.Found(ctx, []uuid.UUID{first.Passages[2].ID})
	ok(t, err)
	if r := found[first.Passages[2].ID].Relations; len(r) != 2 || r[0].DocumentID != second.Document.ID || r[0].Date != "2025-06-01" { // both of the second's, none of its own
		t.Errorf("changes to the wording: %+v", r)
	}
	earlier := day("2024-05-01") // an editor corrects the day on which the first law came into force
	_, err = b.ChangeDocument(ctx, first.Document.ID, postgres.DocumentChange{EntersInForce: &earlier}, postgres.StatusChange{})
	ok(t, err)
	if got := b.lasting(t, first.Document.ID, first.Articles[2].ID) + ", " + b.lasting(t, code.Document.ID, code.Articles[0].ID); got != "5 (nouveau) 2024-05-01 2025-06-01, 5 2023-03-01 2024-05-01" {
		t.Errorf("after another day was given: %s", got)
	}
	ok(t, b.SettleRelation(ctx, second.Relations[0].ID, nil)) // the relation means another text
	if got := b.lasting(t, first.Document.ID, first.Articles[2].ID); got != "5 (nouveau) 2024-05-01 –" {
		t.Errorf("after the second was settled: %s", got)
	}
}

// A change that names only a division ends the articles to which it gives new wordings.
func TestADivisionWordedAnewEndsItsArticles(t *testing.T) {
	b := setup(t)
	code := text("Code du travail", "2023-04", day("2023-03-01"), "5", "6")
	change := amending("2024-01", day("2024-06-01"))
	change.Relations[0].TargetArticles, change.Relations[0].Adds = nil, true
	b.ingested(t, "d1", code)
	b.ingested(t, "d2", change)
	for i, want := range []string{"5 2023-03-01 2024-06-01", "6 2023-03-01 –"} {
		if got := b.lasting(t, code.Document.ID, code.Articles[i].ID); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The index of an amending text contains the quoting article without the new wordings, and
// each new wording once, as an article of the amended text.
func TestNewWordingsAreIndexedOnce(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	change := amending("2024-01", day("2024-06-01"))
	b.ingested(t, "e1", change)
	read := func() (got []string, amended [][]uuid.UUID) {
		for _, r := range rows(t, b, []uuid.UUID{change.Document.ID}) {
			got = append(got, strings.Join(append([]string{r.ArticleNumber, r.From.Format(time.DateOnly)}, r.Path...), "|"))
			amended = append(amended, r.Amended)
		}
		return got, amended
	}
	got, amended := read()
	if diff := compare.Diff([]string{"2|2024-06-01|TITRE I", "5|2024-06-01|Loi n° 2023-04", "5 bis|2024-06-01|Loi n° 2023-04"}, got); diff != "" || len(amended[1]) != 0 {
		t.Errorf("%s %v", diff, amended)
	}
	version, err := b.CatalogueVersion(ctx)
	ok(t, err)
	code := text("Code du travail", "2023-04", day("2023-03-01"), "5")
	b.ingested(t, "e2", code)
	changed, _, err := b.Changes(ctx, version)
	if err != nil || !slices.Contains(changed, change.Document.ID) {
		t.Errorf("changed %v, %v: without the text that gives the wordings", changed, err)
	}
	got, amended = read()
	if got[1] != "5|2024-06-01|Code du travail" || len(amended[0]) != 0 || !slices.Equal(amended[1], []uuid.UUID{code.Document.ID}) {
		t.Errorf("%q of %v", got, amended)
	}
	quoted, err := b.ReadQuoted(ctx, []uuid.UUID{change.Articles[0].ID, change.Articles[1].ID})
	ok(t, err)
	if len(quoted) != 1 || quoted[change.Articles[0].ID][0].Text != change.Articles[0].Text {
		t.Errorf("quoted %+v", quoted)
	}
	lacking, err := b.Unembedded(ctx, uuid.New(), postgres.Unembedded{}, 10)
	ok(t, err)
	if slices.ContainsFunc(lacking, func(u postgres.Unembedded) bool { return u.ID == change.Passages[0].ID }) {
		t.Error("vectors are asked for of what is not indexed")
	}
	files, err := b.Ingestion(ctx, ingestionOf(t, b, change.Document.ID))
	if err != nil || files.Documents[0].Articles != 2 {
		t.Errorf("articles counted: %+v, %v", files.Documents, err)
	}
}

func TestQuotedWordsAreNoPassagesOfTheirOwn(t *testing.T) {
	b := setup(t)
	change := amending("2024-01", day("2024-06-01"))
	b.ingested(t, "c1", change)
	d, err := b.Document(t.Context(), change.Document.ID)
	ok(t, err)
	if want := len(change.Passages) - 1; d.Passages != want {
		t.Errorf("%d passages, want %d", d.Passages, want)
	}
	astray, err := b.Inconsistencies(t.Context(), "passages", false)
	ok(t, err)
	if len(astray) != 0 {
		t.Errorf("the count of a text that has just come contradicts its passages: %+v", astray)
	}
}

func ingestionOf(t *testing.T, b bundle, document uuid.UUID) uuid.UUID {
	t.Helper()
	d, err := b.Document(t.Context(), document)
	ok(t, err)
	return d.IngestionID
}
