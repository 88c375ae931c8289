package deployments

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"vigueur/internal/config"
)

// compose is the part of the Compose specification that the file uses. Decoding is strict: a key that is
// misspelled is an error.
type compose struct {
	Name     string             `yaml:"name"`
	Services map[string]service `yaml:"services"`
	Volumes  map[string]any     `yaml:"volumes"`
	Stores   any                `yaml:"x-stores"`
	Hardened any                `yaml:"x-hardened"`
}

type service struct {
	Image       string                `yaml:"image"`
	Build       build                 `yaml:"build"`
	Restart     string                `yaml:"restart"`
	Init        bool                  `yaml:"init"`
	ReadOnly    bool                  `yaml:"read_only"`
	Tmpfs       []string              `yaml:"tmpfs"`
	CapDrop     []string              `yaml:"cap_drop"`
	SecurityOpt []string              `yaml:"security_opt"`
	User        string                `yaml:"user"`
	Environment map[string]string     `yaml:"environment"`
	Command     []string              `yaml:"command"`
	Ports       []string              `yaml:"ports"`
	Volumes     []string              `yaml:"volumes"`
	Profiles    []string              `yaml:"profiles"`
	Healthcheck *healthcheck          `yaml:"healthcheck"`
	DependsOn   map[string]dependency `yaml:"depends_on"`
	StopGrace   string                `yaml:"stop_grace_period"`
	Memory      string                `yaml:"mem_limit"`
	CPUs        string                `yaml:"cpus"`
	PIDs        int                   `yaml:"pids_limit"`
	SharedSize  string                `yaml:"shm_size"`
}

type build struct {
	Context    string `yaml:"context"`
	Dockerfile string `yaml:"dockerfile"`
	Target     string `yaml:"target"`
}

type healthcheck struct {
	Test     []string `yaml:"test"`
	Interval string   `yaml:"interval"`
	Timeout  string   `yaml:"timeout"`
	Retries  int      `yaml:"retries"`
}

type dependency struct {
	Condition string `yaml:"condition"`
}

// readCompose reads the file with its variables replaced as Compose does, from given.
func readCompose(t *testing.T, given map[string]string) compose {
	t.Helper()
	file, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`\$\{([A-Z_]+)(:[-?][^}]*)?\}`)
	text := variable.ReplaceAllStringFunc(string(file), func(use string) string {
		parts := variable.FindStringSubmatch(use)
		if value := given[parts[1]]; value != "" {
			return value
		}
		if strings.HasPrefix(parts[2], ":?") {
			t.Errorf("%s is required and env.example does not name it", parts[1])
		}
		return strings.TrimPrefix(parts[2], ":-")
	})
	var c compose
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// filledIn is env.example as an operator fills it in.
func filledIn(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.ReadFile("env.example")
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]string{}
	for line := range strings.Lines(string(file)) {
		if name, _, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(name, "#") {
			given[name] = strings.Repeat("0123abcd", 8)
		}
	}
	given["VIGUEUR_BASE_URL"] = "https://droit.example"
	given["VIGUEUR_TRUSTED_PROXIES"] = "172.16.0.0/12"
	return given
}

// TestComposeSettings loads what each container would see with the configuration of its process.
func TestComposeSettings(t *testing.T) {
	t.Parallel()
	services := readCompose(t, filledIn(t)).Services
	stages := readStages(t)
	load := map[string]func(map[string]string) error{
		"api":     func(e map[string]string) error { _, err := config.LoadAPI(e); return err },
		"worker":  func(e map[string]string) error { _, err := config.LoadWorker(e); return err },
		"ingest":  func(e map[string]string) error { _, err := config.LoadIngest(e); return err },
		"migrate": func(e map[string]string) error { _, err := config.LoadIngest(e); return err },
	}
	for name, load := range load {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := services[name]
			environ := map[string]string{}
			for stage := s.Build.Target; stage != ""; stage = stages[stage].from {
				for key, value := range stages[stage].env {
					if environ[key] == "" {
						environ[key] = value
					}
				}
			}
			for key, value := range s.Environment {
				environ[key] = value
			}
			if err := load(environ); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestComposeServices(t *testing.T) {
	t.Parallel()
	c := readCompose(t, filledIn(t))
	stages := readStages(t)
	for name, s := range c.Services {
		if s.Build.Target != "" {
			if _, known := stages[s.Build.Target]; !known || s.Build.Context != ".." || s.Build.Dockerfile != "deployments/Dockerfile" {
				t.Errorf("%s is built from %+v", name, s.Build)
			}
			if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.SecurityOpt) == 0 {
				t.Errorf("%s is not hardened", name)
			}
		} else if s.Image == "" || s.Healthcheck == nil {
			t.Errorf("%s needs an image and a health check", name)
		}
		if s.Memory == "" || s.CPUs == "" || s.PIDs == 0 {
			t.Errorf("%s has no bound on its memory, processors or processes: %q, %q, %d", name, s.Memory, s.CPUs, s.PIDs)
		}
		for other, on := range s.DependsOn {
			checkDependency(t, name, other, on, c.Services)
		}
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, known := c.Volumes[source]; !known && !strings.HasPrefix(source, ".") {
				t.Errorf("%s uses the volume %s, which is not declared", name, source)
			}
		}
	}
	checkUploads(t, c.Services["api"])
	if len(c.Services["worker"].Ports) > 0 {
		t.Error("a worker with a port cannot be scaled")
	}
	for _, setting := range []string{"appendonly yes", "maxmemory-policy noeviction"} {
		if !strings.Contains(strings.Join(c.Services["redis"].Command, " "), setting) {
			t.Errorf("redis runs without %s", setting)
		}
	}
}

// checkUploads holds that what is uploaded goes to a disk, and that the API knows the
// proxy that is to stand before it.
func checkUploads(t *testing.T, api service) {
	t.Helper()
	folder := api.Environment["TMPDIR"]
	onDisk := slices.ContainsFunc(api.Volumes, func(v string) bool { return strings.HasSuffix(v, ":"+folder) })
	if folder == "" || !onDisk || slices.Contains(api.Tmpfs, folder) {
		t.Errorf("uploads are written to %q, which is no volume", folder)
	}
	file, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(file), "${VIGUEUR_TRUSTED_PROXIES:?") {
		t.Error("the API starts without knowing the proxy before it")
	}
}

func checkDependency(t *testing.T, name, other string, on dependency, services map[string]service) {
	t.Helper()
	target, known := services[other]
	switch {
	case !known:
		t.Errorf("%s depends on %s, which does not exist", name, other)
	case on.Condition == "service_healthy" && target.Healthcheck == nil:
		t.Errorf("%s waits for the health of %s, which has no check", name, other)
	case on.Condition == "service_completed_successfully" && target.Restart != "no":
		t.Errorf("%s waits for the end of %s, which is started again", name, other)
	}
}

// TestNoDefaultSecret looks for a password or secret that the file would make up by itself.
func TestNoDefaultSecret(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	uses := regexp.MustCompile(`\$\{[A-Z_]*(?:PASSWORD|SECRET)[^}]*\}`).FindAllString(string(file), -1)
	if len(uses) < 5 {
		t.Errorf("only %d uses of secrets were found: %q", len(uses), uses)
	}
	for _, use := range uses {
		// One that may be left out is empty then: nothing is made up.
		if !strings.Contains(use, ":?") && !strings.HasSuffix(use, ":-}") {
			t.Errorf("%s has a default", use)
		}
	}
}
