package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// factor activates a second factor for the bundle's user, and returns the hashes of the
// recovery codes.
func (b bundle) factor(t *testing.T) [][]byte {
	t.Helper()
	ctx := t.Context()
	u, err := b.UserByID(ctx, b.user.ID)
	ok(t, err)
	codes := [][]byte{make([]byte, 32), append(make([]byte, 31), 1)}
	ok(t, b.BeginFactor(ctx, verified(u), []byte("sealed")))
	u, err = b.ConfirmFactor(ctx, signIn([]byte("begun"), u, time.Now().Add(time.Hour)), []byte("sealed"), 100, codes)
	ok(t, err)
	if !u.SecondFactor {
		t.Error("the account has none")
	}
	return codes
}

// verified is an account whose owner was verified.
func verified(u postgres.User) postgres.Verified {
	return postgres.Verified{User: u.ID, Version: max(1, u.TokenVersion)}
}

// What an owner asked for, and waited for, is not written over what happened to the account
// in between.
func TestAVerifiedOwnerMayComeTooLate(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	codes := b.factor(t)
	u, err := b.UserByID(ctx, b.user.ID)
	ok(t, err)
	ok(t, b.RenewCodes(ctx, verified(u), codes))
	ok(t, b.ChangePassword(ctx, verified(u), "first"))
	for name, err := range map[string]error{
		"another password":  b.ChangePassword(ctx, verified(u), "second"),
		"recovery codes":    b.RenewCodes(ctx, verified(u), nil),
		"no second factor":  b.DisableFactor(ctx, verified(u)),
		"the next factor":   b.BeginFactor(ctx, verified(u), []byte("x")),
		"nobody's password": b.ChangePassword(ctx, postgres.Verified{User: postgres.NewID()}, "x"),
	} {
		if name == "nobody's password" {
			wantKind(t, err, errs.NotFound)
			continue
		}
		if !errs.Is(err, errs.Unauthorized) {
			t.Errorf("%s: %v", name, err)
		}
	}
	now, err := b.UserByID(ctx, b.user.ID)
	ok(t, err)
	if now.PasswordHash != "first" || !now.SecondFactor || now.TokenVersion != u.TokenVersion+1 {
		t.Errorf("the account is %+v", now)
	}
	good, err := b.SpendCode(ctx, u.ID, codes[0])
	if err != nil || !good {
		t.Errorf("the recovery codes were replaced: %v", err)
	}
}

func TestFactorBeginsAndEnds(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, err := b.FactorOf(ctx, b.user.ID)
	wantKind(t, err, errs.NotFound)
	wantKind(t, b.DisableFactor(ctx, verified(b.user)), errs.NotFound)
	wantKind(t, b.ResetFactor(ctx, b.user.ID), errs.NotFound)
	wantKind(t, b.RenewCodes(ctx, verified(b.user), nil), errs.NotFound)
	wantKind(t, b.ResetFactor(ctx, postgres.NewID()), errs.NotFound)
	ok(t, b.BeginFactor(ctx, verified(b.user), []byte("first")))
	ok(t, b.BeginFactor(ctx, verified(b.user), []byte("second")))
	u, err := b.UserByID(ctx, b.user.ID)
	ok(t, err)
	if u.SecondFactor {
		t.Error("in force before it is confirmed")
	}
	later := time.Now().Add(time.Hour)
	_, err = b.ConfirmFactor(ctx, signIn([]byte("x"), u, later), []byte("first"), 1, nil)
	wantKind(t, err, errs.Conflict)
	stale := u
	stale.TokenVersion += 7
	_, err = b.ConfirmFactor(ctx, signIn([]byte("x"), stale, later), []byte("second"), 1, nil)
	wantKind(t, err, errs.Unauthorized)
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("before"), u, later)))
	now, err := b.ConfirmFactor(ctx, signIn([]byte("begun"), u, later), []byte("second"), 1, nil)
	ok(t, err)
	if now.TokenVersion != u.TokenVersion+1 {
		t.Errorf("version %d after %d", now.TokenVersion, u.TokenVersion)
	}
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("before"), Fresh: []byte("y"), Expires: later})
	wantKind(t, err, errs.Unauthorized)
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("begun"), Fresh: []byte("z"), Expires: later})
	ok(t, err)
	wantKind(t, b.BeginFactor(ctx, verified(now), []byte("third")), errs.Conflict)
	wantKind(t, b.BeginFactor(ctx, verified(u), []byte("third")), errs.Unauthorized) // verified before the factor
	ok(t, b.DisableFactor(ctx, verified(now)))
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("z"), Fresh: []byte("zz"), Expires: later})
	ok(t, err) // sessions stay open
	for action, n := range map[postgres.Action]int{postgres.FactorEnabled: 1, postgres.FactorDisabled: 1, postgres.FactorReset: 0} {
		items, _, err := b.Audit(ctx, postgres.AuditQuery{Action: action, Limit: 10})
		ok(t, err)
		if len(items) != n {
			t.Errorf("%s: %d lines", action, len(items))
		}
	}
}

func TestAStepAndACodeAreSpentOnce(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	codes := b.factor(t)
	if good, err := b.SpendStep(ctx, b.user.ID, 100); good || err != nil {
		t.Errorf("the step of the confirmation: %v, %v", good, err)
	}
	for name, spend := range map[string]func() (bool, error){
		"step": func() (bool, error) { return b.SpendStep(ctx, b.user.ID, 101) },
		"code": func() (bool, error) { return b.SpendCode(ctx, b.user.ID, codes[0]) },
	} {
		var spent atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				good, err := spend()
				if err != nil {
					t.Error(err)
				}
				if good {
					spent.Add(1)
				}
			})
		}
		all.Wait()
		if spent.Load() != 1 {
			t.Errorf("%s: spent %d times", name, spent.Load())
		}
	}
	if good, err := b.SpendStep(ctx, b.user.ID, 100); good || err != nil {
		t.Errorf("an older step: %v, %v", good, err)
	}
	other := b.addUser(t, "autre@exemple.org", "user")
	if good, err := b.SpendCode(ctx, other.ID, codes[1]); good || err != nil {
		t.Errorf("another's code: %v, %v", good, err)
	}
	for range postgres.FactorTries {
		ok(t, b.MissCode(ctx, b.user.ID))
	}
	if good, err := b.SpendStep(ctx, b.user.ID, 102); good || err != nil {
		t.Errorf("after too many wrong ones: %v, %v", good, err)
	}
	if good, err := b.SpendCode(ctx, b.user.ID, codes[1]); !good || err != nil {
		t.Errorf("a recovery code then: %v, %v", good, err)
	}
	if good, err := b.SpendStep(ctx, b.user.ID, 102); !good || err != nil {
		t.Errorf("and the program's after it: %v, %v", good, err)
	}
	f, err := b.FactorOf(ctx, b.user.ID)
	ok(t, err)
	if f.Codes != 0 || f.LastStep != 102 || f.Failures != 0 {
		t.Errorf("%+v", f)
	}
}

func TestErasingRemovesTheSecondFactor(t *testing.T) {
	b := setup(t)
	b.addUser(t, "chef@exemple.org", "admin")
	b.factor(t)
	_, err := b.EraseUser(t.Context(), b.user.Email, false)
	ok(t, err)
	var left int
	ok(t, b.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM second_factors) + (SELECT count(*) FROM recovery_codes)`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

func nobody(string) bool    { return false }
func everybody(string) bool { return true }

// awaAt is Awa's identity at a provider.
var awaAt = postgres.Identity{Provider: "test", Issuer: "https://id.example", Subject: "1", Email: "Awa@Example.org", Name: "Awa"}

func TestAnIdentityIsTiedToItsAccountForGood(t *testing.T) {
	b := setup(t)
	db := b.DB
	ctx := t.Context()
	if _, err := db.UserOfIdentity(ctx, awaAt, nobody); !errs.Is(err, errs.Forbidden) {
		t.Errorf("without an account: %v", err)
	}
	awa := b.addUser(t, "awa@example.org", "user")
	unseen := awaAt
	unseen.Email = ""
	if _, err := db.UserOfIdentity(ctx, unseen, everybody); !errs.Is(err, errs.Forbidden) {
		t.Errorf("an address that nobody has seen to: %v", err)
	}
	u, err := db.UserOfIdentity(ctx, awaAt, nobody)
	ok(t, err)
	if u.ID != awa.ID {
		t.Errorf("the account %v, want %v", u.ID, awa.ID)
	}

	// Awa changes her address at the provider to that of an administrator here.
	boss := b.addUser(t, "chef@example.org", "admin")
	moved := awaAt
	moved.Email = "chef@example.org"
	if u, err = db.UserOfIdentity(ctx, moved, everybody); err != nil || u.ID != awa.ID {
		t.Errorf("with another's address: %v, %v", u.ID, err)
	}
	// Her address now belongs to another person.
	heir := awaAt
	heir.Subject = "2"
	if _, err := db.UserOfIdentity(ctx, heir, everybody); !errs.Is(err, errs.Forbidden) {
		t.Errorf("somebody else with her address: %v", err)
	}
	// Another provider may also link her account.
	elsewhere := awaAt
	elsewhere.Issuer = "https://other.example"
	if u, err = db.UserOfIdentity(ctx, elsewhere, nobody); err != nil || u.ID != awa.ID {
		t.Errorf("elsewhere: %v, %v", u.ID, err)
	}
	issuers, err := db.IssuersOf(ctx, awa.ID)
	ok(t, err)
	if len(issuers) != 2 {
		t.Errorf("issuers %v", issuers)
	}
	for id, want := range map[postgres.Identity]bool{awaAt: true, heir: false} {
		if holds, err := db.IsIdentityOf(ctx, id.Issuer, id.Subject, awa.ID); err != nil || holds != want {
			t.Errorf("%+v: %v, %v", id, holds, err)
		}
	}
	ok(t, pgtest.SetActive(ctx, db, awa.ID, false))
	if _, err := db.UserOfIdentity(ctx, awaAt, everybody); !errs.Is(err, errs.Forbidden) {
		t.Errorf("a closed account: %v", err)
	}
	ok(t, pgtest.SetActive(ctx, db, awa.ID, true))
	before, err := db.UserByID(ctx, awa.ID)
	ok(t, err)
	ok(t, db.UnlinkIdentities(ctx, awa.ID))
	after, err := db.UserByID(ctx, awa.ID)
	ok(t, err)
	if after.TokenVersion != before.TokenVersion+1 {
		t.Error("sessions of before go on")
	}
	if err := db.UnlinkIdentities(ctx, boss.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("tied to none: %v", err)
	}
	if u, err = db.UserOfIdentity(ctx, heir, nobody); err != nil || u.ID != awa.ID {
		t.Errorf("after it was untied: %v, %v", u.ID, err)
	}
	_, err = db.EraseUser(ctx, "awa@example.org", false)
	ok(t, err)
	if _, err := db.UserOfIdentity(ctx, heir, nobody); !errs.Is(err, errs.Forbidden) {
		t.Errorf("an erased account: %v", err)
	}
}

func TestAnIdentityOpensAnAccountWhereItMay(t *testing.T) {
	b := setup(t)
	db := b.DB
	u, err := db.UserOfIdentity(t.Context(), awaAt, func(email string) bool { return email == awaAt.Email })
	ok(t, err)
	if u.Email != "awa@example.org" || u.Role != "user" || u.PasswordHash != "" || u.FullName != "Awa" || !u.Active {
		t.Errorf("%+v", u)
	}
	again, err := db.UserOfIdentity(t.Context(), awaAt, nobody)
	ok(t, err)
	if again.ID != u.ID {
		t.Error("another account the second time")
	}
}

// A person signs in for the first time from twenty tabs at once: this makes one account and
// one link.
func TestFirstSignInsAtOnce(t *testing.T) {
	b := setup(t)
	db := b.DB
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := db.UserOfIdentity(t.Context(), awaAt, everybody); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	users, _, err := db.UserPage(t.Context(), "", nil, 100)
	ok(t, err)
	if len(users) != 2 { // including the existing one
		t.Errorf("%d accounts", len(users))
	}
}
