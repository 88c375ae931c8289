package e2e

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// TestTheCommandFromAnotherMachine signs in by a password, works without any of the service's settings, and signs out.
func TestTheCommandFromAnotherMachine(t *testing.T) {
	t.Parallel()
	s := open(t)
	api := startAPI(t, s)
	const who = "ada@vigueur.example"
	if err := s.AddUser(t.Context(), who, "admin"); err != nil {
		t.Fatal(err)
	}
	admin, err := s.ClientOf(t.Context(), api, who)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.HTTP.CloseIdleConnections)
	home := t.TempDir()
	command := func(args ...string) *exec.Cmd {
		c := s.Command(t.Context(), args...)
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		return c
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := command(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("ingest %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}

	login := func(name, address, key string) {
		t.Helper()
		c := command("login", address, "--name", name, "--key", "-")
		c.Stdin = strings.NewReader(key)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s, %v", out, err)
		}
	}
	_, password := s.Account()
	typed := command() // at a terminal, which script(1) gives
	typed.Args = []string{"script", "-qec", typed.Path + " login " + api.URL + " --name essai", os.DevNull}
	if typed.Path, err = exec.LookPath("script"); err != nil {
		t.Fatal(err)
	}
	typed.Stdin = strings.NewReader(who + "\n" + password + "\n")
	if out, err := typed.CombinedOutput(); err != nil {
		t.Fatalf("%s, %v", out, err)
	}
	if out := run("user", "list"); !strings.Contains(out, who) {
		t.Errorf("%s", out)
	}
	made := command("keys", "create", "--owner", who, "--name", "Intranet", "--scope", "ingest")
	key, err := made.Output()
	if err != nil || !strings.HasPrefix(string(key), "vig_") {
		t.Fatalf("%q, %v", key, err)
	}
	if out := run("keys", "list"); !strings.Contains(out, "Intranet") {
		t.Errorf("%s", out)
	}
	if out := run("audit", "list", "--action", "key.create"); !strings.Contains(out, who) {
		t.Errorf("not in the name of who signed in: %s", out)
	}
	file := stage.Sample()[0]
	if out := run("add", "--no-wait", file); !strings.Contains(out, "en attente") {
		t.Errorf("%s", out)
	}
	if out := run("add", "--no-wait", file); !strings.Contains(out, "Déjà connu") {
		t.Errorf("sent again: %s", out)
	}
	if out := run("status", "--json"); !strings.Contains(out, filepath.Base(file)) {
		t.Errorf("%s", out)
	}
	startWorker(t, s)
	if out := run("add", file); !strings.Contains(out, "terminé") {
		t.Errorf("%s", out)
	}
	if out := run("documents"); !strings.Contains(out, "en_vigueur") {
		t.Errorf("%s", out)
	}
	if out, err := command("reconcile").CombinedOutput(); err == nil || !strings.Contains(string(out), "--profile local") {
		t.Errorf("%s, %v", out, err)
	}
	var sessions struct{ Items []struct{ Client string } }
	if err := admin.JSON(t.Context(), http.MethodGet, "/api/v1/auth/sessions", nil, &sessions); err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, session := range sessions.Items {
		if strings.HasPrefix(session.Client, "ingest/") {
			named++
		}
	}
	if named != 1 {
		t.Errorf("%+v", sessions)
	}
	if out := run("logout"); !strings.Contains(out, "essai") {
		t.Errorf("%s", out)
	}
	login("clé", api.URL, string(key))
	if out := run("status"); !strings.Contains(out, filepath.Base(file)) {
		t.Errorf("by a key: %s", out)
	}
	// A line that is cut off again and again: a file goes on from where it was, and is whole in the end.
	long := filepath.Join(t.TempDir(), "long.pdf")
	words, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(long, append(words, bytes.Repeat([]byte("% rien\n"), 3<<20)...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	bad := cutLine(t, strings.TrimPrefix(api.URL, "http://"), 3<<20)
	login("mauvaise", "http://"+bad, string(key))
	if out := run("add", "--no-wait", long); !strings.Contains(out, "Nouvel essai") || !strings.Contains(out, "en attente") && !strings.Contains(out, "en cours") {
		t.Errorf("over a bad line: %s", out)
	}
	if out := run("add", "--no-wait", long); !strings.Contains(out, "Déjà connu") {
		t.Errorf("sent again over a bad line: %s", out)
	}
	if out, err := command("keys", "list").CombinedOutput(); err == nil || !strings.Contains(string(out), "n’admet pas de clé d’API") {
		t.Errorf("%s, %v", out, err)
	}
}

// cutLine listens for connections to a server, each of which ends after so many bytes of the client.
func cutLine(t *testing.T, server string, most int64) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(client, there) }()
			go func() {
				_, _ = io.CopyN(there, client, most)
				_, _ = client.Close(), there.Close()
			}()
		}
	}()
	return listener.Addr().String()
}
