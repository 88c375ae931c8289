package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/auth"
)

// key creates a key of an account and returns it with its hash.
func (b bundle) key(t *testing.T, owner uuid.UUID, scopes ...string) (postgres.APIKey, []byte) {
	t.Helper()
	_, shown, hash := auth.NewKey()
	k, err := b.CreateKey(t.Context(), postgres.APIKey{ID: postgres.NewID(), Owner: owner, Name: "Intranet", Prefix: shown, Scopes: scopes,
		PerMinute: 60, PerDay: 1000, ExpiresAt: time.Now().Add(time.Hour)}, hash)
	ok(t, err)
	return k, hash
}

func (b bundle) wantKey(t *testing.T, what string, hash []byte, good bool) {
	t.Helper()
	_, _, err := b.UseKey(t.Context(), hash)
	if good != (err == nil) || (!good && !errs.Is(err, errs.NotFound)) {
		t.Errorf("%s: %v, want good %v", what, err, good)
	}
}

// audited counts the log's entries of an action.
func (b bundle) audited(t *testing.T, action postgres.Action) (n int) {
	t.Helper()
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM audit WHERE action = $1`, action).Scan(&n))
	return n
}

func TestAKeyActsForItsOwner(t *testing.T) {
	b := setup(t)
	made, hash := b.key(t, b.user.ID, "chat", "documents")
	k, u, err := b.UseKey(t.Context(), hash)
	ok(t, err)
	if k.ID != made.ID || k.Name != "Intranet" || k.Prefix != made.Prefix || strings.Join(k.Scopes, " ") != "chat documents" || k.PerMinute != 60 || k.PerDay != 1000 ||
		u.ID != b.user.ID || u.Email != b.user.Email || u.Role != b.user.Role || k.OwnerEmail != b.user.Email {
		t.Errorf("%+v of %+v", k, u)
	}
	_, _, other := auth.NewKey()
	b.wantKey(t, "another key", other, false)
	b.wantKey(t, "no hash", nil, false)
}

// A key that was ended, in any of the possible ways, never becomes valid again.
func TestKeysEnd(t *testing.T) {
	b := setup(t)
	b.addUser(t, "chef@exemple.org", "admin") // another administrator, so that the last one can be demoted
	yes, no := true, false
	user, admin := "user", "admin"
	change := func(c postgres.UserChange) func(*testing.T, postgres.User) {
		return func(t *testing.T, u postgres.User) {
			t.Helper()
			_, err := b.ChangeUser(t.Context(), u.ID, c)
			ok(t, err)
		}
	}
	for name, c := range map[string]struct {
		end   func(t *testing.T, u postgres.User)
		again func(t *testing.T, u postgres.User)
		good  bool
	}{
		"closed, and opened again":    {change(postgres.UserChange{Active: &no}), change(postgres.UserChange{Active: &yes}), false},
		"demoted, and promoted again": {change(postgres.UserChange{Role: &user}), change(postgres.UserChange{Role: &admin}), false},
		"promoted":                    {change(postgres.UserChange{Role: &admin}), nil, true},
		"another password": {func(t *testing.T, u postgres.User) {
			t.Helper()
			ok(t, b.SetPassword(t.Context(), u.ID, "y"))
		}, nil, true},
		"erased": {func(t *testing.T, u postgres.User) {
			t.Helper()
			_, err := b.EraseUser(t.Context(), u.Email, false)
			ok(t, err)
			var n int
			ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM api_keys WHERE owner_id = $1`, u.ID).Scan(&n))
			if n != 0 {
				t.Error("an erased account has keys, with their names")
			}
		}, nil, false},
		"expired": {func(t *testing.T, u postgres.User) {
			t.Helper()
			ok(t, b.Exec(t.Context(), `UPDATE api_keys SET expires_at = now() WHERE owner_id = $1`, u.ID))
		}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			u := b.addUser(t, uuid.NewString()+"@exemple.org", "editor")
			k, hash := b.key(t, u.ID, "ingest")
			session := postgres.Session{User: u.ID, Version: u.TokenVersion, Role: "editor", Key: k.ID}
			b.wantKey(t, "before", hash, true)
			c.end(t, u)
			if c.again != nil {
				c.again(t, u)
			}
			b.wantKey(t, "after", hash, c.good)
			ended, err := b.EndedSessions(t.Context(), []postgres.Session{session})
			ok(t, err)
			if (len(ended) == 0) != c.good || len(ended) == 1 && ended[0] != session {
				t.Errorf("its sessions: ended %v", ended)
			}
		})
	}
}

func TestAKeyIsRevokedOnce(t *testing.T) {
	b := setup(t)
	k, hash := b.key(t, b.user.ID, "chat")
	_, other := b.key(t, b.user.ID, "chat")
	for range 2 {
		ok(t, b.RevokeKey(t.Context(), k.ID))
		b.wantKey(t, "revoked", hash, false)
	}
	b.wantKey(t, "another of the account", other, true)
	if n := b.audited(t, postgres.KeyRevoked); n != 1 {
		t.Errorf("%d lines tell that it was revoked", n)
	}
	if err := b.RevokeKey(t.Context(), uuid.New()); !errs.Is(err, errs.NotFound) {
		t.Errorf("a key that is not there: %v", err)
	}
}

func TestLastUseIsNotedOnceAMinute(t *testing.T) {
	b := setup(t)
	k, hash := b.key(t, b.user.ID, "chat")
	used := func() (moment *time.Time, version string) {
		ok(t, b.QueryRow(t.Context(), `SELECT last_used_at, xmin::text FROM api_keys WHERE id = $1`, k.ID).Scan(&moment, &version))
		return moment, version
	}
	if moment, _ := used(); moment != nil {
		t.Errorf("used at %v before it was", moment)
	}
	b.wantKey(t, "first", hash, true)
	first, version := used()
	if first == nil {
		t.Fatal("its use was not noted")
	}
	b.wantKey(t, "second", hash, true)
	if _, again := used(); again != version {
		t.Error("the row was written again within a minute")
	}
	ok(t, b.Exec(t.Context(), `UPDATE api_keys SET last_used_at = now() - interval '1 minute' WHERE id = $1`, k.ID))
	b.wantKey(t, "a minute later", hash, true)
	if moment, _ := used(); !moment.After(first.Add(-time.Second)) {
		t.Errorf("last used at %v, first at %v", moment, first)
	}
}

func TestWhoMayOwnAKey(t *testing.T) {
	b := setup(t)
	closed := b.addUser(t, "ferme@exemple.org", "user")
	ok(t, pgtest.SetActive(t.Context(), b.DB, closed.ID, false))
	plain := b.addUser(t, "simple@exemple.org", "user")
	create := func(owner uuid.UUID, scopes ...string) error {
		_, shown, hash := auth.NewKey()
		_, err := b.CreateKey(t.Context(), postgres.APIKey{ID: postgres.NewID(), Owner: owner, Name: "N", Prefix: shown, Scopes: scopes,
			PerMinute: 1, PerDay: 1, ExpiresAt: time.Now().Add(time.Hour)}, hash)
		return err
	}
	for what, err := range map[string]error{"nobody": create(uuid.New(), "chat"), "a closed account": create(closed.ID, "chat")} {
		if !errors.Is(err, postgres.ErrNoOwner) || !errs.Is(err, errs.Unprocessable) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := create(plain.ID, "chat", "ingest"); !errors.Is(err, postgres.ErrOwnerRole) {
		t.Errorf("ingest for a user: %v", err)
	}
	ok(t, create(b.addUser(t, "ed@exemple.org", "editor").ID, "ingest"))
	for i := range 20 {
		if err := create(plain.ID, "chat"); err != nil {
			t.Fatalf("key %d: %v", i, err)
		}
	}
	if err := create(plain.ID, "chat"); !errs.Is(err, errs.Conflict) {
		t.Errorf("the 21st: %v", err)
	}
	var one uuid.UUID
	ok(t, b.QueryRow(t.Context(), `SELECT id FROM api_keys WHERE owner_id = $1 LIMIT 1`, plain.ID).Scan(&one))
	ok(t, b.RevokeKey(t.Context(), one))
	ok(t, create(plain.ID, "chat"))
}

// However the creation of a key and the demotion of its owner interleave, no key keeps a
// scope that the owner's role does not allow.
func TestAKeyRacesADemotion(t *testing.T) {
	b := setup(t)
	b.addUser(t, "chef@exemple.org", "admin")
	user := "user"
	var hash []byte
	interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
		owner := b.addUser(t, uuid.NewString()+"@exemple.org", "editor")
		var shown string
		_, shown, hash = auth.NewKey()
		k := postgres.APIKey{ID: postgres.NewID(), Owner: owner.ID, Name: "N", Prefix: shown, Scopes: []string{"ingest"}, PerMinute: 1, PerDay: 1, ExpiresAt: time.Now().Add(time.Hour)}
		made := hash
		return func(ctx context.Context, db *postgres.DB) error {
				_, err := db.CreateKey(ctx, k, made)
				return err
			}, func(ctx context.Context, db *postgres.DB) error {
				_, err := db.ChangeUser(ctx, owner.ID, postgres.UserChange{Role: &user})
				return err
			}
	}, func(t *testing.T, first, second error) {
		t.Helper()
		ok(t, second)
		if first != nil && !errors.Is(first, postgres.ErrOwnerRole) {
			t.Errorf("making the key: %v", first)
		}
		b.wantKey(t, "afterwards", hash, false)
	})
}

func TestKeysOnPages(t *testing.T) {
	b := setup(t)
	want := map[uuid.UUID]bool{}
	for range 5 {
		k, _ := b.key(t, b.user.ID, "chat")
		want[k.ID] = true
	}
	var cursor *time.Time
	for range 10 {
		items, next, err := b.Keys(t.Context(), cursor, 2)
		ok(t, err)
		for _, k := range items {
			if !want[k.ID] {
				t.Errorf("%s is listed twice", k.ID)
			}
			delete(want, k.ID)
		}
		if cursor = next; next == nil {
			break
		}
	}
	if len(want) != 0 {
		t.Errorf("%d keys were not listed", len(want))
	}
}

// The audit log names the key in addition to the account.
func TestTheLogNamesTheKey(t *testing.T) {
	b := setup(t)
	k, _ := b.key(t, b.user.ID, "chat")
	ctx := postgres.ByKey(postgres.By(t.Context(), b.user.ID), k.ID)
	_, answer, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Combien ?", Model: "extractif"})
	ok(t, err)
	ok(t, b.Note(ctx, postgres.KeyCalled, "GET /x", nil))
	ok(t, b.Note(postgres.By(t.Context(), b.user.ID), postgres.UsersRead, "", nil))
	lines, _, err := b.Audit(t.Context(), postgres.AuditQuery{Limit: 3})
	ok(t, err)
	told := map[postgres.Action]string{}
	for _, l := range lines {
		var d struct {
			Key   uuid.UUID `json:"api_key"`
			Model string
		}
		ok(t, json.Unmarshal(l.Details, &d))
		id := uuid.Nil
		if l.Key != nil {
			id = *l.Key
		}
		if id != d.Key {
			t.Errorf("%s tells of %s and of %s", l.Action, id, d.Key)
		}
		told[l.Action] = fmt.Sprint(l.KeyName, " ", id == k.ID, " ", d.Model, " ", l.Object == answer.String(), " ", *l.UserID == b.user.ID)
	}
	for action, want := range map[postgres.Action]string{postgres.Asked: "Intranet true extractif true true", postgres.KeyCalled: "Intranet true  false true", postgres.UsersRead: " false  false true"} {
		if told[action] != want {
			t.Errorf("%s: %q, want %q", action, told[action], want)
		}
	}
}
