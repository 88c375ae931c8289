// Package order has a prompt answered by the first of several servers that can: each
// with bounds on how many answers it writes at once and how many tokens a minute it is
// asked for, and with what its tokens cost.
//
// The next server is asked where one is busy, does not answer, refuses, or fails before
// its first word; after that never, because a reader may have begun to read. A server
// that failed is left alone for a while where another is behind it. What the last one
// says is what the caller is told; who then writes without a model is the caller's to
// say. Bounds hold in one process.
package order

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"vigueur/internal/errs"
	"vigueur/internal/llm"
)

const (
	rest = 10 * time.Second // a server that failed is left alone, where another is behind it
	wait = 10 * time.Second // the longest wait for a place at the last one
)

// Server is one of the servers of a model. Its fields are set once.
type Server struct {
	Name      string // in the log: its host
	Generator llm.Generator
	Tokens    func(p llm.Prompt) int // about how many tokens an answer takes, read and written
	Bounds    *Bounds                // nil: none
	In, Out   float64                // what a million tokens cost that it reads, and writes

	mu      sync.Mutex
	resting time.Time // until then
}

// Order is the servers of one model, the first that is asked first.
type Order struct {
	Model   string
	Servers []*Server
	Log     *slog.Logger
}

// Generate writes the answer as llm.Generator says; p.Spent is told of the server and of
// what its tokens cost.
func (o *Order) Generate(ctx context.Context, p llm.Prompt, yield func(delta string) error) error {
	var failed error
	for i, s := range o.Servers {
		last := i == len(o.Servers)-1
		if !last && s.rests() {
			continue
		}
		leave, err := s.Bounds.enter(ctx, s.tokens(p), last)
		if err == nil {
			began := false
			err = s.Generator.Generate(ctx, s.counting(p), func(delta string) error {
				began = true
				return yield(delta)
			})
			leave()
			kind := errs.KindOf(err)
			if err == nil || began || ctx.Err() != nil || kind != errs.Unavailable && kind != errs.Unprocessable {
				return err
			}
			s.leaveAlone()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = err
		o.Log.LogAttrs(ctx, slog.LevelWarn, "model server", slog.String("server", s.Name), slog.String("model", o.Model), slog.Bool("last", last), slog.Any("error", err))
	}
	return failed
}

// counting has what a server's tokens cost told with them.
func (s *Server) counting(p llm.Prompt) llm.Prompt {
	told := p.Spent
	if told == nil {
		return p
	}
	p.Spent = func(u llm.Usage) {
		u.Server = s.Name
		u.Cost = (float64(u.In)*s.In + float64(u.Out)*s.Out) / 1e6
		told(u)
	}
	return p
}

func (s *Server) tokens(p llm.Prompt) int {
	if s.Tokens == nil {
		return 0
	}
	return s.Tokens(p)
}

func (s *Server) rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.resting)
}

func (s *Server) leaveAlone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resting = time.Now().Add(rest)
}

// Bounds are those of one server, whichever of its models is asked.
type Bounds struct {
	atOnce, perMinute int
	places            chan struct{}
	minute            *rate.Limiter
}

// NewBounds bounds how many answers a server writes at once, and how many tokens a
// minute it is asked for; 0: any.
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

// enter takes a place and the tokens of an answer, waiting for them where asked to.
// Unavailable: the server is busy.
func (b *Bounds) enter(ctx context.Context, tokens int, patient bool) (leave func(), err error) {
	if b == nil {
		return func() {}, nil
	}
	within, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if leave, err = b.place(within, patient); err != nil || b.minute == nil {
		return leave, err
	}
	tokens = min(tokens, b.perMinute) // an answer longer than a minute's takes them all
	if b.minute.AllowN(time.Now(), tokens) || patient && b.minute.WaitN(within, tokens) == nil {
		return leave, nil
	}
	leave()
	return nil, busy(fmt.Errorf("%d tokens a minute", b.perMinute))
}

func (b *Bounds) place(within context.Context, patient bool) (leave func(), err error) {
	if b.places == nil {
		return func() {}, nil
	}
	leave = func() { <-b.places }
	select {
	case b.places <- struct{}{}:
		return leave, nil
	default:
	}
	if patient {
		select {
		case b.places <- struct{}{}:
			return leave, nil
		case <-within.Done():
		}
	}
	return nil, busy(fmt.Errorf("%d answers at once", b.atOnce))
}

func busy(err error) error {
	return errs.Wrap(errs.Unavailable, "Le modèle est occupé. Réessayez dans quelques instants.", fmt.Errorf("order: %w: the bound of %w", llm.ErrBusy, err))
}
