package postgres_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// interleave runs two calls in every interleaving in which the first one pauses once: it
// pauses before its statement k, the second call runs until it ends or waits for a lock,
// then the first one continues. Then the calls swap their roles. prepare sets up each run,
// check is called after it.
func interleave(t *testing.T, b bundle, prepare func() (first, second func(ctx context.Context, db *postgres.DB) error), check func(t *testing.T, first, second error)) {
	t.Helper()
	db, err := b.Stepped(t.Context())
	ok(t, err)
	defer db.Close()
	for _, swapped := range []bool{false, true} {
		for k := 0; ; k++ {
			one, two := prepare()
			if swapped {
				one, two = two, one
			}
			paused, errOne, errTwo := pausedAt(t, db, k, one, two)
			if swapped {
				errOne, errTwo = errTwo, errOne
			}
			t.Run(fmt.Sprintf("second first %v, pause %d", swapped, k), func(t *testing.T) { check(t, errOne, errTwo) })
			if !paused { // the first call has fewer statements
				break
			}
		}
	}
}

// pausedAt runs one, which pauses before its statement k, while two runs until it ends or
// waits for a lock. paused reports whether one has that many statements.
func pausedAt(t *testing.T, db *postgres.DB, k int, one, two func(ctx context.Context, db *postgres.DB) error) (paused bool, errOne, errTwo error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reached, goOn := make(chan struct{}), make(chan struct{})
	first, second := make(chan error, 1), make(chan error, 1)
	var pid atomic.Uint32
	n := 0
	go func() {
		first <- one(postgres.Stepping(ctx, func(uint32, string) {
			if n++; n == k+1 {
				close(reached)
				<-goOn
			}
		}), db)
	}()
	select {
	case <-reached:
		paused = true
	case errOne = <-first:
	}
	go func() { second <- two(postgres.Stepping(ctx, func(p uint32, _ string) { pid.Store(p) }), db) }()
	ended := false
	for !ended && !blocked(t, db, pid.Load()) {
		select {
		case errTwo = <-second:
			ended = true
		default:
		}
	}
	close(goOn)
	if paused {
		errOne = <-first
	}
	if !ended {
		errTwo = <-second
	}
	return paused, errOne, errTwo
}

// blocked reports whether a connection waits for a lock.
func blocked(t *testing.T, db *postgres.DB, pid uint32) (waits bool) {
	t.Helper()
	ok(t, db.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND NOT granted)`, pid).Scan(&waits))
	return waits
}

// session is a sign-in with two of its tokens.
type session struct {
	user          postgres.User
	spent, living []byte // a spent token, and the token it was exchanged for
	fresh         [][]byte
}

func newSession(t *testing.T, b bundle) *session {
	t.Helper()
	u := b.addUser(t, uuid.NewString()+"@exemple.org", "user")
	u, err := b.UserByID(t.Context(), u.ID)
	ok(t, err)
	s := &session{user: u, spent: []byte(uuid.NewString()), living: []byte(uuid.NewString())}
	later := time.Now().Add(time.Hour)
	ok(t, b.CreateRefreshToken(t.Context(), signIn(s.spent, u, later)))
	_, _, err = b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: s.spent, Fresh: s.living, Expires: later})
	ok(t, err)
	return s
}

// rotate exchanges a token of the session.
func (s *session) rotate(old []byte, to *postgres.User) func(context.Context, *postgres.DB) error {
	fresh := []byte(uuid.NewString())
	s.fresh = append(s.fresh, fresh)
	return func(ctx context.Context, db *postgres.DB) (err error) {
		u, _, err := db.RotateRefreshToken(ctx, postgres.Renewal{Old: old, Fresh: fresh, Expires: time.Now().Add(time.Hour)})
		if err == nil && to != nil {
			*to = u
		}
		return err
	}
}

// wantDead checks that no token of the session is valid.
func (s *session) wantDead(t *testing.T, b bundle, given postgres.User) {
	t.Helper()
	for i, token := range append(s.fresh, s.living) {
		var used bool
		_ = b.QueryRow(t.Context(), `SELECT used_at IS NOT NULL FROM refresh_tokens WHERE token_hash = $1`, token).Scan(&used) // the token may not exist
		if _, _, err := b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: token, Fresh: []byte(uuid.NewString()), Expires: time.Now().Add(time.Hour)}); err == nil {
			t.Errorf("token %d (used: %v) is still good", i, used)
		}
	}
	now, err := b.UserByID(t.Context(), s.user.ID)
	ok(t, err)
	if given.ID != uuid.Nil && given.TokenVersion == now.TokenVersion {
		t.Error("an access token was given that is still good")
	}
}

func noDeadlock(t *testing.T, results ...error) {
	t.Helper()
	for _, err := range results {
		if err != nil && !errs.Is(err, errs.Unauthorized) {
			t.Errorf("unexpected: %v", err)
		}
	}
}

// If an account is closed, in any of the possible ways, while a session is renewed, the
// session ends.
func TestARenewalRacesTheEndOfItsSession(t *testing.T) {
	b := setup(t)
	closed := false
	for name, end := range map[string]func(ctx context.Context, db *postgres.DB, s *session) error{
		"another password": func(ctx context.Context, db *postgres.DB, s *session) error {
			return db.SetPassword(ctx, s.user.ID, "z")
		},
		"deactivation": func(ctx context.Context, db *postgres.DB, s *session) error {
			_, err := db.ChangeUser(ctx, s.user.ID, postgres.UserChange{Active: &closed})
			return err
		},
		"erasure": func(ctx context.Context, db *postgres.DB, s *session) error {
			_, err := db.EraseUser(ctx, s.user.Email, false)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s *session
			var given postgres.User
			interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
				s, given = newSession(t, b), postgres.User{}
				own := s
				return s.rotate(s.living, &given), func(ctx context.Context, db *postgres.DB) error { return end(ctx, db, own) }
			}, func(t *testing.T, first, second error) {
				noDeadlock(t, first)
				ok(t, second)
				s.wantDead(t, b, given)
			})
		})
	}
}

// A sign-in whose password was checked before the password changed opens no session.
func TestASignInRacesAnotherPassword(t *testing.T) {
	b := setup(t)
	var s *session
	var token []byte
	interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
		s, token = newSession(t, b), []byte(uuid.NewString())
		own, hash := s, token
		return func(ctx context.Context, db *postgres.DB) error {
				return db.CreateRefreshToken(ctx, signIn(hash, own.user, time.Now().Add(time.Hour)))
			}, func(ctx context.Context, db *postgres.DB) error {
				return db.SetPassword(ctx, own.user.ID, "z")
			}
	}, func(t *testing.T, first, second error) {
		noDeadlock(t, first)
		ok(t, second)
		var open int // sessions with the old password: each was ended or was never opened
		ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM refresh_tokens WHERE user_id = $1 AND revoked_at IS NULL`, s.user.ID).Scan(&open))
		if open != 0 {
			t.Errorf("%d sessions were begun with a password that had changed", open)
		}
		s.fresh = append(s.fresh, token)
		s.wantDead(t, b, s.user)
	})
}

// A sign-out during a renewal invalidates both tokens. So does reuse of the spent token,
// even twice.
func TestARenewalRacesTheEndOfItsFamily(t *testing.T) {
	b := setup(t)
	for name, other := range map[string]func(s *session) func(context.Context, *postgres.DB) error{
		"sign-out": func(s *session) func(context.Context, *postgres.DB) error {
			return func(ctx context.Context, db *postgres.DB) error { return db.RevokeFamily(ctx, s.living, nil) }
		},
		"reuse": func(s *session) func(context.Context, *postgres.DB) error { return s.rotate(s.spent, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			var s *session
			interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
				s = newSession(t, b)
				return s.rotate(s.living, nil), other(s)
			}, func(t *testing.T, first, second error) {
				noDeadlock(t, first, second)
				s.wantDead(t, b, postgres.User{})
			})
		})
	}
	t.Run("two that were spent", func(t *testing.T) {
		var s *session
		interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
			s = newSession(t, b)
			ok(t, s.rotate(s.living, nil)(t.Context(), b.DB))
			return s.rotate(s.spent, nil), s.rotate(s.living, nil)
		}, func(t *testing.T, first, second error) {
			wantKind(t, first, errs.Unauthorized)
			wantKind(t, second, errs.Unauthorized)
			s.wantDead(t, b, postgres.User{})
		})
	})
}

// A session ends at its time, however often it is renewed.
func TestASessionHasAnEnd(t *testing.T) {
	b := setup(t)
	now := time.Now()
	one := signIn([]byte("un"), b.user, now.Add(time.Hour))
	one.Ends = now.Add(90 * time.Minute)
	ok(t, b.CreateRefreshToken(t.Context(), one))
	_, life, err := b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: []byte("un"), Fresh: []byte("deux"), Expires: now.Add(30 * 24 * time.Hour)})
	ok(t, err)
	if life > 90*time.Minute || life < time.Hour {
		t.Errorf("the second token lives for %v, the session ends in 90 minutes", life)
	}
	ok(t, b.Exec(t.Context(), `UPDATE refresh_tokens SET ends_at = ends_at - interval '2 hours', expires_at = expires_at - interval '2 hours'`))
	_, _, err = b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: []byte("deux"), Fresh: []byte("trois"), Expires: now.Add(30 * 24 * time.Hour)})
	wantKind(t, err, errs.Unauthorized)
}

// Prune deletes rows that are no longer needed, and a follower of the catalogue still gets
// the same changes.
func TestPruneRemovesWhatNothingAsksFor(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("un"), b.user, time.Now().Add(time.Hour))))
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("deux"), b.user, time.Now().Add(-25*time.Hour))))
	one, two := uuid.New(), uuid.New()
	for _, id := range []uuid.UUID{one, two, one, one} {
		ok(t, b.Exec(ctx, `INSERT INTO catalogue_changes (document_id, changed_at) VALUES ($1, now() - interval '31 days')`, id))
	}
	ok(t, b.Exec(ctx, `INSERT INTO catalogue_changes (document_id) VALUES ($1)`, two))
	before, version, err := b.Changes(ctx, 0)
	ok(t, err)
	n, err := b.Prune(ctx, time.Hour)
	ok(t, err)
	if n != 4 { // a token, two changes of one text, and the first of two changes of another
		t.Errorf("%d rows went, want 4", n)
	}
	after, same, err := b.Changes(ctx, 0)
	ok(t, err)
	if len(after) != len(before) || version != same {
		t.Errorf("changes %v to %d were %v to %d", after, same, before, version)
	}
	if n, err = b.Prune(ctx, time.Hour); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

// A message about a password that is asked for while its account is erased keeps neither the
// address nor the name.
func TestAResetRacesAnErasure(t *testing.T) {
	b := setup(t)
	for name, ask := range map[string]func(ctx context.Context, db *postgres.DB, email string) error{
		"a reset": func(ctx context.Context, db *postgres.DB, email string) error {
			return db.AskReset(ctx, email, "https://x/#")
		},
		"a sign-up": func(ctx context.Context, db *postgres.DB, email string) error {
			return db.AskSignup(ctx, email, "Awa", "https://x/#")
		},
	} {
		t.Run(name, func(t *testing.T) {
			var u postgres.User
			interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
				u = b.addUser(t, uuid.NewString()+"@exemple.org", "user")
				own := u
				return func(ctx context.Context, db *postgres.DB) error { return ask(ctx, db, own.Email) },
					func(ctx context.Context, db *postgres.DB) error {
						_, err := db.EraseUser(ctx, own.Email, false)
						return err
					}
			}, func(t *testing.T, first, second error) {
				noDeadlock(t, first, second)
				var tied int // messages about the account; after it, a sign-up at its address is a stranger's
				ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM account_letters WHERE user_id = $1 OR kind = 'reset' AND email = $2`, u.ID, u.Email).Scan(&tied))
				if tied > 0 {
					t.Errorf("%d messages are kept", tied)
				}
			})
		})
	}
}
