// Package meilitest provides a fake Meilisearch for tests. Its responses have the form of a
// real server's (version 1.50), and it rejects what a real server rejects. It searches by a
// simple rule: every word must occur, regardless of case and accents, with one typing error
// from five letters and two from nine, but none in numbers. A real server does the same
// with the settings that the fake one requires. The fake server cannot show how well a real
// one searches.
//
// An unknown request fails the test.
package meilitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/internal/law"
)

// Server is a fake server. Its exported fields may be set while it runs.
type Server struct {
	URL string
	Key string

	mu      sync.Mutex
	t       testing.TB
	indexes map[string]*index
	tasks   []map[string]any
	down    bool
	calls   map[string]int // number of calls by method and path, without the name of the index
}

type index struct {
	settings map[string]any
	docs     map[string]map[string]any
	order    []string
}

// New starts a server and stops it when the test ends.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, Key: "clé", indexes: map[string]*index{}, calls: map[string]int{}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Down makes every call fail with status 503 if down is true. Otherwise it ends that state.
func (s *Server) Down(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// Calls returns the number of calls of a kind, e.g. « POST /indexes/titles/search ».
func (s *Server) Calls(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[what]
}

// Titles returns the titles of an index, nil if there is no such index.
func (s *Server) Titles(name string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.indexes[name]
	if x == nil {
		return nil
	}
	list := []string{}
	for _, id := range x.order {
		list = append(list, fmt.Sprint(x.docs[id]["title"]))
	}
	slices.Sort(list)
	return list
}

// ServeHTTP handles one call.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[r.Method+" "+r.URL.Path]++
	if s.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if r.URL.Path == "/health" {
		answer(w, http.StatusOK, map[string]any{"status": "available"})
		return
	}
	switch r.Header.Get("Authorization") {
	case "Bearer " + s.Key:
	case "":
		refuse(w, http.StatusUnauthorized, "missing_authorization_header", "auth", "The Authorization header is missing. It must use the bearer authorization method.")
		return
	default:
		refuse(w, http.StatusForbidden, "invalid_api_key", "auth", "The provided API key is invalid.")
		return
	}
	s.route(w, r)
}

func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	shape := r.Method + " " + strings.Join(path, "/")
	name := ""
	if len(path) > 1 && path[0] == "indexes" {
		name = path[1]
		shape = r.Method + " " + strings.Join(append([]string{"indexes", "*"}, path[2:]...), "/")
	}
	switch {
	case strings.HasPrefix(shape, "GET tasks/"):
		s.task(w, path[1])
	case shape == "GET indexes":
		s.showIndexes(w)
	case shape == "POST indexes":
		s.create(w, r)
	case shape == "DELETE indexes/*":
		s.drop(w, name)
	case shape == "PATCH indexes/*/settings":
		s.set(w, r, name)
	case shape == "POST indexes/*/documents":
		s.add(w, r, name)
	case shape == "POST indexes/*/documents/delete-batch":
		s.remove(w, r, name)
	case shape == "POST indexes/*/documents/fetch":
		s.list(w, r, name)
	case shape == "POST indexes/*/search":
		s.search(w, r, name)
	case shape == "POST swap-indexes":
		s.swap(w, r)
	default:
		s.t.Errorf("meilitest was not taught %s", shape)
		w.WriteHeader(http.StatusNotImplemented)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client has disconnected
}

func failure(code, kind, message string) map[string]any {
	return map[string]any{"message": message, "code": code, "type": kind, "link": "https://docs.meilisearch.com/errors#" + code}
}

func refuse(w http.ResponseWriter, status int, code, kind, message string) {
	answer(w, status, failure(code, kind, message))
}

// read decodes a request body. An invalid body fails the test, because the client library
// wrote it.
func (s *Server) read(r *http.Request, v any) {
	if err := json.NewDecoder(r.Body).Decode(v); err != nil {
		s.t.Errorf("meilitest: %s %s: %v", r.Method, r.URL.Path, err)
	}
}

const instant = "2026-11-20T22:30:25.873927378Z"

// finish adds a task that has ended, with fault as its error if it failed. It responds as a
// server does that has enqueued a task.
func (s *Server) finish(w http.ResponseWriter, kind string, name any, fault map[string]any) {
	n := len(s.tasks)
	status := "succeeded"
	var shown any
	if fault != nil {
		status, shown = "failed", fault
	}
	s.tasks = append(s.tasks, map[string]any{"uid": n, "batchUid": n, "indexUid": name, "status": status, "type": kind, "canceledBy": nil,
		"details": map[string]any{}, "error": shown, "duration": "PT0.005933390S", "enqueuedAt": instant, "startedAt": instant, "finishedAt": instant})
	answer(w, http.StatusAccepted, map[string]any{"taskUid": n, "indexUid": name, "status": "enqueued", "type": kind, "enqueuedAt": instant})
}

func (s *Server) task(w http.ResponseWriter, uid string) {
	for n, task := range s.tasks {
		if fmt.Sprint(n) == uid {
			answer(w, http.StatusOK, task)
			return
		}
	}
	refuse(w, http.StatusNotFound, "task_not_found", "invalid_request", "Task `"+uid+"` not found.")
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	var body struct{ UID, PrimaryKey string }
	s.read(r, &body)
	if s.indexes[body.UID] != nil {
		s.finish(w, "indexCreation", body.UID, failure("index_already_exists", "invalid_request", "Index `"+body.UID+"` already exists."))
		return
	}
	s.indexes[body.UID] = &index{docs: map[string]map[string]any{}}
	s.finish(w, "indexCreation", body.UID, nil)
}

// showIndexes responds with the list of indexes. All have been changed recently.
func (s *Server) showIndexes(w http.ResponseWriter) {
	list, now := []map[string]any{}, time.Now().UTC().Format(time.RFC3339Nano)
	for name := range s.indexes {
		list = append(list, map[string]any{"uid": name, "createdAt": now, "updatedAt": now, "primaryKey": "id"})
	}
	answer(w, http.StatusOK, map[string]any{"results": list, "offset": 0, "limit": 1000, "total": len(list)})
}

// Indexes returns the sorted names of the indexes.
func (s *Server) Indexes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.indexes))
}

func unknown(name string) map[string]any {
	return failure("index_not_found", "invalid_request", "Index `"+name+"` not found.")
}

func (s *Server) drop(w http.ResponseWriter, name string) {
	if s.indexes[name] == nil {
		s.finish(w, "indexDeletion", name, unknown(name))
		return
	}
	delete(s.indexes, name)
	s.finish(w, "indexDeletion", name, nil)
}

func (s *Server) set(w http.ResponseWriter, r *http.Request, name string) {
	body := map[string]any{}
	s.read(r, &body)
	if s.indexes[name] == nil {
		s.finish(w, "settingsUpdate", name, unknown(name))
		return
	}
	s.indexes[name].settings = body
	s.finish(w, "settingsUpdate", name, nil)
}

func (s *Server) swap(w http.ResponseWriter, r *http.Request) {
	var body []struct{ Indexes []string }
	s.read(r, &body)
	for _, b := range body {
		one, two := s.indexes[b.Indexes[0]], s.indexes[b.Indexes[1]]
		if one == nil || two == nil {
			s.finish(w, "indexSwap", nil, unknown(strings.Join(b.Indexes, "`, `")))
			return
		}
		s.indexes[b.Indexes[0]], s.indexes[b.Indexes[1]] = two, one
	}
	s.finish(w, "indexSwap", nil, nil)
}

func (s *Server) add(w http.ResponseWriter, r *http.Request, name string) {
	var docs []map[string]any
	s.read(r, &docs)
	x := s.indexes[name]
	if x == nil { // a real server creates the index, without settings
		x = &index{docs: map[string]map[string]any{}}
		s.indexes[name] = x
	}
	for _, d := range docs {
		id, ok := d["id"].(string)
		if !ok {
			s.finish(w, "documentAdditionOrUpdate", name, failure("missing_document_id", "invalid_request", "Document doesn't have a `id` attribute."))
			return
		}
		if x.docs[id] == nil {
			x.order = append(x.order, id)
		}
		x.docs[id] = d
	}
	s.finish(w, "documentAdditionOrUpdate", name, nil)
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request, name string) {
	var ids []string
	s.read(r, &ids)
	x := s.indexes[name]
	if x == nil {
		s.finish(w, "documentDeletion", name, unknown(name))
		return
	}
	for _, id := range ids {
		delete(x.docs, id)
		x.order = slices.DeleteFunc(x.order, func(o string) bool { return o == id })
	}
	s.finish(w, "documentDeletion", name, nil)
}

func (s *Server) list(w http.ResponseWriter, r *http.Request, name string) {
	x := s.indexes[name]
	if x == nil {
		answer(w, http.StatusNotFound, unknown(name))
		return
	}
	body := struct{ Offset, Limit int }{Limit: 20}
	s.read(r, &body)
	offset, limit := body.Offset, body.Limit
	results := []map[string]any{}
	for _, id := range x.order[min(offset, len(x.order)):min(offset+limit, len(x.order))] {
		results = append(results, map[string]any{"id": id})
	}
	answer(w, http.StatusOK, map[string]any{"results": results, "offset": offset, "limit": limit, "total": len(x.order)})
}

// known are the supported fields of a search.
var known = []string{"q", "offset", "limit", "page", "hitsPerPage", "attributesToRetrieve", "filter", "sort", "matchingStrategy", "showRankingScore", "hybrid", "locales"}

func (s *Server) search(w http.ResponseWriter, r *http.Request, name string) {
	body := map[string]any{}
	s.read(r, &body)
	x := s.indexes[name]
	if x == nil {
		answer(w, http.StatusNotFound, unknown(name))
		return
	}
	for field := range body {
		if !slices.Contains(known, field) {
			refuse(w, http.StatusBadRequest, "bad_request", "invalid_request", "Unknown field `"+field+"`")
			return
		}
	}
	filter, _ := body["filter"].(string)
	fits, err := parse(filter)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_search_filter", "invalid_request", err.Error())
		return
	}
	q, _ := body["q"].(string)
	hits := []map[string]any{}
	for _, id := range x.order {
		if d := x.docs[id]; fits(d) && matches(q, fmt.Sprint(d["title"], " ", d["numero_officiel"]), x.settings) {
			hits = append(hits, map[string]any{"id": id})
		}
	}
	answer(w, http.StatusOK, map[string]any{"hits": hits, "query": q, "processingTimeMs": 0, "limit": body["limit"], "offset": 0, "estimatedTotalHits": len(hits)})
}

// matches reports whether a title contains every word of the query.
func matches(q, title string, settings map[string]any) bool {
	stop, _ := settings["stopWords"].([]any)
	there := words(title)
	for _, w := range words(q) {
		if slices.Contains(stop, any(w)) {
			continue
		}
		if !slices.ContainsFunc(there, func(t string) bool { return strings.HasPrefix(t, w) || near(w, t) }) {
			return false
		}
	}
	return true
}

func words(s string) []string {
	return strings.FieldsFunc(law.Fold(s), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r) })
}

// near reports whether two words are equal, except for one typing error from five letters
// and two from nine, and none in numbers.
func near(a, b string) bool {
	slips := 0
	switch {
	case strings.ContainsAny(a, "0123456789"):
	case len(a) >= 9:
		slips = 2
	case len(a) >= 5:
		slips = 1
	}
	for end := max(len(a)-slips, 0); slips > 0 && end <= min(len(a)+slips, len(b)); end++ {
		if distance(a, b[:end]) <= slips { // compare with the beginning of b, because words need not be complete
			return true
		}
	}
	return false
}

// distance returns the number of letters to change, insert, delete or transpose.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
