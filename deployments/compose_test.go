package deployments

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"vigueur/internal/ops/config"
)

// compose is the part of the Compose specification that the file uses. Decoding is strict: a key that is
// misspelled is an error.
type compose struct {
	Name     string             `yaml:"name"`
	Services map[string]service `yaml:"services"`
	Volumes  map[string]any     `yaml:"volumes"`
	Stores   any                `yaml:"x-stores"`
	Secrets  map[string]secret  `yaml:"secrets"`
	Networks map[string]network `yaml:"networks"`
	Hardened any                `yaml:"x-hardened"`
	Stream   any                `yaml:"x-stream"`
	Healthy  any                `yaml:"x-healthy"`
	Embedder any                `yaml:"x-embedder"`
	Logged   any                `yaml:"x-logged"`
}

type network struct {
	IPv6 bool `yaml:"enable_ipv6"`
	IPAM struct {
		Config []struct {
			Subnet string `yaml:"subnet"`
		} `yaml:"config"`
	} `yaml:"ipam"`
}

type secret struct {
	File string `yaml:"file"`
}

type service struct {
	Entrypoint  []string              `yaml:"entrypoint"`
	CapAdd      []string              `yaml:"cap_add"`
	Secrets     []string              `yaml:"secrets"`
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
	Logging     logging               `yaml:"logging"`
}

type logging struct {
	Driver  string            `yaml:"driver"`
	Options map[string]string `yaml:"options"`
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
	Start    string   `yaml:"start_period"`
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
	variable := regexp.MustCompile(`\$\{([A-Z0-9_]+)(:[-?][^}]*)?\}`)
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
		"doctor": func(e map[string]string) error {
			_, err := config.LoadAPI(e)
			_, operator := config.LoadIngest(e)
			return errors.Join(err, operator)
		},
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
				environ[key] = inFiles(t, s, value)
				if strings.HasPrefix(key, "VIGUEUR_") && !slices.Contains(settingsOf(), key) {
					t.Errorf("%s is no setting of any program", key)
				}
			}
			if err := load(environ); err != nil {
				t.Error(err)
			}
		})
	}
}

// made is the folder of secrets that secrets.sh makes, once for all tests.
var made = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "vigueur-secrets-*")
	if err != nil {
		return "", err
	}
	script, err := os.ReadFile("secrets.sh")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "secrets.sh"), script, 0o700)
	}
	if err == nil {
		err = exec.Command("bash", filepath.Join(dir, "secrets.sh")).Run()
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := made(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// inFiles is the path at which a secret of a service lies here; other values are as they are.
func inFiles(t *testing.T, s service, value string) string {
	t.Helper()
	name, mounted := strings.CutPrefix(value, "/run/secrets/")
	if !mounted {
		return value
	}
	if !slices.Contains(s.Secrets, name) {
		t.Errorf("the secret %s is read and not mounted", name)
	}
	dir, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "secrets", name)
}

// settingsOf are the names of all settings, and of the files of those that are secret.
func settingsOf() (names []string) {
	for _, c := range []any{config.API{}, config.Worker{}, config.Ingest{}} {
		for _, s := range config.Settings(c) {
			names = append(names, s.Env)
			if s.Secret {
				names = append(names, s.Env+"_FILE")
			}
		}
	}
	return names
}

// TestComposeSecrets holds the file against secrets.sh: what is named is made, and what is made is used.
func TestComposeSecrets(t *testing.T) {
	t.Parallel()
	c := readCompose(t, filledIn(t))
	dir, err := made()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for name, s := range c.Services {
		for _, secret := range s.Secrets {
			used[secret] = true
			if c.Secrets[secret].File != "./secrets/"+secret {
				t.Errorf("%s mounts %s, which lies in %q", name, secret, c.Secrets[secret].File)
			}
		}
		for _, word := range slices.Concat(s.Command, s.Entrypoint) {
			for _, m := range regexp.MustCompile(`/run/secrets/(\w+)`).FindAllStringSubmatch(word, -1) {
				inFiles(t, s, "/run/secrets/"+m[1])
			}
		}
	}
	for name := range c.Secrets {
		info, err := os.Stat(filepath.Join(dir, "secrets", name))
		if err != nil || !used[name] {
			t.Errorf("%s: used %v, made: %v", name, used[name], err)
			continue
		}
		if info.Mode().Perm() != 0o444 {
			t.Errorf("the containers' account cannot read %s: %v", name, info.Mode())
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "secrets")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may enter the folder of secrets: %v, %v", info, err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "secrets", "jwt_secret"))
	if err != nil || len(before) < 64 {
		t.Fatalf("%d bytes of a secret, %v", len(before), err)
	}
	// A file that is named but of no program would be a secret in an environment.
	for name, s := range c.Services {
		for key, value := range s.Environment {
			if regexp.MustCompile(`PASSWORD|SECRET|(_KEY$)`).MatchString(key) && value != "" && !strings.HasPrefix(value, "/run/secrets/") {
				t.Errorf("%s has %s in its environment", name, key)
			}
		}
	}
}

func TestComposeProfiles(t *testing.T) {
	t.Parallel()
	c := readCompose(t, filledIn(t))
	for name, profile := range map[string]string{"proxy": "tls", "s3": "s3", "milvus": "milvus", "meilisearch": "meilisearch", "ingest": "tools", "doctor": "tools",
		"backup": "backup", "prometheus": "monitoring"} {
		if got := c.Services[name].Profiles; !slices.Equal(got, []string{profile}) {
			t.Errorf("%s is of %q", name, got)
		}
	}
	// The addresses that env.example gives lead to the services of the profiles, at ports they listen on.
	example := read(t, "env.example")
	for _, address := range []string{"endpoint=http://s3:7070", "http://milvus:19530", "http://meilisearch:7700"} {
		if !strings.Contains(example, address) {
			t.Errorf("env.example does not lead to %s", address)
		}
	}
	if !strings.Contains(strings.Join(c.Services["s3"].Entrypoint, " "), "--port :7070") {
		t.Error("the S3 server listens elsewhere")
	}
	for _, file := range []string{"proxies/compose.Caddyfile", "proxies/Caddyfile", "proxies/nginx.conf"} {
		text := read(t, file)
		if !strings.Contains(text, "8080") || strings.Contains(text, "proxy_add_x_forwarded_for") || !strings.Contains(text, "X-Forwarded-For") {
			t.Errorf("%s does not lead to the API, or passes on what clients say of their address", file)
		}
	}
}

// TestComposeNetworkHasIPv6 checks that clients keep their IPv6 addresses: the containers' network has IPv6, at a subnet that
// env.example names as one of proxies, and the API listens on both kinds of addresses.
func TestComposeNetworkHasIPv6(t *testing.T) {
	t.Parallel()
	c := readCompose(t, filledIn(t))
	own := c.Networks["default"]
	if !own.IPv6 || len(own.IPAM.Config) != 1 {
		t.Fatalf("the network is %+v", own)
	}
	subnet, err := netip.ParsePrefix(own.IPAM.Config[0].Subnet)
	if err != nil || !subnet.Addr().Is6() || !subnet.Addr().IsPrivate() || subnet != subnet.Masked() {
		t.Errorf("the network's addresses are %v, %v", subnet, err)
	}
	if !strings.Contains(read(t, "env.example"), ","+subnet.String()) {
		t.Errorf("env.example does not name %s as a network of proxies", subnet)
	}
	host, _, err := net.SplitHostPort(c.Services["api"].Environment["VIGUEUR_LISTEN"])
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	for _, client := range []string{"127.0.0.1", "::1"} {
		if free, err := net.Listen("tcp", net.JoinHostPort(client, "0")); err != nil {
			t.Logf("this machine has no %s", client)
			continue
		} else if err := free.Close(); err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", net.JoinHostPort(client, port))
		if err != nil {
			t.Errorf("the API does not listen at %s: %v", client, err)
			continue
		}
		_ = conn.Close() // nothing was sent
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
		if s.Logging.Driver == "" || s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "" {
			t.Errorf("what %s prints has no bound: %+v", name, s.Logging)
		}
		for _, memory := range s.Tmpfs {
			if !strings.Contains(memory, ":size=") {
				t.Errorf("%s may fill its memory through %s", name, memory)
			}
		}
		if s.Memory == "" || s.CPUs == "" || s.PIDs == 0 {
			t.Errorf("%s has no bound on its memory, processors or processes: %q, %q, %d", name, s.Memory, s.CPUs, s.PIDs)
		}
		for other, on := range s.DependsOn {
			checkDependency(t, name, other, on, c.Services)
		}
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, known := c.Volumes[source]; !known && !strings.HasPrefix(source, ".") && source != volume { // one without a name is the container's own
				t.Errorf("%s uses the volume %s, which is not declared", name, source)
			}
		}
	}
	checkUploads(t, c.Services["api"])
	for _, name := range []string{"worker", "ingest", "backup"} {
		if s := c.Services[name]; s.Environment["TMPDIR"] == "" || !slices.Contains(s.Volumes, s.Environment["TMPDIR"]) {
			t.Errorf("%s writes what is large to %q, which is in memory: %q", name, s.Environment["TMPDIR"], s.Volumes)
		}
	}
	for _, name := range []string{"worker", "ingest", "doctor"} { // doctor tries to write there
		if s := c.Services[name]; !slices.Contains(s.Volumes, "mail:/var/lib/vigueur/mail") {
			t.Errorf("the messages of %s go with the container: %q", name, s.Volumes)
		}
	}
	if w := c.Services["worker"]; !slices.Contains(w.Volumes, "/var/lib/vigueur/index") {
		t.Errorf("the worker's index is in memory: %q", w.Volumes)
	}
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
	for _, use := range uses {
		// One that may be left out is empty then: nothing is made up.
		if !strings.Contains(use, ":?") && !strings.HasSuffix(use, ":-}") {
			t.Errorf("%s has a default", use)
		}
	}
}
