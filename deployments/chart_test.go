package deployments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"vigueur/internal/ops/config"
	"vigueur/internal/ops/observe"
	"vigueur/internal/work/queue"
)

// object is the part of a rendered object that these tests look at; scripts/chart
// has read all of it strictly.
type object struct {
	Kind     string `yaml:"kind"`
	Metadata struct {
		Name        string            `yaml:"name"`
		Annotations map[string]string `yaml:"annotations"`
	} `yaml:"metadata"`
	Spec struct {
		Template    template `yaml:"template"`
		JobTemplate struct {
			Spec struct {
				Template template `yaml:"template"`
			} `yaml:"spec"`
		} `yaml:"jobTemplate"`
		Ports []struct {
			TargetPort string `yaml:"targetPort"`
		} `yaml:"ports"`
		Rules []struct {
			HTTP struct {
				Paths []struct {
					Path string `yaml:"path"`
				} `yaml:"paths"`
			} `yaml:"http"`
		} `yaml:"rules"`
	} `yaml:"spec"`
}

type template struct {
	Metadata struct {
		Annotations map[string]string `yaml:"annotations"`
	} `yaml:"metadata"`
	Spec pod `yaml:"spec"`
}

type pod struct {
	Grace      int         `yaml:"terminationGracePeriodSeconds"`
	First      []container `yaml:"initContainers"`
	Containers []container `yaml:"containers"`
	Volumes    []struct {
		Name   string `yaml:"name"`
		Secret struct {
			SecretName string `yaml:"secretName"`
			Items      []struct{ Key, Path string }
		} `yaml:"secret"`
	} `yaml:"volumes"`
}

type container struct {
	Name  string   `yaml:"name"`
	Image string   `yaml:"image"`
	Args  []string `yaml:"args"`
	Env   []struct{ Name, Value string }
	Ports []struct {
		Name          string `yaml:"name"`
		ContainerPort int    `yaml:"containerPort"`
	} `yaml:"ports"`
	Mounts []struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
	Startup   *probe `yaml:"startupProbe"`
	Ready     *probe `yaml:"readinessProbe"`
	Live      *probe `yaml:"livenessProbe"`
	Lifecycle struct {
		PreStop struct {
			Exec struct {
				Command []string `yaml:"command"`
			} `yaml:"exec"`
		} `yaml:"preStop"`
	} `yaml:"lifecycle"`
}

type probe struct {
	HTTPGet target `yaml:"httpGet"`
}

type target struct {
	Path string `yaml:"path"`
	Port string `yaml:"port"`
}

// rendered are the cases of the chart by their names, each with its objects.
func rendered(t *testing.T) map[string][]object {
	t.Helper()
	files, err := filepath.Glob("helm/cases/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("cases %q, %v", files, err)
	}
	all := map[string][]object{}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		decoder := yaml.NewDecoder(strings.NewReader(read(t, "helm/rendered/"+name+".yaml")))
		for {
			var o object
			if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if o.Kind == "CronJob" {
				o.Spec.Template = o.Spec.JobTemplate.Spec.Template
			}
			if o.Kind != "" {
				all[name] = append(all[name], o)
			}
		}
	}
	return all
}

// each calls f for every container of a program of ours in every case.
func each(t *testing.T, f func(t *testing.T, o object, c container)) {
	t.Helper()
	seen := 0
	for name, objects := range rendered(t) {
		for _, o := range objects {
			for _, c := range slices.Concat(o.Spec.Template.Spec.First, o.Spec.Template.Spec.Containers) {
				if strings.Contains(c.Image, "vigueur-") {
					seen++
					t.Run(name+"/"+o.Metadata.Name+"/"+c.Name, func(t *testing.T) { f(t, o, c) })
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d containers of ours", seen)
	}
}

// TestChartIsRendered checks that what these tests read is what the chart gives: the
// sum in its first line is that of the chart and the values, as scripts/chart reckons it.
func TestChartIsRendered(t *testing.T) {
	t.Parallel()
	for name := range rendered(t) {
		sum := sha256.New()
		err := filepath.WalkDir("helm/vigueur", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel("helm/vigueur", path)
			sum.Write([]byte(filepath.ToSlash(name) + "\x00" + read(t, path)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		sum.Write([]byte(read(t, "helm/cases/"+name+".yaml")))
		if want := "# " + hex.EncodeToString(sum.Sum(nil)) + " "; !strings.HasPrefix(read(t, "helm/rendered/"+name+".yaml"), want) {
			t.Errorf("the chart has changed since %s was rendered: GOWORK=off go -C scripts/chart run . -helm ../../deployments/helm -update", name)
		}
	}
	if kept, err := filepath.Glob("helm/rendered/*.yaml"); err != nil || len(kept) != len(rendered(t)) {
		t.Errorf("rendered %q, %v", kept, err)
	}
}

// environ is what a program of the chart sees: the image's environment and the pod's,
// secrets by files that are made for the test.
func (c container) environ(t *testing.T, p pod) map[string]string {
	t.Helper()
	stages, dir := readStages(t), t.TempDir()
	environ := map[string]string{}
	for stage := c.program(); stage != ""; stage = stages[stage].from {
		for key, value := range stages[stage].env {
			if environ[key] == "" {
				environ[key] = value
			}
		}
	}
	mounted := p.secrets(c)
	for _, e := range c.Env {
		environ[e.Name] = e.Value
		if strings.HasPrefix(e.Name, "VIGUEUR_") && !slices.Contains(settingsOf(), e.Name) {
			t.Errorf("%s is no setting of any program", e.Name)
		}
		if !strings.HasPrefix(e.Value, "/run/secrets/") {
			continue
		}
		if !mounted[e.Value] {
			t.Errorf("%s is read from %s, which is not mounted", e.Name, e.Value)
		}
		delete(mounted, e.Value)
		environ[e.Name] = filepath.Join(dir, filepath.Base(e.Value))
		if err := os.WriteFile(environ[e.Name], []byte(exampleSecret(filepath.Base(e.Value))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path := range mounted {
		t.Errorf("%s is mounted and not read", path)
	}
	return environ
}

func exampleSecret(name string) string {
	switch {
	case strings.HasPrefix(name, "database_"):
		return "postgres://vigueur:x@postgres:5432/vigueur"
	case strings.HasPrefix(name, "redis_"):
		return "redis://:x@redis:6379/0"
	case strings.HasPrefix(name, "smtp_"):
		return "smtps://x:y@mail.example:465"
	}
	return strings.Repeat("0123abcd", 8)
}

// program is which of the three an image has.
func (c container) program() string {
	return regexp.MustCompile(`vigueur-(\w+)[:@]`).FindStringSubmatch(c.Image)[1]
}

// secrets are the paths at which a container finds files of secrets.
func (p pod) secrets(c container) map[string]bool {
	paths := map[string]bool{}
	for _, m := range c.Mounts {
		for _, v := range p.Volumes {
			if v.Name == m.Name {
				for _, item := range v.Secret.Items {
					paths[m.MountPath+"/"+item.Path] = true
				}
			}
		}
	}
	return paths
}

// TestChartSettings loads what each pod would see with the configuration of its process.
func TestChartSettings(t *testing.T) {
	t.Parallel()
	load := map[string]func(map[string]string) error{
		"api":    func(e map[string]string) error { _, err := config.LoadAPI(e); return err },
		"worker": func(e map[string]string) error { _, err := config.LoadWorker(e); return err },
		"ingest": func(e map[string]string) error { _, err := config.LoadIngest(e); return err },
	}
	each(t, func(t *testing.T, o object, c container) {
		if err := load[c.program()](c.environ(t, o.Spec.Template.Spec)); err != nil {
			t.Error(err)
		}
		for _, m := range c.Mounts {
			// The compiled PDF engine lies in the account's folder of the image.
			if m.MountPath == "/var/lib/vigueur" || m.MountPath == "/" {
				t.Errorf("%s hides what the image has", m.MountPath)
			}
		}
		for _, e := range c.Env {
			if regexp.MustCompile(`PASSWORD|SECRET|DATABASE|REDIS|SMTP|(_KEY$)`).MatchString(e.Name) && !strings.HasPrefix(e.Value, "/run/secrets/") {
				t.Errorf("%s stands in the environment", e.Name)
			}
		}
	})
}

// TestOnlyMigrationBackupAndRetentionKnowTheOwner looks at every container for the owner's Secret.
func TestOnlyMigrationBackupAndRetentionKnowTheOwner(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, o object, c container) {
		for _, m := range c.Mounts {
			if m.Name == "owner" && c.Name != "migrate" && c.Name != "backup" && c.Name != "retention" {
				t.Errorf("%s of %s sees the owner's address", c.Name, o.Metadata.Name)
			}
		}
	})
}

// TestChartSeparatesRoles checks that a bundled PostgreSQL has an owner apart from the service's role unless that is turned
// off, and that the migration and the backup find the owner's address in the Secret.
func TestChartSeparatesRoles(t *testing.T) {
	t.Parallel()
	want := map[string]string{"cluster": "vigueur-owner", "trial": "vigueur", "onerole": "", "plain": ""}
	all := rendered(t)
	if len(all) != len(want) {
		t.Errorf("%d cases, want %d", len(all), len(want))
	}
	for name, objects := range all {
		for _, o := range objects {
			if o.Kind != "Job" && o.Kind != "CronJob" {
				continue
			}
			pod, secret := o.Spec.Template.Spec, ""
			for _, v := range pod.Volumes {
				if v.Name == "owner" {
					secret = v.Secret.SecretName
				}
			}
			if secret != want[name] {
				t.Errorf("%s: %s finds the owner in %q, want %q", name, o.Metadata.Name, secret, want[name])
			}
			for _, c := range slices.Concat(pod.First, pod.Containers) {
				if c.Name == "retention" && !slices.Contains(c.Env, struct{ Name, Value string }{"VIGUEUR_KEEP_AUDIT_DAYS", "730"}) {
					t.Errorf("%s: %s does not know how long the log is kept", name, o.Metadata.Name)
				}
				knows := slices.ContainsFunc(c.Env, func(e struct{ Name, Value string }) bool { return e.Name == "VIGUEUR_DATABASE_OWNER_URL_FILE" })
				if needs := c.Name == "migrate" || c.Name == "backup" || c.Name == "retention"; knows != (needs && secret != "") {
					t.Errorf("%s: %s of %s knows the owner: %v", name, c.Name, o.Metadata.Name, knows)
				}
			}
		}
	}
}

// TestChartBacksUp checks what the nightly backup runs, and that its rules are the chart's.
func TestChartBacksUp(t *testing.T) {
	t.Parallel()
	keep := map[string]string{"cluster": "--keep-daily 7 --keep-monthly 12 --keep-weekly 5", "trial": ""}
	found := 0
	for name, objects := range rendered(t) {
		for _, o := range objects {
			if o.Kind != "CronJob" || !strings.HasSuffix(o.Metadata.Name, "-backup") {
				continue
			}
			found++
			spec := o.Spec.Template.Spec
			if len(spec.First) != 0 || len(spec.Containers) != 1 || !slices.Equal(spec.Containers[0].Args, []string{"save"}) {
				t.Fatalf("%s: %+v", name, spec)
			}
			for _, e := range spec.Containers[0].Env {
				if e.Name == "BACKUP_KEEP" && e.Value != keep[name] {
					t.Errorf("%s keeps %q", name, e.Value)
				}
			}
		}
	}
	if found != len(keep) {
		t.Errorf("%d cases with a backup, want %d", found, len(keep))
	}
}

// TestChartPorts holds probes, figures and the service against where the programs listen. Probes go to the metrics listener,
// which the service does not lead to.
func TestChartPorts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, o object, c container) {
		if c.program() == "ingest" {
			return
		}
		environ, ports := c.environ(t, o.Spec.Template.Spec), map[string]int{}
		for _, p := range c.Ports {
			ports[p.Name] = p.ContainerPort
		}
		for name, setting := range map[string]string{"http": "VIGUEUR_LISTEN", "metrics": "VIGUEUR_METRICS_LISTEN"} {
			_, port, _ := net.SplitHostPort(environ[setting])
			if want, listens := ports[name]; listens && strconv.Itoa(want) != port {
				t.Errorf("%s is %d, the program listens on %q", name, want, environ[setting])
			}
		}
		if at := o.Spec.Template.Metadata.Annotations["prometheus.io/port"]; at != "" && at != strconv.Itoa(ports["metrics"]) {
			t.Errorf("figures are looked for at %s", at)
		}
		for what, p := range map[string]*probe{"/healthz": c.Live, "/readyz": c.Ready} {
			if p == nil || c.Startup == nil || c.Startup.HTTPGet != (target{"/healthz", "metrics"}) || p.HTTPGet != (target{what, "metrics"}) || ports["metrics"] == 0 {
				t.Errorf("the probe of %s is %+v", what, p)
			}
		}
	})
	for name, objects := range rendered(t) {
		for _, o := range objects {
			if o.Kind == "Service" && strings.HasSuffix(o.Metadata.Name, "-api") && (len(o.Spec.Ports) != 1 || o.Spec.Ports[0].TargetPort != "http") {
				t.Errorf("%s: the service leads to %+v", name, o.Spec.Ports)
			}
		}
	}
}

// TestChartGrace checks that no program is killed while it does what it does at its end.
func TestChartGrace(t *testing.T) {
	t.Parallel()
	const streams, work, traces = 8, 12, 3 // seconds: streams are told to go on elsewhere; all classes, at once, notice the end and give their work back; the last traces
	each(t, func(t *testing.T, o object, c container) {
		need := map[string]int{"api": streams + traces, "worker": work + traces}[c.program()]
		if command := c.Lifecycle.PreStop.Exec.Command; len(command) == 2 && command[0] == "sleep" {
			pause, err := strconv.Atoi(command[1])
			if err != nil {
				t.Fatal(err)
			}
			need += pause
		}
		if grace := o.Spec.Template.Spec.Grace; need > 0 && grace <= need {
			t.Errorf("it is killed after %d s and may need %d", grace, need)
		}
	})
}

// TestChartScalesByWhatIsMeasured holds the figures and classes of the autoscaling
// against those that there are.
func TestChartScalesByWhatIsMeasured(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cluster", "plain"} {
		text := read(t, "helm/rendered/"+name+".yaml")
		figures := figure.FindAllString(text, -1)
		classes := regexp.MustCompile(`class(?:=\\"|: )(\w+)`).FindAllStringSubmatch(text, -1)
		if len(figures) == 0 || len(classes) == 0 {
			t.Errorf("%s: scaled by %q of %q", name, figures, classes)
		}
		for _, f := range figures {
			if !slices.Contains(observe.Names(), f) {
				t.Errorf("%s: no program gives %s", name, f)
			}
		}
		for _, c := range classes {
			if !slices.ContainsFunc(queue.Kinds(), func(k queue.Kind) bool { return k.Queue == c[1] }) {
				t.Errorf("%s: there is no class %s", name, c[1])
			}
		}
	}
}

// TestChartTakesEverySecret is that each setting that is secret can be given as a key of the Secret, and stands in a case.
func TestChartTakesEverySecret(t *testing.T) {
	t.Parallel()
	elsewhere := []string{"VIGUEUR_DATABASE_OWNER_URL"} // of the owner's Secret
	templates := read(t, "helm/vigueur/templates/_helpers.tpl")
	for _, c := range []any{config.API{}, config.Worker{}, config.Ingest{}} {
		for _, s := range config.Settings(c) {
			if s.Secret && !slices.Contains(elsewhere, s.Env) && !strings.Contains(templates, "{ env: "+s.Env+"_FILE, of: [") {
				t.Errorf("%s cannot be given", s.Env)
			}
		}
	}
}

// TestChartIngress checks that uploads alone are large and passed on unread, that addresses which open something are not
// logged, and that every route counts a client's requests.
func TestChartIngress(t *testing.T) {
	t.Parallel()
	const words = "nginx.ingress.kubernetes.io/"
	seen := map[string]map[string]string{}
	for _, o := range rendered(t)["cluster"] {
		if o.Kind == "Ingress" {
			for _, rule := range o.Spec.Rules {
				for _, p := range rule.HTTP.Paths {
					seen[p.Path] = o.Metadata.Annotations
				}
			}
		}
	}
	rest, uploads := seen["/"], seen[upload]
	for _, path := range []string{"/api/v1/shared", "/api/v1/alerts/stop", "/api/v1/auth/providers"} {
		if seen[path][words+"enable-access-log"] != "false" {
			t.Errorf("%s: what opens something is logged", path)
		}
	}
	if len(seen) != 6 || rest == nil || uploads == nil || !maps.Equal(uploads, seen[parts]) {
		t.Fatalf("routes: %v", seen)
	}
	for key, want := range map[string][2]string{"proxy-request-buffering": {"on", "off"}, "proxy-body-size": {"2m", "257m"}} {
		if got := [2]string{rest[words+key], uploads[words+key]}; got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	for path, annotations := range seen {
		if annotations[words+"limit-connections"] == "" {
			t.Errorf("%s: one client may have all connections", path)
		}
	}
	if rest[words+"proxy-buffering"] != "off" {
		t.Error("streams are buffered")
	}
}

// own are the settings that the chart gives by itself.
var own = []string{"VIGUEUR_LISTEN", "VIGUEUR_METRICS_LISTEN", "VIGUEUR_BASE_URL", "VIGUEUR_TRUSTED_PROXIES", "VIGUEUR_BLOBS_URL", "VIGUEUR_INDEX_DIR",
	"VIGUEUR_MAIL_DIR", "VIGUEUR_JWT_KEY_FILE"}

// TestChartKnowsEverySetting holds the schema of the values against the settings: each
// that is no secret may be given, and nothing else.
func TestChartKnowsEverySetting(t *testing.T) {
	t.Parallel()
	type settings struct {
		PropertyNames struct{ Enum []string }
	}
	type part struct {
		Properties struct{ Settings settings }
	}
	var schema struct {
		Properties struct {
			Settings    settings
			API, Worker part
		}
	}
	if err := json.Unmarshal([]byte(read(t, "helm/vigueur/values.schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	names := func(of ...any) (want []string) {
		for _, c := range of {
			for _, s := range config.Settings(c) {
				if !s.Secret && !slices.Contains(own, s.Env) {
					want = append(want, s.Env)
				}
			}
		}
		slices.Sort(want)
		return slices.Compact(want)
	}
	for what, c := range map[string]struct{ got, want []string }{
		"all":    {schema.Properties.Settings.PropertyNames.Enum, names(config.API{}, config.Worker{}, config.Ingest{})},
		"api":    {schema.Properties.API.Properties.Settings.PropertyNames.Enum, names(config.API{})},
		"worker": {schema.Properties.Worker.Properties.Settings.PropertyNames.Enum, names(config.Worker{})},
	} {
		slices.Sort(c.got)
		if !slices.Equal(c.got, c.want) {
			t.Errorf("settings of %s in values.schema.json:\n%q, want\n%q", what, c.got, c.want)
		}
	}
}
