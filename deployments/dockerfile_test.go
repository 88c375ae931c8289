package deployments

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// stage is one FROM of the Dockerfile with what matters of its instructions.
type stage struct {
	from         string
	instructions []string // joined over line ends
	env          map[string]string
}

// readStages reads the Dockerfile by stage.
func readStages(t *testing.T) map[string]stage {
	t.Helper()
	file, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	stages := map[string]stage{}
	var name string
	text := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(string(file), "")
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == "FROM":
			if len(words) != 4 || words[2] != "AS" {
				t.Fatalf("a stage without a name: %s", line)
			}
			name = words[3]
			stages[name] = stage{from: words[1], env: map[string]string{}}
			continue
		case words[0] == "ENV":
			for _, pair := range words[1:] {
				key, value, _ := strings.Cut(pair, "=")
				stages[name].env[key] = value
			}
		}
		s := stages[name]
		s.instructions = append(s.instructions, strings.Join(words, " "))
		stages[name] = s
	}
	return stages
}

// find returns the instructions of one kind.
func (s stage) find(kind string) []string {
	var found []string
	for _, instruction := range s.instructions {
		if rest, yes := strings.CutPrefix(instruction, kind+" "); yes {
			found = append(found, rest)
		}
	}
	return found
}

func TestImages(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	for _, name := range []string{"api", "worker", "ingest"} {
		s, found := stages[name]
		if !found || s.from != "base" {
			t.Errorf("%s is no stage made from base", name)
			continue
		}
		if users := s.find("USER"); len(users) != 1 || !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(users[0]) {
			t.Errorf("%s runs as %q", name, users)
		}
		want := []string{"--from=build /out/" + name + " /usr/local/bin/" + name}
		if name == "ingest" {
			want = append(want, "deployments/backup/vigueur-backup /usr/local/bin/vigueur-backup")
		}
		if copies := s.find("COPY"); !slices.Equal(copies, want) {
			t.Errorf("%s copies %q", name, copies)
		}
		if entries := s.find("ENTRYPOINT"); !slices.Equal(entries, []string{`["tini", "--", "` + name + `"]`}) {
			t.Errorf("%s is entered by %q", name, entries)
		}
	}
	// The programs the build stage makes are folders of the repository.
	inFolder := regexp.MustCompile(`\bgo -C (\w+) `)
	for _, command := range stages["build"].find("RUN") {
		from := ".."
		if match := inFolder.FindStringSubmatch(command); match != nil {
			from = filepath.Join(from, match[1])
		}
		for _, match := range regexp.MustCompile(` \./(\w+)`).FindAllStringSubmatch(command, -1) {
			if _, err := os.Stat(filepath.Join(from, match[1])); err != nil {
				t.Errorf("the build stage builds %s: %v", match[1], err)
			}
		}
	}
	goVersion, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(goVersion))
	from, _, _ := strings.Cut(stages["build"].from, "@") // scripts/pin writes the digest behind it
	if want := "golang:" + version[1] + "-bookworm"; from != want {
		t.Errorf("the build stage is made from %s, go.mod wants %s", stages["build"].from, want)
	}
}

// TestNothingSecretIsCopied holds the folder of secrets out of the images.
func TestNothingSecretIsCopied(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("Dockerfile.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".state", ".git", "deployments/*"} {
		if !slices.Contains(strings.Split(string(file), "\n"), name) {
			t.Errorf("%s is not held out", name)
		}
	}
}

// TestImagesHaveExactTags checks that every image that is fetched has a tag of its own, so that
// scripts/pin can say what it means, and that either all are pinned to digests or none is.
func TestImagesHaveExactTags(t *testing.T) {
	t.Parallel()
	var names []string
	for _, path := range []string{"compose.yaml", "Dockerfile", "helm/vigueur/values.yaml"} {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:\s+image: |FROM |# syntax=)(\S*[:/]\S*)`).FindAllStringSubmatch(string(file), -1) {
			names = append(names, m[1])
		}
	}
	pinned := 0
	for _, name := range names {
		if !regexp.MustCompile(`^[a-z0-9./_-]+:[\w.-]*\d[\w.-]*(@sha256:[0-9a-f]{64})?$`).MatchString(name) {
			t.Errorf("%s has no tag with a version, or a digest that is none", name)
		}
		if strings.Contains(name, "@") {
			pinned++
		}
	}
	if len(names) < 11 || pinned != 0 && pinned != len(names) {
		t.Errorf("%d of %d images are pinned; scripts/pin pins all", pinned, len(names))
	}
}
