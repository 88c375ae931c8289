package alerts_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
	"vigueur/internal/work/alerts"
)

func TestMain(m *testing.M) { leak.Main(m) }

// bundle is a database with one account, and what tells it of changes.
type bundle struct {
	db      *postgres.DB
	url     string // of the database
	matcher *alerts.Matcher
	sender  *alerts.Sender
	user    uuid.UUID
	files   int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	url, log := pgtest.NewURL(t), slog.New(slog.DiscardHandler)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	b := &bundle{db: db, url: url, user: postgres.NewID(), matcher: &alerts.Matcher{DB: db, Log: log},
		sender: &alerts.Sender{DB: db, BaseURL: "https://droit.example", Now: time.Now, Log: log, Limit: 200 * time.Millisecond, Delay: func(int) time.Duration { return 0 }}}
	ok(t, db.CreateUser(t.Context(), postgres.User{ID: b.user, Email: "awa@example.org", FullName: "Awa", Role: "user", Active: true}))
	return b
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func day(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

// add adds a law with one article to the catalogue. If changes is not "", the law changes the
// first article of the law of that number.
func (b *bundle) add(t *testing.T, number, promulgated, changes string) law.Document {
	t.Helper()
	d := law.Document{ID: postgres.NewID(), Title: "Loi n° " + number, Type: law.Loi, Domain: "travail", OfficialNumber: number, Promulgated: day(promulgated), EntersInForce: day(promulgated), FirstPage: 1, LastPage: 1}
	text := postgres.StoredText{Document: d, Articles: []law.Article{{ID: postgres.NewID(), DocumentID: d.ID, Number: "1", Page: 1, Text: "Mots.", Spans: []law.Span{}}}}
	if changes != "" {
		text.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: text.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi, TargetNumber: changes, TargetArticles: []string{"1"}, Effective: d.EntersInForce}}
	}
	b.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", b.files), Filename: "jo.pdf", Size: 1}
	ok(t, pgtest.AddFile(t.Context(), b.db, i))
	i, err := b.db.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	ok(t, b.db.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}))
	ok(t, b.db.MarkIngestion(t.Context(), i.ID, i.Attempt, "done", ""))
	return d
}

// run does all that is due for a worker, and returns the errors of its attempts.
func run(t *testing.T, w work.Worker, most int) (failed []error) {
	t.Helper()
	for range most {
		ids, err := w.Due(t.Context(), 10)
		ok(t, err)
		if len(ids) == 0 {
			return failed
		}
		for _, id := range ids {
			if err := work.Run(t.Context(), w, id); err != nil {
				failed = append(failed, err)
			}
		}
	}
	return failed
}

// receiver is a program that takes webhooks.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	seen []sent
}

type sent struct {
	header http.Header
	body   []byte
}

func receive(t *testing.T, b *bundle, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.seen = append(r.seen, sent{q.Header.Clone(), body})
		r.mu.Unlock()
		answer(w, q)
	}))
	t.Cleanup(r.Close)
	b.sender.Allowed = append(b.sender.Allowed, strings.TrimPrefix(r.URL, "http://"))
	return r
}

func (r *receiver) all() []sent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]sent(nil), r.seen...)
}

// followed has the account follow a law, which another one changes; secret is that of its
// webhook.
func (b *bundle) followed(t *testing.T, url string) (hook postgres.Webhook, secret []byte) {
	t.Helper()
	code := b.add(t, "2023-04", "2023-03-01", "")
	_, _, err := b.db.AddFollow(t.Context(), b.user, postgres.Follow{Kind: postgres.FollowText, Document: &code.ID})
	ok(t, err)
	secret, shown := alerts.NewSecret()
	if decoded, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(shown, "whsec_")); err != nil || !bytes.Equal(decoded, secret) {
		t.Fatalf("the secret is shown as %q", shown)
	}
	hook, err = b.db.CreateWebhook(t.Context(), b.user, url, secret)
	ok(t, err)
	b.add(t, "2025-02", "2025-01-15", "2023-04")
	if failed := run(t, b.matcher, 5); failed != nil {
		t.Fatal(failed)
	}
	return hook, secret
}

// articleOf returns the id of the only article of a text.
func (b *bundle) articleOf(t *testing.T, document string) string {
	t.Helper()
	id, err := uuid.Parse(document)
	ok(t, err)
	list, err := b.db.Articles(t.Context(), id)
	if err != nil || len(list) != 1 {
		t.Fatalf("articles %+v, %v", list, err)
	}
	return list[0].ID.String()
}

func (b *bundle) deliveries(t *testing.T, hook postgres.Webhook) []postgres.Delivery {
	t.Helper()
	list, err := b.db.Deliveries(t.Context(), b.user, hook.ID, 10)
	ok(t, err)
	return list
}

func TestAWebhookIsSignedAndTellsTheChange(t *testing.T) {
	b := setup(t)
	r := receive(t, b, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	hook, secret := b.followed(t, r.URL)
	if failed := run(t, b.sender, 5); failed != nil {
		t.Fatal(failed)
	}
	seen := r.all()
	if len(seen) != 1 {
		t.Fatalf("%d messages came, want 1", len(seen))
	}
	var m struct {
		Type string
		Data struct {
			Title, From, URL, Sentence string
			Document                   string `json:"document_id"`
			Articles, Follows          []string
		}
	}
	ok(t, json.Unmarshal(seen[0].body, &m))
	if m.Type != "law.modified" || m.Data.Title != "Loi n° 2023-04" || m.Data.From != "2025-01-15" || len(m.Data.Articles) != 1 || len(m.Data.Follows) != 1 || m.Data.URL != "https://droit.example/textes/"+m.Data.Document+"?article="+b.articleOf(t, m.Data.Document) {
		t.Errorf("the message is %s", seen[0].body)
	}
	if want := "L’article 1 est modifié ou abrogé par « Loi n° 2025-02 », à partir du 15 janvier 2025."; m.Data.Sentence != want {
		t.Errorf("sentence %q, want %q", m.Data.Sentence, want)
	}
	var offset int64
	_, err := fmt.Sscan(seen[0].header.Get("webhook-timestamp"), &offset)
	ok(t, err)
	d := b.deliveries(t, hook)[0]
	if id := seen[0].header.Get("webhook-id"); id != "msg_"+d.ID.String() || seen[0].header.Get("webhook-signature") != alerts.Sign(secret, id, time.Unix(offset, 0), seen[0].body) {
		t.Errorf("id %q, signature %q", id, seen[0].header.Get("webhook-signature"))
	}
	if d.State != "done" || *d.Status != http.StatusNoContent {
		t.Errorf("delivery %+v", d)
	}
}

// The example of the specification, with its secret, id and time.
func TestSignature(t *testing.T) {
	t.Parallel()
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	ok(t, err)
	if got := alerts.Sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`)); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("signature %s", got)
	}
}

func TestReceiversThatDoNotTakeIt(t *testing.T) {
	elsewhere := false
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		url    string // "": the receiver's
		want   string
	}{
		"an error": {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, want: "erreur (500)"},
		"a redirect": {answer: func(w http.ResponseWriter, q *http.Request) {
			elsewhere = elsewhere || q.URL.Path == "/elsewhere"
			http.Redirect(w, q, "/elsewhere", http.StatusPermanentRedirect)
		}, want: "renvois ne sont pas suivis"},
		"slow": {answer: func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }, want: "à temps"},
		"slow in its body": {answer: func(w http.ResponseWriter, q *http.Request) {
			_, _ = io.WriteString(w, "well")
			_ = http.NewResponseController(w).Flush()
			<-q.Context().Done()
		}, want: "à temps"},
		"private":               {url: "https://127.0.0.1/hook", want: "réseau privé"},
		"a name that is local":  {url: "https://localhost.localdomain./hook", want: "réseau privé|inconnu"},
		"http to the wide net":  {url: "http://example.org/", want: "https"},
		"nobody is at the port": {answer: nil, want: "connexion a échoué"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			answer := c.answer
			if answer == nil {
				answer = func(http.ResponseWriter, *http.Request) {}
			}
			r := receive(t, b, answer)
			if c.answer == nil && c.url == "" {
				r.Close()
			}
			url := c.url
			if url == "" {
				url = r.URL
			}
			hook, _ := b.followed(t, url)
			failed := run(t, b.sender, 1)
			if len(failed) != 1 || !errs.Is(failed[0], errs.Unavailable) {
				t.Fatalf("failed with %v", failed)
			}
			d := b.deliveries(t, hook)[0]
			said := false
			for want := range strings.SplitSeq(c.want, "|") {
				said = said || strings.Contains(d.Error, want)
			}
			if d.State != "queued" || d.Failures != 1 || !said || elsewhere {
				t.Errorf("delivery %+v, want %q", d, c.want)
			}
		})
	}
}

// A receiver that is down and comes back gets every change, each under one id and in order.
func TestAReceiverThatComesBackMissesNothing(t *testing.T) {
	b := setup(t)
	var mu sync.Mutex
	down := true
	r := receive(t, b, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	hook, _ := b.followed(t, r.URL)
	run(t, b.sender, 2)
	b.add(t, "2025-03", "2025-02-15", "2023-04")
	run(t, b.matcher, 5)
	// A worker is killed after the receiver has taken the message and before the row says so.
	mu.Lock()
	down = false
	mu.Unlock()
	ids, err := b.sender.Due(t.Context(), 10)
	ok(t, err)
	job, err := b.sender.Lease(t.Context(), ids[0])
	ok(t, err)
	ok(t, job.Work(t.Context()))
	expire(t, b)
	if failed := run(t, b.sender, 10); failed != nil {
		t.Fatal(failed)
	}
	ended := map[string]bool{}
	for _, d := range b.deliveries(t, hook) {
		ended[d.State] = true
	}
	if len(ended) != 1 || !ended["done"] {
		t.Errorf("the deliveries ended as %v", ended)
	}
	taken := map[string]string{}
	var order []string
	for _, s := range r.all()[2:] {
		id := s.header.Get("webhook-id")
		if left, again := taken[id]; again && left != string(s.body) {
			t.Errorf("%s came with two bodies", id)
		}
		if taken[id] == "" {
			order = append(order, string(s.body))
		}
		taken[id] = string(s.body)
	}
	if len(order) != 2 || !strings.Contains(order[0], "2025-02") || !strings.Contains(order[1], "2025-03") {
		t.Errorf("taken in the order %q", order)
	}
}

// expire lets the leases of all deliveries end.
func expire(t *testing.T, b *bundle) {
	t.Helper()
	pgtest.Exec(t, b.url, `UPDATE webhook_deliveries SET lease_until = now() - interval '1 second' WHERE state = 'running'`)
}

func TestAWebhookThatFailsForDaysIsTurnedOff(t *testing.T) {
	b := setup(t)
	r := receive(t, b, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	hook, _ := b.followed(t, r.URL)
	run(t, b.sender, 1)
	pgtest.Exec(t, b.url, `UPDATE webhooks SET failing_since = now() - interval '6 days'`)
	run(t, b.sender, 1)
	list, err := b.db.Webhooks(t.Context(), b.user)
	ok(t, err)
	if d := b.deliveries(t, hook)[0]; list[0].Active || list[0].Reason == "" || d.State != "failed" {
		t.Errorf("webhook %+v, delivery %+v", list[0], d)
	}
	mails, err := b.db.DueAlertMails(t.Context(), 10, time.Hour)
	ok(t, err)
	if len(mails) != 2 { // and the digest of the change
		t.Errorf("%d messages, want 2", len(mails))
	}
	_, err = b.db.TestWebhook(t.Context(), b.user, hook.ID)
	if !errs.Is(err, errs.Conflict) {
		t.Errorf("a test of it: %v", err)
	}
}

func TestADeliveryIsGivenUpAndSentAgain(t *testing.T) {
	b := setup(t)
	status := http.StatusInternalServerError
	var mu sync.Mutex
	r := receive(t, b, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(status)
	})
	hook, _ := b.followed(t, r.URL)
	run(t, b.sender, 50)
	d := b.deliveries(t, hook)[0]
	if d.State != "failed" || len(r.all()) != postgres.DeliveryTries {
		t.Fatalf("after %d attempts the delivery is %+v", len(r.all()), d)
	}
	mu.Lock()
	status = http.StatusOK
	mu.Unlock()
	_, err := b.db.Redeliver(t.Context(), b.user, hook.ID, d.ID)
	ok(t, err)
	run(t, b.sender, 5)
	seen := r.all()
	if d = b.deliveries(t, hook)[0]; d.State != "done" || seen[0].header.Get("webhook-id") != seen[len(seen)-1].header.Get("webhook-id") {
		t.Errorf("sent again: %+v", d)
	}
}

func TestATestMessage(t *testing.T) {
	b := setup(t)
	r := receive(t, b, func(http.ResponseWriter, *http.Request) {})
	secret, _ := alerts.NewSecret()
	hook, err := b.db.CreateWebhook(t.Context(), b.user, r.URL, secret)
	ok(t, err)
	_, err = b.db.TestWebhook(t.Context(), b.user, hook.ID)
	ok(t, err)
	b.sender.Off = true
	run(t, b.sender, 3)
	if len(r.all()) != 0 {
		t.Error("a message was sent although the deployment wants none")
	}
	b.sender.Off = false
	run(t, b.sender, 3)
	if seen := r.all(); len(seen) != 1 || !strings.Contains(string(seen[0].body), `"type":"test"`) {
		t.Errorf("sent %v", seen)
	}
}
