// Package order answers a prompt with the first available of several servers. Each may have
// limits on concurrent answers and on tokens per minute, and prices of its tokens.
//
// If a server is busy, does not respond, refuses, or fails before its first word, the next
// server is tried. After its first word no other server is tried, because a reader may have
// begun to read. A failed server is skipped for a while, unless it is the last one: at least as
// long as it let its caller wait in vain, and longer with each failure in a row. Then a single
// answer tries it, while others go on skipping it. If no server answers, the error of the last
// one is returned, and the caller decides what to do without a model. Limits are per process.
package order

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
)

const (
	rest     = 10 * time.Second // time for which a failed server is skipped at least, unless it is the last one
	restMost = 5 * time.Minute  // time for which it is skipped at most
	wait     = 10 * time.Second // maximum wait for a slot at the last server
)

// Server is one server of a model. Its fields are set once.
type Server struct {
	Name      string // its host, for the log
	Generator llm.Generator
	Tokens    func(p llm.Prompt) int // estimated tokens of an answer, read and written
	Bounds    *Bounds                // nil: no limits
	In, Out   float64                // price of a million tokens read and written

	mu      sync.Mutex
	resting time.Time     // until then the server is skipped
	pause   time.Duration // time for which it was skipped last; 0 if it has answered since
}

// Order is the servers of one model, in order of preference.
type Order struct {
	Model   string
	Servers []*Server
	Log     *slog.Logger
}

// Generate writes the answer as an llm.Generator. The usage that p.Spent gets also has the
// server's name and the cost.
func (o *Order) Generate(ctx context.Context, p llm.Prompt, yield func(delta string) error) error {
	var failed error
	for i, s := range o.Servers {
		last := i == len(o.Servers)-1
		if !last && s.skipped() {
			continue
		}
		leave, err := s.Bounds.enter(ctx, s.tokens(p), last)
		if err == nil {
			began, asked := false, time.Now()
			err = s.Generator.Generate(ctx, s.withCost(p), func(delta string) error {
				if !began {
					began = true
					s.answers()
				}
				return yield(delta)
			})
			leave()
			kind := errs.KindOf(err)
			if err == nil || began || ctx.Err() != nil || kind != errs.Unavailable && kind != errs.Unprocessable {
				if !began {
					s.answers() // or nobody waits for it any more, so the next one may try it
				}
				return err
			}
			s.fails(kind, time.Since(asked))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = err
		o.Log.LogAttrs(ctx, slog.LevelWarn, "model server", slog.String("server", s.Name), slog.String("model", o.Model), slog.Bool("last", last), slog.Any("error", err))
	}
	return failed
}

// withCost returns p with a Spent that adds the server's name and the cost to the usage.
func (s *Server) withCost(p llm.Prompt) llm.Prompt {
	report := p.Spent
	if report == nil {
		return p
	}
	p.Spent = func(u llm.Usage) {
		u.Server = s.Name
		u.Cost = (float64(u.In)*s.In + float64(u.Out)*s.Out) / 1e6
		report(u)
	}
	return p
}

func (s *Server) tokens(p llm.Prompt) int {
	if s.Tokens == nil {
		return 0
	}
	return s.Tokens(p)
}

// skipped reports whether the server is skipped. If it has just rested, the caller tries it, and
// others skip it meanwhile.
func (s *Server) skipped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.resting) {
		return true
	}
	if s.pause > 0 {
		s.resting = time.Now().Add(s.pause)
	}
	return false
}

// answers ends the rest of the server.
func (s *Server) answers() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resting, s.pause = time.Time{}, 0
}

// fails has the server rest after a call that took so long: twice as long as the last time, and
// at least as long as the call, so that no more than half of the time is spent on waiting for
// it. A server that refuses answers other prompts, and rests for the shortest time.
func (s *Server) fails(kind errs.Kind, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind == errs.Unprocessable {
		s.pause = 0
		s.resting = time.Now().Add(rest)
		return
	}
	s.pause = min(max(rest, 2*s.pause, took), restMost)
	s.resting = time.Now().Add(s.pause)
}

// Bounds are the limits of one server, which all its models share.
type Bounds struct {
	atOnce, perMinute int
	places            chan struct{}
	minute            *rate.Limiter
}

// NewBounds limits a server's concurrent answers and the tokens per minute; 0: no limit.
func NewBounds(atOnce, perMinute int) *Bounds {
	b := &Bounds{atOnce: atOnce, perMinute: perMinute}
	if atOnce > 0 {
		b.places = make(chan struct{}, atOnce)
	}
	if perMinute > 0 {
		b.minute = rate.NewLimiter(rate.Limit(float64(perMinute)/60), perMinute)
	}
	return b
}

// enter takes a slot and the tokens of an answer. If they are not available, it waits for
// them if mayWait is set, and else returns Unavailable: the server is busy.
func (b *Bounds) enter(ctx context.Context, tokens int, mayWait bool) (leave func(), err error) {
	if b == nil {
		return func() {}, nil
	}
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if leave, err = b.place(bounded, mayWait); err != nil || b.minute == nil {
		return leave, err
	}
	tokens = min(tokens, b.perMinute) // an answer longer than the limit takes all of it
	if b.minute.AllowN(time.Now(), tokens) || mayWait && b.minute.WaitN(bounded, tokens) == nil {
		return leave, nil
	}
	leave()
	return nil, busy(fmt.Errorf("%d tokens a minute", b.perMinute))
}

func (b *Bounds) place(ctx context.Context, mayWait bool) (leave func(), err error) {
	if b.places == nil {
		return func() {}, nil
	}
	leave = func() { <-b.places }
	select {
	case b.places <- struct{}{}:
		return leave, nil
	default:
	}
	if mayWait {
		select {
		case b.places <- struct{}{}:
			return leave, nil
		case <-ctx.Done():
		}
	}
	return nil, busy(fmt.Errorf("%d answers at once", b.atOnce))
}

func busy(err error) error {
	return errs.Wrap(errs.Unavailable, "Le modèle est occupé. Réessayez dans quelques instants.", fmt.Errorf("order: %w: the limit of %w", llm.ErrBusy, err))
}
