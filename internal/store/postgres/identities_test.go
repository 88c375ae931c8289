package postgres_test

import (
	"sync"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

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
		if is, err := db.IsIdentityOf(ctx, id.Issuer, id.Subject, awa.ID); err != nil || is != want {
			t.Errorf("%+v: %v, %v", id, is, err)
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
