package meili

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/kit/testkit/port"
	"vigueur/internal/law"
	"vigueur/internal/store/meili/meilitest"
)

func TestMain(m *testing.M) {
	// the client's idle connections are closed shortly after the server
	leak.Main(m, "net/http.(*persistConn).readLoop", "net/http.(*persistConn).writeLoop")
}

// setup returns an empty index and its server.
func setup(t *testing.T) (*Index, *meilitest.Server) {
	t.Helper()
	s := meilitest.New(t)
	x, err := Open(s.URL, s.Key)
	if err != nil {
		t.Fatal(err)
	}
	x.Patience = time.Minute // a busy machine must not look like a silent server
	t.Cleanup(x.Close)
	return x, s
}

func id(n int) uuid.UUID { return uuid.UUID{0: 1, 15: byte(n), 14: byte(n >> 8)} }

func title(n int, name string) Title {
	return Title{ID: id(n), Title: name, Number: fmt.Sprintf("2000-%d", n), Type: law.Loi, Status: law.InForce, Domain: "travail", Promulgated: "2000-01-01"}
}

func fill(titles ...Title) func(put func([]Title) error) error {
	return func(put func([]Title) error) error { return put(titles) }
}

func TestRebuildSwapsAndCleans(t *testing.T) {
	t.Parallel()
	x, s := setup(t)
	ctx := t.Context()
	if _, err := x.Search(ctx, Query{Title: "code"}); !errs.Is(err, errs.NotFound) {
		t.Errorf("a search before there is an index: %v, want NotFound", err)
	}
	for _, names := range [][]string{{"Code du travail"}, {"Code civil", "Code des douanes"}} {
		var titles []Title
		for n, name := range names {
			titles = append(titles, title(n, name))
		}
		if err := x.Rebuild(ctx, fill(titles...)); err != nil {
			t.Fatal(err)
		}
		if got := s.Titles(uid); !slices.Equal(got, names) {
			t.Errorf("indexed %v, want %v", got, names)
		}
		if left := s.Indexes(); len(left) != 1 {
			t.Errorf("indexes %v, want %s alone", left, uid)
		}
	}
	broken := errors.New("no more texts")
	err := x.Rebuild(ctx, func(put func([]Title) error) error { return errors.Join(put([]Title{title(9, "Loi")}), broken) })
	if !errors.Is(err, broken) || len(s.Titles(uid)) != 2 {
		t.Errorf("a rebuild that fails: %v, index %v", err, s.Titles(uid))
	}
	if err := x.Rebuild(ctx, fill(title(1, "Loi"))); err != nil || len(s.Titles(uid)) != 1 {
		t.Errorf("a rebuild over what that left: %v, index %v", err, s.Titles(uid))
	}
}

// A rebuild by a worker that was considered lost goes on during another rebuild. Both
// succeed.
func TestRebuildsDoNotFillTheSameIndex(t *testing.T) {
	t.Parallel()
	x, s := setup(t)
	ctx := t.Context()
	err := x.Rebuild(ctx, func(put func([]Title) error) error {
		if err := put([]Title{title(1, "Code du travail")}); err != nil {
			return err
		}
		if err := x.Rebuild(ctx, fill(title(2, "Loi de finances"), title(3, "Code civil"))); err != nil {
			t.Errorf("the other rebuild: %v", err)
		}
		if got := s.Titles(uid); !slices.Equal(got, []string{"Code civil", "Loi de finances"}) {
			t.Errorf("after the other rebuild: %v", got)
		}
		return put([]Title{title(4, "Code pénal")})
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Titles(uid); !slices.Equal(got, []string{"Code du travail", "Code pénal"}) {
		t.Errorf("indexed %v", got)
	}
	if left := s.Indexes(); len(left) != 1 {
		t.Errorf("indexes %v are left", left)
	}
}

func TestPutDeleteAndIDs(t *testing.T) {
	t.Parallel()
	x, s := setup(t)
	ctx := t.Context()
	if err := x.Rebuild(ctx, fill()); err != nil {
		t.Fatal(err)
	}
	var many []Title
	for n := range batch + 5 {
		many = append(many, title(n, fmt.Sprintf("Loi %d", n)))
	}
	if err := x.Put(ctx, many); err != nil {
		t.Fatal(err)
	}
	if n := s.Calls("POST /indexes/titles/documents"); n != 2 {
		t.Errorf("%d calls for %d titles", n, len(many))
	}
	many[0].Title = "Loi changée"
	if err := x.Put(ctx, many[:1]); err != nil || !slices.Contains(s.Titles(uid), "Loi changée") {
		t.Errorf("a title that changed: %v", err)
	}
	if err := x.Delete(ctx, []uuid.UUID{id(1), id(2), uuid.New()}); err != nil {
		t.Fatal(err)
	}
	seen := map[uuid.UUID]bool{}
	if err := x.IDs(ctx, func(id uuid.UUID) error { seen[id] = true; return nil }); err != nil {
		t.Fatal(err)
	}
	if len(seen) != len(many)-2 || seen[id(1)] || !seen[id(3)] {
		t.Errorf("%d ids, want %d", len(seen), len(many)-2)
	}
	stop := errors.New("enough")
	if err := x.IDs(ctx, func(uuid.UUID) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("IDs goes on after an error: %v", err)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	x, s := setup(t)
	ctx := t.Context()
	if err := x.Ping(ctx); err != nil {
		t.Errorf("ping: %v", err)
	}
	s.Down(true)
	if err := x.Ping(ctx); !errs.Is(err, errs.Unavailable) {
		t.Errorf("ping of a server that is down: %v", err)
	}
	previous := s.Calls("POST /indexes/titles/search")
	if _, err := x.Search(ctx, Query{Title: "code"}); !errs.Is(err, errs.Unavailable) || errs.Public(err) != down {
		t.Errorf("search: %v", err)
	}
	if n := s.Calls("POST /indexes/titles/search") - previous; n != 1 {
		t.Errorf("a search was sent %d times", n)
	}
	s.Down(false)
	wrong, err := Open(s.URL, "autre")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(wrong.Close)
	if err := wrong.Put(ctx, []Title{title(1, "Loi")}); !errs.Is(err, errs.Internal) || !strings.Contains(err.Error(), "invalid_api_key") {
		t.Errorf("a wrong key: %v", err)
	}
	if err := x.Delete(ctx, []uuid.UUID{id(1)}); err == nil || !strings.Contains(err.Error(), "index_not_found") {
		t.Errorf("a task that failed: %v", err)
	}
	for _, bad := range []string{"", "titles", "ftp://x", "http://"} {
		if _, err := Open(bad, ""); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q is an address: %v", bad, err)
		}
	}
}

// TestServerThatDoesNotAnswer checks that a search ends although the server does not
// respond.
func TestServerThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}))
	t.Cleanup(silent.Close)
	t.Cleanup(func() { close(ended) })
	x, err := Open(silent.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	if _, err := x.Search(t.Context(), Query{Title: "code"}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("search: %v, want Unavailable", err)
	}
	address, err := port.Address() // nothing listens there
	if err != nil {
		t.Fatal(err)
	}
	gone, err := Open("http://"+address, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := gone.Ping(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("ping of nobody: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{}); !errs.Is(err, errs.Cancelled) {
		t.Errorf("a search that was given up: %v", err)
	}
}

// FuzzFilter checks that no value can widen a filter: a filter made from the value accepts
// exactly the documents with that value.
func FuzzFilter(f *testing.F) {
	for _, v := range []string{"travail", `x" OR doc_type = "loi`, `a\`, `\"`, "é\n", `" AND `, "'"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if value == "" {
			t.Skip("an empty value does not narrow")
		}
		fits, err := meilitest.Parse(Query{Domain: value, Type: law.Loi}.filter())
		if err != nil {
			t.Fatalf("%q gives a filter that is refused: %v", value, err)
		}
		doc := map[string]any{"domaine": value, "doc_type": "loi"}
		if !fits(doc) {
			t.Errorf("%q does not let its own through", value)
		}
		for _, other := range []map[string]any{{"domaine": value + "x", "doc_type": "loi"}, {"domaine": "", "doc_type": "loi"}, {"domaine": value, "doc_type": "code"}} {
			if fits(other) {
				t.Errorf("%q lets %v through", value, other)
			}
		}
	})
}
