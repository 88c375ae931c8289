package deployments

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"vigueur/internal/ops/observe"
)

var figure = regexp.MustCompile(`\bvigueur_[a-z_]+[a-z]\b`)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryFigureThatIsNamedExists holds alerts, their tests and dashboards against what the programs give.
func TestEveryFigureThatIsNamedExists(t *testing.T) {
	t.Parallel()
	names := observe.Names()
	files, err := filepath.Glob("monitoring/*")
	if err != nil || len(files) < 3 {
		t.Fatalf("files %q, %v", files, err)
	}
	used := map[string]bool{}
	for _, path := range files {
		for _, name := range figure.FindAllString(read(t, path), -1) {
			used[name] = true
			if !slices.Contains(names, name) {
				t.Errorf("%s names %s, which no program gives", path, name)
			}
		}
	}
	if len(used) < 20 {
		t.Errorf("only %d figures are looked at", len(used))
	}
}

// TestEveryAlertHasARunbookAndATest reads the alerts strictly.
func TestEveryAlertHasARunbookAndATest(t *testing.T) {
	t.Parallel()
	var file struct {
		Groups []struct {
			Name  string `yaml:"name"`
			Rules []struct {
				Alert       string            `yaml:"alert"`
				Expr        string            `yaml:"expr"`
				For         string            `yaml:"for"`
				Labels      map[string]string `yaml:"labels"`
				Annotations map[string]string `yaml:"annotations"`
			} `yaml:"rules"`
		} `yaml:"groups"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "monitoring/alerts.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	runbooks, cases := read(t, "../docs/runbooks.md"), read(t, "monitoring/alerts_test.yaml")
	seen := 0
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			seen++
			if !strings.Contains(runbooks, "\n## "+rule.Alert+"\n") {
				t.Errorf("%s has no runbook", rule.Alert)
			}
			if rule.Annotations["runbook"] != "docs/runbooks.md#"+strings.ToLower(rule.Alert) || rule.Annotations["summary"] == "" {
				t.Errorf("%s leads to %q", rule.Alert, rule.Annotations["runbook"])
			}
			if !regexp.MustCompile(`alertname: ` + rule.Alert + `\s+exp_alerts:\s+- exp_labels`).MatchString(cases) {
				t.Errorf("%s fires in no case of alerts_test.yaml", rule.Alert)
			}
			if severity := rule.Labels["severity"]; severity != "page" && severity != "ticket" {
				t.Errorf("%s is %q", rule.Alert, severity)
			}
			if !figure.MatchString(rule.Expr) {
				t.Errorf("%s looks at no figure: %s", rule.Alert, rule.Expr)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d alerts", seen)
	}
	if n := strings.Count(runbooks, "\n## "); n != seen {
		t.Errorf("%d runbooks for %d alerts", n, seen)
	}
}

// TestDashboards reads the panels: each asks something, and none lies on another.
func TestDashboards(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("monitoring/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("dashboards %q, %v", files, err)
	}
	for _, path := range files {
		var board struct {
			UID, Title string
			Panels     []struct {
				ID      int
				Title   string
				Type    string
				GridPos struct{ X, Y, W, H int }
				Targets []struct{ Expr string }
			}
		}
		if err := json.Unmarshal([]byte(read(t, path)), &board); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if board.UID == "" || board.Title == "" || len(board.Panels) == 0 {
			t.Errorf("%s: %q has %d panels", path, board.Title, len(board.Panels))
		}
		ids, cells := map[int]bool{}, map[[2]int]string{}
		for _, p := range board.Panels {
			if p.Type == "row" {
				continue
			}
			if ids[p.ID] || p.Title == "" || len(p.Targets) == 0 || p.GridPos.X+p.GridPos.W > 24 || p.GridPos.W*p.GridPos.H == 0 {
				t.Errorf("%s: panel %d « %s »", path, p.ID, p.Title)
			}
			ids[p.ID] = true
			for _, target := range p.Targets {
				if !figure.MatchString(target.Expr) && !strings.Contains(target.Expr, "process_") {
					t.Errorf("%s: « %s » asks for nothing of ours: %s", path, p.Title, target.Expr)
				}
			}
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
					if other := cells[[2]int{x, y}]; other != "" {
						t.Errorf("%s: « %s » lies on « %s »", path, p.Title, other)
					}
					cells[[2]int{x, y}] = p.Title
				}
			}
		}
	}
}
