package postgres_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func (b bundle) addInquiry(t *testing.T) uuid.UUID {
	t.Helper()
	i := postgres.Inquiry{ID: postgres.NewID(), Company: "Étude", ContactName: "Claire", Email: "c@exemple.org", UseCase: "Essai", AddressHash: make([]byte, 32)}
	ok(t, b.CreateInquiry(t.Context(), i, func() error { return nil }))
	return i.ID
}

func (b bundle) dueNotifications(t *testing.T) []uuid.UUID {
	t.Helper()
	ids, err := b.DueNotifications(t.Context(), 10)
	ok(t, err)
	return ids
}

func (b bundle) outcomesOf(t *testing.T, id uuid.UUID) (list []string) {
	t.Helper()
	all, err := b.InquiryAttempts(t.Context(), []uuid.UUID{id}, 100)
	ok(t, err)
	for _, a := range all[id] {
		list = append(list, a.Outcome)
	}
	return list
}

func TestInquiryIsTakenBackWhenItIsNotAccepted(t *testing.T) {
	b := setup(t)
	refused := errors.New("refused")
	i := postgres.Inquiry{ID: postgres.NewID(), Company: "Étude", ContactName: "Claire", Email: "c@exemple.org", UseCase: "Essai", AddressHash: make([]byte, 32)}
	if err := b.CreateInquiry(t.Context(), i, func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	_, err := pgtest.Inquiry(t.Context(), b.DB, i.ID)
	wantKind(t, err, errs.NotFound)
}

func TestSchemaRefusesWhatNoInquiryIs(t *testing.T) {
	b := setup(t)
	id := b.addInquiry(t)
	for _, set := range []string{"company = 'a'", "use_case = repeat('é', 4001)", "phone = repeat('1', 65)", "team_size = '12'",
		"status = 'lost'", "state = 'failed'", "address_hash = '\\x00'", "email = repeat('a', 255)"} {
		if err := b.Exec(t.Context(), `UPDATE inquiries SET `+set+` WHERE id = $1`, id); err == nil {
			t.Errorf("%s is let through", set)
		}
	}
	ok(t, b.Exec(t.Context(), `UPDATE inquiries SET use_case = repeat('🙂', 4000), phone = repeat('é', 64), company = '🙂🙂' WHERE id = $1`, id))
}

func TestInquiriesHaveTimesOfTheirOwn(t *testing.T) {
	b := setup(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				b.addInquiry(t)
			}
		})
	}
	all.Wait()
	seen := 0
	for cursor := (*time.Time)(nil); ; {
		items, next, err := b.Inquiries(t.Context(), "new", cursor, 37)
		ok(t, err)
		seen += len(items)
		if !slices.IsSortedFunc(items, func(x, y postgres.Inquiry) int { return y.CreatedAt.Compare(x.CreatedAt) }) {
			t.Error("not newest first")
		}
		if next == nil {
			break
		}
		cursor = next
	}
	if seen != 160 {
		t.Errorf("%d seen by cursor, want 160", seen)
	}
}

func TestNotificationIsTakenByOne(t *testing.T) {
	b := setup(t)
	id := b.addInquiry(t)
	var all sync.WaitGroup
	won := make(chan postgres.Inquiry, 8)
	for range 8 {
		all.Go(func() {
			i, _, err := b.LeaseNotification(t.Context(), id)
			switch {
			case err == nil:
				won <- i
			case !errs.Is(err, errs.LeaseLost):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(won) != 1 {
		t.Fatalf("%d took it", len(won))
	}
	if i := <-won; i.Notification.Attempt != 1 || i.Company != "Étude" || i.Notification.State != "running" {
		t.Errorf("%+v", i)
	}
}

func TestLateWorkerOfANotificationChangesNothing(t *testing.T) {
	b := setup(t)
	ctx, id := t.Context(), b.addInquiry(t)
	_, late, err := b.LeaseNotification(ctx, id)
	ok(t, err)
	ok(t, late.Renew(ctx))
	if due := b.dueNotifications(t); len(due) != 0 {
		t.Errorf("due while it is held: %v", due)
	}
	b.expire(t, "inquiries", id)
	if due := b.dueNotifications(t); !slices.Equal(due, []uuid.UUID{id}) {
		t.Errorf("due %v", due)
	}
	if due := b.dueNotifications(t); len(due) != 0 {
		t.Errorf("handed out twice: %v", due)
	}
	_, next, err := b.LeaseNotification(ctx, id)
	ok(t, err)
	wantKind(t, late.Renew(ctx), errs.LeaseLost)
	wantKind(t, late.Finish(ctx), errs.LeaseLost)
	wantKind(t, late.Retry(ctx, "x", time.Minute), errs.LeaseLost)
	wantKind(t, late.Release(ctx), errs.LeaseLost)
	ok(t, next.Finish(ctx))
	wantKind(t, next.Finish(ctx), errs.LeaseLost)
	if got := b.outcomesOf(t, id); !slices.Equal(got, []string{"lost", "sent"}) {
		t.Errorf("outcomes %v", got)
	}
}

// An inquiry whose attempts were all lost rests for a while and is then retried, so that
// every visitor gets a reply.
func TestNotificationIsNeverGivenUp(t *testing.T) {
	b := setup(t)
	ctx, id := t.Context(), b.addInquiry(t)
	for range postgres.MaxAttempts {
		_, _, err := b.LeaseNotification(ctx, id)
		ok(t, err)
		b.expire(t, "inquiries", id)
	}
	if due := b.dueNotifications(t); len(due) != 0 {
		t.Errorf("due %v", due)
	}
	_, _, err := b.LeaseNotification(ctx, id)
	wantKind(t, err, errs.LeaseLost)
	i, err := pgtest.Inquiry(ctx, b.DB, id)
	ok(t, err)
	if wait := time.Until(i.Notification.NextAt); i.Notification.State != "queued" || wait < 50*time.Minute {
		t.Errorf("%s, next in %v", i.Notification.State, wait)
	}
	ok(t, b.Exec(ctx, `UPDATE inquiries SET not_before = now(), lease_until = now() - interval '1 second' WHERE id = $1`, id))
	if due := b.dueNotifications(t); !slices.Equal(due, []uuid.UUID{id}) {
		t.Errorf("due %v", due)
	}
	_, last, err := b.LeaseNotification(ctx, id)
	ok(t, err)
	ok(t, last.Finish(ctx))
}

func TestFailedNotificationWaitsForItsTime(t *testing.T) {
	b := setup(t)
	ctx, id := t.Context(), b.addInquiry(t)
	for attempt := 1; attempt <= postgres.MaxAttempts+2; attempt++ { // failures are not lost attempts
		i, l, err := b.LeaseNotification(ctx, id)
		ok(t, err)
		if i.Notification.Failures != attempt-1 {
			t.Errorf("%d failures before attempt %d", i.Notification.Failures, attempt)
		}
		ok(t, l.Retry(ctx, "Le serveur dort.", time.Hour))
		_, _, err = b.LeaseNotification(ctx, id)
		wantKind(t, err, errs.LeaseLost)
		if due := b.dueNotifications(t); len(due) != 0 {
			t.Errorf("due before its time: %v", due)
		}
		ok(t, b.Exec(ctx, `UPDATE inquiries SET not_before = now(), lease_until = now() - interval '1 second' WHERE id = $1`, id))
		if due := b.dueNotifications(t); len(due) != 1 {
			t.Errorf("not due in its time after attempt %d", attempt)
		}
	}
	all, err := b.InquiryAttempts(ctx, []uuid.UUID{id, uuid.New()}, 2)
	ok(t, err)
	if a := all[id]; len(all) != 1 || len(a) != 2 || a[0].Attempt != postgres.MaxAttempts+1 || a[1].Reason != "Le serveur dort." {
		t.Errorf("the latest two are %+v", a)
	}
}
