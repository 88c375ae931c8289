package order

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
)

// writes is a generator implemented by the test.
type writes func(ctx context.Context, p llm.Prompt, yield func(string) error) error

func (w writes) Generate(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	return w(ctx, p, yield)
}

func says(text string, err error) writes {
	return func(_ context.Context, p llm.Prompt, yield func(string) error) error {
		if text != "" {
			if failed := yield(text); failed != nil {
				return failed
			}
		}
		if p.Spent != nil {
			p.Spent(llm.Usage{In: 1_000_000, Out: 500_000})
		}
		return err
	}
}

func ask(t *testing.T, o *Order) (text string, spent []llm.Usage, err error) {
	t.Helper()
	var b strings.Builder
	err = o.Generate(t.Context(), llm.Prompt{Spent: func(u llm.Usage) { spent = append(spent, u) }}, func(s string) error { b.WriteString(s); return nil })
	return b.String(), spent, err
}

func of(generators ...llm.Generator) *Order {
	o := &Order{Model: "essai", Log: slog.New(slog.DiscardHandler)}
	for i, g := range generators {
		o.Servers = append(o.Servers, &Server{Name: string(rune('a' + i)), Generator: g, In: 2, Out: 4})
	}
	return o
}

var (
	away    = errs.New(errs.Unavailable, "")
	refused = errs.New(errs.Unprocessable, "")
)

func TestServersAreAskedInTheirOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		order *Order
		text  string
		err   error
	}{
		"the first":              {of(says("un", nil), says("deux", nil)), "un", nil},
		"the first is away":      {of(says("", away), says("deux", nil)), "deux", nil},
		"the first refuses":      {of(says("", refused), says("", away), says("trois", nil)), "trois", nil},
		"all are away":           {of(says("", refused), says("", away)), "", away},
		"a word, then an error":  {of(says("un", away), says("deux", nil)), "un", away},
		"it abstains":            {of(says("", llm.ErrAbstained), says("deux", nil)), "", llm.ErrAbstained},
		"it is cut":              {of(says("un", llm.ErrCut), says("deux", nil)), "un", llm.ErrCut},
		"a defect is not hidden": {of(says("", errors.ErrUnsupported), says("deux", nil)), "", errors.ErrUnsupported},
	} {
		if text, _, err := ask(t, c.order); text != c.text || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	_, spent, _ := ask(t, of(says("", away), says("deux", nil)))
	if len(spent) != 2 || spent[1].Server != "b" || spent[1].Cost != 4 {
		t.Errorf("spent %+v", spent)
	}
	stopped := errors.New("the reader stopped")
	err := of(says("un", nil), says("deux", nil)).Generate(t.Context(), llm.Prompt{}, func(string) error { return stopped })
	if !errors.Is(err, stopped) {
		t.Error(err)
	}
}

// A failed server is skipped for a while, unless it is the last one.
func TestAServerThatFailedRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		first := writes(func(context.Context, llm.Prompt, func(string) error) error { asked++; return away })
		o := of(first, says("deux", nil))
		for range 3 {
			if text, _, err := ask(t, o); text != "deux" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
		}
		if time.Sleep(rest); asked != 1 {
			t.Errorf("asked %d times", asked)
		}
		_, _, _ = ask(t, o)
		alone := of(first)
		for range 3 {
			_, _, _ = ask(t, alone)
		}
		if asked != 5 {
			t.Errorf("asked %d times", asked)
		}
	})
}

// At its limit, a server passes an answer to the next one at once, and the last one makes
// it wait.
// TestASilentServerRestsLonger checks that a server that lets answers wait costs at most half of
// the time, that one answer tries it when it has rested, and that it is first again when it answers.
func TestASilentServerRestsLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, silent := 0, true
		first := writes(func(_ context.Context, _ llm.Prompt, yield func(string) error) error {
			if asked++; silent {
				time.Sleep(time.Minute)
				return away
			}
			return yield("un")
		})
		o := of(first, says("deux", nil))
		both := func(pause time.Duration, want int, words string) {
			t.Helper()
			time.Sleep(pause)
			done := make(chan string, 2)
			for range 2 {
				go func() {
					text, _, err := ask(t, o)
					if err != nil {
						t.Error(err)
					}
					done <- text
				}()
				synctest.Wait()
			}
			if got := <-done + " " + <-done; got != words || asked != want {
				t.Errorf("%q, asked %d times, want %q and %d", got, asked, words, want)
			}
		}
		_, _, _ = ask(t, o)                             // a minute in vain
		both(time.Minute-time.Second, 1, "deux deux")   // as long as it took
		both(time.Second, 2, "deux deux")               // one tries it, and both get an answer
		both(2*time.Minute-time.Second, 2, "deux deux") // twice as long
		both(time.Second, 3, "deux deux")
		silent = false
		both(4*time.Minute, 5, "un un")
		silent = true
		_, _, _ = ask(t, o)
		both(time.Minute-time.Second, 6, "deux deux") // as at first
		// A server that refuses a prompt rests for the shortest time.
		for range 3 {
			s := of(says("", refused), says("deux", nil))
			_, _, _ = ask(t, s)
			if s.Servers[0].skipped() != true {
				t.Error("a server that refused is not skipped")
			}
			if time.Sleep(rest); s.Servers[0].skipped() {
				t.Error("a server that refused is skipped for long")
			}
		}
		// A reader who goes away while the server is tried leaves it to the next one.
		o.Servers[0].fails(errs.Unavailable, 0)
		time.Sleep(restMost)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := o.Generate(ctx, llm.Prompt{}, func(string) error { return nil }); err == nil || o.Servers[0].skipped() {
			t.Errorf("after a reader has gone the server is skipped, %v", err)
		}
	})
}

func TestBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		holds := writes(func(_ context.Context, _ llm.Prompt, yield func(string) error) error { <-hold; return yield("un") })
		o := of(holds, says("deux", nil))
		o.Servers[0].Bounds = NewBounds(1, 0)
		ended := make(chan string)
		go func() { text, _, _ := ask(t, o); ended <- text }()
		synctest.Wait()
		if text, _, err := ask(t, o); text != "deux" || err != nil {
			t.Errorf("beside it: %q, %v", text, err)
		}
		close(hold)
		if text := <-ended; text != "un" {
			t.Errorf("the first: %q", text)
		}
		if text, _, _ := ask(t, o); text != "un" {
			t.Errorf("its place is not given back: %q", text)
		}

		minute := of(says("un", nil), says("deux", nil))
		minute.Servers[0].Bounds, minute.Servers[0].Tokens = NewBounds(0, 600), func(llm.Prompt) int { return 400 }
		for _, want := range []string{"un", "deux"} {
			if text, _, err := ask(t, minute); text != want || err != nil {
				t.Errorf("%q, %v, want %s", text, err, want)
			}
		}
		time.Sleep(30 * time.Second)
		if text, _, _ := ask(t, minute); text != "un" {
			t.Errorf("half a minute later: %q", text)
		}

		last := of(says("un", nil))
		last.Servers[0].Bounds, last.Servers[0].Tokens = NewBounds(0, 600), func(llm.Prompt) int { return 650 }
		if _, _, err := ask(t, last); err != nil {
			t.Errorf("more than a minute has: %v", err)
		}
		if _, _, err := ask(t, last); !errs.Is(err, errs.Unavailable) || !errors.Is(err, llm.ErrBusy) {
			t.Errorf("the next one: %v", err)
		}
		last.Servers[0].Tokens = func(llm.Prompt) int { return 50 }
		began := time.Now()
		if _, _, err := ask(t, last); err != nil || time.Since(began) > wait {
			t.Errorf("a small one waits: %v after %v", err, time.Since(began))
		}
	})
}
