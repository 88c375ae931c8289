package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vigueur/e2e/stage"
)

// received are the messages that a receiver of webhooks has accepted, by their id.
type received struct {
	mu     sync.Mutex
	down   bool            // refuses what it has not refused before
	failed map[string]bool // ids that it refused
	bodies map[string]string
	twice  []string // ids that it accepted twice
	kills  atomic.Int32
}

func (r *received) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	kills := r.kills.Load()
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if kills != r.kills.Load() { // its worker was killed meanwhile and sends it again
		return
	}
	id := q.Header.Get("webhook-id")
	// It refuses each message once: the second try comes after seconds, the third after minutes.
	if r.down && !r.failed[id] || id == "" || q.Header.Get("webhook-signature") == "" {
		r.failed[id] = true
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if r.bodies[id] != "" {
		r.twice = append(r.twice, id)
	}
	r.bodies[id] = string(body)
}

// kinds counts the accepted messages by their type.
func (r *received) kinds() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := map[string]int{}
	for _, body := range r.bodies {
		var m struct{ Type string }
		_ = json.Unmarshal([]byte(body), &m)
		found[m.Type]++
	}
	return found
}

// A code is followed, an act amends it, the worker is killed and another takes over: the digest is there and each webhook
// arrives once, although its receiver was down at first.
func TestAlertsOfAnAmendedCode(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := &received{failed: map[string]bool{}, bodies: map[string]string{}, down: true}
	receiver := httptest.NewServer(r)
	t.Cleanup(receiver.Close)
	s.Set("VIGUEUR_WEBHOOKS", "true")
	s.Set("VIGUEUR_WEBHOOK_HOSTS", strings.TrimPrefix(receiver.URL, "http://"))
	worker := startWorker(t, s)
	client, err := s.Client(t.Context(), startAPI(t, s))
	if err != nil {
		t.Fatal(err)
	}
	files := stage.Sample()
	if out, code := s.Ingest(t.Context(), "", "add", files[0]); code != 0 {
		t.Fatal(out)
	}
	var found struct {
		Items []struct{ Document struct{ ID, Title string } }
	}
	call := func(method, path string, body, result any) {
		t.Helper()
		if err := client.JSON(t.Context(), method, "/api/v1"+path, body, result); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	call("GET", "/search?kind=texte&q=code+du+travail", nil, &found)
	if len(found.Items) == 0 {
		t.Fatal("the sample has no code")
	}
	call("POST", "/me/follows", map[string]any{"kind": "text", "document_id": found.Items[0].Document.ID}, &struct{}{})
	var hook struct{ ID string }
	call("POST", "/me/webhooks", map[string]any{"url": receiver.URL}, &hook)
	if out, code := s.Ingest(t.Context(), "", append([]string{"add"}, files[1:]...)...); code != 0 {
		t.Fatal(out)
	}
	var page struct {
		Items []struct{ Kind, Title, Sentence string }
	}
	told := func() bool {
		call("GET", "/me/alerts", nil, &page)
		return slices.ContainsFunc(page.Items, func(a struct{ Kind, Title, Sentence string }) bool { return a.Kind == "modified" })
	}
	await(t, "the alerts", told)
	func() { // what is accepted and not yet stored at the kill would come again
		r.mu.Lock()
		defer r.mu.Unlock()
		await(t, "all that was accepted is stored", func() bool {
			var stored int
			if err := s.Query(t.Context(), `SELECT count(*) FROM webhook_deliveries WHERE state = 'done'`, &stored); err != nil {
				t.Fatal(err)
			}
			return stored == len(r.bodies)
		})
		worker.Kill()
		r.kills.Add(1)
		receiver.CloseClientConnections() // of what was sent and has not arrived
		r.down = false
	}()
	startWorker(t, s)
	var before int
	await(t, "the webhooks", func() bool {
		kinds := r.kinds()
		before = kinds["law.wording"] + kinds["law.modified"]
		call("GET", "/me/alerts", nil, &page)
		return kinds["law.modified"] > 0 && before == len(page.Items)
	})
	var letters []string
	await(t, "the digest", func() bool {
		letters, err = filepath.Glob(filepath.Join(s.Dir, "mail", "alert-*.eml"))
		return err == nil && len(letters) > 0
	})
	if len(letters) != 1 {
		t.Errorf("%d digests on one day: %q", len(letters), letters)
	}
	if letter := awaitFile(t, letters[0]); !strings.Contains(letter, "List-Unsubscribe-Post: List-Unsubscribe=One-Click") || !strings.Contains(letter, found.Items[0].Document.ID) {
		t.Errorf("the digest:\n%s", letter)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.twice) > 0 || len(r.bodies) != before {
		t.Errorf("%d messages, %q of them twice, want %d", len(r.bodies), r.twice, before)
	}
}
