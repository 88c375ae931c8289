package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/officetext"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
	"vigueur/internal/work/queue/redistest"
)

// hang is the timeout after which a test gives up, and the server's timeout where a busy
// machine would exceed the usual one.
const hang = 3 * time.Minute

// sharedRedis is used by all tests that neither stop nor flush it.
var sharedRedis *redistest.Server

func TestMain(m *testing.M) {
	pdftext.Main()
	officetext.Main()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "httpapi-redis-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if sharedRedis, err = redistest.Open(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer sharedRedis.Stop()
	code := m.Run()
	// fasthttp runs one clock per process, which never stops, and the cleaners of its pools
	// notice only after a sleep of 10 s that they were stopped.
	clock := "github.com/valyala/fasthttp.updateServerDate.func1"
	cleaners := "github.com/valyala/fasthttp.(*workerPool).Start.func2"
	if err := leak.Find(clock, cleaners); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// bundle is a running server with its own stores and one user.
type bundle struct {
	*Server
	url    string
	hints  chan uuid.UUID // ids that were enqueued
	log    *journal
	user   postgres.User
	token  string
	client *http.Client
	stop   func() // stops the server and waits until it has stopped
}

// queueFake records its hints, or fails.
type queueFake struct {
	hints chan uuid.UUID
	err   error
}

func (q *queueFake) Enqueue(_ context.Context, _ queue.Kind, id uuid.UUID) error {
	if q.err == nil {
		q.hints <- id
	}
	return q.err
}

var addressSecret = []byte(strings.Repeat("a", 32))

// setup starts a server; change may change its settings before.
func setup(t *testing.T, change ...func(*Server)) *bundle {
	t.Helper()
	t.Parallel()
	return start(t, pgtest.New(t), sharedRedis.URL(), change...)
}

// start does what setup does, with the given stores.
func start(t *testing.T, db *postgres.DB, redisURL string, change ...func(*Server)) *bundle {
	t.Helper()
	if !strings.Contains(redisURL, "?") { // a busy machine is not a Redis that is away
		redisURL += "?dial_timeout=1m&read_timeout=1m&write_timeout=1m"
	}
	b := &bundle{hints: make(chan uuid.UUID, 16), log: &journal{lines: make(chan string, 1024)}}
	key, err := auth.HMAC("1", bytes.Repeat([]byte("s"), 32))
	ok(t, err)
	box, err := factor.NewBox(addressSecret)
	ok(t, err)
	folder, err := blobs.NewFolder(t.TempDir())
	ok(t, err)
	counts, err := ratelimit.Open(redisURL)
	ok(t, err)
	t.Cleanup(func() { ok(t, counts.Close()) })
	b.Server = &Server{
		MailDir:  t.TempDir(),
		ReadFile: verify.Files{}.Read,
		DB:       db, Queue: &queueFake{hints: b.hints}, Blobs: folder,
		Workers:       func(string) (int, error) { return 1, nil },
		Askers:        3,
		Tokens:        &auth.Tokens{Issuer: "vigueur", Audience: "vigueur-api", Keys: auth.Keyring{key}, Now: time.Now, Life: time.Hour},
		Lives:         account.Lives{Refresh: 30 * 24 * time.Hour, Session: 90 * 24 * time.Hour},
		Factors:       account.Factors{Box: box, Pending: &auth.Tokens{Issuer: "vigueur", Audience: "vigueur-second-factor", Keys: auth.Keyring{key}, Now: time.Now, Life: 5 * time.Minute}},
		Passwords:     auth.NewPasswords(),
		Logins:        account.NewLoginLimits(counts, "login-"+uuid.NewString()),
		Inquiries:     &ratelimit.Limiter{Store: counts, Name: "inquiry-" + uuid.NewString(), Limit: 5, Window: time.Hour},
		AllInquiries:  &ratelimit.Limiter{Store: counts, Name: "inquiries-" + uuid.NewString(), Limit: 500, Window: time.Hour},
		LinkRequests:  &ratelimit.Limiter{Store: counts, Name: "letters-" + uuid.NewString(), Limit: 10, Window: time.Hour},
		Deliveries:    &ratelimit.Limiter{Store: counts, Name: "deliveries-" + uuid.NewString(), Limit: 5, Window: time.Minute},
		Exports:       &ratelimit.Limiter{Store: counts, Name: "export-" + uuid.NewString(), Limit: 5, Window: time.Hour},
		Keys:          &ratelimit.Allowance{Store: counts, Name: "key-" + uuid.NewString()},
		Mailbox:       &ratelimit.Limiter{Store: counts, Name: "mailbox-" + uuid.NewString(), Limit: 3, Window: time.Hour},
		AddressSecret: addressSecret,
		Proxies:       []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		BaseURL:       "https://vigueur.example/",
		Models:        []conversations.Model{{ID: "extractif", Label: "Extractif", Default: true}, {ID: "autre", Label: "Autre"}},
		Backlog:       postgres.Backlog{Wait: time.Minute, Rows: 1000},
		Connections:   transport.Connections{All: 1000, Each: 100},
		Bodies:        transport.ByteRoom{All: 64 << 20, Each: 16 << 20},
		Replies:       transport.ByteRoom{All: 64 << 20, Each: 16 << 20},
		Uploads:       8,
		Log:           slog.New(slog.NewJSONHandler(b.log, nil)),
		Now:           time.Now,
		limits:        transport.Limits{Work: hang, Check: hang, Linger: 10 * time.Second},
	}
	b.Programs, err = account.NewPrograms(addressSecret, b.BaseURL, b.Tokens)
	ok(t, err)
	b.Relay = openRelay(t, redisURL)
	b.Checks = []Check{
		{Name: "postgres", Required: true, Ping: db.Ping},
		{Name: "redis", Required: true, Ping: b.Relay.Ping},
	}
	for _, f := range change {
		f(b.Server)
	}
	b.serve(t)
	if b.user, err = db.UserByEmail(t.Context(), "awa@example.org"); err != nil { // another server of the test may have created her
		b.user = b.addUser(t, "awa@example.org")
	}
	b.token = b.tokenOf(t, b.user)
	return b
}

func openRelay(t *testing.T, url string) *relay.Relay {
	t.Helper()
	r, err := relay.Open(url, slog.New(slog.DiscardHandler))
	ok(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("relay: %v", err)
		}
	})
	return r
}

func (b *bundle) serve(t *testing.T) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	b.url = "http://" + ln.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	b.assemble() // here, so that tests may look into its rooms
	go func() { ended <- b.Serve(ctx, ln) }()
	over := false
	b.stop = func() {
		if over {
			return
		}
		over = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	}
	b.client = &http.Client{Transport: judged(t)}
	t.Cleanup(func() {
		b.client.CloseIdleConnections()
		b.stop()
	})
}

// journal receives the server's log, line by line.
type journal struct{ lines chan string }

func (j *journal) Write(p []byte) (int, error) {
	select {
	case j.lines <- string(p):
	default: // the test does not read so many lines
	}
	return len(p), nil
}

// await returns the next line of the log that holds every one of parts.
func (j *journal) await(t *testing.T, parts ...string) string {
	t.Helper()
	limit := time.After(hang)
next:
	for {
		select {
		case line := <-j.lines:
			for _, part := range parts {
				if !strings.Contains(line, part) {
					continue next
				}
			}
			return line
		case <-limit:
			t.Fatalf("no line of the log holds %q", parts)
		}
	}
}

func (b *bundle) addUser(t *testing.T, email string) postgres.User {
	t.Helper()
	u := postgres.User{ID: postgres.NewID(), Email: email, FullName: "Awa Essai", Role: "user", Active: true, PasswordHash: "x", TokenVersion: 1}
	ok(t, b.DB.CreateUser(t.Context(), u))
	return u
}

// tokenOf returns a token of a new session.
func (b *bundle) tokenOf(t *testing.T, u postgres.User) string {
	t.Helper()
	session, later := uuid.New(), time.Now().Add(time.Hour)
	err := b.DB.CreateRefreshToken(t.Context(), postgres.SignIn{Session: session, Hash: session[:], User: u.ID, Version: u.TokenVersion, Expires: later, Ends: later})
	if err != nil && !errs.Is(err, errs.Unauthorized) { // the account may have been closed
		t.Fatal(err)
	}
	token, err := b.Tokens.Issue(auth.Bearer{User: u.ID, Email: u.Email, Role: u.Role, Version: u.TokenVersion, Session: session})
	ok(t, err)
	return token
}

// reply is a response whose body was read completely.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// send makes a request with the bundle's token. headers are pairs of name and value, which
// replace other headers.
func (b *bundle) send(t *testing.T, method, path, body string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.url+path, strings.NewReader(body))
	ok(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization", "Bearer "+b.token)
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
			continue
		}
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := b.client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return response
}

func (b *bundle) do(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	response := b.send(t, method, path, body, headers...)
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return reply{response.StatusCode, response.Header, read}
}

func (b *bundle) get(t *testing.T, path string) reply {
	t.Helper()
	return b.do(t, "GET", path, "")
}

// decode decodes the body as a T.
func decode[T any](t *testing.T, r reply) (v T) {
	t.Helper()
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	return v
}

// wantDetail checks that r is an error with the given status in the format of the contract,
// and returns its detail.
func wantDetail(t *testing.T, r reply, status int) string {
	t.Helper()
	var body map[string]any
	err := json.Unmarshal(r.body, &body)
	detail, _ := body["detail"].(string)
	if r.status != status || err != nil || len(body) != 1 || detail == "" || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %s %s (%v), want %d with a detail", r.status, r.header.Get("Content-Type"), r.body, err, status)
	}
	if r.header.Get("X-Request-Id") == "" {
		t.Errorf("no X-Request-Id on %d", r.status)
	}
	return detail
}

// found returns the faults of a 422, each as "type at loc".
func found(t *testing.T, r reply) []string {
	t.Helper()
	if r.status != http.StatusUnprocessableEntity {
		t.Fatalf("%d %s, want 422", r.status, r.body)
	}
	body := decode[struct{ Detail []form.Fault }](t, r)
	list := []string{}
	for _, f := range body.Detail {
		loc := make([]string, len(f.Loc))
		for i, l := range f.Loc {
			loc[i] = fmt.Sprint(l)
		}
		list = append(list, f.Type+" "+strings.Join(loc, "."))
		if f.Msg == "" {
			t.Errorf("%s has no msg", f.Type)
		}
	}
	return list
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// keys returns the names of the fields of a JSON object, to check that there are no others.
func keys(t *testing.T, raw []byte) map[string]bool {
	t.Helper()
	var fields map[string]json.RawMessage
	ok(t, json.Unmarshal(raw, &fields))
	set := map[string]bool{}
	for name := range fields {
		set[name] = true
	}
	return set
}

func set(names ...string) map[string]bool {
	s := map[string]bool{}
	for _, n := range names {
		s[n] = true
	}
	return s
}
