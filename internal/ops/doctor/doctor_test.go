package doctor

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/meili/meilitest"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/queue/redistest"
)

// well returns the environment of a machine without a fault, on which no program runs.
func well(t *testing.T) map[string]string {
	t.Helper()
	blobs, mail := filepath.Join(t.TempDir(), "blobs"), filepath.Join(t.TempDir(), "mail")
	for _, dir := range []string{blobs, mail} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{
		"VIGUEUR_DATABASE_URL": pgtest.NewURL(t), "VIGUEUR_REDIS_URL": redistest.New(t).URL(), "VIGUEUR_BLOBS_URL": "file://" + blobs,
		"VIGUEUR_MAIL_DIR": mail, "VIGUEUR_JWT_SECRET": strings.Repeat("jeton-", 8), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8),
		"VIGUEUR_BASE_URL": api(t, map[string]string{"postgres": "ok"}, "ok"),
	}
}

// api starts a server that responds as the API's /readyz does.
func api(t *testing.T, stores map[string]string, status string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("X-Request-Id", "x")
		all := map[string]map[string]string{}
		for name, state := range stores {
			all[name] = map[string]string{"status": state}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": status, "stores": all})
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// examined returns the findings of an area as lines « state: found ». It fails the test if a finding contains a
// secret.
func examined(t *testing.T, environ map[string]string, area string) []string {
	t.Helper()
	var lines []string
	for _, f := range (Doctor{Environ: environ, Limit: time.Minute}).examine(t.Context(), area) {
		for _, secret := range []string{"tresor", strings.Repeat("jeton-", 8)} {
			if strings.Contains(f.Found+f.Do, secret) {
				t.Errorf("a secret is told: %+v", f)
			}
		}
		if (f.State == Warn || f.State == Fail) != (f.Do != "") {
			t.Errorf("a fault without a cure, or a cure without a fault: %+v", f)
		}
		lines = append(lines, string(f.State)+": "+f.Found)
	}
	return lines
}

func want(t *testing.T, lines []string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		state, part, _ := strings.Cut(w, ": ")
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, state+": ") && strings.Contains(l, part) }) {
			t.Errorf("no line « %s » among:\n%s", w, strings.Join(lines, "\n"))
		}
	}
}

func TestAWellMachineHasNoFault(t *testing.T) {
	t.Parallel()
	environ := well(t)
	lines := examined(t, environ, "")
	for _, line := range lines {
		if strings.HasPrefix(line, string(Fail)) {
			t.Error(line)
		}
	}
	want(t, lines, "ok: schéma à jour", "ok: Redis ", "ok: un fichier a été écrit, relu et effacé", "ok: les vecteurs suivent le catalogue",
		"ok: sans Milvus", "ok: sans Meilisearch", "ok: les messages sont des fichiers", "ok: mène à l’API, qui est prête", "ok: rien n’attend trop longtemps")
	// The test file was removed.
	err := filepath.WalkDir(strings.TrimPrefix(environ["VIGUEUR_BLOBS_URL"], "file://"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestStoresThatAreAwayAreNamed(t *testing.T) {
	t.Parallel()
	nobody := "127.0.0.1:1"
	environ := map[string]string{
		"VIGUEUR_DATABASE_URL": "postgres://u:tresor-a@" + nobody + "/x", "VIGUEUR_REDIS_URL": "redis://:tresor-b@" + nobody,
		"VIGUEUR_BLOBS_URL": "s3://gazettes?endpoint=http://" + nobody + "&region=x", "VIGUEUR_BLOBS_KEY": "id:tresor-c",
		"VIGUEUR_MILVUS_URL": "http://" + nobody, "VIGUEUR_MILVUS_KEY": "u:tresor-d", "VIGUEUR_MEILI_URL": "http://" + nobody, "VIGUEUR_MEILI_KEY": "tresor-e",
		"VIGUEUR_SMTP_URL": "smtps://u:tresor-f@" + nobody, "VIGUEUR_MAIL_FROM": "a@b.example", "VIGUEUR_MAIL_TO": "c@d.example",
		"VIGUEUR_MODELS": "m", "VIGUEUR_MODEL_URL": "http://" + nobody, "VIGUEUR_MODEL_KEY": "tresor-g",
		"VIGUEUR_JWT_SECRET": strings.Repeat("jeton-", 8), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8), "VIGUEUR_BASE_URL": "http://" + nobody,
	}
	seen := map[string]State{}
	for _, f := range (Doctor{Environ: environ, Limit: 20 * time.Second}).Examine(t.Context()) {
		seen[f.Area] = f.State
		if strings.Contains(f.Found+f.Do, "tresor") {
			t.Errorf("a secret is told: %+v", f)
		}
	}
	for area, state := range map[string]State{"postgresql": Fail, "redis": Fail, "fichiers": Fail, "milvus": Fail, "meilisearch": Fail, "messages": Fail,
		"modèles": Fail, "adresse publique": Warn, "rôles": Unseen, "vecteurs": Unseen} {
		t.Run(area, func(t *testing.T) {
			if seen[area] != state {
				t.Errorf("%s is %q, want %q", area, seen[area], state)
			}
		})
	}
}

func TestWhatNeverAnswersIsLeftBehind(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	address := silent.Addr().String()
	environ := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://u@" + address + "/x?sslmode=disable", "VIGUEUR_REDIS_URL": "redis://" + address + "?read_timeout=1h",
		"VIGUEUR_BLOBS_URL": "s3://gazettes?region=x&endpoint=http://" + address, "VIGUEUR_BLOBS_KEY": "id:tresor", "VIGUEUR_MEILI_URL": "http://" + address}
	found := Doctor{Environ: environ, Limit: 300 * time.Millisecond}.Examine(t.Context())
	for _, area := range []string{"postgresql", "redis", "fichiers", "meilisearch"} {
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.Area == area && f.State == Fail }) {
			t.Errorf("nothing is told of %s", area)
		}
	}
	// This check ignores its context.
	never := make(chan struct{})
	defer close(never)
	one := check{"x", func(*target, context.Context) findings { <-never; return nil }}.runWithin(t.Context(), time.Millisecond, nil)
	only(t, one, "fail: pas de réponse en 1ms")
}

func TestADatabaseWithoutTables(t *testing.T) {
	t.Parallel()
	environ := well(t)
	environ["VIGUEUR_DATABASE_URL"] = pgtest.NewEmptyURL(t)
	want(t, examined(t, environ, ""), "fail: la base est vide", "unseen: non regardés : la base ne répond pas", "unseen: non comparé à la base")
}

func TestFilesThatCannotBeKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open := t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	denied := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`<Error><Code>AccessDenied</Code><Message>no</Message></Error>`))
	}))
	defer denied.Close()
	for address, wanted := range map[string]string{
		"file://" + open + "/absent":                               "fail: n’est pas un dossier, ou n’existe pas",
		"file://" + file:                                           "fail: n’est pas un dossier",
		"file://" + open:                                           "warn: d’autres comptes peuvent entrer",
		"s3://gazettes?region=x&endpoint=" + denied.URL:            "fail: écrire, relire et effacer un fichier ne va pas",
		"s3://gazettes?region=x&endpoint=ftp://tresor.example/nul": "fail: endpoint",
	} {
		environ := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://127.0.0.1:1/x", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:1",
			"VIGUEUR_BLOBS_URL": address, "VIGUEUR_BLOBS_KEY": "id:tresor"}
		want(t, examined(t, environ, "fichiers"), wanted)
	}
	if _, err := os.Stat(filepath.Join(open, "absent")); err == nil {
		t.Error("a folder that was missing was made")
	}
}

func TestTitleIndexAgainstTheCatalogue(t *testing.T) {
	t.Parallel()
	environ := well(t)
	server := meilitest.New(t)
	environ["VIGUEUR_MEILI_URL"], environ["VIGUEUR_MEILI_KEY"] = server.URL, server.Key
	want(t, examined(t, environ, "meilisearch"), "warn: l’index « titles » n’existe pas encore")
	environ["VIGUEUR_MEILI_KEY"] = "tresor-faux"
	want(t, examined(t, environ, "meilisearch"), "fail: la clé ne permet pas")
	server.Down(true)
	want(t, examined(t, environ, "meilisearch"), "fail: ne répond pas")
}

func TestModelsThatAreNotThere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Authorization") {
		case "Bearer tresor":
			_, _ = w.Write([]byte(`{"data":[{"id":"grand","max_model_len":8192},{"id":"petit:latest"},{"id":"court","max_model_len":4096},{"id":"bref","meta":{"n_ctx":2048}}]}`))
		case "Bearer autre":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, c := range []struct{ key, models, wanted string }{
		{"tresor", "grand,petit", "ok: VIGUEUR_MODEL_URL répond et a : petit"},
		{"tresor", "court", "fail: VIGUEUR_MODEL_URL : « court » y tient 4096 jetons, et VIGUEUR_MODEL_CONTEXT en annonce 8192"},
		{"tresor", "bref", "fail: « bref » y tient 2048 jetons"},
		{"tresor", "grand,moyen", "fail: VIGUEUR_MODEL_URL n’a pas : moyen"},
		{"autre", "grand", "fail: le serveur refuse la clé"},
		{"", "grand", "unseen: sans liste"},
	} {
		t.Run(c.key, func(t *testing.T) {
			environ := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://127.0.0.1:1/x", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:1", "VIGUEUR_BLOBS_URL": "file:///nulle-part",
				"VIGUEUR_MAIL_DIR": t.TempDir(), "VIGUEUR_MODELS": c.models, "VIGUEUR_MODEL_URL": server.URL, "VIGUEUR_MODEL_KEY": c.key}
			want(t, examined(t, environ, "modèles"), c.wanted)
		})
	}
}

func TestThePublicAddress(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("bienvenue")) }))
	defer other.Close()
	elsewhere := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer elsewhere.Close()
	secure := httptest.NewTLSServer(other.Config.Handler)
	defer secure.Close()
	for address, wanted := range map[string]string{
		other.URL:     "fail: ce n’est pas l’API",
		elsewhere.URL: "warn: renvoie ailleurs",
		secure.URL:    "fail: le certificat de 127.0.0.1 est refusé",
		api(t, map[string]string{"postgres": "ok", "redis": "down"}, "down"): "fail: l’API n’est pas prête : redis",
	} {
		environ := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://127.0.0.1:1/x", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:1", "VIGUEUR_BLOBS_URL": "file:///nulle-part",
			"VIGUEUR_JWT_SECRET": strings.Repeat("jeton-", 8), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8), "VIGUEUR_BASE_URL": address}
		want(t, examined(t, environ, "adresse publique"), wanted)
	}
}
