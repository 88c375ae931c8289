package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeRegistry serves what tags mean to who has a token for the image, as the hub does.
type fakeRegistry struct {
	mu     sync.Mutex
	tags   map[string]string // repository:tag → manifest
	header string            // Docker-Content-Digest, where it is not the manifest's own
	realm  string            // where tokens are had; "": here
	asked  map[string]int    // how often each address was
	url    string
}

func newRegistry(t *testing.T, tags map[string]string) *fakeRegistry {
	t.Helper()
	f := &fakeRegistry{tags: tags, asked: map[string]int{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func (f *fakeRegistry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked[r.URL.Path]++
	if r.URL.Path == "/token" {
		_, _ = fmt.Fprintf(w, `{"token":"for %s of %s"}`, r.URL.Query().Get("scope"), r.URL.Query().Get("service"))
		return
	}
	name, tag, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/"), "/manifests/")
	if r.Header.Get("Authorization") != "Bearer for repository:"+name+":pull of fake" {
		realm := f.realm
		if realm == "" {
			realm = f.url + "/token"
		}
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm=%q,service="fake"`, realm))
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	manifest, there := f.tags[name+":"+tag]
	if !there || !strings.Contains(strings.Join(r.Header.Values("Accept"), " "), "image.index") {
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`)
		return
	}
	if f.header != "" {
		w.Header().Set("Docker-Content-Digest", f.header)
	}
	_, _ = fmt.Fprint(w, manifest)
}

func manifest(of string) (text, digest string) {
	text = fmt.Sprintf(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","annotations":{"of":%q}}`, of)
	sum := sha256.Sum256([]byte(text))
	return text, "sha256:" + hex.EncodeToString(sum[:])
}

// repository is a folder with the files that name images.
func repository(t *testing.T, compose string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range map[string]string{
		"deployments/compose.yaml":             compose,
		"deployments/Dockerfile":               "# syntax=docker/dockerfile:1\nFROM golang:1.26-bookworm AS build\nRUN x\nFROM debian:12-slim AS base\nFROM base AS api\n",
		"deployments/helm/vigueur/values.yaml": "image:\n  registry: \"\"\npostgres:\n  image: postgres:15\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func read(t *testing.T, root, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const compose = "services:\n  postgres:\n    image: postgres:15\n  api:\n    image: vigueur-api\n  s3:\n    image: versity/versitygw:v1.8.0\n"

func everything() map[string]string {
	tags := map[string]string{}
	for _, name := range []string{"library/postgres:15", "versity/versitygw:v1.8.0", "docker/dockerfile:1", "library/golang:1.26-bookworm", "library/debian:12-slim"} {
		tags[name], _ = manifest(name)
	}
	return tags
}

func newPinner(root string, f *fakeRegistry, check bool) (*pinner, *bytes.Buffer) {
	var out bytes.Buffer
	return &pinner{root: root, check: check, out: &out, registries: registries{
		client: &http.Client{Timeout: time.Minute}, address: func(string) string { return f.url },
	}}, &out
}

func TestImagesArePinned(t *testing.T) {
	t.Parallel()
	f, root := newRegistry(t, everything()), repository(t, compose)
	checker, said := newPinner(root, f, true)
	behind, err := checker.run(t.Context())
	if err != nil || behind != 6 || !strings.Contains(said.String(), "deployments/helm/vigueur/values.yaml: postgres:15, now postgres:15@sha256:") {
		t.Fatalf("%d images are behind, %v:\n%s", behind, err, said)
	}
	if got := read(t, root, "deployments/compose.yaml"); got != compose {
		t.Fatalf("a check has written\n%s", got)
	}
	for again := range 2 {
		p, _ := newPinner(root, f, false)
		if behind, err = p.run(t.Context()); err != nil || behind != 6*(1-again) {
			t.Errorf("run %d: %d, %v", again, behind, err)
		}
		_, postgres := manifest("library/postgres:15")
		_, s3 := manifest("versity/versitygw:v1.8.0")
		want := strings.NewReplacer("postgres:15", "postgres:15@"+postgres, "v1.8.0", "v1.8.0@"+s3).Replace(compose)
		if got := read(t, root, "deployments/compose.yaml"); got != want {
			t.Errorf("run %d:\n%s", again, got)
		}
		_, golang := manifest("library/golang:1.26-bookworm")
		_, debian := manifest("library/debian:12-slim")
		_, front := manifest("docker/dockerfile:1")
		want = "# syntax=docker/dockerfile:1@" + front + "\nFROM golang:1.26-bookworm@" + golang + " AS build\nRUN x\nFROM debian:12-slim@" + debian + " AS base\nFROM base AS api\n"
		if got := read(t, root, "deployments/Dockerfile"); got != want {
			t.Errorf("run %d:\n%s", again, got)
		}
	}
	if n := f.asked["/v2/library/postgres/manifests/15"]; n != 6 { // thrice, without a token and with one
		t.Errorf("an image that two files name was asked about %d times", n)
	}
	// The tag moves on, and is followed when it is asked to be.
	moved, digest := manifest("another")
	f.mu.Lock()
	f.tags["library/postgres:15"] = moved
	f.mu.Unlock()
	p, _ := newPinner(root, f, false)
	if behind, err = p.run(t.Context()); err != nil || behind != 2 || !strings.Contains(read(t, root, "deployments/compose.yaml"), "postgres:15@"+digest+"\n") {
		t.Errorf("a tag that has moved: %d, %v", behind, err)
	}
}

// What cannot be resolved leaves every file as it is.
func TestImagesThatCannotBePinned(t *testing.T) {
	t.Parallel()
	_, other := manifest("other")
	for want, change := range map[string]func(f *fakeRegistry) string{
		"404: {\"errors\"": func(f *fakeRegistry) string { delete(f.tags, "versity/versitygw:v1.8.0"); return compose },
		"is no manifest":   func(f *fakeRegistry) string { f.tags["versity/versitygw:v1.8.0"] = "<html>"; return compose },
		"gives the bytes":  func(f *fakeRegistry) string { f.header = other; return compose },
		"would be asked":   func(f *fakeRegistry) string { f.realm = "http://tokens.example/token"; return compose },
		"a tag is missing": func(*fakeRegistry) string { return "  a:\n    image: library/a\n" },
		"is no name of an": func(*fakeRegistry) string { return "  a:\n    image: ../etc:1\n" },
		"hexadecimal":      func(*fakeRegistry) string { return "  a:\n    image: a:1@sha256:00\n" },
		"more than 4194304": func(f *fakeRegistry) string {
			f.tags["versity/versitygw:v1.8.0"] = strings.Repeat(" ", 5<<20)
			return compose
		},
	} {
		f := newRegistry(t, everything())
		text := change(f)
		root := repository(t, text)
		p, _ := newPinner(root, f, false)
		if _, err := p.run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if read(t, root, "deployments/compose.yaml") != text || strings.Contains(read(t, root, "deployments/Dockerfile"), "sha256") {
			t.Errorf("%q: a file has changed", want)
		}
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	digest := "sha256:" + strings.Repeat("0a", 32)
	for text, want := range map[string]reference{
		"postgres:15":                    {hub, "library/postgres", "15", "", "postgres:15"},
		"versity/versitygw:v1.8.0":       {hub, "versity/versitygw", "v1.8.0", "", "versity/versitygw:v1.8.0"},
		"ghcr.io/a/b:c@" + digest:        {"ghcr.io", "a/b", "c", digest, "ghcr.io/a/b:c"},
		"localhost/a:1":                  {"localhost", "a", "1", "", "localhost/a:1"},
		"127.0.0.1:5000/a/b-c__d:latest": {"127.0.0.1:5000", "a/b-c__d", "latest", "", "127.0.0.1:5000/a/b-c__d:latest"},
	} {
		if got, err := parse(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	r := registries{}
	for host, want := range map[string]string{hub: "https://registry-1.docker.io", "ghcr.io": "https://ghcr.io", "127.0.0.1:5000": "http://127.0.0.1:5000", "localhost": "http://localhost"} {
		if got := r.base(host); got != want {
			t.Errorf("%s is asked at %s", host, got)
		}
	}
}

// Every image of the repository's files that is not built here is found.
func TestTheRepositorysImagesAreFound(t *testing.T) {
	t.Parallel()
	for path, pattern := range named {
		raw := read(t, "../..", path)
		var found []string
		_, err := rewrite(raw, pattern, func(name string) (string, error) {
			found = append(found, name)
			_, err := parse(name)
			return name, err
		})
		if err != nil {
			t.Error(err)
		}
		want := imagesOf(raw)
		slices.Sort(found)
		slices.Sort(want)
		if len(want) == 0 || !slices.Equal(found, want) {
			t.Errorf("%s: found %v, want %v", path, found, want)
		}
	}
}

// imagesOf reads the images line by line: those of « image: », « FROM » and « # syntax= »
// with a tag, which none has that is built from another line.
func imagesOf(text string) (images []string) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(strings.ReplaceAll(line, "# syntax=", "FROM "))
		if len(fields) > 1 && (fields[0] == "image:" || fields[0] == "FROM") && strings.Contains(fields[1], ":") {
			images = append(images, fields[1])
		}
	}
	return images
}
