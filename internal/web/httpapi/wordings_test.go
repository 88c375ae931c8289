package httpapi

import (
	"net/http"
	"testing"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// TestArticlesOnADay checks that articles have the days from and until which they are in
// force, and new wordings the article they replace.
func TestArticlesOnADay(t *testing.T) {
	b := setup(t)
	code, change := newText("Loi portant Code du sel", "2023-05-02"), newText("Loi modificative", "2024-05-02")
	change.Document.OfficialNumber = "2024-02"
	start := time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetNumber: "2024-01",
		TargetArticles: []string{"2"}, Effective: start}}
	change.Articles = append(change.Articles, law.Article{ID: postgres.NewID(), Number: "2 (nouveau)", Page: 1, Position: 2, Text: "Autres mots.", ValidFrom: &start,
		Wording: &law.Wording{Within: change.Articles[0].ID, Relation: change.Relations[0].ID, Number: "2"}})
	b.addTexts(t, code, change)

	type shown struct {
		Number    string
		ValidFrom *string       `json:"valid_from"`
		ValidTo   *string       `json:"valid_to"`
		Replaces  *law.Replaced `json:"replaces"`
		Text      string
	}
	list := func(text postgres.StoredText, query string) []shown {
		t.Helper()
		r := b.get(t, transport.Prefix+"/documents/"+text.Document.ID.String()+"/articles"+query)
		equal(t, "status of "+query, r.status, http.StatusOK)
		return decode[struct{ Items []shown }](t, r).Items
	}
	old := list(code, "")[1]
	equal(t, "from", *old.ValidFrom, "2023-06-02")
	equal(t, "to", *old.ValidTo, "2024-07-01")
	for query, want := range map[string]int{"": 2, "?date=2023-06-01": 0, "?date=2024-06-30": 2, "?date=2024-07-01": 1} {
		equal(t, "articles of the code "+query, len(list(code, query)), want)
	}
	for query, want := range map[string]int{"": 3, "?date=2024-06-30": 2, "?date=2024-07-01": 3} {
		equal(t, "articles of the change "+query, len(list(change, query)), want)
	}
	equal(t, "wording", list(change, "")[2].Replaces, &law.Replaced{DocumentID: &code.Document.ID, Article: "2", Title: "Loi portant Code du sel", Type: law.Replaces})
	equal(t, "an article of its own", list(change, "")[0].Replaces, (*law.Replaced)(nil))
	one := decode[shown](t, b.get(t, transport.Prefix+"/documents/"+change.Document.ID.String()+"/articles/"+change.Articles[2].ID.String()))
	equal(t, "one", one.Text+*one.ValidFrom+one.Replaces.Article, "Autres mots.2024-07-012")
	equal(t, "bad day", found(t, b.get(t, transport.Prefix+"/documents/"+code.Document.ID.String()+"/articles?date=hier")), []string{"date_from_datetime_parsing query.date"})
}
