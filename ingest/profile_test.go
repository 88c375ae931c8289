package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/transport"
)

// away is an environment on a machine without the service, with a profile of a server.
func away(t *testing.T, s *httptest.Server, secret string) *desk {
	t.Helper()
	d := &desk{environ: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}}
	raw, err := json.Marshal(profiles{Current: "là", Known: map[string]*profile{"là": {Address: s.URL, Who: "lise@vigueur.local", Secret: secret}}})
	if err == nil {
		err = os.MkdirAll(filepath.Join(d.environ["XDG_CONFIG_HOME"], "vigueur"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(d.profiles(), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// profiles is the path of the file of profiles.
func (d *desk) profiles() string {
	return filepath.Join(d.environ["XDG_CONFIG_HOME"], "vigueur", "profiles.json")
}

// answering returns a server that gives every request the same answer.
func answering(t *testing.T, status int, form, body string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", form)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the command may have gone
	}))
	t.Cleanup(s.Close)
	return s
}

// What answers in place of the service, or not at all, is told with what can be done.
func TestServersThatAreNone(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	defer secure.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"items":[`) // and the connection ends
	}))
	defer cut.Close()
	const key = "vig_x"
	for name, c := range map[string]struct {
		server *httptest.Server
		secret string
		code   int
		told   string
	}{
		"a proxy's page":         {answering(t, 200, "text/html", "<h1>Bienvenue au portail</h1>"), key, exitStore, "Bienvenue au portail"},
		"a proxy's error":        {answering(t, 502, "text/html", "<h1>Bad Gateway</h1>"), key, exitStore, "Le service derrière "},
		"a proxy's limit":        {answering(t, 413, "text/html", "<h1>Too Large</h1>"), key, exitStore, "refuse un envoi de cette taille (413) : il doit laisser passer 8 Mio"},
		"an unknown authority":   {secure, key, exitStore, "aucune autorité"},
		"nobody":                 {gone, key, exitStore, "ne répond pas : la connexion est refusée."},
		"a cut line":             {cut, key, exitStore, "ne répond pas : la connexion a été coupée"},
		"a session that is over": {answering(t, 401, "application/json", `{"detail":"Jeton inconnu."}`), "x", exitFailed, "Connectez-vous de nouveau : ingest login"},
		"another form":           {answering(t, 200, "application/json", `{"items":[{"name":"A","expires_at":5}],"next_before":null}`), key, exitStore, "n’a pas la forme que cette commande attend"},
		"a refusal":              {answering(t, 403, "application/json", `{"detail":"Votre rôle ne permet pas cette action."}`), key, exitFailed, "Votre rôle ne permet pas cette action."},
	} {
		t.Run(name, func(t *testing.T) {
			away(t, c.server, c.secret).run(t, "keys", "list").want(t, c.code, c.told)
		})
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() //nolint:errcheck // it is one
}

// What a server says moves no cursor, and adds no line to its sentence; JSON keeps it.
func TestWordsOfServers(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	const hostile = `\u001b[2J\u001b]0;x\u0007\u202e\u009b`
	key := `{"items":[{"id":"00000000-0000-4000-8000-000000000000","name":"` + hostile + `","user_email":"` + hostile + `","scopes":["` + hostile + `"]}],"next_before":null}`
	for name, c := range map[string]struct {
		status int
		body   string
		args   []string
		told   string
	}{
		"an error":       {403, `{"detail":"` + hostile + `Non.\nOui."}`, []string{"keys", "list"}, "Non. Oui."},
		"a fault":        {422, `{"detail":[{"loc":["body","` + hostile + `"],"msg":"` + hostile + `Non.\nOui."}]}`, []string{"keys", "list"}, "Non. Oui."},
		"no JSON":        {200, "\x1b[2J\u202e\u009b", []string{"keys", "list"}, "n’est pas l’API"},
		"a list":         {200, key, []string{"keys", "list"}, ""},
		"a list as JSON": {200, key, []string{"keys", "list", "--json"}, hostile},
	} {
		t.Run(name, func(t *testing.T) {
			r := away(t, answering(t, c.status, "application/json", c.body), "vig_x").run(t, c.args...)
			if said := r.out + r.err; strings.ContainsAny(said, "\x1b\a\u202e\u009b") || !strings.Contains(said, c.told) {
				t.Errorf("%q, want %q", said, c.told)
			}
		})
	}
	var out strings.Builder
	fmt.Fprint((&app{}).speaking(&out), "\x1b[2J\u202e\u009bNon.\tOui.\n")
	if out.String() != "\uFFFD[2J\uFFFD\uFFFDNon.\tOui.\n" {
		t.Errorf("%q", out.String())
	}
}

// A server of another version that does not know what is asked for says which of the two is older.
func TestServersOfAnotherVersion(t *testing.T) {
	for version, want := range map[string]string{
		"0.9.12":          "(API 0.9.12) est plus ancien que cette commande (API " + httpapi.Version(),
		"99.0.0":          "(API 99.0.0) est plus récent que cette commande",
		httpapi.Version(): transport.UnknownAddress,
	} {
		t.Run(version, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/openapi.json" {
					_, _ = io.WriteString(w, `{"info":{"version":"`+version+`"}}`) // the command may have gone
					return
				}
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, `{"detail":"`+transport.UnknownAddress+`"}`)
			}))
			defer s.Close()
			away(t, s, "vig_x").run(t, "keys", "list").want(t, exitFailed, want)
		})
	}
}

// A command that needs the stores says so where there is a profile, and works with « local ».
func TestCommandsOfTheMachineItself(t *testing.T) {
	t.Parallel()
	d := away(t, answering(t, 200, "application/json", "{}"), "vig_x")
	var walk func(path []string, c *declaration)
	walk = func(path []string, c *declaration) {
		for name, sub := range c.Commands {
			walk(append(path[:len(path):len(path)], name), sub)
		}
		if c.Local {
			d.run(t, append(path, slices.Repeat([]string{"x"}, c.Args.Least)...)...).want(t, exitUsage, "travaille sur la machine du service même", "--profile local")
		}
	}
	for name, c := range declarations() {
		walk([]string{name}, c)
	}
	d.run(t, "reconcile", "--profile", "autre").want(t, exitUsage, "Aucun profil ne s’appelle « autre »")
	d.run(t, "profile", "list").want(t, exitDone, "lise@vigueur.local", "oui")
	d.run(t, "profile", "use", "local").want(t, exitDone, "Profil en usage : local")
	d.run(t, "profile", "use", "x").want(t, exitUsage, "Aucun profil")
	d.run(t, "keys", "list").want(t, exitUsage, "Aucun service n’est réglé sur cette machine", "ingest login", "VIGUEUR_DATABASE_URL")
	if err := os.WriteFile(d.profiles(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.run(t, "keys", "list").want(t, exitUsage, "illisibles (ce n’est pas du JSON, à l’octet 1)")
}

// Addresses that are none, or that everybody can listen to, are refused before anything is sent.
func TestAddressesOfServers(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}}
	for _, bad := range []string{"droit.example", "ftp://droit.example", "https://", "https://a:b@droit.example", "https://droit.example/?x=1", "é"} {
		d.run(t, "login", bad).want(t, exitUsage, "n’est pas l’adresse d’un serveur")
	}
	d.run(t, "login", "http://droit.example").want(t, exitUsage, "n’est pas chiffrée")
	d.run(t, "login", "https://droit.example", "--name", "local").want(t, exitUsage, "--name attend un mot")
	d.run(t, "login", "https://droit.example").want(t, exitUsage, "pas de terminal", "--key -")
	d.run(t, "login", "https://droit.example", "--key", "vig_x").want(t, exitUsage, "--key attend « - »")
	d.run(t, "logout").want(t, exitUsage, "Aucun profil")
}

// Commands that run at once renew their session one after the other: a refresh token is sent once.
func TestSessionsAreRenewedInTurn(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	var mu sync.Mutex
	next, spent := "1", map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasSuffix(r.URL.Path, "/auth/refresh") {
			_, _ = io.WriteString(w, `{"items":[],"next_before":null}`)
			return
		}
		var sent struct {
			Token string `json:"refresh_token"`
		}
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || sent.Token != next || spent[sent.Token] {
			t.Errorf("%q was sent, %q is due (%v)", sent.Token, next, err)
		}
		spent[sent.Token], next = true, sent.Token+"1"
		time.Sleep(5 * time.Millisecond) // others wait meanwhile
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "a", "expires_in": 3600, "refresh_token": next})
	}))
	defer s.Close()
	d := away(t, s, "1")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { d.run(t, "keys", "list").want(t, exitDone, "Aucune clé") })
	}
	all.Wait()
	if info, err := os.Stat(d.profiles()); err != nil || info.Mode().Perm() != 0o600 || len(spent) != 8 {
		t.Errorf("%v, %v, %d renewals", info.Mode(), err, len(spent))
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() //nolint:errcheck // it is one
}

// A folder is not tried again and again where a proxy answers in the place of the service, and a session that is over is told once.
func TestAddThatCannotPass(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	for name, c := range map[string]struct {
		server *httptest.Server
		secret string
		told   string
	}{
		"a portal":               {answering(t, 200, "text/html", "<h1>Portail</h1>"), "vig_x", "n’est pas l’API de Vigueur (200"},
		"a session that is over": {answering(t, 401, "application/json", `{"detail":"Jeton inconnu."}`), "x", "Connectez-vous de nouveau"},
	} {
		t.Run(name, func(t *testing.T) {
			d := away(t, c.server, c.secret)
			d.dir, d.stalled = t.TempDir(), time.Hour
			for _, file := range []string{"a.pdf", "b.pdf", "c.pdf"} {
				d.file(t, file, pdf(file))
			}
			r := d.run(t, "add", d.dir)
			if n := strings.Count(r.err, c.told); r.code == exitDone || n != 1 || r.out != "" {
				t.Errorf("exit %d, told %d times:\n%s%s", r.code, n, r.out, r.err)
			}
		})
	}
}

// The commands that are told have the name by which the program was called.
func TestName(t *testing.T) {
	t.Parallel()
	var out, said strings.Builder
	a := &app{name: "vigueur", out: &out, err: &said, environ: map[string]string{"VIGUEUR_PROFILE": localProfile}}
	if code := a.run(t.Context(), []string{"status"}); code != exitUsage || !strings.Contains(said.String(), "vigueur login") || strings.Contains(said.String(), "ingest ") {
		t.Errorf("exit %d: %s", code, said.String())
	}
	a = &app{name: "vigueur", out: &out, err: &said}
	if code := a.run(t.Context(), []string{"add", "--help"}); code != exitDone || !strings.Contains(out.String(), "  vigueur add --dry-run") || strings.Contains(out.String(), "ingest ") {
		t.Errorf("exit %d: %s", code, out.String())
	}
}

// A file that arrived is not « déjà connu » because the reply was lost.
func TestAddWhoseReplyIsLost(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	const row = `{"id":"01a20194-0000-7000-8000-000000000001","filename":"a.pdf","state":"done","documents":[],"created_at":"2026-11-28T09:00:00Z"}`
	var arrived, lost atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			arrived.Store(true)
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, `{"ingestion_id":"01a20194-0000-7000-8000-000000000001"}`) // a test sees what is missing
		case r.URL.Query().Has("sha256") && arrived.Load():
			_, _ = io.WriteString(w, `{"items":[`+row+`],"next_before":null}`)
		case r.URL.Query().Has("sha256"):
			_, _ = io.WriteString(w, `{"items":[],"next_before":null}`)
		case !lost.Swap(true):
			w.WriteHeader(http.StatusBadGateway) // the server starts anew
		default:
			_, _ = io.WriteString(w, row)
		}
	}))
	defer s.Close()
	d := away(t, s, "vig_x")
	d.dir, d.stalled = t.TempDir(), time.Minute
	r := d.run(t, "add", d.file(t, "a.pdf", pdf("a")))
	if r.want(t, exitDone, "terminé", "Nouvel essai…"); strings.Contains(r.out, known) || !lost.Load() {
		t.Errorf("%s%s", r.out, r.err)
	}
}

// Where a session is over, the command says so, and a person signs in again.
func TestSigningInAgain(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	const session = `{"access_token":"neuf","refresh_token":"r2","expires_in":900,"user":{"email":"\u001b[2Jlise@vigueur.local"}}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		raw, _ := io.ReadAll(r.Body) // what is missing is another request
		switch r.URL.Path {
		case transport.Prefix + "/auth/refresh":
			if !strings.Contains(string(raw), `"r2"`) {
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = io.WriteString(w, `{"detail":"Jeton inconnu."}`) // here and below, a test sees what is missing
				return
			}
			_, _ = io.WriteString(w, session)
		case transport.Prefix + "/auth/login":
			if strings.Contains(string(raw), "faux") {
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = io.WriteString(w, `{"detail":"Adresse e-mail ou mot de passe incorrect."}`)
				return
			}
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, `{"pending_token":"p","expires_in":300}`)
		case transport.Prefix + "/auth/login/code":
			if !strings.Contains(string(raw), `"p"`) || !strings.Contains(string(raw), `"123456"`) {
				t.Errorf("%s", raw)
			}
			_, _ = io.WriteString(w, session)
		default:
			if r.Header.Get("Authorization") != "Bearer neuf" {
				w.WriteHeader(http.StatusUnauthorized)
			}
			_, _ = io.WriteString(w, `{"items":[],"next_before":null}`)
		}
	}))
	defer s.Close()
	d := away(t, s, "r1")
	d.run(t, "keys", "list").want(t, exitFailed, "Connectez-vous de nouveau")
	d.typed, d.secrets = []string{"lise@vigueur.local", "lise@vigueur.local", "123456"}, []string{"faux", "mot de passe"}
	d.run(t, "login", s.URL, "--name", "là").want(t, exitFailed, "mot de passe incorrect", "fournisseur d’identité")
	signed := d.run(t, "login", s.URL, "--name", "là")
	signed.want(t, exitDone, "Connecté à", "[2Jlise@vigueur.local")
	if strings.Contains(signed.out, "\x1b") {
		t.Errorf("%q", signed.out)
	}
	d.run(t, "keys", "list").want(t, exitDone, "Aucune clé.")
	d.run(t, "profile", "list").want(t, exitDone, "là", "oui")
	d.run(t, "shared", "list").want(t, exitDone, "Aucune conversation")
}
