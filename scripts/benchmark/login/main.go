// Command login signs in 1, 8 and 64 at once: sign-ins a second, their times and the API's memory, beside bare argon2id.
//
// It sets up a system of its own with an account for each client, because attempts at one account from one address are
// limited. Nearly all of a sign-in is argon2id, of which the API runs as many at once as there are processors. The peer
// is that function alone, with the same parameters and all clients at once, in the same run; the two take turns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/crypto/argon2"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// phrase is the accounts', as the stage sets it.
const phrase = "un mot de passe d’essai"

func main() {
	span := flag.Duration("span", 3*time.Second, "how long each number of clients signs in at a turn, of which there are two")
	flag.Parse()
	if err := run(context.Background(), *span); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, span time.Duration) (err error) {
	r := report.New("login", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	counts := []int{1, 8, 64}
	if err := accounts(ctx, s.DatabaseURL()); err != nil {
		return err
	}
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	idle, err := peakMemory(api.PID())
	if err != nil {
		return err
	}
	r.Figure("idle_peak_mib", idle, "MiB, the most since the start")
	for _, n := range counts {
		if err := compare(ctx, r, api, n, span); err != nil {
			return err
		}
	}
	return r.Print(os.Stdout)
}

// turns is how often each side is measured.
const turns = 2

// errFull says that the API has told a client to come again, again when one does.
var errFull = errors.New("full")

const again = 250 * time.Millisecond

// people are the accounts that sign in, one after the other: one may do so a few times only, and a quick machine signs in
// thousands of times.
const people = 20_000

var signed, refused atomic.Int64

// address returns the address of the account that signs in next.
func address() string { return fmt.Sprintf("essai-%d@exemple.org", signed.Add(1)%people) }

// accounts copies the stage's account, password and all.
func accounts(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	_, err = conn.Exec(ctx, `INSERT INTO users (id, email, full_name, role, password_hash)
		SELECT gen_random_uuid(), 'essai-' || i || '@exemple.org', full_name, role, password_hash FROM users, generate_series(0, $1::int - 1) i WHERE email = 'essai@exemple.org'`, people)
	return err
}

// compare measures n clients at once.
func compare(ctx context.Context, r *report.Report, api *stage.Process, n int, span time.Duration) error {
	var ours, bare []time.Duration
	var took, bareTook time.Duration
	if err := forgetPeak(api.PID()); err != nil {
		return err
	}
	for range turns {
		began := time.Now()
		each, err := repeat(n, span, func(i int) error {
			c := stage.Client{URL: api.URL, HTTP: clients[i]}
			var session struct {
				AccessToken string `json:"access_token"`
			}
			who := address()
			err := c.JSON(ctx, "POST", "/api/v1/auth/login", map[string]string{"email": who, "password": phrase}, &session)
			if full, ok := errors.AsType[*stage.Refused](err); ok && full.Status == http.StatusServiceUnavailable {
				refused.Add(1) // as many wait as may
				return errFull
			}
			if err == nil && session.AccessToken == "" {
				err = fmt.Errorf("no token for %s", who)
			}
			return err
		})
		if err != nil {
			return err
		}
		ours, took = append(ours, each...), took+time.Since(began)
		began = time.Now()
		each, err = repeat(n, span, func(int) error {
			argon2.IDKey([]byte(phrase), make([]byte, 16), 2, 19*1024, 1, 32)
			return nil
		})
		if err != nil {
			return err
		}
		bare, bareTook = append(bare, each...), bareTook+time.Since(began)
	}
	peak, err := peakMemory(api.PID())
	if err != nil {
		return err
	}
	of := fmt.Sprintf("at_%d_", n)
	r.Figure(of+"refused", float64(refused.Swap(0)), "of them were told to come again")
	for _, f := range []struct {
		name       string
		ours, bare float64
		unit       string
	}{
		{of + "per_s", float64(len(ours)) / took.Seconds(), float64(len(bare)) / bareTook.Seconds(), "sign-ins/s"},
		{of + "p50_ms", quantile(ours, .5), quantile(bare, .5), "ms"},
		{of + "p99_ms", quantile(ours, .99), quantile(bare, .99), "ms"},
	} {
		r.Figure(f.name, f.ours, f.unit)
		r.Peer("bare argon2id", f.name, f.bare)
	}
	r.Figure(of+"peak_mib", peak, "MiB of the API at most")
	r.Peer("bare argon2id", of+"peak_mib", 19*float64(n))
	return nil
}

// repeat calls f from n goroutines for the given time and gives how long each
// call took.
func repeat(n int, span time.Duration, f func(i int) error) ([]time.Duration, error) {
	var all sync.WaitGroup
	took, failed := make([][]time.Duration, n), make([]error, n)
	began := time.Now()
	for i := range n {
		all.Go(func() {
			for time.Since(began) < span && failed[i] == nil {
				start := time.Now()
				if failed[i] = f(i); errors.Is(failed[i], errFull) {
					failed[i] = nil
					time.Sleep(again)
					continue
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(took...), nil
}

// quantile is the time in ms that the share q of the calls does not exceed.
func quantile(times []time.Duration, q float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)].Microseconds()) / 1000
}
