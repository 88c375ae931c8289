package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// A stream ends when its session ends, with an event that has no number.
func TestAStreamEndsWithItsSession(t *testing.T) {
	b := setup(t)
	file := b.addFile(t, "a1")
	closed, demoted := false, "user"
	for name, c := range map[string]struct {
		role, path string
		end        func(t *testing.T, u postgres.User)
	}{
		"deactivated": {"user", "", func(t *testing.T, u postgres.User) {
			t.Helper()
			_, err := b.DB.ChangeUser(t.Context(), u.ID, postgres.UserChange{Active: &closed})
			ok(t, err)
		}},
		"another password": {"user", "", func(t *testing.T, u postgres.User) {
			t.Helper()
			ok(t, b.DB.SetPassword(t.Context(), u.ID, "y"))
		}},
		"erased while following a file": {"editor", "/admin/ingestions/" + file.ID.String() + "/events", func(t *testing.T, u postgres.User) {
			t.Helper()
			_, err := b.DB.EraseUser(t.Context(), u.Email, false)
			ok(t, err)
		}},
		"demoted": {"editor", "/admin/ingestions/" + file.ID.String() + "/events", func(t *testing.T, u postgres.User) {
			t.Helper()
			_, err := b.DB.ChangeUser(t.Context(), u.ID, postgres.UserChange{Role: &demoted})
			ok(t, err)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			user := postgres.User{ID: postgres.NewID(), Email: uuid.NewString() + "@example.org", FullName: "B", Role: c.role, Active: true, PasswordHash: "x", TokenVersion: 1}
			ok(t, b.DB.CreateUser(t.Context(), user))
			token := []string{"Authorization", "Bearer " + b.tokenOf(t, user)}
			var l *listener
			if c.path == "" {
				l = b.listen(t, "POST", transport.Prefix+"/chat-rag/stream", `{"question":"Combien de jours ?"}`, token...)
			} else {
				l = b.listen(t, "GET", transport.Prefix+c.path, "", token...)
			}
			c.end(t, user)
			events, last := l.rest(t)
			if len(events) == 0 || last.kind != "error" || last.id != "" || last.data != `{"detail":"`+transport.RevokedText+`"}` {
				t.Errorf("events %v, last %+v", events, last)
			}
			b.log.await(t, `"outcome":"revoked"`)
		})
	}
}

func (b *bundle) sessionOf(t *testing.T, user postgres.User, role string) postgres.Session {
	t.Helper()
	bearer, err := b.Tokens.Read(b.tokenOf(t, user))
	ok(t, err)
	return postgres.Session{User: user.ID, Version: user.TokenVersion, Role: role, ID: bearer.Session}
}

// A demotion does not end streams that the lower role may read.
func TestASessionLivesOnWithARoleThatIsEnough(t *testing.T) {
	b := setup(t)
	admin := postgres.User{ID: postgres.NewID(), Email: "b@example.org", FullName: "B", Role: "admin", Active: true, PasswordHash: "x", TokenVersion: 1}
	ok(t, b.DB.CreateUser(t.Context(), admin))
	ended := b.sessionOf(t, admin, "user")
	ok(t, b.DB.EndSession(t.Context(), admin.ID, ended.ID))
	foreign := b.sessionOf(t, b.user, "user")
	foreign.User = admin.ID
	for _, c := range []struct {
		postgres.Session
		ended bool
	}{
		{b.sessionOf(t, b.user, "user"), false},
		{b.sessionOf(t, b.user, "editor"), true},
		{b.sessionOf(t, admin, "editor"), false},
		{ended, true},
		{foreign, true},
		{postgres.Session{User: admin.ID, Version: 2, Role: "user"}, true},
		{postgres.Session{User: uuid.New(), Version: 1, Role: "user"}, true},
	} {
		got, err := b.DB.EndedSessions(t.Context(), []postgres.Session{c.Session})
		ok(t, err)
		if (len(got) == 1 && got[0] == c.Session) != c.ended || len(got) > 1 {
			t.Errorf("%+v: %v", c.Session, got)
		}
	}
}

// However many clients request /readyz, the stores are checked once a second.
func TestReadinessIsLookedAtOnceForAll(t *testing.T) {
	var asked atomic.Int64
	var clock atomic.Int64
	b := setup(t, func(s *Server) {
		s.Now = func() time.Time { return time.Unix(1_700_000_000, clock.Load()) }
		s.Checks = []Check{{"postgres", true, func(context.Context) error { asked.Add(1); return nil }}}
	})
	crowd := func() {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if r := b.raw(t, "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); r.status != http.StatusOK {
					t.Errorf("readyz: %d", r.status)
				}
			})
		}
		all.Wait()
	}
	crowd()
	equal(t, "looks of a crowd", strconv.FormatInt(asked.Load(), 10), "1")
	clock.Store(int64(readyFor) - 1)
	crowd()
	equal(t, "looks within a second", strconv.FormatInt(asked.Load(), 10), "1")
	clock.Store(int64(readyFor))
	crowd()
	equal(t, "looks after it", strconv.FormatInt(asked.Load(), 10), "2")
}
