package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/corpora"
)

// honestOnes is how many clients use the service as people do while others attack it.
const honestOnes = 50

// honest are the honest clients of one target.
type honest struct {
	people    []*person
	questions []string
	page      string // public path of a text
}

// person is an honest client, with an address and an account of its own.
type person struct {
	client *stage.Client
	email  string
	secret string
	random *rand.Rand
}

// what the honest clients saw.
type seen struct {
	took   map[string][]time.Duration // by what was asked for
	all    []time.Duration
	faults int // answers of 5xx, and none
	first  string
}

// newHonest signs the clients in at a target.
func newHonest(ctx context.Context, s *stage.Stage, at target, emails []string) (*honest, error) {
	questions, err := corpora.SampleQuestions(stage.Root())
	if err != nil {
		return nil, err
	}
	h := &honest{questions: questions}
	_, secret := s.Account()
	for i, email := range emails {
		p := &person{email: email, secret: secret, random: rand.New(rand.NewPCG(uint64(i), 7))}
		p.client = &stage.Client{URL: at.url, HTTP: &http.Client{Transport: at.transport(fmt.Sprintf("198.51.%d.%d", 100+i/100, 1+i%100)), Timeout: 30 * time.Second}}
		if err := p.signIn(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", email, err)
		}
		h.people = append(h.people, p)
	}
	return h, nil
}

func (h *honest) close() {
	for _, p := range h.people {
		p.client.HTTP.CloseIdleConnections()
	}
}

func (p *person) signIn(ctx context.Context) error {
	var session struct {
		AccessToken string `json:"access_token"`
	}
	err := p.client.JSON(ctx, "POST", "/api/v1/auth/login", map[string]string{"email": p.email, "password": p.secret}, &session)
	if err == nil {
		p.client.Token = session.AccessToken
	}
	return err
}

// look reads a public page.
func (p *person) look(ctx context.Context, path string) error {
	r, err := http.NewRequestWithContext(ctx, "GET", p.client.URL+path, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := p.client.HTTP.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	return err
}

// use has every client do something every two seconds or so for a span: of ten things one is
// a sign-in, two are questions, one is a public page and the others are reads.
func (h *honest) use(ctx context.Context, span time.Duration) seen {
	out := seen{took: map[string][]time.Duration{}}
	var mu sync.Mutex
	var all sync.WaitGroup
	end := time.Now().Add(span)
	for _, p := range h.people {
		all.Go(func() {
			for {
				pause := time.Duration(p.random.Float64() * float64(4*time.Second))
				if time.Now().Add(pause).After(end) {
					return
				}
				select {
				case <-time.After(pause):
				case <-ctx.Done():
					return
				}
				kind, took, err := p.act(ctx, h.questions, h.page)
				mu.Lock()
				out.took[kind] = append(out.took[kind], took)
				out.all = append(out.all, took)
				if err != nil {
					if out.faults++; out.first == "" {
						out.first = fmt.Sprintf("%s: %v", kind, err)
					}
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return out
}

// act does one thing and returns how long it took: a question to its first chunk.
func (p *person) act(ctx context.Context, questions []string, page string) (kind string, took time.Duration, err error) {
	began := time.Now()
	switch p.random.IntN(10) {
	case 0:
		err = p.signIn(ctx)
		return "sign_in", time.Since(began), err
	case 1, 2:
		a, err := p.client.Ask(ctx, questions[p.random.IntN(len(questions))], nil)
		if err == nil && (!a.Ended || a.First == 0) {
			err = fmt.Errorf("no answer: %s", a.Error)
		}
		if a.First == 0 {
			return "ask", time.Since(began), err
		}
		return "ask", a.First, err
	}
	if p.random.IntN(7) == 0 {
		err = p.look(ctx, page+"?format=pdf")
		return "page", time.Since(began), err
	}
	err = p.client.JSON(ctx, "GET", "/api/v1/documents?page=1", nil, nil)
	return "read", time.Since(began), err
}
