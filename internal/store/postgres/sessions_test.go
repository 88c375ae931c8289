package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func withParam(url, param string) string {
	if strings.Contains(url, "?") {
		return url + "&" + param
	}
	return url + "?" + param
}

func TestSessionsAreLimited(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	for _, c := range []struct{ url, name, want string }{
		{url, "statement_timeout", "10min"}, {url, "lock_timeout", "1min"}, {url, "idle_in_transaction_session_timeout", "15s"},
		{withParam(url, "lock_timeout=7000"), "lock_timeout", "7s"},
	} {
		db, err := postgres.Open(t.Context(), c.url)
		ok(t, err)
		var got string
		ok(t, db.QueryRow(t.Context(), `SELECT current_setting($1)`, c.name).Scan(&got))
		if got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
		db.Close()
	}
	for _, c := range []struct {
		url     string
		program postgres.Program
		want    int32
	}{
		{url, postgres.Program{}, 4},
		{url, postgres.Program{Connections: 50}, 50},
		{url, postgres.Program{Connections: 8, Leases: true}, 5},
		{withParam(url, "pool_max_conns=3"), postgres.Program{Connections: 50, Leases: true}, 3},
	} {
		db, err := postgres.OpenFor(t.Context(), c.url, c.program)
		ok(t, err)
		if pool, renewals := db.Sizes(); pool != c.want || renewals < 1 {
			t.Errorf("%d connections and %d for renewals, want %d", pool, renewals, c.want)
		}
		db.Close()
	}
}

// An address with pool_max_conns also works for connections outside the pool.
func TestTheSizeOfThePoolIsNoParameterOfTheServer(t *testing.T) {
	t.Parallel()
	url := withParam(pgtest.NewURL(t), "pool_max_conns=2")
	_, err := postgres.Migrate(t.Context(), url, nil)
	ok(t, err)
	_, err = examine(t, url)
	ok(t, err)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	ctx, listening := context.WithCancel(t.Context())
	if err := db.Listen(ctx, listening); !errors.Is(err, context.Canceled) {
		t.Errorf("listened until %v", err)
	}
}

// A process that stops in the middle of announce blocks others for at most the idle limit
// of its session.
func TestAStoppedWriterBlocksNobodyForLong(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), pgtest.NewURL(t))
	ok(t, err)
	defer db.Close()
	const lock = `SELECT pg_advisory_xact_lock(8532464722941145649)` // the lock of announce
	stopped, err := db.Begin(t.Context())
	ok(t, err)
	_, err = stopped.Exec(t.Context(), lock)
	ok(t, err)
	// The session is idle from here on. The limit is set only now, because it would also end
	// the session during the test's own pauses.
	_, err = stopped.Exec(t.Context(), `SET LOCAL idle_in_transaction_session_timeout = 300`)
	ok(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	ok(t, db.Exec(ctx, lock))
	_, err = stopped.Exec(t.Context(), `SELECT 1`)
	if err == nil {
		t.Error("the transaction that stood still goes on")
	}
	_ = stopped.Rollback(t.Context()) // its connection is closed
}

// A lease is renewed even if all connections of the pool are busy.
func TestALeaseIsRenewedWhileThePoolIsBusy(t *testing.T) {
	b := setup(t)
	_, id := b.ask(t, nil, "Combien de jours ?")
	_, err := b.StartAnswer(t.Context(), id)
	ok(t, err)
	most, _ := b.Sizes()
	for range most {
		release, err := b.Acquire(t.Context())
		ok(t, err)
		t.Cleanup(release)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	_, err = b.KeepAnswer(ctx, id, 1)
	ok(t, err)
}

// If bytes are deleted while they are added again, either the bytes exist in the end or no
// row is added.
func TestBytesThatAreDroppedWhileTheyAreAdded(t *testing.T) {
	b := setup(t)
	var kept atomic.Bool
	var row postgres.Ingestion
	interleave(t, b, func() (first, second func(ctx context.Context, db *postgres.DB) error) {
		kept.Store(true) // the upload has stored them
		row = postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.ReplaceAll(postgres.NewID().String()+postgres.NewID().String(), "-", ""), Filename: "a.pdf", Size: 1}
		own := row
		return func(ctx context.Context, db *postgres.DB) error {
				return db.AddFile(ctx, own, func(context.Context) error {
					if !kept.Load() {
						return errs.New(errs.NotFound, "")
					}
					return nil
				})
			}, func(ctx context.Context, db *postgres.DB) error {
				_, err := db.DropBytes(ctx, own.SHA256, func(context.Context) error { kept.Store(false); return nil })
				return err
			}
	}, func(t *testing.T, added, dropped error) {
		ok(t, dropped)
		_, err := b.IngestionBySHA(t.Context(), row.SHA256)
		if there := err == nil; there != kept.Load() || there != (added == nil) {
			t.Errorf("the row is there: %v, its bytes: %v, added: %v", there, kept.Load(), added)
		}
	})
}

// again exchanges a token as rotate does, for a client that may have lost the first reply.
func (s *session) again(old []byte) func(context.Context, *postgres.DB) error {
	fresh := []byte(uuid.NewString())
	s.fresh = append(s.fresh, fresh)
	return func(ctx context.Context, db *postgres.DB) error {
		_, err := db.RotateRefreshToken(ctx, postgres.Renewal{Old: old, Fresh: fresh, Expires: time.Now().Add(time.Hour), Grace: time.Hour})
		return err
	}
}

// last returns the token of the session's last renewal.
func (s *session) last() []byte { return s.fresh[len(s.fresh)-1] }

// wantAlive checks how many tokens of the session are still valid.
func (s *session) wantAlive(t *testing.T, b bundle, want int) {
	t.Helper()
	var alive int
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM refresh_tokens t JOIN users u ON u.id = t.user_id
		WHERE u.id = $1 AND u.active AND t.token_version = u.token_version AND t.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()`, s.user.ID).Scan(&alive))
	if alive != want {
		t.Errorf("%d tokens are good, want %d", alive, want)
	}
}

// wantNoted checks how often the audit log records a repeated renewal in the session, and
// how often its end by reuse.
func (s *session) wantNoted(t *testing.T, b bundle, repeated, reused int) {
	t.Helper()
	var gotRepeated, gotReused int
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE action = $2), count(*) FILTER (WHERE action = $3) FROM audit WHERE user_id = $1`,
		s.user.ID, postgres.RefreshRepeated, postgres.RefreshReused).Scan(&gotRepeated, &gotReused))
	if gotRepeated != repeated || gotReused != reused {
		t.Errorf("the log tells of %d repeats and %d reuses, want %d and %d", gotRepeated, gotReused, repeated, reused)
	}
}

// A client that lost the reply to a renewal can repeat the renewal once. Of the two new
// tokens, the one that is used first stays valid.
func TestALostReplyIsAskedForAgain(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for name, first := range map[string]bool{"the first is used": true, "the second is used": false} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, b)
			ok(t, s.again(s.spent)(ctx, b.DB))
			s.wantAlive(t, b, 2)
			s.wantNoted(t, b, 1, 0)
			sessions, err := b.OpenSessions(ctx, s.user.ID)
			ok(t, err)
			if len(sessions) != 1 {
				t.Errorf("%d sessions are listed, want 1", len(sessions))
			}
			used, other := s.last(), s.living
			if first {
				used, other = other, used
			}
			ok(t, s.again(used)(ctx, b.DB))
			s.wantAlive(t, b, 1)
			ok(t, s.again(s.last())(ctx, b.DB)) // the client continues normally
			s.wantAlive(t, b, 1)
			wantKind(t, s.again(other)(ctx, b.DB), errs.Unauthorized) // somebody else has the token
			s.wantAlive(t, b, 0)
			s.wantNoted(t, b, 1, 1)
		})
	}
}

// Every other use of a spent token is reuse and ends the session.
func TestWhatIsNoLostReplyEndsTheSession(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for name, before := range map[string]func(t *testing.T, s *session){
		"a third time": func(t *testing.T, s *session) { ok(t, s.again(s.spent)(ctx, b.DB)) },
		"what it gave was used": func(t *testing.T, s *session) {
			ok(t, s.again(s.living)(ctx, b.DB))
		},
		"too late": func(t *testing.T, s *session) {
			ok(t, b.Exec(ctx, `UPDATE refresh_tokens SET used_at = used_at - interval '61 minutes' WHERE user_id = $1`, s.user.ID))
		},
		"of a program that notes no parent": func(t *testing.T, s *session) {
			ok(t, b.Exec(ctx, `UPDATE refresh_tokens SET parent = NULL WHERE user_id = $1`, s.user.ID))
		},
		"the password is another": func(t *testing.T, s *session) { ok(t, b.SetPassword(ctx, s.user.ID, "z")) },
		"the account is closed":   func(t *testing.T, s *session) { ok(t, pgtest.SetActive(ctx, b.DB, s.user.ID, false)) },
		"signed out":              func(t *testing.T, s *session) { ok(t, b.RevokeFamily(ctx, s.living, nil)) },
		"it has expired": func(t *testing.T, s *session) {
			ok(t, b.Exec(ctx, `UPDATE refresh_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = $1`, s.spent))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, b)
			before(t, s)
			wantKind(t, s.again(s.spent)(ctx, b.DB), errs.Unauthorized)
			s.wantAlive(t, b, 0)
		})
	}
	t.Run("without a grace", func(t *testing.T) {
		s := newSession(t, b)
		wantKind(t, s.rotate(s.spent, nil)(ctx, b.DB), errs.Unauthorized)
		s.wantAlive(t, b, 0)
		s.wantNoted(t, b, 0, 1)
	})
}

// Whatever happens at the same time as a repeated renewal, the use of one new token
// invalidates its sibling, and a session that has ended has no valid token.
func TestALostReplyRaces(t *testing.T) {
	b := setup(t)
	type call = func(context.Context, *postgres.DB) error
	for name, c := range map[string]struct {
		calls func(s *session) (first, second call)
		check func(t *testing.T, s *session, first, second error)
	}{
		"the use of what the first gave": {
			func(s *session) (call, call) { return s.again(s.spent), s.again(s.living) },
			func(t *testing.T, s *session, first, second error) {
				ok(t, second)
				if first == nil { // the use of the sibling has spent the token of the repeated renewal
					s.wantAlive(t, b, 1)
					return
				}
				wantKind(t, first, errs.Unauthorized)
				s.wantAlive(t, b, 0)
			},
		},
		"another repeat": {
			func(s *session) (call, call) { return s.again(s.spent), s.again(s.spent) },
			func(t *testing.T, s *session, first, second error) {
				if (first == nil) == (second == nil) {
					t.Errorf("of two repeats: %v and %v", first, second)
				}
				s.wantAlive(t, b, 0)
			},
		},
		"the first renewal itself": {
			func(s *session) (call, call) { return s.again(s.living), s.again(s.living) },
			func(t *testing.T, s *session, first, second error) {
				ok(t, first)
				ok(t, second)
				s.wantAlive(t, b, 2)
				s.wantNoted(t, b, 1, 0)
			},
		},
		"sign-out": {
			func(s *session) (call, call) {
				return s.again(s.spent), func(ctx context.Context, db *postgres.DB) error { return db.RevokeFamily(ctx, s.living, nil) }
			},
			func(t *testing.T, s *session, first, second error) {
				noDeadlock(t, first)
				ok(t, second)
				s.wantAlive(t, b, 0)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s *session
			interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
				s = newSession(t, b)
				return c.calls(s)
			}, func(t *testing.T, first, second error) { c.check(t, s, first, second) })
		})
	}
	t.Run("its twin", func(t *testing.T) {
		var s *session
		interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
			s = newSession(t, b)
			ok(t, s.again(s.spent)(t.Context(), b.DB))
			twin := s.last()
			return s.again(s.living), s.again(twin)
		}, func(t *testing.T, first, second error) {
			if (first == nil) == (second == nil) {
				t.Errorf("both tokens of a lost reply were used: %v and %v", first, second)
			}
			s.wantAlive(t, b, 0)
		})
	})
}
