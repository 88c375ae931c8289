package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// pkg is the output of `go list` for a package.
type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Doc          string
}

func load(t *testing.T) []pkg {
	t.Helper()
	list, err := listed()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return list
}

// listed returns all packages; it runs `go list` once for all tests.
var listed = sync.OnceValues(func() (list []pkg, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Doc", "vigueur/...").Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
})

// httpRooms are the packages of the HTTP interface, in order: each may import those before it, but
// not those after it.
var httpRooms = []string{
	"web/httpapi/form", "web/httpapi/respond", "web/httpapi/transport", "web/httpapi/contract", "web/httpapi/guard", "web/httpapi/public", "web/httpapi/catalogue",
	"web/httpapi/alerts", "web/httpapi/conversations", "web/httpapi/gazettes", "web/httpapi/account", "web/httpapi/admin", "web/httpapi/owndata", "web/httpapi",
}

// owners lists the packages that may import a technology. No other package may, including
// tests, except for the whole-system tests and the benchmarks.
var owners = map[string][]string{
	"github.com/gofiber/fiber":        httpRooms,
	"github.com/valyala/fasthttp":     {"web/httpapi/transport"},
	"github.com/hibiken/asynq":        {"work/queue"},
	"github.com/redis/go-redis":       {"store/redisurl", "store/relay", "store/ratelimit"},
	"github.com/jackc/pgx":            {"store/postgres", "store/postgres/pgtest"},
	"github.com/pressly/goose":        {"store/postgres"},
	"github.com/golang-jwt/jwt":       {"web/auth", "web/idp", "web/idp/idptest"}, // tests of idptest forge tokens with it
	"golang.org/x/crypto/argon2":      {"web/auth"},
	"github.com/coreos/go-oidc":       {"web/idp"},
	"golang.org/x/oauth2":             {"web/idp"},
	"github.com/go-jose/go-jose":      {}, // only the OpenID Connect library needs it
	"github.com/boombuler/barcode":    {"web/factor"},
	"github.com/klippa-app/go-pdfium": {"gazette/pdftext"},
	"github.com/landlock-lsm":         {"kit/confine"},
	"github.com/caarlos0/env":         {"ops/config"},
	"github.com/Shopify/toxiproxy":    {}, // only the whole-system tests need it
	"github.com/openai/openai-go":     {}, // likewise: the service speaks as OpenAI does, to its client
	"github.com/meilisearch":          {"store/meili"},
	"github.com/wneessen/go-mail":     {"work/notify"},
	"github.com/santhosh-tekuri":      {"kit/testkit/schema"},
	"github.com/google/go-cmp":        {"kit/testkit/compare"},
	"github.com/johannesboyne":        {"kit/testkit/bucket"},
	"go.uber.org/goleak":              {"kit/testkit/leak"},
	"github.com/milvus-io":            {"search/milvus"},
	"github.com/danielgtaylor/huma":   {"web/httpapi/contract"},
	"go.yaml.in/yaml":                 {"vigueur/ingest", "vigueur/deployments"}, // ingest declares its commands in it; a test of deployments reads the compose file
	"github.com/prometheus":           {"ops/observe"},
	"go.opentelemetry.io":             {"kit/trace", "kit/testkit/collector"},
	"github.com/hashicorp/golang-lru": {"search/retrieve", "store/postgres", "web/httpapi/catalogue"},
	"github.com/minio/minio-go":       {"store/blobs"},
	"github.com/klauspost/compress":   {"work/ingestion"},
	"github.com/modelcontextprotocol": {"web/mcp", "web/oauth"},
	"github.com/yuin/goldmark":        {"kit/paper", "web/httpapi"},
}

func TestOneTechnologyOnePackage(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		name, internal := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		if !internal && (strings.HasPrefix(p.ImportPath, "vigueur/e2e") || strings.HasPrefix(p.ImportPath, "vigueur/scripts") || strings.HasPrefix(p.ImportPath, "vigueur/lab")) {
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

// doors are the folders of internal, in order: a package may import packages of its own
// door and of the doors before it, but not of later ones.
var doors = []string{"kit", "law", "gazette", "store", "search", "answer", "work", "web", "ops"}

// forTests are packages that only tests import. They set up what a test needs, so they may
// import any package.
var forTests = []string{"kit/archtest", "store/postgres/pgtest", "work/queue/redistest", "store/meili/meilitest", "search/milvus/milvustest", "web/idp/idptest"}

// storeless packages contain only values and rules.
var storeless = []string{"law/amend", "law/anonym", "kit/errs", "law", "store/chat", "law/country", "law/edition", "search/encode", "law/export", "law/french", "law/fulltext", "gazette/heads", "gazette/layout", "gazette/remarks", "gazette", "gazette/segment/line", "gazette/segment/titles", "gazette/segment/prepare", "gazette/segment/label", "gazette/segment/judgment", "gazette/segment/articles", "gazette/segment/masthead", "gazette/segment/sentence", "gazette/segment/force", "gazette/segment/relations", "gazette/segment/texts", "gazette/segment/doubts", "gazette/segment/edits", "law/naming", "kit/parallel", "search/rank", "search/decide", "search/decide", "search/question", "gazette/segment", "search/transformer"}

// stages are the packages below a package, in order: each may import only those before it.
var stages = map[string][]string{
	"gazette/segment": {"line", "titles", "prepare", "label", "judgment", "articles", "masthead", "sentence", "force", "relations", "texts", "doubts", "edits"},
}

func TestArrowsBetweenStagesPointOneWay(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		name, _ := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		for parent, order := range stages {
			stage, below := strings.CutPrefix(name, parent+"/")
			if !below {
				continue
			}
			own := slices.Index(order, stage)
			if own < 0 {
				t.Errorf("%s is none of the stages %v of %s", p.ImportPath, order, parent)
			}
			for _, imported := range p.Imports {
				other, ours := strings.CutPrefix(imported, "vigueur/internal/"+parent)
				if ours && (other == "" || slices.Index(order, other[1:]) > own) {
					t.Errorf("%s imports %s, which comes after it", p.ImportPath, imported)
				}
			}
		}
	}
}

// doorOf returns the door of a package in internal and its index in doors, -1 if the
// package belongs to no door.
func doorOf(name string) (door string, place int) {
	door, _, _ = strings.Cut(name, "/")
	return door, slices.Index(doors, door)
}

func TestArrowsBetweenDoorsPointOneWay(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		name, internal := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		if !internal || slices.Contains(forTests, name) {
			continue
		}
		door, own := doorOf(name)
		if own < 0 {
			t.Errorf("%s is in none of the folders %v", p.ImportPath, doors)
		}
		for _, imported := range p.Imports {
			other, ours := strings.CutPrefix(imported, "vigueur/internal/")
			if !ours {
				continue
			}
			if _, place := doorOf(other); place > own {
				t.Errorf("%s imports %s, which is above %s", p.ImportPath, imported, door)
			}
			if slices.Contains(forTests, other) {
				t.Errorf("%s imports %s, which is for tests", p.ImportPath, imported)
			}
		}
	}
}

func TestRoomsOfTheHTTPInterfaceAreInOrder(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		name, _ := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		own := slices.Index(httpRooms, name)
		if own < 0 {
			if strings.HasPrefix(name, "web/httpapi/") {
				t.Errorf("%s is none of the rooms %v", p.ImportPath, httpRooms)
			}
			continue
		}
		for _, imported := range p.Imports {
			other, _ := strings.CutPrefix(imported, "vigueur/internal/")
			if slices.Index(httpRooms, other) > own {
				t.Errorf("%s imports %s, which is above it", p.ImportPath, imported)
			}
		}
	}
}

// TestProgramsStandAlone checks that the programs require none of the repository's other
// modules.
func TestProgramsStandAlone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-deps", "vigueur/api", "vigueur/worker", "vigueur/ingest")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		for _, module := range []string{"vigueur/lab", "vigueur/scripts", "vigueur/e2e", "vigueur/clients", "vigueur/internal/kit/testkit"} {
			if strings.HasPrefix(path, module) {
				t.Errorf("the programs contain %s", path)
			}
		}
	}
	requirements := read(t, "go.mod")
	for _, module := range []string{"vigueur/lab", "vigueur/scripts", "vigueur/e2e", "vigueur/clients"} {
		if strings.Contains(requirements, module) {
			t.Errorf("go.mod names %s", module)
		}
	}
}

func TestEveryDoorSaysWhatGoesInAndOut(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		file := filepath.Join("internal", door, "doc.go")
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			file = filepath.Join("internal", door, door+".go")
		}
		if !strings.HasPrefix(read(t, file), "// Package "+door+" ") {
			t.Errorf("%s does not begin with a package comment", file)
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, "internal"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() && !slices.Contains(doors, entry.Name()) {
			t.Errorf("internal/%s is no door: the doors are %v", entry.Name(), doors)
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
