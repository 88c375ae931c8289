package postgres_test

import (
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// links are the lifetimes of links that the tests configure.
var links = postgres.LinkLives{Reset: 2 * time.Hour, Signup: 72 * time.Hour}

// Every request adds a row, but a request for an address without an account adds a row
// without the address.
func TestResetsOfStrangersLeaveARowWithoutAnAddress(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.AskReset(ctx, b.user.Email, "x"))
	ok(t, b.AskReset(ctx, "personne@exemple.org", "x"))
	var rows, waiting, addresses int
	ok(t, b.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE email <> '') FROM account_letters`).Scan(&rows, &waiting, &addresses))
	if rows != 2 || waiting != 1 || addresses != 1 {
		t.Errorf("%d rows, %d to be sent, %d addresses", rows, waiting, addresses)
	}
	if found := b.holds(t, "personne@exemple.org"); len(found) > 0 {
		t.Errorf("the address of a stranger is in %v", found)
	}
}

// Of two workers only one sends a message, and each attempt has a link of its own.
func TestAccountNotificationsAreSentByOneWorker(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.AskReset(ctx, b.user.Email, "x"))
	first, err := b.LeaseAccountNotification(ctx, []byte("first"), links)
	ok(t, err)
	_, err = b.LeaseAccountNotification(ctx, []byte("second"), links)
	wantKind(t, err, errs.NotFound)
	ok(t, b.Exec(ctx, `UPDATE account_letters SET lease_until = now() - interval '1 second'`)) // its worker crashed
	second, err := b.LeaseAccountNotification(ctx, []byte("second"), links)
	ok(t, err)
	wantKind(t, first.Finish(ctx), errs.LeaseLost)
	wantKind(t, goodLink(b.LinkOwner(ctx, []byte("first"), postgres.ResetNotification)), errs.Invalid)
	ok(t, goodLink(b.LinkOwner(ctx, []byte("second"), postgres.ResetNotification)))
	ok(t, second.Finish(ctx))
	ok(t, b.Exec(ctx, `UPDATE account_letters SET expires_at = now()`))
	wantKind(t, b.ResetPassword(ctx, []byte("second"), "y"), errs.Invalid)
}

// After its last attempt, a message that cannot be sent is given up, and its link becomes
// invalid.
func TestAccountNotificationsAreGivenUp(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.AskReset(ctx, b.user.Email, "x"))
	for range 5 {
		l, err := b.LeaseAccountNotification(ctx, []byte("token"), links)
		ok(t, err)
		ok(t, l.Retry(ctx, "", 0))
		wantKind(t, goodLink(b.LinkOwner(ctx, []byte("token"), postgres.ResetNotification)), errs.Invalid)
	}
	_, err := b.LeaseAccountNotification(ctx, []byte("token"), links)
	wantKind(t, err, errs.NotFound)
}

func TestErasingTakesAccountNotifications(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.AskReset(ctx, b.user.Email, "x"))
	ok(t, b.AskSignup(ctx, b.user.Email, "Claire Essai", "x"))
	_, err := b.EraseUser(ctx, b.user.Email, false)
	ok(t, err)
	if found := b.holds(t, b.user.Email); len(found) > 0 {
		t.Errorf("the address is in %v", found)
	}
	if n := b.count(t, "account_letters"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

// A link is valid for its configured lifetime, and its message is kept at least as long.
func TestLinksLiveAsLongAsTheyAreSet(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.AskReset(ctx, b.user.Email, "x"))
	ok(t, b.AskSignup(ctx, "noe@exemple.org", "Noé", "x"))
	for range 2 {
		l, err := b.LeaseAccountNotification(ctx, []byte(postgres.NewID().String()), links)
		ok(t, err)
		want := map[string]time.Duration{postgres.ResetNotification: links.Reset, postgres.SignupNotification: links.Signup}[l.Kind]
		if life := time.Until(l.Expires); life > want+time.Minute || life < want-10*time.Minute {
			t.Errorf("a link of kind %s lives for %v, want %v", l.Kind, life, want)
		}
		ok(t, l.Finish(ctx))
	}
	ok(t, b.Exec(ctx, `UPDATE account_letters SET created_at = created_at - interval '49 hours', expires_at = expires_at - interval '49 hours'`))
	n, err := b.Prune(ctx, time.Hour)
	ok(t, err)
	var left string
	ok(t, b.QueryRow(ctx, `SELECT string_agg(kind, ',') FROM account_letters`).Scan(&left))
	if n != 1 || left != postgres.SignupNotification {
		t.Errorf("%d messages went, %q stay; the link of a sign-up is still good", n, left)
	}
}

// goodLink returns only the error of LinkOwner.
func goodLink(_, _ string, err error) error { return err }
