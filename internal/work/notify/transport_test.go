package notify

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

func TestSMTP(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server                *mailServer
		scheme, user, options string
	}{
		"STARTTLS":              {&mailServer{startTLS: true}, "smtp", "", ""},
		"STARTTLS and password": {&mailServer{startTLS: true, password: "clé/1"}, "smtp", "vigueur:cl%C3%A9%2F1@", ""},
		"TLS and password":      {&mailServer{implicit: true, password: "secret"}, "smtps", "vigueur:secret@", ""},
		"no TLS":                {&mailServer{}, "smtp", "", "?tls=none"},
		"left after the answer": {&mailServer{startTLS: true, leave: true}, "smtp", "", ""},
		"confused afterwards":   {&mailServer{startTLS: true, refuse: map[string]string{"RSET": "500 what", "QUIT": "500 no"}}, "smtp", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := c.server.start(t)
			ok(t, server.transport(t, c.scheme, c.user, c.options).Send(t.Context(), Compose(sample(), envelope(t))))
			m := server.receive(t)
			if !strings.HasPrefix(m.from, "MAIL FROM:<vigueur@example.org>") || len(m.to) != 2 || m.tls != (c.options == "") {
				t.Errorf("from %q to %q, TLS %v", m.from, m.to, m.tls)
			}
			if m.data != string(compose(t, sample())) {
				t.Errorf("another message came than was sent:\n%s", m.data)
			}
		})
	}
}

func TestSMTPFailuresSayWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server                *mailServer
		scheme, user, options string
		want                  string
	}{
		"no STARTTLS":    {&mailServer{}, "smtp", "", "", "STARTTLS"},
		"wrong password": {&mailServer{startTLS: true, password: "x"}, "smtp", "vigueur:hunter2@", "", "5.7.8"},
		"no recipient":   {&mailServer{startTLS: true, refuse: map[string]string{"RCPT": "550 5.1.1 no such user"}}, "smtp", "", "", "a refusé le message"},
		"greylisted":     {&mailServer{startTLS: true, refuse: map[string]string{"MAIL": "451 4.7.1 come back"}}, "smtp", "", "", "4.7.1 come back"},
		"spam":           {&mailServer{startTLS: true, refuse: map[string]string{".": "554 5.7.1 spam"}}, "smtp", "", "", "5.7.1 spam"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := c.server.start(t)
			err := server.transport(t, c.scheme, c.user, c.options).Send(t.Context(), Compose(sample(), envelope(t)))
			if !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), c.want) || !strings.Contains(errs.Public(err), server.address) {
				t.Errorf("%v: %q does not tell %q", err, errs.Public(err), c.want)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the password is in %q", err)
			}
			if len(server.messages) != 0 {
				t.Error("a message was taken")
			}
		})
	}
	t.Run("unknown certificate", func(t *testing.T) {
		t.Parallel()
		server := (&mailServer{startTLS: true, password: "secret"}).start(t)
		smtp := server.transport(t, "smtp", "vigueur:secret@", "")
		smtp.roots = nil
		if err := smtp.Send(t.Context(), Compose(sample(), envelope(t))); !strings.Contains(errs.Public(err), "certificate") {
			t.Errorf("error %v", err)
		}
	})
}

func TestServerThatHangsIsLeft(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"EHLO", "MAIL", "DATA"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			server := (&mailServer{startTLS: true, hang: command}).start(t)
			ctx, cancel := context.WithCancel(t.Context())
			sent := make(chan error, 1)
			go func() {
				sent <- server.transport(t, "smtp", "", "").Send(ctx, Compose(sample(), envelope(t)))
			}()
			<-server.hung
			cancel()
			if err := <-sent; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("in time", func(t *testing.T) {
		t.Parallel()
		server := (&mailServer{startTLS: true, hang: "MAIL"}).start(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := server.transport(t, "smtp", "", "").Send(ctx, Compose(sample(), envelope(t)))
		if !strings.Contains(errs.Public(err), "n’a pas répondu à temps") {
			t.Errorf("error %v", err)
		}
	})
}

func TestNewSMTP(t *testing.T) {
	t.Parallel()
	for address, port := range map[string]int{"smtp://h": 587, "smtps://h": 465, "smtp://u:p@h:25": 25, "smtp://h:25?tls=none": 25, "smtp://[::1]:26/": 26} {
		if s, err := NewSMTP(address); err != nil || s.port != port {
			t.Errorf("%s: %v %v", address, s, err)
		}
	}
	for _, address := range []string{"", "h:25", "https://h", "smtp://", "smtp://h:0", "smtp://h:70000", "smtp://h:x", "smtp://h?tls=some",
		"smtps://h?tls=none", "smtp://u:hunter2@h?tls=none", "smtp://h?a=b", "smtp://u:hunter2@h/path", "smtp://u:hunter2%zz@h"} {
		_, err := NewSMTP(address)
		if !errs.Is(err, errs.Invalid) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mail")
	f, err := NewFolder(dir)
	ok(t, err)
	for range 2 { // a second copy replaces the first
		ok(t, f.Send(t.Context(), Compose(sample(), envelope(t))))
		entries, err := os.ReadDir(dir)
		ok(t, err)
		if len(entries) != 1 || entries[0].Name() != sample().ID.String()+".eml" {
			t.Fatalf("the folder holds %v", entries)
		}
	}
	path := filepath.Join(dir, sample().ID.String()+".eml")
	raw, err := os.ReadFile(path)
	ok(t, err)
	if !bytes.Equal(raw, compose(t, sample())) {
		t.Errorf("the file is another message:\n%s", raw)
	}
	info, err := os.Stat(path)
	ok(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	ok(t, os.RemoveAll(dir))
	if err := f.Send(t.Context(), Compose(sample(), envelope(t))); !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "VIGUEUR_MAIL_DIR") {
		t.Errorf("error %v", err)
	}
}
