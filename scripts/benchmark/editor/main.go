// Command editor measures the editors' routes over a catalogue of 20,000 texts with as many changes between them.
//
// It sets up a system of its own, fills its catalogue, and as an administrator lists what waits, corrects texts, says and
// denies repeals, accepts texts in review and undoes it, settles uncertain changes and deletes texts, one request
// after the other. The goal is that the slowest of the routes takes at most 100 ms, by its 99th percentile. Left out
// are routes whose time is that of a file and not of the catalogue: what draws, uploads or cuts pages. There is no peer: what
// it does follows from this service's rules.
package main

import (
	"context"
	"crypto/md5" //nolint:gosec // names rows as the SQL of fill does; hides nothing
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// goal is the longest that a route may take, in ms, by its 99th percentile.
const goal = 100

func main() {
	texts := flag.Int("texts", 20_000, "texts of the catalogue")
	times := flag.Int("times", 50, "how often each route is called")
	flag.Parse()
	if err := run(context.Background(), *texts, *times); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, texts, times int) (err error) {
	r := report.New("editor", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	if err := fill(ctx, s.DatabaseURL(), texts, 2*times); err != nil {
		return err
	}
	if out, code := s.Ingest(ctx, "", "migrate", "up"); code != 0 { // it makes the names of texts that were written without
		return fmt.Errorf("ingest migrate up: exit %d: %s", code, out)
	}
	r.Figure("texts", float64(texts), "")
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	const email = "redaction@exemple.org"
	if err := s.AddUser(ctx, email, "admin"); err != nil {
		return err
	}
	client, err := s.ClientOf(ctx, api, email)
	if err != nil {
		return err
	}
	return measure(ctx, r, client, texts, times)
}

// id is that of a row of fill.
func id(kind string, n int) uuid.UUID { return md5.Sum(fmt.Appendf(nil, "%s %d", kind, n)) } //nolint:gosec // as above

// route is one that editors call: the path and the body of its nth call.
type route struct {
	name, method string
	call         func(n int) (path string, body any)
}

func routes(texts, times int, uncertain []change) []route {
	get := func(name, path string) route {
		return route{name, http.MethodGet, func(int) (string, any) { return path, nil }}
	}
	file := func(n int) string { return "/admin/ingestions/" + id("file", n).String() }
	document := func(n int) string { return "/admin/documents/" + id("text", texts/3+37*n).String() }
	review := func(n int) string {
		return "/admin/ingestions/" + id("file", n).String() + "/review/" + id("text", 10*n+9).String()
	}
	patch := func(name string, body func(n int) any) route {
		return route{name, http.MethodPatch, func(n int) (string, any) { return document(n), body(n) }}
	}
	return []route{
		patch("title", func(n int) any { return map[string]any{"title": fmt.Sprintf("Loi relative aux archives %d", n)} }),
		patch("number", func(n int) any { return map[string]any{"numero_officiel": fmt.Sprintf("2019-%d", 200_000+n)} }),
		patch("repeal", func(int) any { return map[string]any{"abroge_par": id("text", texts-11)} }),
		patch("unrepeal", func(int) any { return map[string]any{"statut": nil} }),
		{"code_title", http.MethodPatch, func(n int) (string, any) {
			// Each of the two that thousands of texts change loses them by another title, and has them back by its own.
			code, title := 18+20*(n/2%2), "Code des matières %d"
			if n%2 == 0 {
				title = "Code général des matières %d"
			}
			return "/admin/documents/" + id("text", code).String(), map[string]any{"title": fmt.Sprintf(title, code), "domaine": "civil"}
		}},
		{"accept", http.MethodPost, func(n int) (string, any) { return review(n), map[string]any{"decision": "accept"} }},
		{"reopen", http.MethodPost, func(n int) (string, any) { return review(n), map[string]any{"decision": "reopen"} }},
		{"decide", http.MethodPost, func(n int) (string, any) {
			return "/admin/reviews", map[string]any{"decisions": []any{map[string]any{"document_id": id("text", 10*(times+n)+9), "decision": "reject"}}}
		}},
		get("reviews", "/admin/reviews?page_size=100"), get("files", "/admin/ingestions?limit=100"),
		get("files_failed", "/admin/ingestions?state=failed"), get("queues", "/admin/queues"), get("stats", "/admin/stats"),
		{"file", http.MethodGet, func(n int) (string, any) { return file(n), nil }},
		{"file_review", http.MethodGet, func(n int) (string, any) { return file(n) + "/review", nil }},
		{"file_edits", http.MethodGet, func(n int) (string, any) { return file(n) + "/edits", nil }},
		get("uncertain", "/admin/relations"),
		{"settle", http.MethodPost, func(n int) (string, any) {
			c := uncertain[n%len(uncertain)] // some are said twice where there are fewer
			return "/admin/relations/" + c.ID.String(), map[string]any{"decision": "accept", "document_id": c.Candidates[n%len(c.Candidates)].ID}
		}},
		{"reindex", http.MethodPost, func(n int) (string, any) { return document(n) + "/reindex", nil }},
		{"delete", http.MethodDelete, func(n int) (string, any) { return document(n), nil }},
	}
}

// change is one that waits to be settled, with the texts that it may mean.
type change struct {
	ID         uuid.UUID                `json:"id"`
	Candidates []struct{ ID uuid.UUID } `json:"candidates"`
}

func measure(ctx context.Context, r *report.Report, client *stage.Client, texts, times int) error {
	var uncertain struct{ Items []change }
	if err := client.JSON(ctx, http.MethodGet, "/api/v1/admin/relations", nil, &uncertain); err != nil {
		return err
	}
	if len(uncertain.Items) == 0 {
		return errors.New("no change is uncertain, and none can be settled")
	}
	worst := 0.0
	for _, route := range routes(texts, times, uncertain.Items) {
		took := make([]time.Duration, times)
		for n := range times {
			path, body := route.call(n)
			began := time.Now()
			if err := client.JSON(ctx, route.method, "/api/v1"+path, body, nil); err != nil {
				return fmt.Errorf("%s %s: %w", route.method, path, err)
			}
			took[n] = time.Since(began)
		}
		slices.Sort(took)
		at := func(q float64) float64 { return float64(took[int(q*float64(times-1))].Microseconds()) / 1000 }
		r.Figure(route.name+"_p50_ms", at(.5), "ms")
		r.Figure(route.name+"_p99_ms", at(.99), "ms")
		fmt.Fprintf(os.Stderr, "%s: %.1f ms, %.1f ms, of at most %d\n", route.name, at(.5), at(.99), goal)
		worst = max(worst, at(.99))
	}
	r.Figure("worst_p99_ms", worst, "ms, the slowest route")
	r.Goal("worst_p99_ms", report.AtMost, goal)
	return r.Print(os.Stdout)
}
