package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const root = "../.."

// few knows the licenses that most modules have: to know all takes seconds.
func few(t *testing.T) scan {
	t.Helper()
	scanner, err := licensecheck.NewScanner(slices.DeleteFunc(licensecheck.BuiltinLicenses(), func(l licensecheck.License) bool {
		return l.ID != "MIT" && l.ID != "Apache-2.0"
	}))
	if err != nil {
		t.Fatal(err)
	}
	return scanner.Scan
}

func written(t *testing.T, known scan, epoch string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := run(&out, root, "1.2.3", epoch, known); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func parsed(t *testing.T, data []byte) *cdx.BOM {
	t.Helper()
	bom := new(cdx.BOM)
	if err := cdx.NewBOMDecoder(bytes.NewReader(data), cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	return bom
}

// The repository's own document is one by the published schema, the same each time but for the time that it is told,
// in order, and of what is shipped alone.
func TestDocument(t *testing.T) {
	t.Parallel()
	known := few(t)
	data := written(t, known, "")
	checkSchema(t, data)
	bom := parsed(t, data)
	if bom.Metadata.Timestamp != "" || bom.Metadata.Component.Version != "1.2.3" {
		t.Errorf("metadata: %+v", bom.Metadata)
	}
	later := written(t, known, "86400")
	stamped := parsed(t, later)
	if stamped.Metadata.Timestamp != "1970-01-02T00:00:00Z" {
		t.Errorf("time stamp %q", stamped.Metadata.Timestamp)
	}
	if again := bytes.Replace(later, []byte(`    "timestamp": "1970-01-02T00:00:00Z",`+"\n"), nil, 1); !bytes.Equal(data, again) {
		t.Error("two documents differ by more than their time")
	}
	checkParts(t, bom)
	checkDependencies(t, bom)
}

// checkSchema holds a document against the schema that comes with the library.
func checkSchema(t *testing.T, data []byte) {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	for _, name := range []string{"bom-1.6.schema.json", "spdx.schema.json", "jsf-0.82.schema*.json"} {
		paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(folder)), "schema", name))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", name, paths, err)
		}
		text, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		id, _ := schema.(map[string]any)["$id"].(string)
		if err := compiler.AddResource(id, schema); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

func checkParts(t *testing.T, bom *cdx.BOM) {
	t.Helper()
	var refs []string
	for _, c := range *bom.Components {
		refs = append(refs, c.BOMRef)
		if c.Type == cdx.ComponentTypeLibrary && !strings.HasPrefix(c.PackageURL, "pkg:golang/std@") && (c.Hashes == nil || c.Version == "") {
			t.Errorf("%s has no hash or no version", c.BOMRef)
		}
	}
	if !slices.IsSorted(refs) || len(slices.Compact(slices.Clone(refs))) != len(refs) {
		t.Errorf("not in order, or twice: %v", refs)
	}
	named := func(name string) bool {
		return slices.ContainsFunc(refs, func(ref string) bool {
			return ref == name || strings.HasPrefix(ref, "pkg:golang/"+name+"@") || strings.HasPrefix(ref, "pkg:npm/"+name+"@")
		})
	}
	for _, name := range []string{"vigueur/api", "vigueur/ingest", "vigueur/worker", "std", "github.com/jackc/pgx/v5", "github.com/klippa-app/go-pdfium",
		"github.com/gofiber/fiber/v2", "preact", "pdfjs-dist", "dompurify"} {
		if !named(name) {
			t.Errorf("%s is missing", name)
		}
	}
	// What tests, builds or measures, this program's own libraries, and what npm calls optional.
	for _, name := range []string{"github.com/chromedp/chromedp", "github.com/google/go-cmp", "go.uber.org/goleak", "github.com/johannesboyne/gofakes3",
		"github.com/evanw/esbuild", "github.com/cyclonedx/cyclonedx-go", "github.com/google/licensecheck", "typescript", "axe-core",
		"%40napi-rs/canvas"} {
		if named(name) {
			t.Errorf("%s is no part of what is shipped", name)
		}
	}
	for _, c := range *bom.Components {
		if license := map[string]string{"github.com/jackc/pgx/v5": "MIT", "github.com/minio/minio-go/v7": "Apache-2.0", "marked": "MIT"}[c.Name]; license != "" &&
			(c.Licenses == nil || len(*c.Licenses) != 1 || (*c.Licenses)[0].License.ID != license) {
			t.Errorf("%s is not called by its license, %s: %+v", c.Name, license, c.Licenses)
		}
	}
	for _, name := range bundled(t) {
		if !named(strings.ReplaceAll(name, "@", "%40")) {
			t.Errorf("%s is in the bundle of the page, and not in the document", name)
		}
	}
}

// bundled names the packages whose licenses the page's bundle tells, none where it was not built.
func bundled(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "api/web/dist/assets/licences.txt"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^([@a-z0-9/-]+) \(LICEN[A-Za-z_.-]*\)$`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
	}
	return names
}

// checkDependencies sees that what is depended on is listed, that everything is needed by a program, and that it is the
// server that has the page.
func checkDependencies(t *testing.T, bom *cdx.BOM) {
	t.Helper()
	uses := make(map[string][]string)
	for _, d := range *bom.Dependencies {
		uses[d.Ref] = nil
		if d.Dependencies != nil {
			uses[d.Ref] = *d.Dependencies
		}
	}
	reached := make(map[string]bool)
	var walk func(ref string)
	walk = func(ref string) {
		if _, listed := uses[ref]; !listed {
			t.Errorf("%s is depended on, and not listed", ref)
		}
		if reached[ref] {
			return
		}
		reached[ref] = true
		for _, next := range uses[ref] {
			walk(next)
		}
	}
	walk("vigueur")
	for _, c := range *bom.Components {
		if !reached[c.BOMRef] {
			t.Errorf("%s is listed, and nothing depends on it", c.BOMRef)
		}
	}
	ofPage := func(ref string) bool { return strings.HasPrefix(ref, "pkg:npm/preact@") }
	if !slices.ContainsFunc(uses["vigueur/api"], ofPage) || slices.ContainsFunc(uses["vigueur/worker"], ofPage) {
		t.Error("the page is the server's alone")
	}
}

func TestWhatCannotBeTold(t *testing.T) {
	t.Parallel()
	if err := run(&bytes.Buffer{}, root, "1", "yesterday", nil); err == nil {
		t.Error("a time that is none was taken")
	}
	for name, lock := range map[string]string{
		"an old form":   `{"lockfileVersion": 2, "packages": {}}`,
		"missing":       `{"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "1"}}}}`,
		"of tests only": `{"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "1"}}, "node_modules/a": {"dev": true}}}`,
		"two versions":  `{"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "1"}}, "node_modules/a": {}, "node_modules/b/node_modules/a": {}}}`,
		"no JSON":       `{`,
	} {
		folder := t.TempDir()
		web := filepath.Join(folder, "api", "web")
		if err := os.MkdirAll(web, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(web, "package-lock.json"), []byte(lock), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readPage(folder); err == nil {
			t.Errorf("%s: read", name)
		}
	}
	packages := map[string]goPackage{"a/b": {ImportPath: "a/b", Module: &goModule{Path: "a", Version: "v1", Dir: t.TempDir()}}}
	if _, err := gather(packages, "go1", nil); err == nil {
		t.Error("a module without a hash was taken")
	}
	for _, integrity := range []string{"", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha512-AAAA"} {
		if _, err := (npmPackage{Integrity: integrity}).sha512(); err == nil {
			t.Errorf("the integrity %q was taken", integrity)
		}
	}
}

func TestSpelling(t *testing.T) {
	t.Parallel()
	m := module{path: "github.com/Shopify/toxiproxy/v2", version: "v2.0.0+incompatible"}
	if got, want := m.purl(), "pkg:golang/github.com/shopify/toxiproxy/v2@v2.0.0%2Bincompatible"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p := npmPackage{Version: "1.0.0", License: "(MPL-2.0 OR Apache-2.0)", Integrity: "sha512-" + strings.Repeat("A", 86) + "=="}
	c, err := p.component("@a/b")
	if err != nil {
		t.Fatal(err)
	}
	spelled, err := json.Marshal(c)
	want := `{"bom-ref":"pkg:npm/%40a/b@1.0.0","type":"library","group":"@a","name":"b","version":"1.0.0","hashes":[{"alg":"SHA-512","content":"` +
		strings.Repeat("0", 128) + `"}],"licenses":[{"expression":"(MPL-2.0 OR Apache-2.0)"}],"purl":"pkg:npm/%40a/b@1.0.0"}`
	if err != nil || string(spelled) != want {
		t.Errorf("%s, %v, want %s", spelled, err, want)
	}
}
