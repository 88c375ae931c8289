package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/work/queue/redistest"
)

const inquiryPath = "/api/v1/business/inquiry"

// inquiry is the JSON of a valid inquiry with changes; a nil value removes a field.
func inquiry(changes map[string]any) string {
	body := map[string]any{"company": "Étude Né", "contact_name": "Awa Né", "email": "awa@example.org", "use_case": "Installer chez nous"}
	maps.Copy(body, changes)
	maps.DeleteFunc(body, func(_ string, v any) bool { return v == nil })
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // the values are the test's own
	}
	return string(raw)
}

// inquire sends an inquiry from an address, without a token.
func (b *bundle) inquire(t *testing.T, source, body string) reply {
	t.Helper()
	return b.do(t, "POST", inquiryPath, body, "Authorization", "", "X-Forwarded-For", source)
}

func TestInquiry(t *testing.T) {
	b := setup(t)
	r := b.inquire(t, "203.0.113.1", inquiry(map[string]any{
		"company": "  Étude Né\u00a0", "phone": " +221 33 000 ", "team_size": "200+", "preferred_slot": "mardi", "unknown": []int{1}}))
	equal(t, "status", r.status, http.StatusCreated)
	equal(t, "fields", keys(t, r.body), set("id"))
	equal(t, "quota", quotaOf(r), [3]string{"5", "4", "3600"})
	id := decode[struct{ ID uuid.UUID }](t, r).ID
	if id.Version() != 7 {
		t.Errorf("id %v", id)
	}
	equal(t, "hint", <-b.hints, id)
	row, err := pgtest.Inquiry(t.Context(), b.DB, id)
	ok(t, err)
	equal(t, "texts", []string{row.Company, row.ContactName, row.Email, *row.Phone, *row.TeamSize, row.UseCase, *row.PreferredSlot, row.Status},
		[]string{"Étude Né", "Awa Né", "awa@example.org", "+221 33 000", "200+", "Installer chez nous", "mardi", "new"})

	r = b.inquire(t, "203.0.113.1", inquiry(map[string]any{"phone": "  ", "preferred_slot": json.RawMessage("null"), "team_size": json.RawMessage("null")}))
	row, err = pgtest.Inquiry(t.Context(), b.DB, decode[struct{ ID uuid.UUID }](t, r).ID)
	ok(t, err)
	if row.Phone != nil || row.PreferredSlot != nil || row.TeamSize != nil {
		t.Errorf("what was not said is kept as %v %v %v", row.Phone, row.PreferredSlot, row.TeamSize)
	}
	// No token is required, and an invalid one is ignored.
	equal(t, "bad token", b.do(t, "POST", inquiryPath, inquiry(nil), "Authorization", "Bearer x").status, http.StatusCreated)
	wantDetail(t, b.do(t, "POST", inquiryPath, inquiry(nil), "Content-Type", "text/plain"), http.StatusUnsupportedMediaType)
	wantDetail(t, b.do(t, "GET", inquiryPath, ""), http.StatusMethodNotAllowed)
}

func TestInquiryLengthsAreInCodePointsAfterTrimming(t *testing.T) {
	b := setup(t)
	n := 0
	for _, c := range []struct {
		field       string
		least, most int
	}{{"company", 2, 255}, {"contact_name", 2, 255}, {"use_case", 2, 4000}, {"phone", 0, 64}, {"preferred_slot", 0, 255}} {
		for _, letter := range []string{"a", "é", "🙂"} {
			for _, length := range []int{c.least - 1, c.least, c.most, c.most + 1} {
				if length < 0 {
					continue
				}
				n++
				source := fmt.Sprintf("203.0.113.%d", n)
				r := b.inquire(t, source, inquiry(map[string]any{c.field: "\u2003 \n" + strings.Repeat(letter, length) + "\t\u00a0"}))
				switch {
				case length < c.least:
					equal(t, source, found(t, r), []string{"string_too_short body." + c.field})
				case length > c.most:
					equal(t, source, found(t, r), []string{"string_too_long body." + c.field})
				default:
					equal(t, fmt.Sprintf("%s of %d %s", c.field, length, letter), r.status, http.StatusCreated)
					<-b.hints
				}
			}
		}
	}
}

func TestInquiryFaults(t *testing.T) {
	b := setup(t)
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"nothing":  {`{}`, []string{"missing body.company", "missing body.contact_name", "missing body.email", "missing body.use_case"}},
		"no body":  {``, []string{"missing body"}},
		"a list":   {`[]`, []string{"dict_type body"}},
		"cut":      {`{"company":`, []string{"json_invalid body.10"}},
		"numbers":  {`{"company":1,"contact_name":true,"email":[],"use_case":{},"phone":2,"preferred_slot":3,"team_size":4}`, []string{"string_type body.company", "string_type body.contact_name", "string_type body.email", "string_type body.phone", "string_type body.use_case", "string_type body.preferred_slot", "enum body.team_size"}},
		"nulls":    {`{"company":null,"contact_name":null,"email":null,"use_case":null}`, []string{"string_type body.company", "string_type body.contact_name", "string_type body.email", "string_type body.use_case"}},
		"NUL":      {inquiry(map[string]any{"company": "a\x00b", "phone": "\x00"}), []string{"value_error body.company", "value_error body.phone"}},
		"no size":  {inquiry(map[string]any{"team_size": ""}), []string{"enum body.team_size"}},
		"odd size": {inquiry(map[string]any{"team_size": "1–10"}), []string{"enum body.team_size"}},
	} {
		r := b.do(t, "POST", inquiryPath, c.body, "Authorization", "", "Content-Type", "application/json")
		equal(t, name, found(t, r), c.want)
	}
	for _, size := range []string{"1-10", "11-50", "51-200", "200+"} {
		r := b.inquire(t, "203.0.113.9", inquiry(map[string]any{"team_size": size}))
		equal(t, size, r.status, http.StatusCreated)
	}
	equal(t, "faults count for nothing", b.inquire(t, "127.0.0.1", inquiry(nil)).header.Get("RateLimit-Remaining"), "4")
}

func TestInquiryEmails(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 254-len("@b.c"))
	for email, good := range map[string]bool{
		"a@b.c": true, "prénom.nom+x@société.example": true, "a@b.c.d": true, long + "@b.c": true,
		long + "a@b.c": false, "": false, "a": false, "@b.c": false, "a@": false, "a@b": false, "a@b.": false, "a@.b": false, "a@@b.c": false,
		"a@b@c.d": false, "a b@c.d": false, "a@b .c": false, "a\u00a0b@c.d": false, "a\nBcc: x@y.z": false, "a@b.c\r\nd": false, "a\x01@b.c": false,
	} {
		if form.LikeEmail(email) != good {
			t.Errorf("%q: %v", email, !good)
		}
	}
}

func TestInquiryEmailFaultsAreValueErrors(t *testing.T) {
	b := setup(t)
	for _, email := range []string{"", "  ", "a", "a b@c.d", "a@b@c.d", strings.Repeat("é", 251) + "@b.c"} {
		equal(t, email, found(t, b.inquire(t, "203.0.113.1", inquiry(map[string]any{"email": email}))), []string{"value_error body.email"})
	}
	equal(t, "254 code points", b.inquire(t, "203.0.113.1", inquiry(map[string]any{"email": " " + strings.Repeat("é", 250) + "@b.c "})).status, http.StatusCreated)
}

func TestSixthInquiryIsRefused(t *testing.T) {
	b := setup(t)
	for i := range 5 {
		r := b.inquire(t, "203.0.113.1", inquiry(nil))
		equal(t, "status", r.status, http.StatusCreated)
		equal(t, "remaining", r.header.Get("RateLimit-Remaining"), fmt.Sprint(4-i))
	}
	r := b.inquire(t, "203.0.113.1", inquiry(nil))
	wantDetail(t, r, http.StatusTooManyRequests)
	q := quotaOf(r)
	if q[0] != "5" || q[1] != "0" || q[2] == "" || q[2] != r.header.Get("Retry-After") {
		t.Errorf("quota %v, Retry-After %q", q, r.header.Get("Retry-After"))
	}
	// A client with a forged entry before the proxy's is still recognized.
	wantDetail(t, b.inquire(t, "198.51.100.7, 203.0.113.1", inquiry(nil)), http.StatusTooManyRequests)
	wantDetail(t, b.inquire(t, "198.51.100.8,203.0.113.1,127.0.0.9", inquiry(nil)), http.StatusTooManyRequests)
	equal(t, "another address", b.inquire(t, "203.0.113.2", inquiry(nil)).status, http.StatusCreated)
	list, _, err := b.DB.Inquiries(t.Context(), "", nil, 200)
	ok(t, err)
	equal(t, "accepted", len(list), 6)
}

// Without a trusted proxy the header is ignored.
func TestForgedAddressIsNotBelieved(t *testing.T) {
	b := setup(t, func(s *Server) { s.Proxies = nil })
	for i := range 5 {
		equal(t, "status", b.inquire(t, fmt.Sprintf("203.0.113.%d", i), inquiry(nil)).status, http.StatusCreated)
	}
	wantDetail(t, b.inquire(t, "203.0.113.99", inquiry(nil)), http.StatusTooManyRequests)
}

// If forty inquiries are sent concurrently to two servers, five are accepted.
func TestInquiryLimitHoldsAtOnce(t *testing.T) {
	b := setup(t)
	other := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Inquiries.Name = b.Inquiries.Name })
	var accepted, limited atomic.Int32
	var all sync.WaitGroup
	for i := range 40 {
		server := []*bundle{b, other}[i%2]
		all.Go(func() {
			switch r := server.inquire(t, "203.0.113.7", inquiry(nil)); r.status {
			case http.StatusCreated:
				accepted.Add(1)
			case http.StatusTooManyRequests:
				limited.Add(1)
			default:
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	all.Wait()
	list, _, err := b.DB.Inquiries(t.Context(), "", nil, 200)
	ok(t, err)
	if accepted.Load() != 5 || limited.Load() != 35 || len(list) != 5 {
		t.Errorf("%d accepted, %d limited, %d stored; want 5, 35 and 5", accepted.Load(), limited.Load(), len(list))
	}
}

func TestInquiryWindowSlides(t *testing.T) {
	b := setup(t)
	for range 5 {
		equal(t, "status", b.inquire(t, "203.0.113.1", inquiry(nil)).status, http.StatusCreated)
	}
	wantDetail(t, b.inquire(t, "203.0.113.1", inquiry(nil)), http.StatusTooManyRequests)
	b.Inquiries.Window = time.Millisecond // all five have left the window
	equal(t, "status", b.inquire(t, "203.0.113.1", inquiry(nil)).status, http.StatusCreated)
}

func TestAddressIsStoredAsAKeyedHashOnly(t *testing.T) {
	b := setup(t)
	id := decode[struct{ ID uuid.UUID }](t, b.inquire(t, "203.0.113.1", inquiry(nil))).ID
	mac := hmac.New(sha256.New, addressSecret)
	mac.Write([]byte("203.0.113.1"))
	row, err := pgtest.Inquiry(t.Context(), b.DB, id)
	ok(t, err)
	equal(t, "stored", row.AddressHash, mac.Sum(nil))
	line := b.log.await(t, inquiryPath)
	for _, secret := range []string{"203.0.113.1", "awa@example.org", "Étude"} {
		if strings.Contains(line, secret) {
			t.Errorf("the log tells %q: %s", secret, line)
		}
	}
}

// Without the hint the inquiry is accepted, because the sweep finds it. Without the limit's
// store it is rejected.
func TestInquiryWhileRedisIsDown(t *testing.T) {
	t.Run("the queue", func(t *testing.T) {
		b := setup(t, func(s *Server) { s.Queue = &queueFake{err: errors.New("down")} })
		equal(t, "status", b.inquire(t, "203.0.113.1", inquiry(nil)).status, http.StatusCreated)
	})
	t.Run("the limit", func(t *testing.T) {
		redis := redistest.New(t)
		b := setup(t)
		apart := start(t, b.DB, redis.URL())
		redis.Stop()
		r := apart.inquire(t, "203.0.113.1", inquiry(nil))
		wantDetail(t, r, http.StatusServiceUnavailable)
		list, _, err := b.DB.Inquiries(t.Context(), "", nil, 10)
		ok(t, err)
		equal(t, "accepted", len(list), 0)
	})
}

func TestUncountedInquiryIsNotKept(t *testing.T) {
	b := setup(t)
	down := errors.New("down")
	i := postgres.Inquiry{ID: postgres.NewID(), Company: "AB", ContactName: "CD", Email: "a@b.c", UseCase: "EF", AddressHash: make([]byte, 32)}
	if err := b.DB.CreateInquiry(context.Background(), i, func() error { return down }); !errors.Is(err, down) {
		t.Errorf("error %v", err)
	}
	list, _, err := b.DB.Inquiries(t.Context(), "", nil, 10)
	ok(t, err)
	equal(t, "kept", len(list), 0)
}

// asRole changes the role of the bundle's user but not the token.
func (b *bundle) asRole(t *testing.T, role string) {
	t.Helper()
	u := postgres.User{ID: postgres.NewID(), Email: role + "-" + uuid.NewString() + "@example.org", FullName: "A", Role: role, Active: true, PasswordHash: "x", TokenVersion: 1}
	ok(t, b.DB.CreateUser(t.Context(), u))
	u.Role = "user" // the role in the token is ignored
	b.token = b.tokenOf(t, u)
}

func TestInquiriesAreForAdministrators(t *testing.T) {
	b := setup(t)
	path := "/api/v1/admin/inquiries"
	for _, call := range [][2]string{{"GET", path}, {"PATCH", path + "/" + uuid.NewString()}} {
		wantDetail(t, b.do(t, call[0], call[1], "", "Authorization", ""), http.StatusUnauthorized)
		for _, role := range []string{"user", "editor"} {
			b.asRole(t, role)
			wantDetail(t, b.do(t, call[0], call[1], ""), http.StatusForbidden)
		}
	}
	b.asRole(t, "admin")
	equal(t, "admin", b.get(t, path).status, http.StatusOK)
}

type inquiryList struct {
	Items      []admin.InquiryBody `json:"items"`
	NextBefore *string             `json:"next_before"`
}

func TestInquiriesByCursorVisitsEachOnce(t *testing.T) {
	b := setup(t)
	b.asRole(t, "admin")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				i := postgres.Inquiry{ID: postgres.NewID(), Company: "AB", ContactName: "CD", Email: "a@b.c", UseCase: "EF", AddressHash: make([]byte, 32)}
				if err := b.DB.CreateInquiry(t.Context(), i, func() error { return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[uuid.UUID]bool{}
	last := "9"
	for path := "/api/v1/admin/inquiries?limit=7"; path != ""; {
		page := decode[inquiryList](t, b.get(t, path))
		for _, i := range page.Items {
			if seen[i.ID] || i.CreatedAt >= last {
				t.Errorf("%v at %s comes twice or out of order", i.ID, i.CreatedAt)
			}
			seen[i.ID], last = true, i.CreatedAt
		}
		path = ""
		if page.NextBefore != nil {
			path = "/api/v1/admin/inquiries?limit=7&before=" + *page.NextBefore
		}
	}
	equal(t, "seen", len(seen), 40)
	for query, want := range map[string]string{"limit=0": "greater_than_equal query.limit", "limit=201": "less_than_equal query.limit",
		"status=": "enum query.status", "status=neuf": "enum query.status"} {
		equal(t, query, found(t, b.get(t, "/api/v1/admin/inquiries?"+query)), []string{want})
	}
	for _, left := range []string{"", "2026-01-31", "2026-01-31T12:00:00"} {
		wantDetail(t, b.get(t, "/api/v1/admin/inquiries?before="+left), http.StatusBadRequest)
	}
}

func TestInquiryIsShownAndItsStatusChanged(t *testing.T) {
	b := setup(t)
	b.asRole(t, "admin")
	id := decode[struct{ ID uuid.UUID }](t, b.inquire(t, "203.0.113.1", inquiry(nil))).ID
	_, l, err := b.DB.LeaseNotification(t.Context(), id)
	ok(t, err)
	ok(t, l.Retry(t.Context(), "Le serveur dort.", time.Hour))

	r := b.get(t, "/api/v1/admin/inquiries?status=new")
	page := decode[inquiryList](t, r)
	if len(page.Items) != 1 || page.NextBefore != nil {
		t.Fatalf("%s", r.body)
	}
	raw := decode[struct{ Items []json.RawMessage }](t, r).Items[0]
	equal(t, "fields", keys(t, raw), set("id", "company", "contact_name", "email", "phone", "team_size", "use_case", "preferred_slot",
		"status", "created_at", "updated_at", "notification"))
	n := page.Items[0].Notification
	if n.State != "queued" || n.NextAt == nil || n.AttemptsCount != 1 || len(n.Attempts) != 1 || n.Attempts[0].Outcome != "failed" ||
		*n.Attempts[0].Reason != "Le serveur dort." {
		t.Errorf("notification %s", raw)
	}
	path := "/api/v1/admin/inquiries/" + id.String()
	for _, status := range []string{"new", "read", "answered", "closed", "answered"} {
		got := decode[admin.InquiryBody](t, b.do(t, "PATCH", path, fmt.Sprintf(`{"status":%q}`, status)))
		if got.Status != status || got.ID != id || len(got.Notification.Attempts) != 1 || got.UpdatedAt <= got.CreatedAt {
			t.Errorf("%+v", got)
		}
	}
	equal(t, "of another status", len(decode[inquiryList](t, b.get(t, "/api/v1/admin/inquiries?status=new")).Items), 0)
	equal(t, "none", found(t, b.do(t, "PATCH", path, `{}`)), []string{"missing body.status"})
	for _, status := range []string{`"neuf"`, `null`, `""`, `1`} {
		equal(t, status, found(t, b.do(t, "PATCH", path, `{"status":`+status+`}`)), []string{"enum body.status"})
	}
	equal(t, "no id", found(t, b.do(t, "PATCH", "/api/v1/admin/inquiries/x", `{"status":"read"}`)), []string{"uuid_parsing path.id"})
	wantDetail(t, b.do(t, "PATCH", "/api/v1/admin/inquiries/"+uuid.NewString(), `{"status":"read"}`), http.StatusNotFound)
}
