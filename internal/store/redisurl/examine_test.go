package redisurl_test

import (
	"bufio"
	"net"
	"net/url"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/work/queue/redistest"
)

// tell sends a command to a Redis without a password.
func tell(t *testing.T, address, command string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.HasPrefix(line, "+OK") {
		t.Fatalf("%s: %q, %v", command, line, err)
	}
}

func TestExamine(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	tell(t, server.URL(), "CONFIG SET maxmemory-policy noeviction")
	e, err := redisurl.Examine(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	if e.Version == "" || e.Policy != "noeviction" || len(e.Broken) > 0 || e.Write != nil {
		t.Errorf("examined %+v", e)
	}
	tell(t, server.URL(), "CONFIG SET maxmemory-policy allkeys-lru")
	tell(t, server.URL(), "ACL SETUSER lecteur on >un-secret ~* &* +@read +@connection +time +info")
	if e, err = redisurl.Examine(t.Context(), server.URL()); err != nil || e.Policy != "allkeys-lru" {
		t.Errorf("examined %+v, %v", e, err)
	}
	reader := strings.Replace(server.URL(), "redis://", "redis://lecteur:un-secret@", 1)
	if e, err = redisurl.Examine(t.Context(), reader); err != nil || e.Write == nil {
		t.Errorf("an account that may only read: %+v, %v", e, err)
	}
	if _, err = redisurl.Examine(t.Context(), strings.Replace(reader, "un-secret", "un-autre", 1)); !strings.Contains(errs.Public(redisurl.Away(err)), "refuse le mot de passe") {
		t.Errorf("a wrong password: %v", err)
	}
	tell(t, server.URL(), "REPLICAOF 127.0.0.1 1")
	if e, err = redisurl.Examine(t.Context(), server.URL()); err != nil || e.Write == nil {
		t.Errorf("a replica: %+v, %v", e, err)
	}
}

// TestAway distinguishes a server that refuses the client from one that is down.
func TestAway(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	open := server.URL()
	withPassword := strings.Replace(open, "redis://", "redis://:faux@", 1)
	away := func(address, want string) {
		t.Helper()
		_, err := redisurl.Examine(t.Context(), address)
		said := redisurl.Away(err)
		if !errs.Is(said, errs.Unavailable) || !strings.Contains(errs.Public(said), want) || strings.Contains(errs.Public(said), "faux") {
			t.Errorf("%v is told as %q, want %q", err, errs.Public(said), want)
		}
	}
	away("redis://127.0.0.1:1", "Redis ne répond pas")
	tell(t, open, "CONFIG SET requirepass juste")
	away(open, "demande un mot de passe")
	away(withPassword, "refuse le mot de passe")
	if redisurl.Away(nil) != nil {
		t.Error("nil is told as an error")
	}
}

func TestExamineByTLS(t *testing.T) {
	t.Parallel()
	if e, err := redisurl.Examine(t.Context(), redistest.NewTLS(t).URL()); err != nil || e.Write != nil {
		t.Fatalf("examined %+v, %v", e, err)
	}
}
