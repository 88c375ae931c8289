package meili

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/meili/meilitest"
)

// exchange is a recorded call to a real server, and its response.
type exchange struct {
	Note, Method, Path, Auth string
	Body                     json.RawMessage
	Status                   int
	Response                 json.RawMessage
}

func recorded(t *testing.T) (list []exchange) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "..", "shared", "data", "meilisearch", "exchanges.jsonl")
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the recorded exchanges are not there: %s", path)
	}
	t.Cleanup(func() { _ = f.Close() }) // it is only read
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e exchange
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// taught reports whether the fake server supports the call.
func (e exchange) taught() bool {
	switch {
	case strings.HasPrefix(e.Note, "search-only key") || e.Path == "/version" || e.Path == "/multi-search" || e.Note == "malformed JSON" || e.Note == "wrong content type":
		return false
	case strings.HasSuffix(e.Path, "/search"):
		for _, other := range []string{"facets", "attributesToHighlight", "showMatchesPosition", "hitsPerPage", "sort", `[["doc_type`, `"limit": -1`} {
			if bytes.Contains(e.Body, []byte(other)) {
				return false
			}
		}
		return true
	}
	return e.Auth == "master" && (e.Path == "/indexes" && e.Method == "POST" || e.Path == "/swap-indexes" || strings.HasPrefix(e.Path, "/tasks/") ||
		e.Method == "PATCH" || e.Method == "DELETE" && strings.Count(e.Path, "/") == 2 || e.Path == "/indexes/titles/documents" && e.Method == "POST") ||
		e.Path == "/indexes" && e.Method == "POST"
}

// TestTheTestServerAnswersAsARealOne sends the recorded calls to the fake server: status,
// fields of the response, outcome of tasks and hits of searches must equal those of the
// real one.
func TestTheTestServerAnswersAsARealOne(t *testing.T) {
	t.Parallel()
	s := meilitest.New(t)
	tasks := map[string]string{} // task numbers of the recording and of the fake server
	last, sent := "", 0
	for _, e := range recorded(t) {
		if !e.taught() || strings.Contains(e.Note, "not allowed") || strings.HasPrefix(e.Note, "bad id") {
			continue
		}
		path := e.Path
		if number, ok := strings.CutPrefix(path, "/tasks/"); ok {
			if tasks[number] == "" {
				continue // the task belongs to an unsupported call
			}
			path = "/tasks/" + tasks[number]
		}
		status, body := send(t, s, e, path)
		sent++
		if status != e.Status {
			t.Errorf("%s: status %d, a real server's is %d\n%s", e.Note, status, e.Status, body)
			continue
		}
		var got, want map[string]any
		unmarshal(t, body, &got)
		unmarshal(t, e.Response, &want)
		if n, ok := want["taskUid"]; ok {
			last = fmt.Sprint(n)
			tasks[last] = fmt.Sprint(got["taskUid"])
		}
		sameAnswer(t, e.Note, got, want)
	}
	if sent < 40 {
		t.Errorf("only %d exchanges were held against it", sent)
	}
}

func unmarshal(t *testing.T, data []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
}

func send(t *testing.T, s *meilitest.Server, e exchange, path string) (int, []byte) {
	t.Helper()
	body := e.Body
	if string(body) == "null" {
		body = nil
	}
	r, err := http.NewRequestWithContext(t.Context(), e.Method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	switch e.Auth {
	case "master":
		r.Header.Set("Authorization", "Bearer "+s.Key)
	case "other":
		r.Header.Set("Authorization", "Bearer autre")
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, read
}

// sameAnswer compares a response of the fake server with a real one.
func sameAnswer(t *testing.T, note string, got, want map[string]any) {
	t.Helper()
	for field, value := range want {
		if _, there := got[field]; !there && field != "requestUid" {
			t.Errorf("%s: no %s in the answer", note, field)
		}
		switch field {
		case "status", "type", "indexUid", "code":
			if !reflect.DeepEqual(got[field], value) && field != "code" {
				t.Errorf("%s: %s is %v, a real server says %v", note, field, got[field], value)
			}
		case "error":
			if (value == nil) != (got[field] == nil) {
				t.Errorf("%s: the task's fault is %v, a real server says %v", note, got[field], value)
			}
		}
	}
	if total, ok := want["estimatedTotalHits"]; ok && note != "filter with a quote inside, escaped" {
		if fmt.Sprint(got["estimatedTotalHits"]) != fmt.Sprint(total) {
			t.Errorf("%s: %v hits, a real server has %v", note, got["estimatedTotalHits"], total)
		}
	}
}

// TestSearchesAsRecorded makes the recorded searches through the client.
func TestSearchesAsRecorded(t *testing.T) {
	t.Parallel()
	exchanges := recorded(t)
	x, _ := setup(t)
	for _, e := range exchanges {
		if e.Note == "add documents" {
			var titles []Title
			unmarshal(t, e.Body, &titles)
			if err := x.Rebuild(t.Context(), fill(titles...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	searches := 0
	for _, e := range exchanges {
		q, ok := strings.CutPrefix(e.Note, "search: ")
		if !ok || q == "(empty)" {
			continue
		}
		searches++
		var want struct {
			Hits  []struct{ ID uuid.UUID }
			Total int `json:"estimatedTotalHits"`
		}
		unmarshal(t, e.Response, &want)
		got, err := x.Search(t.Context(), Query{Title: q})
		if err != nil || len(got) != want.Total {
			t.Errorf("%s: %d hits, %v; recorded %d", q, len(got), err, want.Total)
		}
		for _, hit := range want.Hits {
			if !slices.Contains(got, hit.ID) {
				t.Errorf("%s: %v is not found", q, hit.ID)
			}
		}
	}
	if searches < 10 {
		t.Errorf("%d searches were recorded", searches)
	}
}
