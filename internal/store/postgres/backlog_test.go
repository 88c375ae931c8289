package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

func TestBacklog(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	other := b.addUser(t, "autre@exemple.org", "user")
	wants := func(when string, user uuid.UUID, limit postgres.Backlog, want bool) {
		t.Helper()
		if full, err := b.Backlogged(ctx, user, limit); err != nil || full != want {
			t.Errorf("%s: full %v, %v; want %v", when, full, err, want)
		}
	}
	limit := postgres.Backlog{Wait: time.Minute, Rows: 100}
	wants("nothing waits", b.user.ID, limit, false)

	own := b.askAs(t, b.user.ID, 10)
	wants("ten of one's own wait", b.user.ID, limit, true)
	wants("ten of another's wait", other.ID, limit, false)
	wants("as many as there may be", other.ID, postgres.Backlog{Wait: time.Minute, Rows: 10}, true)

	ok(t, b.Exec(ctx, `UPDATE messages SET created_at = created_at - interval '2 minutes'`))
	wants("the first of another waits for long", other.ID, limit, true)
	taken := b.start(t, own[0])
	wants("the second of another waits for long", other.ID, limit, false)
	wants("one's own second waits for long", b.user.ID, postgres.Backlog{Wait: time.Minute, Rows: 1000}, true)
	wants("it may wait for longer", b.user.ID, postgres.Backlog{Wait: time.Hour, Rows: 1000}, false)
	b.expire(t, "messages", taken)
	wants("the worker of the first is lost", other.ID, limit, true)
}
