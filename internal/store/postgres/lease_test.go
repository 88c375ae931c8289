package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// hold locks a table against writers until release is called.
func (b bundle) hold(t *testing.T, table string) (release func()) {
	t.Helper()
	tx, err := b.Begin(t.Context())
	ok(t, err)
	_, err = tx.Exec(t.Context(), `LOCK TABLE `+pgx.Identifier{table}.Sanitize()+` IN SHARE MODE`)
	ok(t, err)
	// Also if the test fails, because the database can be closed only after the waiting
	// statements have ended.
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	return func() {
		t.Helper()
		ok(t, tx.Rollback(t.Context()))
	}
}

// waiting returns once n transactions wait for a lock. It polls, because PostgreSQL has no
// notification for that.
func (b bundle) waiting(t *testing.T, least int) {
	t.Helper()
	ctx := soon(t)
	for n := 0; n < least; time.Sleep(10 * time.Millisecond) {
		ok(t, b.QueryRow(ctx, `SELECT count(DISTINCT l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
			WHERE NOT l.granted AND a.datname = current_database()`).Scan(&n))
	}
}

// later runs f concurrently and returns its error.
func later(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}

// soon returns a context that ends calls that would otherwise wait forever. Its timeout is
// much longer than any call should take.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func (b bundle) count(t *testing.T, table string) (n int) {
	t.Helper()
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM `+pgx.Identifier{table}.Sanitize()).Scan(&n))
	return n
}

func TestLeaseIsRenewedWhileTextsAreSaved(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	release := b.hold(t, "passages")
	saved := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text("Loi", "1", day("2024-01-01"), "1er")}})
	})
	b.waiting(t, 1)
	if cancel, err := b.KeepIngestion(soon(t), i.ID, i.Attempt, 0); err != nil || cancel {
		t.Errorf("renewed in mid-save: cancel %v, %v", cancel, err)
	}
	ok(t, b.CancelIngestion(soon(t), i.ID))
	if cancel, err := b.KeepIngestion(soon(t), i.ID, i.Attempt, 0); err != nil || !cancel {
		t.Errorf("canceled in mid-save: cancel %v, %v", cancel, err)
	}
	release()
	ok(t, <-saved)
	if n := b.count(t, "passages"); n != 1 {
		t.Errorf("%d passages saved", n)
	}
}

func TestSaveOfALostAttemptLeavesNothing(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	release := b.hold(t, "passages")
	old := []postgres.StoredText{text("Ancienne", "1", day("2024-01-01"), "1er")}
	saved := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: old})
	})
	b.waiting(t, 1)
	b.expire(t, "ingestions", i.ID)
	due, err := b.DueIngestions(soon(t), 10)
	if err != nil || len(due) != 1 {
		t.Fatalf("due %v, %v", due, err)
	}
	newer, err := b.StartIngestion(soon(t), i.ID)
	ok(t, err)
	pages := []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("1")}}
	ok(t, b.SavePages(soon(t), i.ID, newer.Attempt, pages, 1))
	better := []postgres.StoredText{text("Nouvelle", "1", day("2024-01-01"), "1er", "2")}
	again := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, newer.Attempt, postgres.Segmentation{Texts: better})
	})
	b.waiting(t, 2)
	_, err = b.KeepIngestion(soon(t), i.ID, newer.Attempt, 0)
	ok(t, err)
	release()
	wantKind(t, <-saved, errs.LeaseLost)
	ok(t, <-again)
	if n := b.count(t, "passages"); n != 2 {
		t.Errorf("%d passages, want those of the newer attempt alone", n)
	}
	if n := b.count(t, "catalogue_changes"); n != 1 {
		t.Errorf("%d changes are told: one was saved", n)
	}
	wantKind(t, b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{}), errs.LeaseLost)
}

// A file that is segmented again has texts in the catalogue, which an editor may change
// while they are saved: one transaction waits for the other, without a deadlock.
func TestSaveAndChangeOfOneFileFollowOneAnother(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	law := text("Loi", "1", day("2024-01-01"), "1er")
	b.save(t, i, law)
	title := "Loi changée"
	change := func() error {
		_, err := b.ChangeDocument(t.Context(), law.Document.ID, postgres.DocumentChange{Title: &title}, postgres.StatusChange{})
		return err
	}
	release := b.hold(t, "passages")
	saved := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{law}})
	})
	b.waiting(t, 1)
	changed := later(change)
	b.waiting(t, 2)
	_, err := b.KeepIngestion(soon(t), i.ID, i.Attempt, 0)
	ok(t, err)
	release()
	ok(t, <-saved)
	ok(t, <-changed)

	// In the other order: the change is running when the save begins.
	release = b.hold(t, "relation_targets")
	changed = later(change)
	b.waiting(t, 1)
	saved = later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{law}})
	})
	b.waiting(t, 2)
	release()
	ok(t, <-changed)
	ok(t, <-saved)
	if d, err := b.Document(t.Context(), law.Document.ID); err != nil || d.Title != title {
		t.Errorf("the text is called %q, %v", d.Title, err)
	}
}

func TestLeaseIsRenewedWhileVectorsAreSaved(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	law := text("Loi", "1", day("2024-01-01"), "1er")
	b.save(t, i, law)
	vectors := []postgres.PassageVectors{{PassageID: law.Passages[0].ID, Packed: []byte{1}}}
	for _, role := range []string{"current", "next"} {
		g, err := b.EnsureGeneration(ctx, postgres.Generation{ID: postgres.NewID(), Model: role, Dimensions: 1, Probe: []byte{1}},
			func(postgres.Generation) bool { return false })
		ok(t, err)
		l, err := b.LeaseEmbedding(ctx, g.ID)
		ok(t, err)
		writes := []func(l postgres.Leased) error{func(l postgres.Leased) error { return b.SaveVectors(ctx, g.ID, l.Attempt, vectors) }}
		if role == "next" { // then the vectors of the current generation are deleted
			writes = append(writes, func(l postgres.Leased) error {
				_, err := b.FinishEmbedding(ctx, l, 1)
				return err
			})
		}
		for _, write := range writes {
			release := b.hold(t, "vectors")
			done := later(func() error { return write(l) })
			b.waiting(t, 1)
			// Meanwhile, a starting worker looks up its generation.
			started, err := b.EnsureGeneration(soon(t), postgres.Generation{}, func(known postgres.Generation) bool { return known.ID == g.ID })
			if err != nil || started.ID != g.ID {
				t.Fatalf("a worker that starts finds %v, %v", started.ID, err)
			}
			ok(t, b.RenewEmbedding(soon(t), l, 0))
			b.expire(t, "generations", g.ID)
			newer, err := b.LeaseEmbedding(soon(t), g.ID)
			ok(t, err)
			release()
			wantKind(t, <-done, errs.LeaseLost)
			ok(t, write(newer))
			l = newer
		}
	}
	if list, err := b.Generations(ctx); err != nil || len(list) != 1 || list[0].Model != "next" || !list[0].Current {
		t.Errorf("generations %+v, %v", list, err)
	}
}

func TestAttemptThatItsWorkerOutlivesIsNoDeath(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	lose := func() (attempt int) {
		b.expire(t, "ingestions", i.ID)
		next, err := b.StartIngestion(ctx, i.ID)
		ok(t, err)
		return next.Attempt - 1
	}
	for range postgres.MaxAttempts + 1 {
		ok(t, b.ExcuseIngestion(ctx, i.ID, lose())) // while the next attempt is running
	}
	b.expire(t, "ingestions", i.ID)
	_, err := b.FailHopeless(ctx)
	ok(t, err)
	row, err := b.Ingestion(ctx, i.ID)
	ok(t, err)
	if excused := postgres.MaxAttempts + 1; row.State != "running" || row.Failures != excused || row.Tries != excused+1 {
		t.Fatalf("%s after %d failures, %d tries", row.State, row.Failures, row.Tries)
	}

	// An attempt that does not count as a crash is not excused instead of another one.
	lost := lose()
	ok(t, b.SavePages(ctx, i.ID, lost+1, []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("1")}}, 1))
	ok(t, b.ExcuseIngestion(ctx, i.ID, lost))
	for range postgres.MaxAttempts - 1 {
		lose()
	}
	b.expire(t, "ingestions", i.ID)
	_, err = b.FailHopeless(ctx)
	ok(t, err)
	if row, err = b.Ingestion(ctx, i.ID); err != nil || row.State != "failed" || row.Error != postgres.LostText {
		t.Errorf("%s (%s), %v: %d attempts were lost since a page was read", row.State, row.Error, err, postgres.MaxAttempts)
	}
	ok(t, b.ExcuseIngestion(ctx, i.ID, row.Attempt))
	if again, err := b.Ingestion(ctx, i.ID); err != nil || again.Failures != row.Failures {
		t.Errorf("what has ended is excused: %+v, %v", again, err)
	}
}

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
	_, err = b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: s.spent, Fresh: s.living, Expires: later})
	ok(t, err)
	return s
}

// rotate exchanges a token of the session.
func (s *session) rotate(old []byte, to *postgres.User) func(context.Context, *postgres.DB) error {
	fresh := []byte(uuid.NewString())
	s.fresh = append(s.fresh, fresh)
	return func(ctx context.Context, db *postgres.DB) (err error) {
		renewed, err := db.RotateRefreshToken(ctx, postgres.Renewal{Old: old, Fresh: fresh, Expires: time.Now().Add(time.Hour)})
		if err == nil && to != nil {
			*to = renewed.User
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
		if _, err := b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: token, Fresh: []byte(uuid.NewString()), Expires: time.Now().Add(time.Hour)}); err == nil {
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
	session, err := b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: []byte("un"), Fresh: []byte("deux"), Expires: now.Add(30 * 24 * time.Hour)})
	ok(t, err)
	if life := session.Life; life > 90*time.Minute || life < time.Hour {
		t.Errorf("the second token lives for %v, the session ends in 90 minutes", life)
	}
	ok(t, b.Exec(t.Context(), `UPDATE refresh_tokens SET ends_at = ends_at - interval '2 hours', expires_at = expires_at - interval '2 hours'`))
	_, err = b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: []byte("deux"), Fresh: []byte("trois"), Expires: now.Add(30 * 24 * time.Hour)})
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
	previous, version, err := b.Changes(ctx, 0)
	ok(t, err)
	n, err := b.Prune(ctx, time.Hour)
	ok(t, err)
	if n != 4 { // a token, two changes of one text, and the first of two changes of another
		t.Errorf("%d rows went, want 4", n)
	}
	following, same, err := b.Changes(ctx, 0)
	ok(t, err)
	if len(following) != len(previous) || version != same {
		t.Errorf("changes %v to %d were %v to %d", following, same, previous, version)
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

// TestWritersOfTextsTakeLocksInOneOrder segments a file again while an editor supersedes
// one of its texts by a text of another file, sets a repeal between both, deletes the other
// text, or settles the file itself. Wherever the segmentation is when the editor's call
// starts, there is no deadlock.
func TestWritersOfTextsTakeLocksInOneOrder(t *testing.T) {
	b := setup(t)
	steps, err := b.Stepped(t.Context())
	ok(t, err)
	defer steps.Close()
	round := 0
	prepare := func() (cut func(context.Context, *postgres.DB) error, editors []func(context.Context, *postgres.DB) error) {
		round++
		old := text("Loi une", fmt.Sprintf("2020-%d", round), day("2020-01-01"), "1er")
		by := text("Loi deux", fmt.Sprintf("2024-%d", round), day("2024-01-01"), "1er")
		by.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: by.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi,
			TargetNumber: old.Document.OfficialNumber, Effective: by.Document.EntersInForce}}
		waits := text("Loi trois", fmt.Sprintf("2022-%d", round), day("2022-01-01"), "1er")
		waits.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Illisible.", Confidence: .5}}
		one := b.addGazette(t, fmt.Sprintf("one %d", round))
		b.save(t, one, old)
		two := b.addGazette(t, fmt.Sprintf("two %d", round))
		b.save(t, two, by, waits)
		ok(t, b.MarkIngestion(t.Context(), two.ID, two.Attempt, "review", ""))
		said := postgres.StatusChange{RepealedBy: &by.Document.ID}
		return func(ctx context.Context, db *postgres.DB) error {
				return db.SaveSegmentation(ctx, one.ID, one.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{old}})
			}, []func(context.Context, *postgres.DB) error{
				func(ctx context.Context, db *postgres.DB) error {
					_, err := db.AcceptText(ctx, two.ID, waits.Document.ID, postgres.DocumentChange{Supersedes: &old.Document.ID})
					return err
				},
				func(ctx context.Context, db *postgres.DB) error {
					_, err := db.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, said)
					return err
				},
				func(ctx context.Context, db *postgres.DB) error {
					_, err := db.DeleteDocument(ctx, by.Document.ID)
					return err
				},
				func(ctx context.Context, db *postgres.DB) error { // of the same file, where nothing can be accepted then
					_, err := db.AcceptText(ctx, one.ID, old.Document.ID, postgres.DocumentChange{})
					return err
				},
			}
	}
	for _, step := range writing(t, steps, prepare) {
		for e := range 4 {
			cut, editors := prepare()
			_, errCut, errEdit := pausedAt(t, steps, step, cut, editors[e])
			if errCut != nil {
				t.Errorf("editor %d at statement %d: the cut failed: %v", e, step, errCut)
			}
			if errEdit != nil && !errs.Is(errEdit, errs.NotFound) && !errs.Is(errEdit, errs.Conflict) { // the segmentation deleted the text
				t.Errorf("editor %d at statement %d: %v", e, step, errEdit)
			}
		}
	}
}

// writing returns the numbers of the statements of a segmentation after which it holds more
// locks than before.
func writing(t *testing.T, db *postgres.DB, prepare func() (func(context.Context, *postgres.DB) error, []func(context.Context, *postgres.DB) error)) (steps []int) {
	t.Helper()
	cut, _ := prepare()
	n := 0
	ok(t, cut(postgres.Stepping(t.Context(), func(_ uint32, sql string) {
		n++
		if locks := strings.Contains(sql, "_lock(") || strings.Contains(sql, "FOR KEY SHARE") ||
			strings.HasPrefix(sql, "DELETE FROM documents") || strings.Contains(sql, "INSERT INTO catalogue_changes"); locks {
			steps = append(steps, n)
		}
	}), db))
	if len(steps) < 4 {
		t.Fatalf("only %d statements are known to lock", len(steps))
	}
	return steps
}

// TestTitleIsMeantByItsWords checks that a relation that names a code by its title does not
// match a text whose title merely contains the same letters. It must find the code
// whichever text was added first, after a correction of the code's title, and after the
// deletion of another text.
func TestTitleIsMeantByItsWords(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	change := text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Code,
		TargetTitle: "Code des 100% marchés_publics", Effective: day("2024-02-01")}}
	b.ingested(t, "change", change)
	letters := text("Code des 100% marchés_publicsX", "1990-2", day("1990-01-01"), "1er")
	other := text("Code des 1000 marchés publics", "1990-3", day("1990-01-01"), "1er")
	letters.Document.Type, other.Document.Type = law.Code, law.Code
	b.ingested(t, "letters", letters)
	b.ingested(t, "other", other)
	code := text("Loi portant code des 100% marches_publics, annexe", "1991-1", day("1991-01-01"), "1er")
	code.Document.Type = law.Code
	b.ingested(t, "code", code)
	tied := func() (ids []uuid.UUID) {
		r, err := b.Relations(ctx, change.Document.ID)
		ok(t, err)
		for _, a := range r.Amends {
			ids = append(ids, a.ID)
		}
		return ids
	}
	want := func(moment string, ids ...uuid.UUID) {
		t.Helper()
		if got := tied(); fmt.Sprint(got) != fmt.Sprint(ids) {
			t.Errorf("%s: tied to %v, want %v", moment, got, ids)
		}
	}
	want("the code came last", code.Document.ID)
	_, err := b.ChangeDocument(ctx, code.Document.ID, postgres.DocumentChange{Title: ptr("Code des marchés")}, postgres.StatusChange{})
	ok(t, err)
	want("the code is called otherwise")
	_, err = b.ChangeDocument(ctx, letters.Document.ID, postgres.DocumentChange{Title: ptr("Code des 100% marchés_publics")}, postgres.StatusChange{})
	ok(t, err)
	want("the other is called so", letters.Document.ID)
	_, err = b.ChangeDocument(ctx, code.Document.ID, postgres.DocumentChange{Title: ptr("Nouveau code des 100% marchés_publics")}, postgres.StatusChange{})
	ok(t, err)
	want("a second does not untie", letters.Document.ID)
	list, err := b.UncertainRelations(ctx, 10)
	if err != nil || len(list) != 0 {
		t.Errorf("uncertain though tied: %+v, %v", list, err)
	}
	_, err = b.DeleteDocument(ctx, letters.Document.ID)
	ok(t, err)
	want("one of two is left", code.Document.ID)
}

// A code that other texts amend by title loses their changes when it is renamed, and has
// them again under its old title: their effects on its status and articles go and come with
// them. If the changes match another text meanwhile, they become changes of that text.
func TestACodeIsCalledOtherwiseAndBack(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Code du commerce, livre premier", "", day("1990-01-01"), "1er", "2")
	code.Document.Type = law.Code
	sea := text("Code du commerce maritime", "", day("1991-01-01"), "1er")
	sea.Document.Type = law.Code
	change := text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	for i := range 40 {
		title := "Code du commerce, livre premier"
		if i == 0 {
			title = "Code du commerce"
		}
		change.Relations = append(change.Relations, law.Relation{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends,
			TargetType: law.Code, TargetTitle: title, TargetArticles: []string{"2"}, Effective: day("2024-02-01")})
	}
	b.ingested(t, "code", code)
	b.ingested(t, "sea", sea)
	b.ingested(t, "change", change)
	state := func() string {
		t.Helper()
		d, err := b.Document(ctx, code.Document.ID)
		ok(t, err)
		r, err := b.Relations(ctx, change.Document.ID)
		ok(t, err)
		amended := []string{}
		for _, a := range r.Amends {
			amended = append(amended, a.Title)
		}
		list, err := b.UncertainRelations(ctx, 100)
		ok(t, err)
		days, err := b.ArticleDays(ctx, code.Document.ID)
		ok(t, err)
		until := "open"
		if last := days[len(days)-1]; last.Number == "2" && last.To != nil {
			until = last.To.Format(time.DateOnly)
		}
		return fmt.Sprintf("%s, %q, %d uncertain, article 2 %s", d.Status, amended, len(list), until)
	}
	call := func(d postgres.StoredText, title string) {
		t.Helper()
		_, err := b.ChangeDocument(ctx, d.Document.ID, postgres.DocumentChange{Title: &title}, postgres.StatusChange{})
		ok(t, err)
	}
	for _, step := range []struct {
		what  string
		text  postgres.StoredText
		title string
		want  string
	}{
		{"as they came", code, "", `modifie, ["Code du commerce, livre premier"], 1 uncertain, article 2 2024-02-01`},
		{"the code is called otherwise", code, "Code général", `en_vigueur, ["Code du commerce maritime"], 0 uncertain, article 2 open`},
		{"the other too", sea, "Code maritime", `en_vigueur, [], 0 uncertain, article 2 open`},
		{"the code as before", code, "Code du commerce, livre premier", `modifie, ["Code du commerce, livre premier"], 0 uncertain, article 2 2024-02-01`},
		{"by the very same title", code, "Code du commerce, livre premier", `modifie, ["Code du commerce, livre premier"], 0 uncertain, article 2 2024-02-01`},
		{"a second", sea, "Code du commerce maritime", `modifie, ["Code du commerce, livre premier"], 0 uncertain, article 2 2024-02-01`},
	} {
		if step.title != "" {
			call(step.text, step.title)
		}
		if got := state(); got != step.want {
			t.Errorf("%s: %s, want %s", step.what, got, step.want)
		}
	}
}

// TestProcessesAreThoseThatAreConnected checks that a process is listed while it is connected, once, however many
// connections it has.
func TestProcessesAreThoseThatAreConnected(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	command, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(command.Close)
	seen := func() string {
		t.Helper()
		all, err := command.Processes(t.Context())
		ok(t, err)
		var names []string
		for _, p := range all {
			if p.ID == "" || p.Version == "" || p.Newest < 100 {
				t.Errorf("half a process: %+v", p)
			}
			names = append(names, p.Program)
		}
		return strings.Join(names, " ")
	}
	if got := seen(); got != "" {
		t.Errorf("the command is a process of the service: %s", got)
	}
	api, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "api", Connections: 8})
	ok(t, err)
	first, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Connections: 8})
	ok(t, err)
	second, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Connections: 8})
	ok(t, err)
	t.Cleanup(second.Close)
	if got := seen(); got != "api worker worker" {
		t.Errorf("saw « %s »", got)
	}
	api.Close()
	first.Close()
	// The server ends a session shortly after its connection is closed.
	for limit := time.Now().Add(3 * time.Minute); seen() != "worker"; {
		if time.Now().After(limit) {
			t.Fatalf("saw « %s » long after two of them ended", seen())
		}
	}
	own, err := postgres.OpenFor(t.Context(), url+"&application_name=ours", postgres.Program{Name: "worker"})
	ok(t, err)
	t.Cleanup(own.Close)
	if got := seen(); got != "worker" {
		t.Errorf("the operator's name is written over: %s", got)
	}
}
