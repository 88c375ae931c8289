package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/answering"
)

const root = "../../.."

// read returns a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// pages returns the documents that people read, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/operating/*.md", "docs/decisions/*.md", "internal/*/README.md", "lab/*.md", "scripts/sample/*.md"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			path = strings.TrimPrefix(filepath.ToSlash(path), root+"/")
			found[path] = read(t, path)
		}
	}
	if found["README.md"] == "" || found["docs/architecture.md"] == "" || found["docs/operating/settings.md"] == "" {
		t.Fatalf("documents are missing; there are %d", len(found))
	}
	return found
}

var variable = regexp.MustCompile(`VIGUEUR_[A-Z]+(?:_[A-Z]+)*`)

// setting is a setting of a program: its default value and the programs that read it.
type setting struct {
	otherwise string
	programs  []string
}

// settings returns the settings of the configuration structs, by name.
func settings() map[string]*setting {
	found := map[string]*setting{}
	var collect func(program string, c reflect.Type)
	collect = func(program string, c reflect.Type) {
		for i := range c.NumField() {
			field := c.Field(i)
			if field.Anonymous {
				collect(program, field.Type)
				continue
			}
			name := field.Tag.Get("env")
			if found[name] == nil {
				found[name] = &setting{otherwise: field.Tag.Get("envDefault")}
			}
			found[name].programs = append(found[name].programs, program)
		}
	}
	collect("api", reflect.TypeFor[config.API]())
	collect("worker", reflect.TypeFor[config.Worker]())
	collect("ingest", reflect.TypeFor[config.Ingest]())
	return found
}

// readBy formats the programs as the table of settings does.
func (s *setting) readBy() string {
	if len(s.programs) == 3 {
		return "all"
	}
	return strings.Join(s.programs, ", ")
}

var row = regexp.MustCompile("(?m)^\\| `(VIGUEUR_[A-Z_]+)` \\| ([a-z, ]+) \\| (?:`([^`]*)`)? ?\\| ")

func TestEverySettingIsDocumentedWithItsDefault(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	known := settings()
	for _, m := range row.FindAllStringSubmatch(pages(t)["docs/operating/settings.md"], -1) {
		name, programs, otherwise := m[1], m[2], m[3]
		told[name] = true
		switch s := known[name]; {
		case s == nil:
			t.Errorf("docs/operating/settings.md lists %s, which no program reads", name)
		case s.otherwise != otherwise || s.readBy() != programs:
			t.Errorf("docs/operating/settings.md says of %s: read by %q, default %q; it is read by %q, default %q",
				name, programs, otherwise, s.readBy(), s.otherwise)
		}
	}
	for name := range known {
		if !told[name] {
			t.Errorf("docs/operating/settings.md does not list %s", name)
		}
	}
}

func TestEveryVariableInTheDocumentsExists(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	for name := range settings() {
		exists[name] = true
	}
	for _, path := range []string{"scripts/test", "scripts/check", "scripts/lib/settings.sh", "scripts/lib/s3.sh", "scripts/lib/previous.sh", "deployments/compose.yaml", "deployments/Dockerfile", "deployments/env.example"} {
		for _, name := range variable.FindAllString(read(t, path), -1) {
			exists[name] = true
		}
	}
	all := pages(t)
	for path, text := range all {
		for _, name := range variable.FindAllString(text, -1) {
			if !exists[name] && path != "CHANGELOG.md" { // which also names what was removed
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
	}
	var operating string
	for path, text := range all {
		if strings.HasPrefix(path, "docs/operating/") {
			operating += text
		}
	}
	for name := range exists {
		if name != "VIGUEUR_TEST" && !strings.Contains(operating, name) {
			t.Errorf("docs/operating does not name %s", name)
		}
	}
}

func TestTimesOfLeasesAreAsDocumented(t *testing.T) {
	t.Parallel()
	text := pages(t)["internal/work/README.md"]
	for _, line := range []string{
		fmt.Sprintf("| lease of a row | %.0f s |", postgres.Lease.Seconds()),
		fmt.Sprintf("| renewed every | %.0f s |", postgres.Renew.Seconds()),
		fmt.Sprintf("| a fresh hint is trusted for | %.0f s,", postgres.Grace.Seconds()),
		fmt.Sprintf("| attempts lost with their worker before a row is given up | %d |", postgres.MaxAttempts),
		fmt.Sprintf("| attempts at an answer while a store or model is down | %d |", answering.MaxTries),
	} {
		if !strings.Contains(text, line) {
			t.Errorf("internal/work/README.md does not say %q", line)
		}
	}
}

// step is a row of a table that names a method and the file that contains it.
var step = regexp.MustCompile("(?m)^\\| `([A-Za-z]+)\\.([A-Za-z]+)` \\| `([a-z_/]+\\.go)` \\| ")

func TestTheWaysAreAsDescribed(t *testing.T) {
	t.Parallel()
	steps := step.FindAllStringSubmatch(pages(t)["docs/architecture.md"], -1)
	if len(steps) != 19 {
		t.Errorf("docs/architecture.md follows a question and a gazette through %d functions", len(steps))
	}
	for _, m := range steps {
		declared := regexp.MustCompile(`(?m)^func \(\w+ \*?` + m[1] + `\) ` + m[2] + `\(`)
		if !declared.MatchString(read(t, m[3])) {
			t.Errorf("docs/architecture.md: %s has no method %s.%s", m[3], m[1], m[2])
		}
	}
}

func TestEveryRoomIsDescribed(t *testing.T) {
	t.Parallel()
	texts := pages(t)
	for _, p := range load(t) {
		name, internal := strings.CutPrefix(p.ImportPath, "vigueur/internal/")
		door, _, inside := strings.Cut(name, "/")
		if page := "internal/" + door + "/README.md"; internal && inside && !strings.Contains(texts[page], "`"+name+"`") {
			t.Errorf("%s does not name the package %s", page, name)
		}
	}
}

var (
	link   = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	title  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noSign = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// anchors returns the anchors of a document's headings, in the form that GitHub generates.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		found[strings.ReplaceAll(noSign.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return found
}

func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	for path, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor := path, m[2]
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			} else if anchor != "" && filepath.Ext(target) == ".md" && !anchors(read(t, target))[anchor] {
				t.Errorf("%s links to %s, which has no heading #%s", path, target, anchor)
			}
		}
	}
}

var (
	record = regexp.MustCompile(`^# ([1-9][0-9]*)\. (.+)\n`)
	cited  = regexp.MustCompile(`\[([0-9]+)\]\([^)]*?([0-9]{4})-[a-z0-9-]+\.md\)`)
)

// pageOfLines is the maximum number of lines of a decision.
const pageOfLines = 45

func TestDecisionsAreNumberedAndIndexed(t *testing.T) {
	t.Parallel()
	const index = "docs/decisions/README.md"
	all, taken := pages(t), map[string]string{}
	for path, text := range all {
		if filepath.Dir(path) != "docs/decisions" || path == index {
			continue
		}
		m := record.FindStringSubmatch(text)
		if len(m) != 3 || fmt.Sprintf("%04s", m[1]) != filepath.Base(path)[:4] {
			t.Errorf("%s does not begin with its number and title", path)
			continue
		}
		if other := taken[m[1]]; other != "" {
			t.Errorf("%s has the number of %s", path, other)
		}
		taken[m[1]] = path
		if row := fmt.Sprintf("| [%s](%s) | %s | ", m[1], filepath.Base(path), m[2]); !strings.Contains(all[index], row) {
			t.Errorf("%s lacks the row %q", index, row)
		}
		for _, part := range []string{"**Context.**", "**Decision.**", "**Consequences.**"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %s", path, part)
			}
		}
		if lines := strings.Count(text, "\n"); lines > pageOfLines {
			t.Errorf("%s has %d lines, more than a page (%d)", path, lines, pageOfLines)
		}
	}
	if rows := strings.Count(all[index], "\n| ["); rows != len(taken) || rows == 0 {
		t.Errorf("%s has %d rows for %d decisions", index, rows, len(taken))
	}
	for path, text := range all {
		for _, m := range cited.FindAllStringSubmatch(text, -1) {
			if strings.TrimLeft(m[2], "0") != m[1] {
				t.Errorf("%s calls decision %s by the number %s", path, m[2], m[1])
			}
		}
	}
}
