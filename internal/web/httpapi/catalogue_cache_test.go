package httpapi

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

// longText is a text whose list of articles is compressed.
func longText(articles int) postgres.StoredText {
	text := newText("Loi longue", "2023-05-02")
	text.Articles, text.Passages = nil, nil
	for i := range articles {
		text.Articles = append(text.Articles, law.Article{ID: postgres.NewID(), DocumentID: text.Document.ID, Number: fmt.Sprint(i + 1), Heading: "Titre", Page: 1,
			Position: i, Text: fmt.Sprintf("Le moulin n° %d tourne.", i+1)})
	}
	return text
}

// A cached response is revalidated with a 304 until the catalogue changes.
func TestTheCatalogueIsAskedAboutCheaply(t *testing.T) {
	b := setup(t)
	text := newText("Loi sur l’été", "2023-05-02")
	b.addTexts(t, text)
	document := transport.Prefix + "/documents/" + text.Document.ID.String()
	tags := map[string]string{}
	for _, path := range []string{transport.Prefix + "/documents", document, document + "/articles", document + "/articles/" + text.Articles[0].ID.String(),
		document + "/relations", transport.Prefix + "/domaines", transport.Prefix + "/search?q=article"} {
		r := b.get(t, path)
		tag := r.header.Get("ETag")
		if r.status != http.StatusOK || !strings.HasPrefix(tag, `W/"`) || r.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %d %q %q", path, r.status, tag, r.header.Get("Cache-Control"))
		}
		for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `"x", ` + tag, "*"} {
			if r := b.do(t, "GET", path, "", "If-None-Match", known); r.status != http.StatusNotModified || len(r.body) != 0 || r.header.Get("ETag") != tag {
				t.Errorf("%s with %s: %d %s", path, known, r.status, r.body)
			}
		}
		equal(t, path+" with another", b.do(t, "GET", path, "", "If-None-Match", `"x"`).status, http.StatusOK)
		tags[path] = tag
	}
	equal(t, "without a token", b.do(t, "GET", document, "", "If-None-Match", tags[document], "Authorization", "").status, http.StatusUnauthorized)
	title := "Loi sur l’hiver"
	_, err := b.DB.ChangeDocument(t.Context(), text.Document.ID, postgres.DocumentChange{Title: &title}, postgres.StatusChange{})
	ok(t, err)
	equal(t, "after a change", b.do(t, "GET", document, "", "If-None-Match", tags[document]).status, http.StatusOK)
	equal(t, "an error", b.get(t, transport.Prefix+"/documents/"+postgres.NewID().String()).header.Get("ETag"), "")
}

// Long lists are compressed if the client accepts it, with the same content.
func TestLongListsAreCompressed(t *testing.T) {
	b := setup(t)
	text := longText(300)
	b.addTexts(t, text)
	path := transport.Prefix + "/documents/" + text.Document.ID.String() + "/articles"
	type items struct{ Items []catalogue.ArticleBody }
	bare := &http.Client{Transport: &http.Transport{DisableCompression: true}} // the judge of the contract reads only uncompressed responses
	t.Cleanup(bare.CloseIdleConnections)
	read := func(encodings string) (string, int, items) {
		request, err := http.NewRequestWithContext(t.Context(), "GET", b.url+path, http.NoBody)
		ok(t, err)
		request.Header.Set("Authorization", "Bearer "+b.token)
		request.Header.Set("Accept-Encoding", encodings)
		r, err := bare.Do(request)
		ok(t, err)
		defer r.Body.Close()
		raw, err := io.ReadAll(r.Body)
		ok(t, err)
		var body io.Reader = strings.NewReader(string(raw))
		switch r.Header.Get("Content-Encoding") {
		case "br":
			body = brotli.NewReader(body)
		case "gzip":
			body, err = gzip.NewReader(body)
			ok(t, err)
		}
		plain, err := io.ReadAll(body)
		ok(t, err)
		if !strings.Contains(r.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: Vary %q", encodings, r.Header.Get("Vary"))
		}
		return r.Header.Get("Content-Encoding"), len(raw), decode[items](t, reply{body: plain})
	}
	_, whole, want := read("identity")
	equal(t, "articles", len(want.Items), 300)
	for encodings, name := range map[string]string{"gzip": "gzip", "gzip, deflate, br": "br", "br;q=0, gzip;q=0.5": "gzip", "gzip;q=0.0": "", "*": "", "GZIP": "gzip"} {
		encoding, size, got := read(encodings)
		if encoding != name || !reflect.DeepEqual(got, want) || (name != "") != (size < whole/3) {
			t.Errorf("%s: %q, %d of %d bytes", encodings, encoding, size, whole)
		}
	}
}
