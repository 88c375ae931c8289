package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// linked is a link in Markdown to a file beside it.
var linked = regexp.MustCompile(`\]\(([^)#\s:]+)[)#]`)

// TestDocumentsOfAnArchiveHold is that what the documents of a release point to is in its archive, where they say, and so
// are the samples that they name.
func TestDocumentsOfAnArchiveHold(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	out, err := exec.Command("bash", "-euo", "pipefail", "-c", `root=$1; . "$0"; release_documents "$2"`,
		absolute(t, "../lib/release.sh"), absolute(t, "../.."), folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	links := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/decisions/*.md"} {
		pages, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages %s: %v", pattern, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range linked.FindAllStringSubmatch(string(text), -1) {
				links++
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
					t.Errorf("%s points to %s, which the archive lacks", strings.TrimPrefix(page, folder), link[1])
				}
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links: too few to tell", links)
	}
	for _, sample := range []string{"systemd/vigueur-api.service", "backup/vigueur-backup.timer", "proxies/nginx.conf", "monitoring/alerts.yaml", "helm/vigueur/Chart.yaml"} {
		if _, err := os.Stat(filepath.Join(folder, "deployments", sample)); err != nil {
			t.Errorf("the archive lacks deployments/%s", sample)
		}
	}
}
