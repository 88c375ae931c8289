package httpapi

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/lawpage"
)

// guest makes a request without a token and follows no redirect.
func (b *bundle) guest(t *testing.T, path string, headers ...string) reply {
	t.Helper()
	// The pages are none of the contract's, which the usual client holds responses against.
	transport := &http.Transport{DisableKeepAlives: true}
	guest := &bundle{url: b.url, client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	return guest.do(t, "GET", path, "", append([]string{"Authorization", ""}, headers...)...)
}

func (r reply) has(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(string(r.body), w) {
			t.Errorf("%d: %q is not in\n%s", r.status, w, r.body)
		}
	}
}

func withPublic(s *Server) { s.Public = public.New(false, searches(s, 100)) }

func searches(s *Server, limit int) *ratelimit.Limiter {
	return &ratelimit.Limiter{Store: s.Inquiries.Store, Name: "public-search", Limit: limit, Window: time.Minute}
}

// TestPublicSearchOfAnotherSite has a page of another site show a search as an image, and a person follow a link to one.
func TestPublicSearchOfAnotherSite(t *testing.T) {
	b := setup(t, withPublic)
	for dest, want := range map[string]int{"image": http.StatusForbidden, "iframe": http.StatusForbidden, "document": http.StatusOK} {
		equal(t, dest, b.guest(t, "/akn/recherche?q=loi", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", dest).status, want)
	}
}

// TestPublicTexts reads the amended code and the law that amends it as a guest.
func TestPublicTexts(t *testing.T) {
	b := setup(t, withPublic)
	code, change := b.amended(t)
	const path = "/akn/xx/act/2023-05-02/2024-01"
	r := b.guest(t, path)
	equal(t, "text", []any{r.status, r.header.Get("Content-Type"), r.header.Get("Content-Security-Policy"), r.header.Get("Cache-Control")},
		[]any{http.StatusOK, "text/html; charset=utf-8", lawpage.Policy, publicCache})
	r.has(t, "<h1 data-verbatim>"+code.Document.Title+"</h1>", "Contenu de l’article 2.", "Le sel est libre.", "Modifié par <a data-verbatim href=\"/akn/xx/act/loi/2024-05-02/2024-02\">"+change.Document.Title+"</a>",
		`<link rel="canonical" href="`+b.Base()+path+`">`, path+"/fra@2023-06-02", "<strong aria-current=\"true\">1er juillet 2024</strong>", `id="art_2-bis"`,
		fmt.Sprintf(`%s</a>, p. %d · <a class="screen" href="%s/documents/%s/file#page=%d">imprimé avant, p. %[5]d</a></p>`, change.Document.Title, change.Articles[0].Page, transport.Prefix, code.Document.ID, code.Articles[1].Page))
	again := b.guest(t, path, "If-None-Match", r.header.Get("ETag"))
	equal(t, "revalidated", again.status, http.StatusNotModified)

	before := b.guest(t, path+"/fra@2023-06-02")
	before.has(t, "Texte de l’article 2.", "Ce qui est en vigueur le 2 juin 2023.", `<meta name="robots" content="noindex">`)
	if strings.Contains(string(before.body), "Le sel est libre.") {
		t.Error("the day before has the inserted article")
	}
	b.guest(t, path+"/!main~art_2").has(t, "<h1 data-verbatim>Article 2 – Objet</h1>", "Contenu de l’article 2.", "Ses rédactions", path+"/fra@2023-06-02/!main~art_2")
	b.guest(t, path+"/fra@2023-06-02/!main~art_2").has(t, "Texte de l’article 2.")
	equal(t, "not there yet", b.guest(t, path+"/fra@2023-06-02/!main~art_2-bis").status, http.StatusNotFound)
	equal(t, "no such article", b.guest(t, path+"/!main~art_99").status, http.StatusNotFound)
	b.guest(t, path+"/fra@2023-05-02").has(t, "Aucun article n’est en vigueur ce jour-là.")

	for other, want := range map[string]string{
		"/akn/xx/act/loi/2023-05-02/2024-01": path, "/akn/XX/ACT/2023-05-02/2024-01": path,
		"/akn/xx/act/2023-05-02/" + code.Document.ID.String(): path, path + "/fra": path, "/akn/xx/act/loi/2023-05-02/2024-01/fra@2023-06-02/~art_2": path + "/fra@2023-06-02/!main~art_2",
	} {
		r := b.guest(t, other)
		equal(t, other, []any{r.status, r.header.Get("Location")}, []any{http.StatusPermanentRedirect, want})
	}
	details := decode[catalogue.DocumentDetailsBody](t, b.get(t, transport.Prefix+"/documents/"+code.Document.ID.String()+"/details"))
	equal(t, "address", *details.Address, b.Base()+path)
	equal(t, "no text", b.guest(t, "/akn/xx/act/2023-05-02/2024-77").status, http.StatusNotFound)
	equal(t, "no address", b.guest(t, "/akn/xx/act/hier/2024-77").status, http.StatusNotFound)
}

// TestPublicForms asks for the formats of a text by query and by header.
func TestPublicForms(t *testing.T) {
	b := setup(t, withPublic)
	code, _ := b.amended(t)
	const path = "/akn/xx/act/2023-05-02/2024-01"
	for accept, kind := range map[string]string{"application/akn+xml": "application/akn+xml; charset=utf-8", "text/markdown": "text/markdown; charset=utf-8",
		"application/json": "application/json", "*/*": "text/html; charset=utf-8", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "text/html; charset=utf-8", "image/png": "text/html; charset=utf-8"} {
		r := b.guest(t, path, "Accept", accept)
		equal(t, accept, []any{r.status, r.header.Get("Content-Type")}, []any{http.StatusOK, kind})
		if !strings.Contains(r.header.Get("Vary"), "Accept") {
			t.Errorf("%s: Vary is %q", accept, r.header.Get("Vary"))
		}
	}
	b.guest(t, path+"?format=akn").has(t, `<FRBRuri value="`+path+`">`, "Contenu de l’article 2.")
	b.guest(t, path+"/fra@2023-06-02?format=md").has(t, "Texte de l’article 2.")

	data := regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).FindSubmatch(b.guest(t, path).body)
	var l lawpage.Legislation
	if len(data) != 2 || json.Unmarshal(data[1], &l) != nil {
		t.Fatalf("no JSON-LD: %s", data)
	}
	equal(t, "JSON-LD", []any{l.Context, l.Type, l.ID, l.Name, l.Identifier, l.Date, len(l.Encodings)},
		[]any{"https://schema.org", "Legislation", b.Base() + path, code.Document.Title, "2024-01", "2023-05-02", 5})
	if l.Encodings[0].Value != "https://schema.org/UnofficialLegalValue" {
		t.Errorf("a form is %+v", l.Encodings[0])
	}
}

// TestPublicLists walks from the countries to the years, the feed and the sitemap.
func TestPublicLists(t *testing.T) {
	b := setup(t, withPublic)
	code, change := newText("Loi portant Code du sel", "2023-05-02"), newText("Loi abrogeant le Code du sel", "2024-05-02")
	change.Document.OfficialNumber = "2024-02"
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceID: change.Document.ID, SourceArticle: change.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi, TargetNumber: "2024-01",
		Effective: change.Document.EntersInForce}, {ID: postgres.NewID(), SourceID: change.Document.ID, SourceArticle: change.Articles[1].ID, Kind: law.Amends, TargetType: law.Loi,
		TargetNumber: "2024-01", TargetArticles: []string{"1er"}, Effective: change.Document.EntersInForce.AddDate(0, 1, 0)}, {ID: postgres.NewID(), SourceID: change.Document.ID,
		SourceArticle: change.Articles[1].ID, Kind: law.Repeals, TargetType: law.Loi, TargetNumber: "2024-01", TargetArticles: []string{"2"}, Effective: change.Document.EntersInForce.AddDate(0, 2, 0)}}
	named := newText("Décret portant nomination de Madame Kaboré <b>&", "2024-05-03")
	named.Document.OfficialNumber, named.Countries = "", []string{"bf"}
	b.addTexts(t, code, change, named)
	const one = "/akn/bf/act/2024-05-03/decret-portant-nomination-de-madame-kabore-b"
	b.guest(t, "/akn").has(t, "Burkina Faso", `<a href="/akn/bf/2024">2024</a>`, "Sans pays", `<a href="/akn/xx/2023">2023</a>`)
	b.guest(t, "/akn/xx/2023").has(t, code.Document.Title, "/akn/xx/act/2023-05-02/2024-01")
	b.guest(t, "/akn/bf/2024").has(t, one, "Kaboré &lt;b&gt;&amp;")
	b.guest(t, "/akn/bf").has(t, "<h1>Burkina Faso</h1>", `<a href="/akn/bf/2024">2024</a>`)
	for _, path := range []string{"/akn/zz", "/akn/bf/1990", "/akn/bf/2024?page=2", "/akn/zz/2024"} {
		equal(t, path, b.guest(t, path).status, http.StatusNotFound)
	}
	r := b.guest(t, one)
	equal(t, "individual", []any{r.status, r.header.Get("X-Robots-Tag")}, []any{http.StatusOK, "noindex"})

	var feed struct {
		ID      string `xml:"id"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Summary string `xml:"summary"`
			Link    struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	r = b.guest(t, "/akn/nouveautes.atom")
	ok(t, xml.Unmarshal(r.body, &feed))
	equal(t, "new texts", []any{len(feed.Entries), feed.ID}, []any{2, b.Base() + "/akn/nouveautes.atom"})
	b.guest(t, "/akn/xx/act/2024-05-02/2024-02").has(t, `"legislationRepeals":[{"@type":"Legislation","@id":"`+b.Base()+`/akn/xx/act/loi/2023-05-02/2024-01"`)
	var places struct {
		URLs []string `xml:"url>loc"`
	}
	ok(t, xml.Unmarshal(b.guest(t, "/sitemap.xml").body, &places))
	slices.Sort(places.URLs)
	equal(t, "places", places.URLs, []string{b.Base() + "/akn/xx/act/2023-05-02/2024-01", b.Base() + "/akn/xx/act/2024-05-02/2024-02"})
	b.guest(t, "/robots.txt").has(t, "Disallow: /api/", "Sitemap: "+b.Base()+"/sitemap.xml")
}

// TestPublicTextsOfOneAddress lists the texts that an address may mean.
func TestPublicTextsOfOneAddress(t *testing.T) {
	b := setup(t, withPublic)
	one, two := newText("Loi sur le sel", "2024-05-02"), newText("Décret sur le sel", "2024-05-02")
	two.Document.Type = law.Decret
	b.addTexts(t, one, two)
	r := b.guest(t, "/akn/xx/act/2024-05-02/2024-01")
	equal(t, "both", r.status, http.StatusMultipleChoices)
	r.has(t, "/akn/xx/act/loi/2024-05-02/2024-01", "/akn/xx/act/decret/2024-05-02/2024-01")
	b.guest(t, "/akn/xx/act/decret/2024-05-02/2024-01").has(t, "<h1 data-verbatim>Décret sur le sel</h1>")
}

// A consolidated edition says as of which day it is printed, where anybody reads it and in the catalogue.
func TestDayOfAConsolidatedEdition(t *testing.T) {
	b := setup(t, withPublic)
	text, other := newText("Loi sur le sel", "2024-05-02"), newText("Loi sur le poivre", "2024-06-02")
	as := time.Date(2025, 1, 3, 0, 0, 0, 0, time.UTC)
	text.Document.AsOf = &as
	b.addTexts(t, text, other)
	b.guest(t, "/akn/xx/act/2024-05-02/2024-01").has(t, `<dt>Version</dt><dd>consolidée au <time datetime="2025-01-03">3 janvier 2025</time></dd>`)
	const doubt = "Texte imprimé dans sa version consolidée au 3 janvier 2025 : son état au 2 juin 2024 n’est pas connu."
	begins := b.guest(t, "/akn/xx/act/2024-05-02/2024-01/fra@2025-01-02").header.Get("Location")
	b.guest(t, begins).has(t, doubt)
	b.guest(t, begins+"/!main~art_1er").has(t, doubt)
	b.guest(t, begins+"?format=md").has(t, "- Avertissement : version consolidée au 3 janvier 2025 : l’état du texte au 2 juin 2024 n’est pas connu\n")
	for _, path := range []string{"/akn/xx/act/2024-05-02/2024-01/fra@2025-01-03", "/akn/xx/act/2024-05-02/2024-01/fra@2025-01-03?format=md"} {
		if r := b.guest(t, path); r.status != http.StatusOK || strings.Contains(string(r.body), "pas connu") {
			t.Errorf("%s: %d, and doubts the day of the edition", path, r.status)
		}
	}
	for id, want := range map[uuid.UUID]string{text.Document.ID: "2025-01-03", other.Document.ID: ""} {
		equal(t, "etat_au", decode[law.Record](t, b.get(t, transport.Prefix+"/documents/"+id.String())).AsOf, want)
	}
}

// TestPublicTextWithdrawn answers 410 once a person has removed a text, by its number and its
// id, and its page again when it comes back.
func TestPublicTextWithdrawn(t *testing.T) {
	b := setup(t, withPublic)
	text := newText("Loi sur le sel", "2024-05-02")
	b.addTexts(t, text)
	const path = "/akn/xx/act/2024-05-02/2024-01"
	equal(t, "there", b.guest(t, path).status, http.StatusOK)
	equal(t, "deleted", b.do(t, "DELETE", transport.Prefix+"/admin/documents/"+text.Document.ID.String(), "", b.as(t, "editor")...).status, http.StatusNoContent)
	awaitStatus(t, http.StatusGone, func() int { return b.guest(t, path).status }) // its version of the catalogue may be a second old
	for _, p := range []string{path, "/akn/xx/act/loi/2024-05-02/2024-01", "/akn/xx/act/2024-05-02/" + text.Document.ID.String()} {
		equal(t, p, b.guest(t, p).status, http.StatusGone)
	}
	equal(t, "another type", b.guest(t, "/akn/xx/act/decret/2024-05-02/2024-01").status, http.StatusNotFound)
}

// TestPublicTextSuperseded leads from an edition that a better one has superseded to that.
func TestPublicTextSuperseded(t *testing.T) {
	b := setup(t, withPublic)
	old, better := newText("Loi sur le sel", "2024-05-02"), newText("Loi sur le sel, texte rectifié", "2024-05-03")
	better.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
	first, second := b.addFile(t, "a1"), b.addFile(t, "a2")
	b.endFile(t, first, "done", "", old)
	b.endFile(t, second, "review", "", better)
	decided := b.do(t, "POST", transport.Prefix+"/admin/ingestions/"+second.ID.String()+"/review/"+better.Document.ID.String(),
		`{"decision":"accept","remplace":"`+old.Document.ID.String()+`"}`, b.as(t, "editor")...)
	equal(t, "accepted", decided.status, http.StatusOK)
	for _, path := range []string{"/akn/xx/act/2024-05-02/2024-01", "/akn/xx/act/2024-05-02/" + old.Document.ID.String()} {
		r := b.guest(t, path)
		equal(t, path, []any{r.status, r.header.Get("Location")}, []any{http.StatusPermanentRedirect, "/akn/xx/act/2024-05-03/2024-01"})
	}
	b.guest(t, "/akn/xx/act/2024-05-03/2024-01").has(t, "texte rectifié")
}

// TestPublicIndividualHidden leaves nominations out where the operator wants it.
func TestPublicIndividualHidden(t *testing.T) {
	b := setup(t, func(s *Server) { s.Public = public.New(true, searches(s, 100)) })
	b.addTexts(t, newText("Décret portant nomination de Madame Kaboré", "2024-05-02"))
	equal(t, "hidden", b.guest(t, "/akn/xx/act/2024-05-02/2024-01").status, http.StatusNotFound)
	if r := b.guest(t, "/akn/xx/2024"); strings.Contains(string(r.body), "Kaboré") {
		t.Errorf("%s", r.body)
	}
}

// TestPublicIsClosed shows that nothing is public unless the operator opens it.
func TestPublicIsClosed(t *testing.T) {
	b := setup(t)
	b.addTexts(t, newText("Loi sur le sel", "2024-05-02"))
	for _, path := range []string{"/akn", "/akn/xx/act/2024-05-02/2024-01", "/sitemap.xml", "/robots.txt"} {
		if r := b.guest(t, path); r.status != http.StatusNotFound || strings.Contains(string(r.body), "sel") {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// TestPublicSearch finds texts by words of their titles, so many times a minute.
func TestPublicSearch(t *testing.T) {
	b := setup(t, func(s *Server) { s.Public = public.New(false, searches(s, 4)) })
	b.addTexts(t, newText("Loi portant Code du sel", "2023-05-02"))
	b.guest(t, "/akn/recherche").has(t, `<form`)
	b.guest(t, "/akn/recherche?q=code+du+sel").has(t, "/akn/xx/act/loi/2023-05-02/2024-01", `value="code du sel"`)
	b.guest(t, "/akn/recherche?q=%22%3E%3Cscript%3E").has(t, "Aucun titre", "&#34;&gt;&lt;script&gt;")
	equal(t, "long", b.guest(t, "/akn/recherche?q="+strings.Repeat("sel+", 400)).status, http.StatusOK)
	for range 4 {
		b.guest(t, "/akn/recherche?q=sel")
	}
	r := b.guest(t, "/akn/recherche?q=sel")
	equal(t, "too many", []any{r.status, r.header.Get("Content-Type")}, []any{http.StatusTooManyRequests, "text/html; charset=utf-8"})
	r.has(t, "La page ne peut pas être montrée", "Trop de")
	equal(t, "when again", r.header.Get("Retry-After") != "", true)
}
