package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pkg is what `go list` says of a package.
type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Doc          string
}

func load(t *testing.T) (list []pkg) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Doc", "vigueur/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// owners says which packages may import a technology; nobody else may, tests
// included, but for the whole-system tests and the benchmarks.
var owners = map[string][]string{
	"github.com/gofiber/fiber":        {"web/httpapi"},
	"github.com/valyala/fasthttp":     {"web/httpapi"},
	"github.com/hibiken/asynq":        {"work/queue"},
	"github.com/redis/go-redis":       {"store/redisurl", "store/relay", "store/ratelimit"},
	"github.com/jackc/pgx":            {"store/postgres", "store/postgres/pgtest"},
	"github.com/pressly/goose":        {"store/postgres"},
	"github.com/golang-jwt/jwt":       {"web/auth", "web/idp", "web/idp/idptest"}, // whose tests forge with it
	"golang.org/x/crypto/argon2":      {"web/auth"},
	"github.com/coreos/go-oidc":       {"web/idp"},
	"golang.org/x/oauth2":             {"web/idp"},
	"github.com/go-jose/go-jose":      {}, // for the library of OpenID Connect, which stands on it
	"github.com/boombuler/barcode":    {"web/factor"},
	"github.com/klippa-app/go-pdfium": {"gazette/pdftext"},
	"github.com/caarlos0/env":         {"ops/config"},
	"github.com/Shopify/toxiproxy":    {}, // for the whole-system tests
	"github.com/meilisearch":          {"store/meili"},
	"github.com/wneessen/go-mail":     {"work/notify"},
	"github.com/santhosh-tekuri":      {"kit/testkit/schema"},
	"github.com/google/go-cmp":        {"kit/testkit/compare"},
	"github.com/johannesboyne":        {"kit/testkit/bucket"},
	"go.uber.org/goleak":              {"kit/testkit/leak"},
	"github.com/milvus-io":            {"search/milvus"},
	"go.yaml.in/yaml":                 {"web/apidoc", "vigueur/deployments"}, // whose test reads the compose file
	"github.com/prometheus":           {"ops/observe"},
	"go.opentelemetry.io":             {"kit/trace", "kit/testkit/collector"},
	"github.com/hashicorp/golang-lru": {"search/retrieve"},
	"github.com/minio/minio-go":       {"store/blobs"},
	"filippo.io/age":                  {"store/backup", "vigueur/ingest"}, // which reads the key
}

func TestOneTechnologyOnePackage(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		name, internal := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		if !internal && (strings.HasPrefix(p.ImportPath, "vigueur/e2e") || strings.HasPrefix(p.ImportPath, "vigueur/scripts")) {
			continue
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			for technology, allowed := range owners {
				if strings.HasPrefix(imported, technology) && !slices.Contains(allowed, name) {
					t.Errorf("%s imports %s: that is for %v", p.ImportPath, imported, allowed)
				}
			}
		}
	}
}

// layers go from the words of the domain to the processes; a package imports
// packages of lower layers, or of its own where siblings are listed.
var layers = [][]string{
	{"kit/built", "kit/errs", "kit/lazyre", "kit/parallel", "kit/testkit/bucket", "kit/testkit/collector", "kit/testkit/compare", "kit/testkit/leak", "kit/testkit/schema"},
	{"law"},
	{"gazette/chain", "store/chat", "law/edition", "law/export", "law/french", "gazette/layout", "gazette/pdfhead", "search/rank", "store/redisurl"},
	{"law/anonym", "web/apidoc", "ops/config", "law/country", "search/encode", "law/fulltext", "law/naming", "ops/observe", "search/question", "gazette/segment", "search/vector", "web/webpage", "web/strength", "kit/trace", "search/transformer", "kit/sealed"},
	{"store/postgres", "store/blobs", "web/auth", "work/queue", "store/relay", "store/ratelimit", "gazette/pdftext", "gazette/ocr", "answer/llm", "store/meili", "web/factor", "web/idp"},
	{"store/postgres/pgtest", "work/queue/redistest", "store/meili/meilitest", "search/milvus/milvustest", "work/admission", "store/backup", "search/memindex", "work/lease", "search/postings", "gazette/recheck", "answer/llm/extractive", "answer/llm/openai", "answer/llm/order", "web/idp/idptest"},
	{"answer/refer", "search/retrieve", "search/milvus", "work"},
	{"work/answering", "work/embedding", "work/ingestion", "work/notify", "work/follow", "work/passages", "work/titles", "search/finding", "answer/why"},
	{"work/upkeep", "web/httpapi", "ops/doctor", "work/retention"},
}

// siblings are the imports within a layer that are meant.
var siblings = map[string][]string{"search/memindex": {"search/postings"}, "law/naming": {"law/country"}, "search/question": {"law/country"}, "answer/refer": {"search/retrieve"}, "work/answering": {"answer/why"}, "work/passages": {"work/follow"}, "work/titles": {"work/follow"}}

// storeless packages hold values and rules only.
var storeless = []string{"law/anonym", "kit/errs", "law", "store/chat", "law/country", "law/edition", "search/encode", "law/export", "law/french", "law/fulltext", "gazette/layout", "law/naming", "kit/parallel", "search/rank", "search/question", "gazette/segment", "search/transformer"}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
}

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		name, internal := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		if !internal || name == "kit/archtest" {
			continue
		}
		own := layerOf(name)
		if own < 0 {
			t.Errorf("%s has no place in the layers of this test: give it one", p.ImportPath)
		}
		for _, imported := range p.Imports {
			other, ours := strings.CutPrefix(imported, "vigueur/internal/")
			if !ours || slices.Contains(siblings[name], other) {
				continue
			}
			if layerOf(other) >= own {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, imported)
			}
		}
	}
}

func TestDomainImportsNoStore(t *testing.T) {
	t.Parallel()
	forbidden := []string{"database/sql", "net/http", "os/exec", "vigueur/internal/store/postgres"}
	for _, p := range load(t) {
		name, _ := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		if !slices.Contains(storeless, name) {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(forbidden, imported) {
				t.Errorf("%s imports %s: it holds values and rules only", p.ImportPath, imported)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	vague := []string{"util", "common", "helpers", "base", "core", "models", "types", "dto", "services", "repository", "controllers", "manager"}
	for _, p := range load(t) {
		if p.Doc == "" && len(p.Imports) > 0 {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
		if last := p.ImportPath[strings.LastIndexByte(p.ImportPath, '/')+1:]; slices.Contains(vague, last) {
			t.Errorf("%s: the name says nothing", p.ImportPath)
		}
	}
}
