package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"vigueur/internal/web/webpage"
)

// served starts a server with a page of some files.
func served(t *testing.T, files fstest.MapFS) *bundle {
	t.Helper()
	site, err := webpage.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	b := setup(t)
	b.Page = site
	return b
}

func TestThePageAnswersAtItsAddresses(t *testing.T) {
	b := served(t, fstest.MapFS{
		"index.html": {Data: []byte("<p>la page</p>")}, "assets/main-1.js": {Data: []byte("code")}, "assets/main-1.js.gz": {Data: []byte("gz")},
	})
	for _, path := range []string{"/", "/c/019a1fca-3d00-7c11-8a52-6f0e1b9d7a10", "/textes?q=travail", "/nulle/part", "/admin/gazettes/x"} {
		r := b.do(t, "GET", path, "")
		if r.status != http.StatusOK || string(r.body) != "<p>la page</p>" || r.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %s %q", path, r.status, r.header.Get("Content-Type"), r.body)
		}
		equal(t, path+": Cache-Control", r.header.Get("Cache-Control"), "no-cache")
		equal(t, path+": policy", r.header.Get("Content-Security-Policy"), webpage.Policy)
	}
	if strings.Contains(webpage.Policy, "unsafe-inline") || strings.Contains(webpage.Policy, "'unsafe-eval'") {
		t.Errorf("the policy is %s", webpage.Policy)
	}
	script := b.do(t, "GET", "/assets/main-1.js", "", "Accept-Encoding", "gzip")
	equal(t, "script", string(script.body), "gz")
	equal(t, "encoding", script.header.Get("Content-Encoding"), "gzip")
	equal(t, "varies", script.header.Get("Vary"), "Accept-Encoding")
	equal(t, "kept", script.header.Get("Cache-Control"), "public, max-age=31536000, immutable")
	again := b.do(t, "GET", "/assets/main-1.js", "", "If-None-Match", script.header.Get("ETag"))
	equal(t, "kept already", again.status, http.StatusNotModified)

	// Paths of the API are not served by the page.
	for _, path := range []string{"/api", "/api/v1/nothing", "/API/v1/models", "/assets/main-2.js", "/docs/x", "/favicon.ico", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/mcp"} {
		wantDetail(t, b.do(t, "GET", path, ""), http.StatusNotFound)
	}
	wantDetail(t, b.do(t, "POST", "/textes", `{}`), http.StatusNotFound)
	equal(t, "documentation", b.do(t, "GET", "/docs", "").status, http.StatusOK)
	equal(t, "document", b.do(t, "GET", "/openapi.json", "").header.Get("Content-Type"), "application/json")
}

func TestAProgramWithoutThePageSaysSo(t *testing.T) {
	b := served(t, fstest.MapFS{".gitignore": {}})
	r := b.do(t, "GET", "/", "")
	if r.status != http.StatusNotFound || string(r.body) != webpage.Missing || r.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%d %s %q", r.status, r.header.Get("Content-Type"), r.body)
	}
	wantDetail(t, b.do(t, "GET", "/textes", ""), http.StatusNotFound)
}
