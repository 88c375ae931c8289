package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/transport"
)

// pdf is the content of the tests' gazette; it is never parsed.
var pdf = []byte("%PDF-1.7 " + strings.Repeat("0123456789", 5000))

// addTexts adds a gazette with the texts to the catalogue, including its file.
func (b *bundle) addTexts(t *testing.T, texts ...postgres.StoredText) {
	t.Helper()
	sum := sha256.Sum256(pdf)
	sha := hex.EncodeToString(sum[:])
	ok(t, b.Blobs.Put(t.Context(), sha, bytes.NewReader(pdf)))
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: sha, Filename: "jo.pdf", Size: int64(len(pdf))}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	i, err := b.DB.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: texts}))
}

// newText is a text with articles 1er and 2.
func newText(title string, promulgated string) postgres.StoredText {
	day, err := time.Parse(time.DateOnly, promulgated)
	if err != nil {
		panic(err)
	}
	d := law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail", OfficialNumber: "2024-01",
		Promulgated: day, EntersInForce: day.AddDate(0, 1, 0), Status: law.InForce, FirstPage: 1, LastPage: 2}
	text := postgres.StoredText{Document: d}
	for i, number := range []string{"1er", "2"} {
		a := law.Article{ID: postgres.NewID(), DocumentID: d.ID, Number: number, Heading: "Objet", Page: 1 + i, Position: i, Text: "Texte de l’article " + number + ".", Spans: []law.Span{}}
		text.Articles = append(text.Articles, a)
		text.Passages = append(text.Passages, law.Passage{ID: postgres.NewID(), DocumentID: d.ID, ArticleID: a.ID, Position: i, Page: a.Page, Text: a.Text, Spans: []law.Span{}})
	}
	return text
}

func TestDocuments(t *testing.T) {
	b := setup(t)
	older, newer := newText("Loi sur l’été", "2023-05-02"), newText("Décret 100%", "2024-05-02")
	newer.Document.Type, newer.Document.Domain = law.Decret, "impots"
	b.addTexts(t, older, newer)
	type entry struct{ Title string }
	list := func(query string) (titles []string, total int) {
		t.Helper()
		r := b.get(t, "/api/v1/documents"+query)
		if !equalKeys(keys(t, r.body), set("items", "total", "page", "page_size")) {
			t.Fatalf("%s: %d %s", query, r.status, r.body)
		}
		body := decode[struct {
			Items []entry
			Total int
		}](t, r)
		for _, item := range body.Items {
			titles = append(titles, item.Title)
		}
		return titles, body.Total
	}
	for query, want := range map[string][]string{
		"":              {"Décret 100%", "Loi sur l’été"},
		"?doc_type=loi": {"Loi sur l’été"}, "?domaine=impots": {"Décret 100%"}, "?domaine=rien": nil, "?statut=abroge": nil,
		"?q=ETE": {"Loi sur l’été"}, "?q=%25": {"Décret 100%"}, "?q=%20": {"Décret 100%", "Loi sur l’été"},
		"?q=x&q=loi": {"Loi sur l’été"}, "?doc_type=constitution": nil,
	} {
		titles, total := list(query)
		equal(t, query, titles, want)
		equal(t, "total of "+query, total, len(want))
	}
	for query, want := range map[string][]string{
		"?page_size=1": {"Décret 100%"}, "?page_size=1&page=2": {"Loi sur l’été"}, "?page=3": nil, "?page=99999999999999999999": nil,
	} {
		titles, total := list(query)
		equal(t, query, titles, want)
		equal(t, "total of "+query, total, 2)
	}
	for query, want := range map[string][]string{
		"?page=0": {"greater_than_equal query.page"}, "?page_size=101": {"less_than_equal query.page_size"}, "?page_size=0": {"greater_than_equal query.page_size"},
		"?page=": {"int_parsing query.page"}, "?page=1.5": {"int_parsing query.page"}, "?page=-99999999999999999999": {"greater_than_equal query.page"},
		"?doc_type=Loi": {"enum query.doc_type"}, "?statut=": {"enum query.statut"}, "?q=%00": {"value_error query.q"}, "?domaine=%ff": {"value_error query.domaine"},
		"?page=x&page_size=x&doc_type=x&statut=x": {"int_parsing query.page", "enum query.doc_type", "enum query.statut", "int_parsing query.page_size"},
	} {
		equal(t, query, found(t, b.get(t, "/api/v1/documents"+query)), want)
	}
	// Only a zone's unescaped + is restored; elsewhere it is a blank.
	equal(t, "a plus is a blank", first(list("?q=loi+sur")), []string{"Loi sur l’été"})
}

func TestTitlesAreFoundDespiteSlips(t *testing.T) {
	b := setup(t)
	b.addTexts(t, newText("Loi sur les congés payés", "2023-05-02"), newText("Décret sur les congés", "2024-05-02"))
	for query, want := range map[string]int{
		"?q=conjes": 2, "?q=conjes&page_size=1&page=2": 2, "?q=conjes&domaine=impots": 0, "?q=hydrocarbures": 0, "?q=%EF%BC%BC": 0, "?q=%5C": 0, "?q=%27%3B--": 0,
	} {
		r := b.get(t, transport.Prefix+"/documents"+query)
		equal(t, query, decode[struct{ Total int }](t, r).Total, want)
		equal(t, "status of "+query, r.status, http.StatusOK)
	}
}

func TestRelationsOfADocument(t *testing.T) {
	b := setup(t)
	old, amending := newText("Loi de base", "2023-05-02"), newText("Loi de réforme", "2024-05-02")
	amending.Document.OfficialNumber = "2024-02"
	amending.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: amending.Articles[0].ID, Kind: law.Amends, TargetNumber: "2024-01",
		TargetArticles: []string{"2"}, Effective: amending.Document.EntersInForce, Words: "L’article 2 de la loi n° 2024-01 est modifié."}}
	b.addTexts(t, old, amending)
	relations := func(id uuid.UUID) string {
		return string(b.get(t, transport.Prefix+"/documents/"+id.String()+"/relations").body)
	}
	equal(t, "amended", relations(old.Document.ID), fmt.Sprintf(
		`{"abroge":[],"abroge_par":[],"modifie":[],"modifie_par":[{"id":%q,"title":"Loi de réforme","date":"2024-06-02"}]}`, amending.Document.ID))
	equal(t, "amending", relations(amending.Document.ID), fmt.Sprintf(
		`{"abroge":[],"abroge_par":[],"modifie":[{"id":%q,"title":"Loi de base","date":"2024-06-02"}],"modifie_par":[]}`, old.Document.ID))
	details, relation := transport.Prefix+"/documents/"+old.Document.ID.String()+"/details", amending.Relations[0].ID.String()
	if said := string(b.get(t, details).body); !strings.HasSuffix(said, fmt.Sprintf(`"changements":[{"id":%q,"document_id":%q,"words":"L’article 2 de la loi n° 2024-01 est modifié."}]}`, relation, amending.Document.ID)) {
		t.Errorf("details %s", said)
	}
	wantDetail(t, b.get(t, transport.Prefix+"/documents/"+uuid.NewString()+"/relations"), http.StatusNotFound)
	equal(t, "removed", b.do(t, "POST", transport.Prefix+"/admin/relations/"+relation, `{"decision":"reject"}`, b.as(t, "editor")...).status, http.StatusNoContent)
	equal(t, "not amended", relations(old.Document.ID), `{"abroge":[],"abroge_par":[],"modifie":[],"modifie_par":[]}`)
	equal(t, "id", found(t, b.get(t, transport.Prefix+"/documents/x/relations")), []string{"uuid_parsing path.id"})
}

func first(titles []string, _ int) []string { return titles }

func TestADocumentAndItsArticles(t *testing.T) {
	b := setup(t)
	text := newText("Loi sur l’été", "2023-05-02")
	doubtful := newText("Projet", "2023-05-02")
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.addTexts(t, text, doubtful)
	id, articles := text.Document.ID, "/api/v1/documents/"+text.Document.ID.String()+"/articles"
	equal(t, "document", string(b.get(t, "/api/v1/documents/"+id.String()).body), fmt.Sprintf(
		`{"id":%q,"title":"Loi sur l’été","doc_type":"loi","nature":"","domaine":"travail","numero_officiel":"2024-01","date_promulgation":"2023-05-02",`+
			`"date_entree_vigueur":"2023-06-02","statut":"en_vigueur","url_source":"https://vigueur.example/api/v1/documents/%s/file","abroge_par":null,"chunks_count":2}`, id, id))
	one := text.Articles[1]
	entry := fmt.Sprintf(`{"id":%q,"number":"2","heading":"Objet","path":[],"page":2,"position":1,"valid_from":"2023-06-02","valid_to":null,"replaces":null`, one.ID)
	if r := b.get(t, articles); !strings.HasPrefix(string(r.body), `{"items":[{"id":`) || !strings.HasSuffix(string(r.body), entry+"}]}") {
		t.Errorf("articles: %s", r.body)
	}
	equal(t, "article", string(b.get(t, articles+"/"+one.ID.String()).body), entry+`,"text":"Texte de l’article 2.","regions":[],"changed_by":[]}`)

	for _, path := range []string{"/documents/" + uuid.NewString(), "/documents/" + doubtful.Document.ID.String(), "/documents/" + uuid.NewString() + "/articles",
		"/documents/" + id.String() + "/articles/" + uuid.NewString(), "/documents/" + id.String() + "/articles/" + doubtful.Articles[0].ID.String(),
		"/documents/" + doubtful.Document.ID.String() + "/file"} {
		wantDetail(t, b.get(t, transport.Prefix+path), http.StatusNotFound)
	}
	equal(t, "id", found(t, b.get(t, "/api/v1/documents/1")), []string{"uuid_parsing path.id"})
	equal(t, "article id", found(t, b.get(t, articles+"/1")), []string{"uuid_parsing path.article_id"})
}

func TestTheFileOfADocument(t *testing.T) {
	b := setup(t)
	text := newText(`Loi n° 5 / "été"`, "2023-05-02")
	b.addTexts(t, text)
	path := "/api/v1/documents/" + text.Document.ID.String() + "/file"
	get := func(headers ...string) reply {
		t.Helper()
		return b.do(t, "GET", path, "", append([]string{"Authorization", ""}, headers...)...)
	}
	r := get()
	etag := r.header.Get("ETag")
	if r.status != http.StatusOK || !bytes.Equal(r.body, pdf) || len(etag) != 66 {
		t.Errorf("%d, %d bytes, ETag %s", r.status, len(r.body), etag)
	}
	for name, want := range map[string]string{"Content-Type": "application/pdf", "Accept-Ranges": "bytes", "Content-Length": fmt.Sprint(len(pdf)),
		"Content-Disposition": `inline; filename="Loi n_ 5 - -_t_-.pdf"; filename*=UTF-8''Loi%20n%C2%B0%205%20-%20-%C3%A9t%C3%A9-.pdf`} {
		equal(t, name, r.header.Get(name), want)
	}
	for _, c := range []struct {
		headers []string
		status  int
		from    int
		to      int // -1: no body
		content string
	}{
		{[]string{"Range", "bytes=0-99"}, 206, 0, 100, fmt.Sprintf("bytes 0-99/%d", len(pdf))},
		{[]string{"Range", "bytes=50000-"}, 206, 50000, len(pdf), fmt.Sprintf("bytes 50000-%d/%d", len(pdf)-1, len(pdf))},
		{[]string{"Range", "bytes=-1"}, 206, len(pdf) - 1, len(pdf), fmt.Sprintf("bytes %d-%d/%d", len(pdf)-1, len(pdf)-1, len(pdf))},
		{[]string{"Range", "bytes=0-1,5-6"}, 200, 0, len(pdf), ""},
		{[]string{"Range", "bytes=0-99", "If-Range", etag}, 206, 0, 100, fmt.Sprintf("bytes 0-99/%d", len(pdf))},
		{[]string{"Range", "bytes=0-99", "If-Range", `"other"`}, 200, 0, len(pdf), ""},
		{[]string{"If-None-Match", etag}, 304, 0, -1, ""},
		{[]string{"If-None-Match", `"a", W/` + etag, "Range", "bytes=0-1"}, 304, 0, -1, ""},
		{[]string{"If-None-Match", "*"}, 304, 0, -1, ""},
		{[]string{"If-None-Match", `"a"`}, 200, 0, len(pdf), ""},
	} {
		r := get(c.headers...)
		want := []byte{}
		if c.to >= 0 {
			want = pdf[c.from:c.to]
		}
		if r.status != c.status || !bytes.Equal(r.body, want) || r.header.Get("Content-Range") != c.content || r.header.Get("ETag") != etag {
			t.Errorf("%v: %d, %d bytes, %q, ETag %s", c.headers, r.status, len(r.body), r.header.Get("Content-Range"), r.header.Get("ETag"))
		}
	}
	far := get("Range", "bytes=99999999-")
	wantDetail(t, far, http.StatusRequestedRangeNotSatisfiable)
	equal(t, "Content-Range", far.header.Get("Content-Range"), fmt.Sprintf("bytes */%d", len(pdf)))
	head := b.do(t, "HEAD", path, "", "Range", "bytes=0-1")
	if head.status != http.StatusOK || len(head.body) != 0 || head.header.Get("Content-Length") != fmt.Sprint(len(pdf)) || head.header.Get("ETag") != etag {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	ok(t, b.Blobs.Delete(t.Context(), strings.Trim(etag, `"`)))
	wantDetail(t, get(), http.StatusNotFound)
	wantDetail(t, b.get(t, "/api/v1/documents/"+uuid.NewString()+"/file"), http.StatusNotFound)
	equal(t, "id", found(t, b.get(t, "/api/v1/documents/x/file")), []string{"uuid_parsing path.id"})
}

func TestDomains(t *testing.T) {
	b := setup(t)
	b.addTexts(t, newText("Loi", "2023-05-02"))
	r := b.do(t, "GET", "/api/v1/domaines", "", "Authorization", "")
	list := decode[[]map[string]any](t, r)
	if len(list) != 7 || len(list[0]) != 4 || list[0]["code"] != "travail" || list[0]["documents_count"] != 1.0 || list[6]["documents_count"] != 0.0 {
		t.Errorf("domains %v", list)
	}
}

// TestCountries lists the countries to choose from: neither unions nor, beside them, a state of no list.
func TestCountries(t *testing.T) {
	b := setup(t)
	of := func() (list []string) {
		for _, c := range decode[[]catalogue.CountryOfTextsBody](t, b.do(t, "GET", "/api/v1/countries", "", "Authorization", "")) {
			list = append(list, fmt.Sprintf("%s %s %d", c.Code, c.Name, c.Documents))
		}
		return list
	}
	equal(t, "none", len(of()), 0)
	var texts []postgres.StoredText
	for _, countries := range [][]string{nil, {"x-Astrevalle"}, {"tg"}, {"bj"}, {"tg", "sn"}, {"uemoa"}} {
		text := newText("Loi", "2023-05-02")
		text.Countries = countries
		texts = append(texts, text)
	}
	b.addTexts(t, texts...)
	equal(t, "countries", of(), []string{"bj Bénin 1", "sn Sénégal 1", "tg Togo 2"})
}

func TestConversationsAreVisitedOnceEach(t *testing.T) {
	b := setup(t)
	for i := range 5 {
		_, _, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: fmt.Sprintf("Question %d ?", i), Filters: law.Filters{Domain: "travail"}, Model: "extractif"})
		ok(t, err)
	}
	_, _, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.addUser(t, "eve@example.org").ID, Question: "À moi ?"})
	ok(t, err)
	type page struct {
		Items      []map[string]any
		NextBefore *string `json:"next_before"`
	}
	var titles []string
	for left := ""; ; {
		p := decode[page](t, b.get(t, "/api/v1/conversations?limit=2"+left))
		for _, item := range p.Items {
			title, _ := item["title"].(string)
			titles = append(titles, title)
			if len(item) != 8 || item["domaine"] != "travail" || item["domain"] != "travail" || item["message_count"] != 2.0 {
				t.Errorf("conversation %v", item)
			}
			if place, _ := item["last_message_at"].(string); len(place) != len("2026-01-31T10:00:00.123456Z") || !strings.HasSuffix(place, "Z") {
				t.Errorf("time %q", place)
			}
		}
		if p.NextBefore == nil {
			break
		}
		left = "&before=" + url.QueryEscape(*p.NextBefore)
	}
	equal(t, "titles", titles, []string{"Question 4 ?", "Question 3 ?", "Question 2 ?", "Question 1 ?", "Question 0 ?"})

	for _, left := range []string{"", "2026-01-01", "2026-01-01T00:00:00", "hier"} {
		wantDetail(t, b.get(t, "/api/v1/conversations?before="+left), http.StatusBadRequest)
	}
	for limit, want := range map[string]string{"0": "greater_than_equal", "201": "less_than_equal", "x": "int_parsing", "": "int_parsing"} {
		equal(t, limit, found(t, b.get(t, "/api/v1/conversations?limit="+limit)), []string{want + " query.limit"})
	}
	equal(t, "of the past", string(b.get(t, "/api/v1/conversations?before=2000-01-01T00:00:00%2B02:00&limit=200").body), `{"items":[],"next_before":null}`)
}

func TestAConversationWithItsMessages(t *testing.T) {
	b := setup(t)
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := l.Header.Get("X-Conversation-Id")
	b.takeUp(t, b.hinted(t)).write(chat.Done, "Dix [1].")
	l.rest(t)
	l = b.listen(t, "POST", askPath, fmt.Sprintf(`{"question":"Et ?","conversation_id":%q,"filters":{"domaine":"travail","pays":"bj","doc_type":"code","statut":"modifie","date":"2024-03-01","document_id":%q}}`, id, id))
	b.takeUp(t, b.hinted(t)).write(chat.Failed)
	l.rest(t)
	r := b.get(t, "/api/v1/conversations/"+id)
	body := decode[struct {
		Conversation map[string]any
		Messages     []json.RawMessage
	}](t, r)
	if body.Conversation["id"] != id || body.Conversation["message_count"] != 4.0 || body.Conversation["model"] != "extractif" || len(body.Messages) != 4 {
		t.Fatalf("%s", r.body)
	}
	fields := set("id", "role", "content", "citations", "validation", "certainty", "probability", "latency_ms", "model", "created_at", "filters", "rating")
	var got []string
	for _, raw := range body.Messages {
		if !equalKeys(keys(t, raw), fields) {
			t.Errorf("message %s", raw)
		}
		var m conversations.MessageBody
		ok(t, json.Unmarshal(raw, &m))
		validation := "none"
		if m.Validation != nil {
			validation = fmt.Sprint(m.Validation.OK)
		}
		narrowed := ""
		if m.Content == "Et ?" || m.Content == "" {
			narrowed = fmt.Sprintf(`"domaine":"travail","pays":"bj","doc_type":"code","statut":"modifie","document_id":%q,"date":"2024-03-01"`, id)
		}
		equal(t, "filters", strings.Contains(string(raw), `"filters":{`+narrowed+`},`), true)
		got = append(got, fmt.Sprintf("%s %q %d %s", m.Role, m.Content, len(m.Citations), validation))
	}
	equal(t, "messages", got, []string{`user "Combien ?" 0 none`, `assistant "Dix [1]." 1 true`, `user "Et ?" 0 none`, `assistant "" 1 false`})

	other, _, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.addUser(t, "eve@example.org").ID, Question: "À moi ?"})
	ok(t, err)
	wantDetail(t, b.get(t, "/api/v1/conversations/"+other.String()), http.StatusNotFound)
	wantDetail(t, b.get(t, "/api/v1/conversations/"+uuid.NewString()), http.StatusNotFound)
	equal(t, "id", found(t, b.get(t, "/api/v1/conversations/x")), []string{"uuid_parsing path.id"})
}
