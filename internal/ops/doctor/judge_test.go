package doctor

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/version"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/work/queue"
)

func lines(n findings) (all []string) {
	for _, f := range n {
		all = append(all, string(f.State)+": "+f.Found)
	}
	return all
}

// only fails the test unless the findings begin with the wanted lines, in this order and without others.
func only(t *testing.T, n findings, wanted ...string) {
	t.Helper()
	told := lines(n)
	if len(told) != len(wanted) {
		t.Fatalf("%d lines, want %d:\n%s", len(told), len(wanted), strings.Join(told, "\n"))
	}
	for i, w := range wanted {
		if !strings.HasPrefix(told[i], w) {
			t.Errorf("line %d is « %s », want « %s »", i, told[i], w)
		}
		if f := n[i]; (f.State == Warn || f.State == Fail) != (f.Do != "") {
			t.Errorf("a fault without a cure, or a cure without a fault: %+v", f)
		}
	}
}

// sound is a database without a fault, in the view of the service's role.
func sound() postgres.Examined {
	return postgres.Examined{Role: "service", Database: "vigueur", Version: 150004, Encoding: "UTF8",
		MaxConns: 100, Conns: 3, Processes: 2, PossibleConns: 100, Made: true, Schema: 7, Newest: 7}
}

func TestDatabasesAreJudged(t *testing.T) {
	t.Parallel()
	judged := func(change func(*postgres.Examined)) []string {
		e, n := sound(), findings{}
		change(&e)
		n.judgeDatabase(e)
		return lines(n)
	}
	for _, line := range judged(func(*postgres.Examined) {}) {
		if !strings.HasPrefix(line, "ok: ") {
			t.Errorf("a sound database: %s", line)
		}
	}
	for wanted, change := range map[string]func(*postgres.Examined){
		"fail: trop ancien":      func(e *postgres.Examined) { e.Version = 130010 },
		"fail: encodage LATIN1":  func(e *postgres.Examined) { e.Encoding = "LATIN1" },
		"fail: ne fait que lire": func(e *postgres.Examined) { e.Replica = true },
		"warn: les processus qui tournent (2) peuvent ouvrir assez de connexions pour qu’il y en ait 101 ; le serveur en accepte 100, et 3 sont ouvertes": func(e *postgres.Examined) { e.PossibleConns = 101 },
		"fail: la base est vide":                        func(e *postgres.Examined) { e.Made = false },
		"fail: le schéma est à l’étape 6, le programme": func(e *postgres.Examined) { e.Schema = 6 },
		"warn: plus récente que ce programme":           func(e *postgres.Examined) { e.Schema = 8 },
		"fail: index inutilisables : i":                 func(e *postgres.Examined) { e.Invalid = []string{"i"} },
		"warn: pas de partition":                        func(e *postgres.Examined) { e.NoPartition = true },
	} {
		want(t, judged(change), wanted)
	}
}

func TestRolesAreJudged(t *testing.T) {
	t.Parallel()
	for wanted, change := range map[string]func(*postgres.Examined){
		"ok: a les droits du service et pas davantage":      func(*postgres.Examined) {},
		"warn: superutilisateur":                            func(e *postgres.Examined) { e.Super, e.Owner = true, true },
		"warn: en propriétaire":                             func(e *postgres.Examined) { e.Owner = true },
		"warn: le service peut changer les lignes":          func(e *postgres.Examined) { e.Open = []string{"audit"} },
		"fail: n’a pas les droits qu’il faut sur documents": func(e *postgres.Examined) { e.Denied = []string{"documents"} },
		"unseen: le rôle service ne lit pas audit_2026_01, audit_2026_02, audit_2026_03, … : une sauvegarde": func(e *postgres.Examined) {
			e.Unread = []string{"audit_2026_01", "audit_2026_02", "audit_2026_03", "audit_later"}
		},
	} {
		t.Run(wanted, func(t *testing.T) {
			p := newTarget(map[string]string{})
			p.once.Do(func() { p.examined = sound() })
			change(&p.examined)
			want(t, lines(p.checkRoles(t.Context())), wanted)
		})
	}
}

// TestTheOwnersAddressIsForRootAlone checks that a file with the owner's address is a fault unless it is root's, and no other
// account's to read.
func TestTheOwnersAddressIsForRootAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "owner.env")
	told := func() bool {
		p := newTarget(map[string]string{})
		p.ownerFile = path
		return slices.ContainsFunc(lines(p.checkRoles(t.Context())), func(l string) bool { return strings.HasPrefix(l, "fail: ") && strings.Contains(l, path) })
	}
	if told() {
		t.Error("a file that is not there is told of")
	}
	for _, c := range []struct {
		mode  os.FileMode
		owner int
		want  bool
	}{{0o600, 0, false}, {0o640, 0, true}, {0o604, 0, true}, {0o600, 12345, true}} {
		if err := os.WriteFile(path, []byte("VIGUEUR_DATABASE_OWNER_URL=postgres://x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(path, c.owner, 0); err != nil {
				t.Fatal(err)
			}
		} else {
			c.want = true // it is this account's
		}
		if got := told(); got != c.want {
			t.Errorf("%v of account %d: told of %v, want %v", c.mode, c.owner, got, c.want)
		}
	}
}

func TestSettingsAreHeldAgainstEachOther(t *testing.T) {
	t.Parallel()
	good := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://127.0.0.1:1/x", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:1", "VIGUEUR_BLOBS_URL": "file:///x",
		"VIGUEUR_JWT_SECRET": strings.Repeat("jeton-", 8), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8), "VIGUEUR_BASE_URL": "https://droit.example",
		"VIGUEUR_TRUSTED_PROXIES": "10.0.0.0/8", "VIGUEUR_MAIL_DIR": "/x", "VIGUEUR_PROFILE": "local"}
	for wanted, change := range map[string]map[string]string{
		"ok: aucun n’en contredit un autre":              {},
		"fail: VIGUEUR_ANSWER_QUEUE":                     {"VIGUEUR_ANSWER_QUEUE": "-1"},
		"warn: aucun programme ne lit VIGUEUR_LISTE":     {"VIGUEUR_LISTE": ":80"},
		"warn: le même secret":                           {"VIGUEUR_ADDRESS_SECRET": strings.Repeat("jeton-", 8)},
		"warn: en http":                                  {"VIGUEUR_BASE_URL": "http://droit.example"},
		"fail: croit tout le monde":                      {"VIGUEUR_TRUSTED_PROXIES": "0.0.0.0/0"},
		"warn: aucun mandataire n’est de confiance":      {"VIGUEUR_TRUSTED_PROXIES": ""},
		"warn: écoute sur une adresse publique":          {"VIGUEUR_METRICS_LISTEN": "203.0.113.7:9090"},
		"unseen: les réglages de « worker » ne sont pas": {"VIGUEUR_MAIL_DIR": ""},
		"fail: VIGUEUR_REDIS_URL":                        {"VIGUEUR_REDIS_URL": "ailleurs"},
	} {
		t.Run(wanted, func(t *testing.T) {
			environ := maps.Clone(good)
			maps.Copy(environ, change)
			want(t, lines(newTarget(environ).checkSettings(t.Context())), wanted)
		})
	}
}

// An error is shortened to one line, between letters.
func TestCauses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", longestCause)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"lines and tabs", errors.New("a\n\tb  c\r\n  d"), "a b c d"},
		{"a sentence for people", errs.New(errs.Invalid, "La clé est absente."), "La clé est absente."},
		{"what another kind wraps", errs.Wrap(errs.Unavailable, "Indisponible.", errors.New("refused")), "refused"},
		{"as long as may be", errors.New(strings.Repeat("x", longestCause)), strings.Repeat("x", longestCause)},
		{"too long", errors.New(long), long[:longestCause] + "…"},
		{"cut within a letter", errors.New("x" + long), "x" + long[:longestCause-2] + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := cause(c.err)
			if !strings.Contains(got, c.want) || strings.ContainsAny(got, "\n\t") || !utf8.ValidString(got) || len(got) > longestCause+len("…") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestModelsAreHeldAgainstWhatIsAsked(t *testing.T) {
	t.Parallel()
	listed := []openai.Listed{{Name: "petit", Window: 4096}, {Name: "grand:latest", Window: 32768}, {Name: "nu"}}
	for _, c := range []struct {
		name   string
		server modelServer
		want   string
	}{
		{"it is there", modelServer{setting: "URL", wanted: []string{"petit"}, window: 4096}, "ok: URL répond et a : petit"},
		{"under the tag of Ollama", modelServer{setting: "URL", wanted: []string{"grand"}}, "ok: URL répond et a : grand:latest"},
		{"a window that is not told", modelServer{setting: "URL", wanted: []string{"nu"}, window: 9999}, "ok: URL répond et a : nu"},
		{"a window that is too small", modelServer{setting: "URL", wanted: []string{"petit"}, window: 4097}, "fail: URL : « petit » y tient 4096 jetons, et VIGUEUR_MODEL_CONTEXT en annonce 4097"},
		{"two that are not there", modelServer{setting: "URL", wanted: []string{"a", "petit", "b"}}, "fail: URL n’a pas : a"},
		{"another tag", modelServer{setting: "URL", wanted: []string{"grand:7b"}}, "fail: URL n’a pas : grand:7b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := findings{}
			n.judgeModels(c.server, listed)
			if len(n) == 0 || !strings.HasPrefix(lines(n)[0], c.want) {
				t.Errorf("%q, want %q", lines(n), c.want)
			}
		})
	}
}

// The findings distinguish a server that is not the API, a server that redirects, and an
// API that is not ready. Stores that are down are listed in a fixed order.
func TestTheDoor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		status  int
		headers map[string]string
		body    string
		want    string
	}{
		{"ready", 200, map[string]string{"X-Request-Id": "1"}, `{"status":"ok","stores":{"redis":{"status":"ok"}}}`, "ok: "},
		{"not ready", 503, map[string]string{"X-Request-Id": "1"}, `{"status":"down","stores":{"redis":{"status":"down"},"postgresql":{"status":"ok"},"blobs":{"status":"down"},"a":{"status":"down"}}}`, "fail: l’API n’est pas prête : a, blobs, redis"},
		{"led elsewhere", 302, map[string]string{"Location": "https://ailleurs.example/"}, "", "warn: "},
		{"another server", 200, nil, `<html>`, "fail: "},
		{"another server with JSON", 200, map[string]string{"X-Request-Id": "1"}, `{"status":"ok"}`, "fail: "},
		{"no identifier", 200, nil, `{"status":"ok","stores":{}}`, "fail: "},
		{"an answer without an end", 200, map[string]string{"X-Request-Id": "1"}, `{"status":"` + strings.Repeat("o", 128<<10) + `"}`, "fail: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/readyz" {
					t.Errorf("asked for %s", r.URL.Path)
				}
				for k, v := range c.headers {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			p := newTarget(map[string]string{})
			p.apiHere, p.apiErr, p.api.BaseURL = true, nil, server.URL+"/"
			n := p.checkPublicAddress(t.Context())
			if len(n) == 0 || !strings.HasPrefix(lines(n)[0], c.want) {
				t.Errorf("%q, want %q", lines(n), c.want)
			}
			if n[0].State != OK && n[0].Do == "" {
				t.Error("nothing to do is said")
			}
		})
	}
}

func TestRedisIsJudged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*redisurl.Examined)
		wanted []string
	}{
		"well":                    {func(*redisurl.Examined) {}, []string{"ok: Redis 7.0.15"}},
		"a major of two figures":  {func(e *redisurl.Examined) { e.Version = "10.2.0" }, []string{"ok: Redis 10.2.0"}},
		"old":                     {func(e *redisurl.Examined) { e.Version = "6.2.9" }, []string{"warn: Redis 6.2.9 : plus ancien que ce qui est essayé (7)"}},
		"that may not say":        {func(e *redisurl.Examined) { *e = redisurl.Examined{} }, []string{"unseen: le compte n’a pas le droit de demander INFO"}},
		"refused writes":          {func(e *redisurl.Examined) { e.Write = errors.New("NOPERM\nno  XADD") }, []string{"fail: n’accepte pas les écritures du service : NOPERM no XADD"}},
		"that evicts":             {func(e *redisurl.Examined) { e.Policy = "allkeys-lru" }, []string{"warn: maxmemory-policy = allkeys-lru"}},
		"that writes no files":    {func(e *redisurl.Examined) { e.Broken = []string{"rdb", "aof"} }, []string{"fail: rdb, aof : Redis n’écrit plus"}},
		"several faults together": {func(e *redisurl.Examined) { e.Version, e.Policy = "5", "allkeys-lru" }, []string{"warn: Redis 5", "warn: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, n := redisurl.Examined{Version: "7.0.15", Policy: "noeviction"}, findings{}
			c.change(&e)
			n.judgeRedis(e)
			only(t, n, c.wanted...)
		})
	}
}

func TestWaitingWorkIsJudged(t *testing.T) {
	t.Parallel()
	age := func(d time.Duration) *time.Duration { return &d }
	for name, c := range map[string]struct {
		class  postgres.Waiting
		wanted []string
	}{
		"nothing waits":                     {postgres.Waiting{Class: "answers"}, nil},
		"a question of a minute":            {postgres.Waiting{Class: "answers", Queued: 1, Oldest: age(time.Minute)}, nil},
		"an older question":                 {postgres.Waiting{Class: "answers", Queued: 3, Running: 2, Oldest: age(61 * time.Second)}, []string{"warn: questions : 3 en attente, 2 en cours, depuis 1m1s"}},
		"a gazette may take hours":          {postgres.Waiting{Class: "ingestions", Running: 1, Oldest: age(23 * time.Hour)}, nil},
		"a gazette of more than a day":      {postgres.Waiting{Class: "ingestions", Running: 1, Oldest: age(25 * time.Hour)}, []string{"warn: gazettes : 0 en attente, 1 en cours, depuis 25h0m0s"}},
		"a message of more than a day":      {postgres.Waiting{Class: "notifications", Queued: 1, Oldest: age(25 * time.Hour)}, []string{"warn: messages : 1 en attente"}},
		"titles of more than an hour":       {postgres.Waiting{Class: "titles", Queued: 1, Oldest: age(2 * time.Hour)}, []string{"warn: index des titres : 1 en attente"}},
		"failures, with nothing that waits": {postgres.Waiting{Class: "answers", Failed: 4}, []string{"warn: questions : 4 en échec depuis 24 heures"}},
		"both":                              {postgres.Waiting{Class: "answers", Queued: 1, Failed: 4, Oldest: age(time.Hour)}, []string{"warn: questions : 1 en attente", "warn: questions : 4 en échec"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := findings{}
			n.judgeWaiting([]postgres.Waiting{c.class})
			only(t, n, c.wanted...)
		})
	}
}

// Every class of work that the database counts must have a name and a limit here. Without a limit, all its rows would
// be reported as late.
func TestEveryClassThatWaitsIsKnown(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), well(t)["VIGUEUR_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	classes, err := db.Waiting(t.Context())
	if err != nil || len(classes) == 0 {
		t.Fatalf("%v, %v", classes, err)
	}
	for _, c := range classes {
		if k := queue.KindOf(c.Class); k.Label == "" || k.Late == 0 {
			t.Errorf("%s has no name or no bound", c.Class)
		}
	}
	for _, k := range queue.Kinds() {
		if counted := slices.ContainsFunc(classes, func(c postgres.Waiting) bool { return c.Class == k.Queue }); k.Late > 0 && !counted {
			t.Errorf("%s has a bound, but nothing counts its rows", k.Queue)
		}
	}
}

func TestVectorsAreJudged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		generation postgres.Generation
		wanted     string
	}{
		"up to date":                  {postgres.Generation{Model: "mots-3", Covered: 7}, "ok: vecteurs de « mots-3 », à jour"},
		"ahead of what was read":      {postgres.Generation{Model: "mots-3", Covered: 8}, "ok: "},
		"behind":                      {postgres.Generation{Model: "mots-3", Covered: 6}, "warn: vecteurs de « mots-3 » : à jour du catalogue jusqu’à 6 sur 7"},
		"not begun":                   {postgres.Generation{Model: "mots-3", Covered: -1}, "warn: vecteurs de « mots-3 » : à jour du catalogue jusqu’à 0 sur 7"},
		"a failure, and it is behind": {postgres.Generation{Model: "mots-3", Error: "plus de place"}, "warn: vecteurs de « mots-3 » : la dernière tentative a échoué : plus de place"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := findings{}
			n.judgeVectors("vecteurs", []postgres.Generation{c.generation}, 7)
			only(t, n, c.wanted)
		})
	}
}

func TestRunningProgramsAreHeldAgainstOneAnother(t *testing.T) {
	t.Parallel()
	api := func(version string) postgres.Process {
		return postgres.Process{Program: "api", Version: version, Newest: 180, ID: "a"}
	}
	worker := func(version string) postgres.Process {
		return postgres.Process{Program: "worker", Version: version, Newest: 180, ID: "w"}
	}
	all := func(p ...postgres.Process) []postgres.Process { return p }
	for name, c := range map[string]struct {
		running []postgres.Process
		schema  int64
		want    []string // all findings
	}{
		"one version":                    {all(api("v1.2.0"), worker("v1.2.0"), worker("v1.2.0")), 180, []string{"ok: 1 api v1.2.0, 2 workers v1.2.0"}},
		"a rolling upgrade":              {all(api("v1.2.0"), worker("v1.1.0"), worker("v1.1.0"), worker("v1.2.0")), 180, []string{"warn: des versions différentes tournent ensemble : 1 api v1.2.0, 2 workers v1.1.0, 1 worker v1.2.0"}},
		"programs that do not know":      {all(api(version.Unknown), worker(version.Unknown)), 180, []string{"unseen: construits sans leur version"}},
		"no worker":                      {all(api("v1.2.0")), 180, []string{"warn: aucun worker ne tourne", "ok: 1 api v1.2.0"}},
		"no API":                         {all(worker("v1.2.0")), 180, []string{"warn: aucun api ne tourne", "ok: 1 worker v1.2.0"}},
		"nothing":                        {nil, 180, []string{"unseen: aucun api ni worker"}},
		"a schema that is not yet there": {all(api("v1.2.0"), worker("v1.2.0")), 179, []string{"fail: un api (v1.2.0) attend l’étape 180 du schéma, qui est à l’étape 179", "fail: un worker", "ok: 1 api"}},
		"a newer schema":                 {all(api("v1.2.0"), worker("v1.2.0")), 181, []string{"ok: 1 api v1.2.0, 1 worker v1.2.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			n := findings{}
			n.judgeProcesses(c.running, c.schema)
			want(t, lines(n), c.want...)
			if len(n) != len(c.want) {
				t.Errorf("found %s", strings.Join(lines(n), "\n"))
			}
		})
	}
}

func TestProcessesAreSeenInTheDatabase(t *testing.T) {
	t.Parallel()
	environ := well(t)
	want(t, examined(t, environ, "processus"), "unseen: aucun api ni worker")
	db, err := postgres.OpenFor(t.Context(), environ["VIGUEUR_DATABASE_URL"], postgres.Program{Name: "worker"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	want(t, examined(t, environ, "processus"), "warn: aucun api ne tourne")
}

func TestMain(m *testing.M) {
	ocr.Main()
	os.Exit(m.Run())
}

func TestConfinementIsReported(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]Finding{0: {State: Warn, Found: "n’offre pas Landlock"}, 1: {State: OK, Found: "version 1"}} {
		n := findings{}
		n.judgeConfinement(version)
		if len(n) != 1 || n[0].State != want.State || !strings.Contains(n[0].Found, want.Found) || (n[0].Do == "") != (want.State == OK) {
			t.Errorf("Landlock %d: %+v", version, n)
		}
	}
}
