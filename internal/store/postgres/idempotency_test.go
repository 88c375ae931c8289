package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// hash32 is a test hash: one letter repeated 32 times.
func hash32(letter string) []byte { return []byte(strings.Repeat(letter, 32)) }

func onceOf(u uuid.UUID, operation postgres.Operation, key, body string) postgres.Once {
	return postgres.Once{Owner: u[:], Operation: operation, Key: hash32(key), Fingerprint: hash32(body)}
}

// works are the three idempotent operations; each returns its result.
func (b bundle) works(ctx context.Context, db *postgres.DB) map[postgres.Operation]func(o postgres.Once) (uuid.UUID, error) {
	return map[postgres.Operation]func(o postgres.Once) (uuid.UUID, error){
		postgres.QuestionOnce: func(o postgres.Once) (uuid.UUID, error) {
			_, id, err := db.CreateTurn(postgres.DoOnce(ctx, o), postgres.NewTurn{UserID: b.user.ID, Question: "Combien ?"})
			return id, err
		},
		postgres.UploadOnce: func(o postgres.Once) (uuid.UUID, error) {
			i := postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.ReplaceAll(uuid.NewString()+uuid.NewString(), "-", ""), Filename: "a.pdf", Size: 1}
			return i.ID, db.AddFile(postgres.DoOnce(ctx, o), i, func(context.Context) error { return nil })
		},
		postgres.InquiryOnce: func(o postgres.Once) (uuid.UUID, error) {
			i := postgres.Inquiry{ID: postgres.NewID(), Company: "Étude", ContactName: "Zoé", Email: "z@exemple.org", UseCase: "Besoin", AddressHash: hash32("a")}
			return i.ID, db.CreateInquiry(postgres.DoOnce(ctx, o), i, func() error { return nil })
		},
	}
}

var tableOf = map[postgres.Operation]string{postgres.QuestionOnce: "conversations", postgres.UploadOnce: "ingestions", postgres.InquiryOnce: "inquiries"}

func TestARequestIsDoneOnce(t *testing.T) {
	b := setup(t)
	for operation, work := range b.works(t.Context(), b.DB) {
		o := onceOf(b.user.ID, operation, "k", "b")
		if _, done, err := b.DoneBefore(t.Context(), o); done || err != nil {
			t.Errorf("%s before: %v, %v", operation, done, err)
		}
		first, err := work(o)
		ok(t, err)
		for range 3 {
			var previous *postgres.AlreadyDone
			if _, err := work(o); !errors.As(err, &previous) || previous.Result != first {
				t.Errorf("%s again: %v, want %s", operation, err, first)
			}
		}
		if id, done, err := b.DoneBefore(t.Context(), o); id != first || !done || err != nil {
			t.Errorf("%s afterwards: %s, %v, %v", operation, id, done, err)
		}
		other := onceOf(b.user.ID, operation, "k", "x")
		if _, err := work(other); !errors.Is(err, postgres.ErrOtherRequest) || !errs.Is(err, errs.Unprocessable) {
			t.Errorf("%s, another body: %v", operation, err)
		}
		if _, _, err := b.DoneBefore(t.Context(), other); !errors.Is(err, postgres.ErrOtherRequest) {
			t.Errorf("%s, another body looked up: %v", operation, err)
		}
		if n := b.count(t, tableOf[operation]); n != 1 {
			t.Errorf("%s was done %d times", operation, n)
		}
		// Requests with another owner, another key or no key are different requests.
		for name, again := range map[string]postgres.Once{"another's": onceOf(uuid.New(), operation, "k", "b"), "another key": onceOf(b.user.ID, operation, "l", "b")} {
			if _, err := work(again); err != nil {
				t.Errorf("%s, %s: %v", operation, name, err)
			}
		}
	}
}

// Two equal requests run in every interleaving of their statements: one is executed, the
// other waits for it and gets its result.
func TestTheSameRequestTwiceAtOnce(t *testing.T) {
	b := setup(t)
	for _, operation := range []postgres.Operation{postgres.QuestionOnce, postgres.UploadOnce, postgres.InquiryOnce} {
		var key uuid.UUID
		var results [2]uuid.UUID
		interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
			key, results = uuid.New(), [2]uuid.UUID{}
			o := onceOf(b.user.ID, operation, "k", "b")
			o.Key = bytes.Repeat(key[:], 2)
			run := func(n int) func(context.Context, *postgres.DB) error {
				return func(ctx context.Context, db *postgres.DB) (err error) {
					results[n], err = b.works(ctx, db)[operation](o)
					return err
				}
			}
			return run(0), run(1)
		}, func(t *testing.T, first, second error) {
			t.Helper()
			failed, done := first, results[1]
			if first == nil {
				failed, done = second, results[0]
			}
			var previous *postgres.AlreadyDone
			if (first == nil) == (second == nil) || !errors.As(failed, &previous) || previous.Result != done {
				t.Errorf("%s: %v and %v; done: %s", operation, first, second, done)
			}
		})
	}
}

// A failed request leaves nothing behind, so that the request that waits for it is
// executed.
func TestAFailedRequestLeavesItsKey(t *testing.T) {
	b := setup(t)
	refused := errs.New(errs.TooMany, "Trop.")
	inquiry := func(o postgres.Once, err error) func(context.Context, *postgres.DB) error {
		return func(ctx context.Context, db *postgres.DB) error {
			i := postgres.Inquiry{ID: postgres.NewID(), Company: "Étude", ContactName: "Zoé", Email: "z@exemple.org", UseCase: "Besoin", AddressHash: hash32("a")}
			return db.CreateInquiry(postgres.DoOnce(ctx, o), i, func() error { return err })
		}
	}
	interleave(t, b, func() (first, second func(context.Context, *postgres.DB) error) {
		o := onceOf(b.user.ID, postgres.InquiryOnce, "k", "b")
		id := uuid.New()
		o.Key = bytes.Repeat(id[:], 2)
		return inquiry(o, refused), inquiry(o, nil)
	}, func(t *testing.T, first, second error) {
		t.Helper()
		if second != nil {
			t.Errorf("the one that could be done: %v", second)
		}
		if done := (*postgres.AlreadyDone)(nil); !errs.Is(first, errs.TooMany) && !errors.As(first, &done) {
			t.Errorf("the one that could not: %v", first)
		}
	})
}

// If a process crashes in the middle of a request, its key is free again.
func TestAKilledRequestLeavesItsKey(t *testing.T) {
	b := setup(t)
	db, err := b.Stepped(t.Context())
	ok(t, err)
	defer db.Close()
	for operation := range tableOf {
		t.Run(string(operation), func(t *testing.T) {
			o := onceOf(b.user.ID, operation, "k", "b")
			pid, claimed, goOn, ended := uint32(0), make(chan struct{}), make(chan struct{}), make(chan error, 1)
			stopped := false
			go func() {
				ctx := postgres.Stepping(context.WithoutCancel(t.Context()), func(p uint32, sql string) {
					if noted := strings.Contains(sql, "idempotency_keys"); noted || pid == 0 {
						if noted {
							pid = p
						}
						return
					}
					if !stopped { // the first statement after claim
						stopped = true
						close(claimed)
						<-goOn
					}
				})
				_, err := b.works(ctx, db)[operation](o)
				ended <- err
			}()
			<-claimed
			again := make(chan error, 1)
			go func() {
				_, err := b.works(t.Context(), b.DB)[operation](o)
				again <- err
			}()
			b.waiting(t, 1)
			ok(t, b.Exec(t.Context(), `SELECT pg_terminate_backend($1)`, pid))
			if err := <-again; err != nil {
				t.Errorf("the one that waited: %v", err)
			}
			close(goOn)
			if err := <-ended; err == nil {
				t.Error("the one whose connection was ended was done too")
			}
			if n := b.count(t, tableOf[operation]); n != 1 {
				t.Errorf("done %d times", n)
			}
		})
	}
}

func TestARequestMayBeDoneAgainADayLater(t *testing.T) {
	b := setup(t)
	work := b.works(t.Context(), b.DB)[postgres.QuestionOnce]
	o := onceOf(b.user.ID, postgres.QuestionOnce, "k", "b")
	first, err := work(o)
	ok(t, err)
	ok(t, b.Exec(t.Context(), `UPDATE messages SET state = 'done'`))
	ok(t, b.Exec(t.Context(), `UPDATE idempotency_keys SET created_at = now() - interval '1 day'`))
	if _, done, err := b.DoneBefore(t.Context(), o); done || err != nil {
		t.Errorf("a day later: %v, %v", done, err)
	}
	o.Fingerprint = hash32("x")
	second, err := work(o)
	if err != nil || second == first {
		t.Errorf("another request a day later: %s, %v", second, err)
	}
	_, err = b.Prune(t.Context(), time.Hour)
	ok(t, err)
	if n := b.count(t, "idempotency_keys"); n != 1 {
		t.Errorf("%d rows are left of one that still counts", n)
	}
	ok(t, b.Exec(t.Context(), `UPDATE idempotency_keys SET created_at = now() - interval '1 day'`))
	_, err = b.Prune(t.Context(), time.Hour)
	ok(t, err)
	if n := b.count(t, "idempotency_keys"); n != 0 {
		t.Errorf("%d rows are left a day later", n)
	}
}

// Erasing an account deletes its requests, and so does erasing an inquiry.
func TestErasingForgetsRequests(t *testing.T) {
	b := setup(t)
	works := b.works(t.Context(), b.DB)
	for operation, work := range works {
		_, err := work(onceOf(b.user.ID, operation, "k", "b"))
		ok(t, err)
	}
	network := postgres.Once{Owner: bytes.Repeat([]byte("n"), 32), Operation: postgres.InquiryOnce, Key: hash32("k"), Fingerprint: hash32("b")}
	_, err := works[postgres.InquiryOnce](network)
	ok(t, err)
	_, err = b.EraseUser(t.Context(), b.user.Email, false)
	ok(t, err)
	if n := b.count(t, "idempotency_keys"); n != 1 {
		t.Errorf("%d rows are left", n)
	}
	_, err = b.EraseUser(t.Context(), "z@exemple.org", true)
	ok(t, err)
	if n := b.count(t, "idempotency_keys"); n != 0 {
		t.Errorf("%d rows are left of inquiries", n)
	}
}

// The schema rejects values that are too long, whichever program writes them.
func TestRequestsThatCannotBe(t *testing.T) {
	b := setup(t)
	work := b.works(t.Context(), b.DB)[postgres.QuestionOnce]
	for _, o := range []postgres.Once{
		{Owner: []byte("kurz"), Operation: postgres.QuestionOnce, Key: hash32("k"), Fingerprint: hash32("b")},
		{Owner: b.user.ID[:], Operation: "autre", Key: hash32("k"), Fingerprint: hash32("b")},
		{Owner: b.user.ID[:], Operation: postgres.QuestionOnce, Key: []byte(fmt.Sprint(time.Now())), Fingerprint: hash32("b")},
	} {
		if _, err := work(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
