package notify

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestMain(m *testing.M) {
	if database := os.Getenv(childDatabase); database != "" {
		fmt.Fprintln(os.Stderr, runChild(database, os.Getenv(childServer), os.Args[1]))
		os.Exit(1)
	}
	leak.Main(m)
}

// bundle is a database with one inquiry and a runner.
type bundle struct {
	*MailSender
	id  uuid.UUID
	url string // address of the database
}

// send is a transport implemented by the test.
type send func(ctx context.Context, n *Notification) error

func (s send) Send(ctx context.Context, n *Notification) error { return s(ctx, n) }

func setup(t *testing.T, transport Transport) bundle {
	t.Helper()
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	b := bundle{&MailSender{DB: db, Envelope: envelope(t), Transport: transport, Log: slog.New(slog.DiscardHandler), Renew: 20 * time.Millisecond},
		postgres.NewID(), url}
	i := sample()
	i.ID, i.AddressHash = b.id, make([]byte, 32)
	ok(t, b.DB.CreateInquiry(t.Context(), i, func() error { return nil }))
	return b
}

// outcomes lists the outcomes of the inquiry's attempts.
func (b bundle) outcomes(t *testing.T) (list []string) {
	t.Helper()
	all, err := b.DB.InquiryAttempts(t.Context(), []uuid.UUID{b.id}, 100)
	ok(t, err)
	for _, a := range all[b.id] {
		list = append(list, a.Outcome)
		if (a.Reason != "") != (a.Outcome == "failed" || a.Outcome == "lost") {
			t.Errorf("%s with the reason %q", a.Outcome, a.Reason)
		}
	}
	return list
}

func (b bundle) want(t *testing.T, state string, outcomes ...string) postgres.Notification {
	t.Helper()
	i, err := pgtest.Inquiry(t.Context(), b.DB, b.id)
	ok(t, err)
	if got := b.outcomes(t); i.Notification.State != state || !slices.Equal(got, outcomes) {
		t.Errorf("%s with %v, want %s with %v", i.Notification.State, got, state, outcomes)
	}
	return i.Notification
}

func TestRunSendsOnce(t *testing.T) {
	server := (&mailServer{startTLS: true}).start(t)
	b := setup(t, server.transport(t, "smtp", "", ""))
	ok(t, b.Run(t.Context(), b.id))
	if m := server.receive(t); !strings.Contains(m.data, "Message-ID: <inquiry."+b.id.String()+"@example.org>") {
		t.Errorf("message:\n%s", m.data)
	}
	b.want(t, "done", "sent")
	for _, id := range []uuid.UUID{b.id, uuid.New()} { // done already, and missing
		if err := b.Run(t.Context(), id); !errs.Is(err, errs.LeaseLost) {
			t.Errorf("error %v", err)
		}
	}
	due, err := b.DB.DueNotifications(t.Context(), 10)
	if err != nil || len(due) != 0 || len(server.messages) != 0 {
		t.Errorf("due %v, %v; %d more messages", due, err, len(server.messages))
	}
}

func TestFailureIsFollowedByABackOff(t *testing.T) {
	server := (&mailServer{startTLS: true, refuse: map[string]string{"RCPT": "550 5.1.1 no such user"}}).start(t)
	b := setup(t, server.transport(t, "smtp", "", ""))
	previous := time.Now()
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unavailable) {
		t.Errorf("error %v", err)
	}
	n := b.want(t, "queued", "failed")
	if wait := n.NextAt.Sub(previous); wait < 50*time.Second || wait > 5*time.Minute || n.Failures != 1 {
		t.Errorf("%d failures, next in %v", n.Failures, wait)
	}
	// The retry is not due yet.
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("error %v", err)
	}
	due, err := b.DB.DueNotifications(t.Context(), 10)
	if err != nil || len(due) != 0 {
		t.Errorf("due %v, %v", due, err)
	}
	all, err := b.DB.InquiryAttempts(t.Context(), []uuid.UUID{b.id}, 1)
	ok(t, err)
	if reason := all[b.id][0].Reason; !strings.Contains(reason, "550") || !strings.Contains(reason, "no such user") {
		t.Errorf("reason %q", reason)
	}
}

func TestBackoffGrowsAndStays(t *testing.T) {
	t.Parallel()
	want := []time.Duration{time.Minute, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 6 * time.Hour}
	for failures, d := range want {
		if got := Backoff(failures); got != d {
			t.Errorf("after %d failures %v, want %v", failures, got, d)
		}
	}
}

func TestPanicIsAFailure(t *testing.T) {
	b := setup(t, send(func(context.Context, *Notification) error { panic("no") }))
	if err := b.Run(t.Context(), b.id); err == nil || !strings.Contains(err.Error(), "panic") {
		t.Errorf("error %v", err)
	}
	b.want(t, "queued", "failed")
}

func TestStoppedProcessGivesTheInquiryBack(t *testing.T) {
	server := (&mailServer{startTLS: true, hang: "DATA"}).start(t)
	b := setup(t, server.transport(t, "smtp", "", ""))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx, b.id) }()
	<-server.hung
	stop()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	b.want(t, "queued", "released")
	b.Transport = send(func(context.Context, *Notification) error { return nil })
	ok(t, b.Run(t.Context(), b.id)) // at once
	b.want(t, "done", "released", "sent")
}

// due waits until the sweep would return the inquiry.
func (b bundle) due(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		ids, err := b.DB.DueNotifications(ctx, 10)
		ok(t, err)
		if slices.Contains(ids, b.id) {
			tick.Stop()
			return
		}
		<-tick.C
	}
}

// A worker that did not renew its lease changes nothing when it resumes.
func TestLostLeaseEndsTheSending(t *testing.T) {
	b := setup(t, send(func(ctx context.Context, _ *Notification) error {
		<-ctx.Done()
		return ctx.Err()
	}))
	b.Renew = postgres.Lease + 10*time.Second // meanwhile another worker may lease the row
	ended := make(chan error, 1)
	go func() { ended <- b.Run(t.Context(), b.id) }()
	b.due(t)
	other := *b.MailSender
	other.Transport = send(func(context.Context, *Notification) error { return nil })
	ok(t, other.Run(t.Context(), b.id))
	if err := <-ended; !errs.Is(err, errs.LeaseLost) {
		t.Errorf("error %v", err)
	}
	b.want(t, "done", "lost", "sent")
}

// The worker is killed after the server has accepted the message and before the row records
// it: another worker sends a second, equal copy.
func TestKilledBetweenSendingAndRecord(t *testing.T) {
	server := (&mailServer{}).start(t)
	b := setup(t, server.transport(t, "smtp", "", "?tls=none"))
	b.Envelope.To = b.Envelope.To[:1]
	child := exec.Command(os.Args[0], b.id.String())
	child.Env = append(os.Environ(), childDatabase+"="+b.url, childServer+"="+server.address)
	out, err := child.StdoutPipe()
	ok(t, err)
	child.Stderr = os.Stderr
	ok(t, child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	ok(t, child.Process.Kill())
	_ = child.Wait() // the error is that the child was killed
	if err != nil || line != "sent\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	first := server.receive(t)
	b.want(t, "running", "running")
	b.due(t)
	ok(t, b.Run(t.Context(), b.id))
	if second := server.receive(t); second.data != first.data || first.data == "" {
		t.Errorf("the copies differ:\n%s\n%s", first.data, second.data)
	}
	b.want(t, "done", "lost", "sent")
	if n := len(server.messages); n != 0 {
		t.Errorf("%d more messages", n)
	}
}

// Environment variables that pass settings to the child process.
const childDatabase, childServer = "NOTIFY_TEST_DATABASE", "NOTIFY_TEST_SERVER"

// runChild is a worker that sends and then hangs until it is killed.
func runChild(database, server, inquiry string) error {
	db, err := postgres.Open(context.Background(), database)
	if err != nil {
		return err
	}
	e, err := ParseEnvelope("Vigueur <vigueur@example.org>", "contact@example.org")
	if err != nil {
		return err
	}
	smtp, err := NewSMTP("smtp://" + server + "?tls=none")
	if err != nil {
		return err
	}
	r := MailSender{DB: db, Envelope: e, Log: slog.New(slog.DiscardHandler), Transport: send(func(ctx context.Context, n *Notification) error {
		err := smtp.Send(ctx, n)
		if err == nil {
			fmt.Println("sent")
			<-ctx.Done()
		}
		return err
	})}
	return r.Run(context.Background(), uuid.MustParse(inquiry))
}
