// Command public measures the public pages of the catalogue, from the memory of one process.
//
// It sets up a system of its own with the sample gazettes and asks for the pages of all its texts, compressed, over a
// few connections that each follow a clock: 1,000 pages a second in all, and latency counts from when a page was due.
// Then it asks as fast as the connections can. The peer is the page of the service, a file from the same process's
// memory, asked for in the same way. first_ms is a page that is made: read from PostgreSQL, written and compressed.
package main

import (
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

func main() {
	rate := flag.Int("rate", 1000, "pages a second that are asked for")
	clients := flag.Int("clients", 8, "connections")
	span := flag.Duration("span", 10*time.Second, "how long each is asked for")
	flag.Parse()
	if err := run(context.Background(), *rate, *clients, *span); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rate, clients int, span time.Duration) (err error) {
	r := report.New("public", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
	}
	s.Set("VIGUEUR_PUBLIC_CATALOGUE", "true")
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	pages, err := texts(ctx, api.URL)
	if err != nil {
		return err
	}
	r.Figure("texts", float64(len(pages)), "")
	var made []time.Duration
	for _, p := range pages {
		began := time.Now()
		if err := get(ctx, http.DefaultClient, p); err != nil {
			return err
		}
		made = append(made, time.Since(began))
	}
	r.Figure("first_ms", milliseconds(made, .5), "ms, a page that is made")
	for _, side := range []struct {
		peer  bool
		pages []string
	}{{false, pages}, {true, []string{api.URL + "/"}}} {
		took, err := ask(ctx, side.pages, clients, span, time.Second/time.Duration(rate))
		if err != nil {
			return err
		}
		fast, err := ask(ctx, side.pages, clients, span, 0)
		if err != nil {
			return err
		}
		for _, f := range []struct {
			name  string
			value float64
			unit  string
		}{
			{"p50_ms", milliseconds(took, .5), "ms"}, {"p99_ms", milliseconds(took, .99), "ms"},
			{"pages_per_s", float64(len(fast)) / span.Seconds(), "pages/s"},
		} {
			if side.peer {
				r.Peer("page of the service", f.name, f.value)
			} else {
				r.Figure(f.name, f.value, f.unit)
			}
		}
	}
	r.Goal("p99_ms", report.AtMost, 10)
	r.Goal("pages_per_s", report.AtLeast, 1000)
	return r.Print(os.Stdout)
}

// texts returns the addresses of the texts, at the given service, from its sitemap.
func texts(ctx context.Context, base string) (list []string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/sitemap.xml", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var places struct {
		Texts []string `xml:"url>loc"`
	}
	if err := xml.NewDecoder(response.Body).Decode(&places); err != nil {
		return nil, fmt.Errorf("sitemap: %w", err)
	}
	for _, l := range places.Texts {
		u, err := url.Parse(l)
		if err != nil {
			return nil, err
		}
		list = append(list, base+u.Path)
	}
	if len(list) == 0 {
		err = errors.New("the sitemap has no texts")
	}
	return list, err
}

// ask asks for pages in turn over some connections, one each interval, or without a pause if it is 0, and returns how
// long each took from when it was due.
func ask(ctx context.Context, pages []string, clients int, span, interval time.Duration) (took []time.Duration, err error) {
	var mu sync.Mutex
	var wait sync.WaitGroup
	begin := time.Now()
	for n := range clients {
		wait.Go(func() {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
			defer client.CloseIdleConnections()
			var own []time.Duration
			var failed error
			for i := n; ; i += clients {
				due := begin.Add(time.Duration(i) * interval)
				if interval == 0 {
					due = time.Now()
				}
				if due.Sub(begin) >= span {
					break
				}
				time.Sleep(time.Until(due))
				if failed = get(ctx, client, pages[i%len(pages)]); failed != nil {
					break
				}
				own = append(own, time.Since(due))
			}
			mu.Lock()
			defer mu.Unlock()
			took, err = append(took, own...), errors.Join(err, failed)
		})
	}
	wait.Wait()
	return took, err
}

func get(ctx context.Context, client *http.Client, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept-Encoding", "br")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, response.Status)
	}
	return nil
}

// milliseconds returns a quantile of durations.
func milliseconds(list []time.Duration, q float64) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return float64(list[min(len(list)-1, int(q*float64(len(list))))].Microseconds()) / 1000
}
