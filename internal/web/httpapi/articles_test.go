package httpapi

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
)

type readArticles struct {
	Items                 []catalogue.ArticleWithTextBody
	Total, Page, PageSize *int
}

func TestArticlesInPagesAndToBeRead(t *testing.T) {
	b := setup(t)
	text := longText(250)
	text.Articles[0].Spans = []law.Span{{Start: 0, End: 10, Page: 1, Rect: law.Rect{1, 2, 3, 4}}}
	text.Articles[0].Path = []string{"Titre Ier", "Chapitre 2"}
	change := newText("Loi de réforme", "2024-05-02")
	change.Document.OfficialNumber = "2024-02"
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Repeals, TargetNumber: "2024-01",
		TargetArticles: []string{"2"}, Effective: change.Document.EntersInForce}}
	b.addTexts(t, text, change)
	path := transport.Prefix + "/documents/" + text.Document.ID.String() + "/articles"
	get := func(query string) readArticles { t.Helper(); return decode[readArticles](t, b.get(t, path+query)) }
	equal(t, "all", len(get("").Items), 250)
	equal(t, "fields of all", keys(t, b.get(t, path).body), set("items"))
	equal(t, "fields of a page", keys(t, b.get(t, path+"?page=1").body), set("items", "total", "page", "page_size"))
	for query, want := range map[string]int{"?page_size=100": 100, "?page_size=100&page=3": 50, "?page=1": 250, "?page=2": 0, "?text=true": 100, "?text=true&page=3": 50,
		"?text=true&page_size=7&page=36": 5, "?page=99999999999999999999": 0, "?page_size=1000&date=2025-01-01": 249, "?page_size=1000&date=2020-01-01": 0} {
		body := get(query)
		equal(t, query, len(body.Items), want)
		if total := *body.Total; !strings.Contains(query, "date") && total != 250 {
			t.Errorf("%s: %d in all", query, total)
		}
	}
	read := get("?text=true&page_size=2").Items
	equal(t, "regions", read[0].Regions, []law.Region{{Page: 1, Rect: law.Rect{1, 2, 3, 4}}})
	equal(t, "path", read[0].Path, []string{"Titre Ier", "Chapitre 2"})
	equal(t, "words", read[1].Text, "Le moulin n° 2 tourne.")
	ended := []law.RelationRef{{Type: "abroge_par", DocumentID: change.Document.ID, ArticleID: &change.Articles[0].ID, Title: "Loi de réforme", Date: "2024-06-02"}}
	equal(t, "changed", read[1].Changes, ended)
	equal(t, "not changed", len(read[0].Changes), 0)
	equal(t, "valid to", *read[1].ValidTo, "2024-06-02")
	one := decode[catalogue.ArticleWithTextBody](t, b.get(t, path+"/"+text.Articles[1].ID.String()))
	equal(t, "alone", one.Changes, ended)
	for query, want := range map[string][]string{"?text=x": {"enum query.text"}, "?text=true&page_size=101": {"less_than_equal query.page_size"}, "?page_size=1001": {"less_than_equal query.page_size"},
		"?page=0&date=x": {"date_from_datetime_parsing query.date", "greater_than_equal query.page"}} {
		equal(t, query, found(t, b.get(t, path+query)), want)
	}
	wantDetail(t, b.get(t, transport.Prefix+"/documents/"+uuid.NewString()+"/articles?text=true"), http.StatusNotFound)
}

func TestDetailsOfADocument(t *testing.T) {
	b := setup(t)
	text := newText("Loi sur l’été", "2023-05-02")
	text.Countries = []string{"bj"}
	b.addTexts(t, text)
	path := transport.Prefix + "/documents/" + text.Document.ID.String() + "/details"
	equal(t, "details", string(b.get(t, path).body), fmt.Sprintf(`{"id":%q,"first_page":1,"last_page":2,"pays":["bj"],"articles_count":2,`+
		`"date_abrogation":null,"remplace_par":null,"adresse":null,"file":{"name":"jo.pdf","size":%d,"pages":0},"changements":[]}`, text.Document.ID, len(pdf)))
	wantDetail(t, b.get(t, transport.Prefix+"/documents/"+uuid.NewString()+"/details"), http.StatusNotFound)
}

func TestExportsOfADocument(t *testing.T) {
	b := setup(t)
	text := newText("Loi « été » / hiver <script>", "2023-05-02")
	waits := newText("Projet", "2023-05-02")
	waits.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.addTexts(t, text, waits)
	path := transport.Prefix + "/documents/" + text.Document.ID.String() + "/export"
	for query, want := range map[string][2]string{"": {"text/markdown; charset=utf-8", ".md"}, "?format=md": {"text/markdown; charset=utf-8", ".md"},
		"?format=json": {"application/json", ".json"}, "?format=akn": {"application/akn+xml; charset=utf-8", ".xml"}} {
		r := b.get(t, path+query)
		name := r.header.Get("Content-Disposition")
		if r.status != http.StatusOK || r.header.Get("Content-Type") != want[0] || !strings.HasPrefix(name, "attachment; ") || !strings.HasSuffix(name, want[1]) {
			t.Errorf("%s: %d %s %s", query, r.status, r.header.Get("Content-Type"), name)
		}
		if !strings.Contains(string(r.body), "Texte de l’article 2.") {
			t.Errorf("%s: %s", query, r.body)
		}
		equal(t, query+" again", b.do(t, "GET", path+query, "", "If-None-Match", r.header.Get("ETag")).status, http.StatusNotModified)
	}
	equal(t, "JSON", json.Valid(b.get(t, path+"?format=json").body), true)
	for d := xml.NewDecoder(strings.NewReader(string(b.get(t, path+"?format=akn").body))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "another form", found(t, b.get(t, path+"?format=odt")), []string{"enum query.format"})
	wantDetail(t, b.get(t, transport.Prefix+"/documents/"+waits.Document.ID.String()+"/export"), http.StatusNotFound)
	wantDetail(t, b.do(t, "GET", path, "", "Authorization", ""), http.StatusUnauthorized)
}

func TestDocumentsInOrderAndOfSomeDays(t *testing.T) {
	b := setup(t)
	b.addTexts(t, newText("Loi Zèbre", "2021-05-02"), newText("Loi âne", "2023-05-02"), newText("Loi mule", "2022-05-02"), newText("Décret mule", "2020-05-02"))
	for query, want := range map[string]string{
		"sort=recent": "âne mule Zèbre mule", "sort=ancien": "mule Zèbre mule âne", "sort=titre": "mule âne mule Zèbre", "promulgation_from=2022-05-02": "âne mule",
		"promulgation_to=2022-05-02&sort=ancien": "mule Zèbre mule", "promulgation_from=2021-01-01&promulgation_to=2022-12-31": "mule Zèbre", "q=mule&sort=ancien": "mule mule",
		"q=mule&promulgation_from=2021-01-01": "mule", "q=hydravion&sort=titre": "", "sort=titre&page_size=2&page=2": "mule Zèbre", "doc_type=decret&sort=titre": "", "promulgation_from=2030-01-01": "",
	} {
		body := decode[struct {
			Items []struct{ Title string }
			Total int
		}](t, b.get(t, transport.Prefix+"/documents?"+query))
		var names []string
		for _, d := range body.Items {
			names = append(names, d.Title[strings.LastIndexByte(d.Title, ' ')+1:])
		}
		equal(t, query, strings.Join(names, " "), want)
		if !strings.Contains(query, "page") {
			equal(t, "total of "+query, body.Total, len(names))
		}
	}
	equal(t, "faults", found(t, b.get(t, transport.Prefix+"/documents?sort=x&promulgation_from=x&promulgation_to=2020-02-30")),
		[]string{"date_from_datetime_parsing query.promulgation_from", "date_from_datetime_parsing query.promulgation_to", "enum query.sort"})
}

// TestReferencesOfAnArticle shows where the references of an article lead, also to guests of a
// public catalogue.
func TestReferencesOfAnArticle(t *testing.T) {
	b := setup(t)
	text := newText("Loi n° 2024-01 sur le moulin", "2024-05-02")
	text.Articles[1].Text = "L’article précédent ne s’applique pas 🙂 à l’article 1er de la présente loi, ni selon la loi n° 1999-99."
	text.Passages[1].Text = text.Articles[1].Text
	b.addTexts(t, text)
	path := transport.Prefix + "/documents/" + text.Document.ID.String() + "/articles/" + text.Articles[1].ID.String() + "/references"
	for _, query := range []string{"", "?date=2025-01-01"} {
		var got []string
		for _, l := range decode[struct{ Items []verify.Link }](t, b.get(t, path+query)).Items {
			if string([]rune(text.Articles[1].Text)[l.Start:l.End]) != l.Name {
				t.Errorf("%q is not at %d", l.Name, l.Start)
			}
			got = append(got, l.Name+" → "+l.Number)
		}
		equal(t, "references"+query, got, []string{"L’article précédent → 1er", "article 1er de la présente loi → 1er"})
	}
	equal(t, "a guest", b.do(t, "GET", path, "", "Authorization", "").status, http.StatusUnauthorized)
	wantDetail(t, b.get(t, transport.Prefix+"/documents/"+text.Document.ID.String()+"/articles/"+uuid.NewString()+"/references"), http.StatusNotFound)
}

// TestGuestsReadArticles of a public catalogue, but not those that the operator keeps from them.
func TestGuestsReadArticles(t *testing.T) {
	b := setup(t, func(s *Server) {
		many := searches(s, 50)
		many.Name += uuid.NewString()
		s.Public = public.New(true, many)
	})
	salt, named := newText("Loi sur le sel", "2024-05-02"), newText("Décret portant nomination de Madame Kaboré", "2024-05-03")
	named.Document.OfficialNumber = "2024-02"
	b.addTexts(t, salt, named)
	for _, part := range []string{"", "/references"} {
		for text, want := range map[*postgres.StoredText]int{&salt: http.StatusOK, &named: http.StatusNotFound} {
			path := transport.Prefix + "/documents/" + text.Document.ID.String() + "/articles/" + text.Articles[1].ID.String() + part
			equal(t, text.Document.Title+part, b.guest(t, path).status, want)
			equal(t, "signed in: "+text.Document.Title+part, b.get(t, path).status, http.StatusOK)
		}
	}
	equal(t, "no id", b.guest(t, transport.Prefix+"/documents/x/articles/y").status, http.StatusUnprocessableEntity)
}
