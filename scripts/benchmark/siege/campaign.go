package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// worst are the worst figures of all attacks on all targets.
type worst struct {
	ratio  float64 // of the honest clients' p99 in an attack to that of the same target in peace
	faults int     // 5xx, and missing answers, of honest clients
	peak   float64 // MB in RAM of the API
}

// campaign attacks an API, alone and behind the proxies that are installed, from one address,
// while honest clients use it: first in peace, then in each attack, then in all of them.
func campaign(ctx context.Context, s *stage.Stage, api *stage.Process, attacked assault, r *report.Report) (worst, error) {
	var all worst
	emails, err := s.AddUsers(ctx, honestOnes)
	if err != nil {
		return all, err
	}
	for _, which := range attacked.targets {
		at, stop := newTarget("api", api.URL, "X-Forwarded-For"), func() {}
		if which != "api" {
			if _, err := exec.LookPath(which); err != nil {
				fmt.Fprintf(os.Stderr, "%s is not installed (apt-get install %s): left out\n", which, which)
				continue
			}
			if at, stop, err = behind(ctx, which, filepath.Join(s.Dir, which), strings.TrimPrefix(api.URL, "http://")); err != nil {
				return all, err
			}
		}
		one, err := storm(ctx, s, api, at, emails, attacked, r)
		stop()
		if err != nil {
			return all, fmt.Errorf("%s: %w", which, err)
		}
		all.ratio, all.faults, all.peak = max(all.ratio, one.ratio), max(all.faults, one.faults), max(all.peak, one.peak)
	}
	return all, nil
}

// storm is a campaign against one target.
func storm(ctx context.Context, s *stage.Stage, api *stage.Process, at target, emails []string, attacked assault, r *report.Report) (all worst, err error) {
	span := attacked.span
	h, err := newHonest(ctx, s, at, emails)
	if err != nil {
		return all, err
	}
	defer h.close()
	email := "assaillant-" + at.name + "@exemple.org" // the limits of one account last longer than a campaign
	if err := s.AddUser(ctx, email, "user"); err != nil {
		return all, err
	}
	w := &warfare{Name: at.name, URL: at.url, Header: at.header, Email: email}
	_, w.Secret = s.Account()
	if w.Whole, err = history(ctx, s, email); err != nil {
		return all, err
	}
	own := &person{client: &stage.Client{URL: at.url, HTTP: at.client(attacker)}, email: email, secret: w.Secret}
	if err := own.signIn(ctx); err != nil {
		return all, err
	}
	w.Token = own.client.Token
	if w.Page, err = publicPage(ctx, own.client); err != nil {
		return all, err
	}
	h.page = w.Page
	h.use(ctx, span/2) // connections and caches
	var calm time.Duration
	phases, every := [][]string{nil}, []string(nil)
	for _, a := range attacks {
		if attacked.only != "" && !slices.Contains(strings.Split(attacked.only, ","), a.name) {
			continue
		}
		phases, every = append(phases, []string{a.name}), append(every, a.name)
	}
	if attacked.only == "" {
		phases = append(phases, every)
	}
	for _, list := range phases {
		name := "calm"
		switch {
		case len(list) == 1:
			name = list[0]
		case len(list) > 1:
			name = "all"
		}
		stop, err := w.wage(ctx, list)
		if err != nil {
			return all, err
		}
		peak := watch(api.PID())
		saw := h.use(ctx, span)
		mb := peak()
		attempts, err := stop()
		if err != nil {
			return all, err
		}
		p99 := report.Quantile(saw.all, .99)
		if list == nil {
			calm = time.Duration(p99 * float64(time.Millisecond))
		}
		ratio := p99 / (float64(calm) / float64(time.Millisecond))
		prefix := at.name + "_" + name
		r.Figure(prefix+"_p99_ms", p99, fmt.Sprintf("ms of %d things that honest clients did (sign-in %.0f, question %.0f, read %.0f, page %.0f)", len(saw.all),
			report.Quantile(saw.took["sign_in"], .99), report.Quantile(saw.took["ask"], .99), report.Quantile(saw.took["read"], .99), report.Quantile(saw.took["page"], .99)))
		r.Figure(prefix+"_5xx", float64(saw.faults), "of them failed"+first(saw.first))
		r.Figure(prefix+"_mb", mb, fmt.Sprintf("MB in RAM at most, %d attempts", attempts))
		if list != nil {
			all.ratio, all.faults = max(all.ratio, ratio), max(all.faults, saw.faults)
		}
		all.peak = max(all.peak, mb)
		settle(ctx)
	}
	return all, ctx.Err()
}

// publicPage returns the public path of a text: where the address with its id leads.
func publicPage(ctx context.Context, client *stage.Client) (string, error) {
	var found struct {
		Items []struct{ ID string }
	}
	if err := client.JSON(ctx, "GET", "/api/v1/documents?page=1", nil, &found); err != nil || len(found.Items) == 0 {
		return "", fmt.Errorf("the catalogue has no text: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, "GET", client.URL+"/akn/texte/"+found.Items[0].ID, http.NoBody)
	if err != nil {
		return "", err
	}
	answer, err := client.HTTP.Do(r)
	if err != nil {
		return "", err
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s, %w", r.URL, answer.Status, err)
	}
	return answer.Request.URL.Path, nil
}

func first(fault string) string {
	if fault == "" {
		return ""
	}
	return ", the first: " + fault
}

// settle waits for what an attack leaves behind: connections that are being closed.
func settle(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Second):
	}
}

// watch measures the memory of a process until peak is called, which returns its maximum in
// MB.
func watch(pid int) (peak func() float64) {
	stop := make(chan struct{})
	var all sync.WaitGroup
	most := 0
	all.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			if kb, err := report.Resident(pid); err == nil {
				most = max(most, kb)
			}
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	})
	return func() float64 {
		close(stop)
		all.Wait()
		return float64(most) / 1000
	}
}

// history gives an account twenty conversations of two hundred questions, and returns the
// path of one.
func history(ctx context.Context, s *stage.Stage, email string) (path string, err error) {
	var id string
	err = s.Query(ctx, `WITH own AS (SELECT id FROM users WHERE email = '`+email+`'),
		begun AS (INSERT INTO conversations (id, user_id, title, message_count, last_message_at)
			SELECT gen_random_uuid(), own.id, 'Conversation ' || i, 400, now() - i * interval '1 hour' + random() * interval '1 minute' FROM own, generate_series(1, 20) i RETURNING id),
		said AS (INSERT INTO messages (id, conversation_id, position, role, content)
			SELECT gen_random_uuid(), begun.id, n, CASE WHEN n % 2 = 0 THEN 'user' ELSE 'assistant' END, repeat('Le préavis dure trois mois pour les cadres. ', 40)
			FROM begun, generate_series(0, 399) n RETURNING id)
		SELECT (SELECT id FROM begun LIMIT 1)::text || left((SELECT count(*) FROM said)::text, 0)`, &id)
	return "/api/v1/conversations/" + id, err
}
