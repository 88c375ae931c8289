package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// side is a server that is asked over a number of connections.
type side struct {
	base    string
	token   string
	clients []*http.Client
}

func newSide(base, token string, clients int) *side {
	s := &side{base: base, token: token}
	for range clients {
		s.clients = append(s.clients, &http.Client{Transport: &http.Transport{DisableCompression: true}})
	}
	return s
}

// item and listing are what of a reply is compared.
type item struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type listing struct {
	Items []item `json:"items"`
	Total int    `json:"total"`
}

func (s *side) list(ctx context.Context, query string) (l listing, err error) {
	body, err := s.get(ctx, s.clients[0], query)
	if err != nil {
		return l, err
	}
	err = json.Unmarshal(body, &l)
	return l, err
}

func (s *side) get(ctx context.Context, c *http.Client, query string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/documents"+query, http.NoBody)
	if err != nil {
		return nil, err
	}
	if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
	}
	r, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Body.Close() }() // it is read whole
	body, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s%s: HTTP %d: %s", s.base, query, r.StatusCode, body)
	}
	return body, err
}

// times are how long requests took, and how long all of them together.
type times struct {
	each []time.Duration
	span time.Duration
}

func (t times) rate() float64 { return float64(len(t.each)) / t.span.Seconds() }

// quantile is the time in ms that the share q of the requests does not exceed.
func (t times) quantile(q float64) float64 {
	sorted := slices.Sorted(slices.Values(t.each))
	return float64(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)].Microseconds()) / 1000
}

// ask asks over every connection for the given time and adds to all.
func (s *side) ask(ctx context.Context, query string, span time.Duration, all *times) error {
	group, ctx := errgroup.WithContext(ctx)
	took := make([][]time.Duration, len(s.clients))
	began := time.Now()
	for i, c := range s.clients {
		group.Go(func() error {
			for time.Since(began) < span {
				start := time.Now()
				if _, err := s.get(ctx, c, query); err != nil {
					return err
				}
				took[i] = append(took[i], time.Since(start))
			}
			return nil
		})
	}
	err := group.Wait()
	all.each = append(all.each, slices.Concat(took...)...)
	all.span += time.Since(began)
	return err
}
