package main

import (
	"bufio"
	"net"
	"net/url"
	"strings"
	"testing"
)

// TestStoresThatRefuse distinguishes a server that refuses the command from one that is
// down.
func TestStoresThatRefuse(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	right := d.environ["VIGUEUR_DATABASE_URL"]
	database := func(change func(u *url.URL)) {
		u, err := url.Parse(right)
		if err != nil {
			t.Fatal(err)
		}
		change(u)
		d.environ["VIGUEUR_DATABASE_URL"] = u.String()
	}
	for _, command := range [][]string{{"status"}, {"migrate", "up"}, {"migrate", "status"}} {
		database(func(u *url.URL) { u.Path = "/nulle_part" })
		d.run(t, command...).want(t, exitStore, "PostgreSQL (", "tourne, mais n’a pas de base « nulle_part »", "createdb", "Réponse du serveur")
		database(func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "faux-secret") })
		r := d.run(t, command...)
		if r.code == exitDone {
			t.Log("this PostgreSQL asks for no password")
			continue
		}
		r.want(t, exitStore, "tourne, mais refuse le mot de passe du compte « ", "VIGUEUR_DATABASE_URL")
		if strings.Contains(r.out+r.err, "faux-secret") {
			t.Errorf("%v tells the password: %s", command, r.err)
		}
	}
	d.environ["VIGUEUR_DATABASE_URL"] = right

	add := []string{"add", d.file(t, "jo.pdf", pdf("réussit"))}
	open := d.environ["VIGUEUR_REDIS_URL"]
	d.environ["VIGUEUR_REDIS_URL"] = strings.Replace(open, "redis://", "redis://:faux-secret@", 1)
	tellRedis(t, open, "CONFIG SET requirepass juste")
	r := d.run(t, add...)
	r.want(t, exitStore, "Redis tourne, mais refuse le mot de passe", "Réponse du serveur : WRONGPASS")
	if strings.Contains(r.out+r.err, "faux-secret") {
		t.Errorf("the password is told: %s", r.err)
	}
	d.environ["VIGUEUR_REDIS_URL"] = open
	d.run(t, add...).want(t, exitStore, "Redis tourne, mais demande un mot de passe")
}

// tellRedis sends a command to a Redis without a password.
func tellRedis(t *testing.T, address, command string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "redis://"))
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
