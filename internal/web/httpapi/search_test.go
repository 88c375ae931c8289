package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

// addLaws adds distinguishable laws to the catalogue.
func (b *bundle) addLaws(t *testing.T) (labour, taxes postgres.StoredText) {
	t.Helper()
	labour, taxes = newText("Loi portant Code du travail", "2020-03-02"), newText("Décret sur les impôts du moulin", "2024-05-02")
	labour.Document.Nature, labour.Countries, labour.Document.OfficialNumber = "Loi", []string{"bj"}, "2020-07"
	taxes.Document.Type, taxes.Document.Domain, taxes.Document.OfficialNumber, taxes.Countries = law.Decret, "impots", "2024-192/PRES/PM", []string{"sn", "bj"}
	set := func(text *postgres.StoredText, i int, heading, words string) {
		text.Articles[i].Heading, text.Articles[i].Text, text.Passages[i].Text = heading, words, words
	}
	set(&labour, 0, "Préavis", "La démission du salarié est précédée d’un préavis écrit d’un mois. "+strings.Repeat("Le meunier le respecte en toute saison. ", 20))
	set(&labour, 1, "Congés", "Les congés payés sont dus au salarié.")
	set(&taxes, 0, "Assiette", "L’impôt est assis sur le salaire 🙂 du salarié ; l’employeur le retient.")
	set(&taxes, 1, "Renvoi", "Les démissions du décret n° 2020-07 sont sans préavis écrit.")
	taxes.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: taxes.Articles[1].ID, Kind: law.Repeals, TargetNumber: "2020-07",
		TargetArticles: []string{"2"}, Effective: taxes.Document.EntersInForce}}
	b.addTexts(t, labour, taxes)
	return labour, taxes
}

// searched returns the hits of a search, as « article of a text » or the text's title.
func (b *bundle) searched(t *testing.T, query string) (names []string, body catalogue.SearchPageBody) {
	t.Helper()
	r := b.get(t, transport.Prefix+"/search?"+query)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d %s", query, r.status, r.body)
	}
	body = decode[catalogue.SearchPageBody](t, r)
	for _, h := range body.Items {
		name := h.Document.Title[:4]
		if h.Article != nil {
			name += " " + h.Article.Number
		}
		names = append(names, name)
	}
	return names, body
}

func TestSearch(t *testing.T) {
	b := setup(t)
	labour, _ := b.addLaws(t)
	for query, want := range map[string][]string{
		"q=demission+preavis":                      {"Loi  1er", "Déc 2"},
		"q=PRÉAVIS&kind=article&doc_type=loi":      {"Loi  1er"},
		"q=cong%C3%A9+pay%C3%A9":                   {"Loi  2"},
		"q=cong%C3%A9&date=2021-06-01":             {"Loi  2"},
		"q=cong%C3%A9&date=2025-06-01":             nil,
		"q=cong%C3%A9&date=2019-06-01":             nil,
		"q=code+travail":                           {"Loi "},
		"q=code+travail+congés":                    {"Loi  2"},
		"q=article+2+code+du+travail":              {"Loi  2"},
		"q=2024-192":                               {"Déc"},
		"q=salarié&sort=recent":                    {"Déc 1er", "Loi  1er", "Loi  2"},
		"q=salarié&sort=ancien&page_size=2&page=2": {"Déc 1er"},
		"q=salarié&pays=sn":                        {"Déc 1er"},
		"q=salarié&domaine=travail&statut=abroge":  nil,
		"q=salarié&promulgation_from=2024-05-02":   {"Déc 1er"},
		"q=salarié&promulgation_to=2024-05-01":     {"Loi  1er", "Loi  2"},
		"q=%22pr%C3%A9avis+%C3%A9crit+d%27un%22":   {"Loi  1er", "Déc 2"},
		"q=%C2%AB+sans+pr%C3%A9avis+%C2%BB":        {"Loi  1er", "Déc 2"},
		"q=%22%C3%A9crit+pr%C3%A9avis%22":          nil,
		"q=+le+la+de":                              nil,
		"q=":                                       {"Déc", "Loi "},
		"q=+++&pays=sn":                            {"Déc"},
		"q=&nature=Loi&date=2021-06-01":            {"Loi "},
		"q=&kind=article":                          nil,
		"q=%27%29%3B+DROP+%7C+%26+%21+%3A%2A+zzz":  nil,
		"q=zzz":                               nil,
		"q=salarié&page=99999999999999999999": nil,
		"q=salarié&document_id=" + uuid.NewString():            nil,
		"q=salarié&document_id=" + labour.Document.ID.String(): {"Loi  2", "Loi  1er"},
	} {
		names, body := b.searched(t, strings.NewReplacer("é", "%C3%A9", "É", "%C3%89").Replace(query))
		if fmt.Sprint(inOrder(names)) != fmt.Sprint(inOrder(want)) {
			t.Errorf("%s: %q, want %q", query, names, want)
		}
		if !strings.Contains(query, "page") {
			equal(t, "total of "+query, body.Total, len(want))
		}
	}
}

// TestSearchInACountry finds the texts of a country with those of none, and suggests its titles first.
func TestSearchInACountry(t *testing.T) {
	b := setup(t)
	var texts []postgres.StoredText
	for i, countries := range [][]string{{"bj"}, {"sn"}, nil} {
		text := newText(fmt.Sprintf("Acte %d sur le préavis", i), fmt.Sprintf("202%d-01-01", i))
		text.Countries = countries
		texts = append(texts, text)
	}
	b.addTexts(t, texts...)
	for query, total := range map[string]int{"q=acte&kind=texte": 3, "q=acte&kind=texte&pays=bj": 2, "q=&pays=sn": 2, "q=&pays=tg": 1} {
		_, body := b.searched(t, query)
		equal(t, query, body.Total, total)
		equal(t, "counts of "+query, fmt.Sprint(body.Facets.Countries), "[{bj 2} {sn 2}]")
	}
	first := func(query string) string {
		return decode[struct {
			Items []catalogue.SuggestedTitleBody
		}](t, b.get(t, transport.Prefix+"/titles?q=acte"+query)).Items[0].Title
	}
	equal(t, "the newest", first(""), "Acte 2 sur le préavis")
	equal(t, "of Benin", first("&pays=bj"), "Acte 0 sur le préavis")
}

func inOrder(list []string) []string { return slices.Sorted(slices.Values(list)) }

func TestSearchSaysWhatMatched(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	_, body := b.searched(t, "q="+url.QueryEscape("impôts employeur"))
	hit := body.Items[0]
	text := []rune(hit.Excerpt.Text)
	var marked []string
	for _, m := range hit.Excerpt.Marks {
		marked = append(marked, string(text[m.Start:m.End]))
	}
	equal(t, "marked", fmt.Sprint(marked), "[impôt employeur]")
	equal(t, "title", hit.Title.Marks, []fulltext.Mark{{Start: 15, End: 21}})
	equal(t, "excerpt", hit.Excerpt.Text, "L’impôt est assis sur le salaire 🙂 du salarié ; l’employeur le retient.")
	_, body = b.searched(t, "q=meunier&kind=article")
	e := body.Items[0].Excerpt
	if n := len([]rune(e.Text)); n > 400 || !e.After || len(e.Marks) == 0 || !strings.Contains(strings.Repeat("Le meunier le respecte en toute saison. ", 20), strings.TrimPrefix(e.Text[len(e.Text)-60:], "")) {
		t.Errorf("%d characters: %+v", n, e)
	}
}

// If nothing has all the words, the hits are those with the most of them, and the response
// says so.
func TestSearchLetsWordsGo(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	names, body := b.searched(t, "q="+url.QueryEscape("préavis démission licorne"))
	equal(t, "found", fmt.Sprint(inOrder(names)), "[Déc 2 Loi  1er]")
	equal(t, "words", []int{body.Words, body.Matched}, []int{3, 2})
	// If a filter leaves nothing, words are not dropped: the counts show where they occur.
	_, body = b.searched(t, "q=meunier&doc_type=arrete")
	equal(t, "total", body.Total, 0)
	equal(t, "types", body.Facets.Types, []postgres.Count{{Value: "loi", N: 1}})
	names, body = b.searched(t, "q="+url.QueryEscape("licornes fantastiques hippogriffes merveilleux salamandres chimériques basilics préavis démission meunier"))
	equal(t, "of many words the longest", fmt.Sprint(inOrder(names)), "[Déc 2 Loi  1er]")
	equal(t, "words held", []int{body.Words, body.Matched}, []int{10, 1})
}

func TestSearchFacets(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	_, body := b.searched(t, "q=salari%C3%A9&doc_type=loi")
	equal(t, "total", body.Total, 2)
	f := body.Facets
	equal(t, "types, whatever the type", f.Types, []postgres.Count{{Value: "loi", N: 2}, {Value: "decret", N: 1}})
	equal(t, "domains", f.Domains, []postgres.Count{{Value: "travail", N: 2}})
	equal(t, "countries", f.Countries, []postgres.Count{{Value: "bj", N: 2}})
	equal(t, "natures", f.Natures, []postgres.Count{{Value: "Loi", N: 2}})
	equal(t, "statuses", f.Statuses, []postgres.Count{{Value: "modifie", N: 2}})
	equal(t, "kinds", f.Kinds, []postgres.Count{{Value: "article", N: 2}})
	equal(t, "years", f.Years, []postgres.Count{{Value: "2020", N: 2}})
}

// Without words all texts are listed, with the counts of each facet.
func TestSearchWithoutWords(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	for order, want := range map[string]string{"pertinence": "[Déc Loi ]", "recent": "[Déc Loi ]", "ancien": "[Loi  Déc]", "titre": "[Déc Loi ]"} {
		names, body := b.searched(t, "q=&sort="+order)
		equal(t, order, fmt.Sprint(names), want)
		equal(t, "words", []int{body.Total, body.Words, body.Matched}, []int{2, 0, 0})
	}
	_, body := b.searched(t, "q=+&doc_type=loi")
	f := body.Facets
	equal(t, "types, whatever the type", f.Types, []postgres.Count{{Value: "decret", N: 1}, {Value: "loi", N: 1}})
	equal(t, "countries", f.Countries, []postgres.Count{{Value: "bj", N: 1}})
	equal(t, "natures", f.Natures, []postgres.Count{{Value: "Loi", N: 1}})
	equal(t, "statuses", f.Statuses, []postgres.Count{{Value: "modifie", N: 1}})
	equal(t, "kinds", f.Kinds, []postgres.Count{{Value: "texte", N: 1}})
	equal(t, "years", f.Years, []postgres.Count{{Value: "2020", N: 1}})
	equal(t, "nothing is marked", body.Items[0].Title.Marks, []fulltext.Mark{})
	names, body := b.searched(t, "q=&page=2&page_size=1")
	equal(t, "second page", fmt.Sprint(names, body.Total), "[Loi ] 2")
}

// Pages are consecutive, without gaps or duplicates.
func TestSearchPagesAreStable(t *testing.T) {
	b := setup(t)
	text := newText("Loi longue", "2023-05-02")
	text.Articles, text.Passages = nil, nil
	for i := range 120 {
		text.Articles = append(text.Articles, law.Article{ID: postgres.NewID(), DocumentID: text.Document.ID, Number: fmt.Sprint(i), Page: 1, Position: i, Text: "Le moulin tourne."})
	}
	b.addTexts(t, text)
	for _, sort := range []string{"pertinence", "recent", "ancien"} {
		seen := map[uuid.UUID]bool{}
		for page := 1; page <= 4; page++ {
			_, body := b.searched(t, fmt.Sprintf("q=moulin&page_size=50&sort=%s&page=%d", sort, page))
			equal(t, "total", body.Total, 120)
			for _, h := range body.Items {
				seen[h.Article.ID] = true
			}
			equal(t, "so far", len(seen), min(50*page, 120))
		}
	}
}

func TestSearchRefusesWhatMeansNothing(t *testing.T) {
	b := setup(t)
	for query, want := range map[string][]string{
		"": {"missing query.q"}, "q=" + strings.Repeat("a", 201): {"string_too_long query.q"}, "q=%00": {"value_error query.q"},
		"q=a&kind=x&doc_type=x&statut=x&sort=x":                    {"enum query.kind", "enum query.doc_type", "enum query.statut", "enum query.sort"},
		"q=a&page=0&page_size=51":                                  {"greater_than_equal query.page", "less_than_equal query.page_size"},
		"q=a&date=x&promulgation_from=2020-02-30&promulgation_to=": {"date_from_datetime_parsing query.date", "date_from_datetime_parsing query.promulgation_from", "date_from_datetime_parsing query.promulgation_to"},
		"q=a&document_id=x":                                        {"uuid_parsing query.document_id"}, "q=a&nature=%ff&pays=%00&domaine=%00": {"value_error query.nature", "value_error query.pays", "value_error query.domaine"},
	} {
		equal(t, query, found(t, b.get(t, transport.Prefix+"/search?"+query)), want)
	}
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/search?q=a", "", "Authorization", ""), http.StatusUnauthorized)
}
