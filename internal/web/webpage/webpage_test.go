package webpage

import (
	"testing"
	"testing/fstest"
)

func bundle() fstest.MapFS {
	return fstest.MapFS{
		"index.html":         {Data: []byte("<p>")},
		"assets/a-1.js":      {Data: []byte("code")},
		"assets/a-1.js.br":   {Data: []byte("br")},
		"assets/a-1.js.gz":   {Data: []byte("gz")},
		"assets/x/f.wasm":    {Data: []byte("wasm")},
		"assets/x/f.wasm.gz": {Data: []byte("gz")},
	}
}

func TestFilesComeInTheBestEncodingAdmitted(t *testing.T) {
	t.Parallel()
	site, err := Read(bundle())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ address, accept, body, encoding string }{
		{"/assets/a-1.js", "gzip, deflate, br", "br", "br"},
		{"/assets/a-1.js", "gzip, br;q=0", "gz", "gzip"},
		{"/assets/a-1.js", "BR;q=0.5", "br", "br"},
		{"/assets/a-1.js", "br;q=0.000, identity", "code", ""},
		{"/assets/a-1.js", "", "code", ""},
		{"/assets/x/f.wasm", "br", "wasm", ""},
	} {
		f := site.Asset(c.address)
		if f == nil {
			t.Fatalf("%s is not there", c.address)
		}
		if body, encoding := f.Encoded(c.accept); string(body) != c.body || encoding != c.encoding {
			t.Errorf("%s for %q: %q, %q", c.address, c.accept, body, encoding)
		}
	}
	if site.Asset("/assets/a-1.js.gz") != nil || site.Asset("/index.html") != nil {
		t.Error("what is no file of the page is given")
	}
	if f := site.Asset("/assets/x/f.wasm"); f.Type != "application/wasm" || f.ETag == "" {
		t.Errorf("%+v", f)
	}
}

func TestBundlesThatAreNone(t *testing.T) {
	t.Parallel()
	site, err := Read(fstest.MapFS{".gitignore": {}})
	if err != nil || site.Index() != nil {
		t.Errorf("an empty bundle: %v, %v", site, err)
	}
	odd := bundle()
	odd["assets/run.exe"] = &fstest.MapFile{}
	if _, err := Read(odd); err == nil {
		t.Error("a file of an unknown type is taken")
	}
	if _, err := Read(fstest.MapFS{"index.html": {}}); err == nil {
		t.Error("a bundle without its files is taken")
	}
}

func TestAddressesOfThePage(t *testing.T) {
	t.Parallel()
	for address, own := range map[string]bool{
		"/": true, "/c/019a1fca": true, "/textes": true, "/admin/fichiers/1": true, "/apis": true,
		"/api": false, "/api/v1/nothing": false, "/API/v1/models": false, "/docs/x": false, "/assets/gone-1.js": false,
		"/favicon.ico": false, "/.env": false, "/healthz/x": false, "/.well-known/oauth-protected-resource": false, "/.well-known/openid-configuration": false, "/oauth/token": false, "/.well-known": false, "/well-known": true, "/a\x00": false,
	} {
		if Owns(address) != own {
			t.Errorf("%q: %v", address, !own)
		}
	}
}

func TestIcon(t *testing.T) {
	t.Parallel()
	for want, bundle := range map[string]fstest.MapFS{
		"/assets/icon-AB12.svg": {"index.html": {Data: []byte("<!doctype html>")}, "assets/icon-AB12.svg": {Data: []byte("<svg/>")}, "assets/main-2.js": {Data: []byte("1")}},
		"":                      {},
	} {
		site, err := Read(bundle)
		if err != nil || site.Icon() != want {
			t.Errorf("icon %q, %v, want %q", site.Icon(), err, want)
		}
	}
}
