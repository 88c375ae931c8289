package notify

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestTryGoesAsFarAsAMessageAndSendsNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server             *mailServer
		scheme, user, want string
	}{
		"STARTTLS and password": {&mailServer{startTLS: true, password: "clé/1"}, "smtp", "vigueur:cl%C3%A9%2F1@", ""},
		"TLS and password":      {&mailServer{implicit: true, password: "secret"}, "smtps", "vigueur:secret@", ""},
		"no STARTTLS":           {&mailServer{}, "smtp", "", "STARTTLS"},
		"wrong password":        {&mailServer{startTLS: true, password: "x"}, "smtp", "vigueur:hunter2@", "5.7.8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := c.server.start(t)
			err := server.transport(t, c.scheme, c.user, "").Try(t.Context())
			if (err == nil) != (c.want == "") || err != nil && (!errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), c.want)) || strings.Contains(errs.Public(err), "hunter2") {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if len(server.messages) > 0 {
				t.Error("a message was sent")
			}
		})
	}
}

func TestTryOfAServerThatHangsEnds(t *testing.T) {
	t.Parallel()
	server := (&mailServer{startTLS: true, hang: "EHLO"}).start(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-server.hung
		cancel()
	}()
	if err := server.transport(t, "smtp", "", "").Try(ctx); err == nil {
		t.Error("a server that hangs is well")
	}
}

func TestTryOfAFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mail")
	folder, err := NewFolder(dir)
	ok(t, err)
	ok(t, folder.Try(t.Context()))
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	ok(t, os.Remove(dir))
	if err := folder.Try(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a folder that is gone: %v", err)
	}
}
