package main

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/postgres/pgtest"
)

// The command reports that it waits for a connection, continues as soon as it gets one, and says what to do after its
// timeout.
func TestCommandsWaitForAFullServer(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	url, allow := pgtest.NewFullURL(t)
	d.environ["VIGUEUR_DATABASE_URL"] = url
	d.busy = 100 * time.Millisecond
	r := d.run(t, "status")
	r.want(t, exitStore, "Attente de 100ms au plus", "n’a plus de connexion libre", "VIGUEUR_DATABASE_CONNECTIONS")
	if n := strings.Count(r.err, "Attente"); n != 1 {
		t.Errorf("said %d times that it waits:\n%s", n, r.err)
	}
	d.run(t, "status", "--json").want(t, exitStore, `{"error":{"kind":"unavailable"`)

	d.busy = time.Minute
	said, ended := make(chan string), make(chan result, 1)
	go func() { ended <- d.runWith(t.Context(), "", said, "status") }()
	<-said
	allow(-1)
	for {
		select {
		case <-said:
		case r := <-ended:
			r.want(t, exitDone)
			return
		}
	}
}
