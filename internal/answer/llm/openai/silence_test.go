package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/kit/errs"
)

// wire is a server without a network, for tests with a fake clock.
type wire func(r *http.Request, body *io.PipeWriter)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if w == nil { // no response
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	out, in := io.Pipe()
	go func() {
		<-r.Context().Done()
		in.CloseWithError(r.Context().Err())
	}()
	go w(r, in)
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: out, Request: r}, nil
}

func send(body io.Writer, lines ...string) {
	for _, l := range lines {
		_, _ = io.WriteString(body, "data: "+l+"\n\n")
	}
}

func TestServerThatHangs(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]wire{
		"from the start": nil,
		"in mid-answer":  func(_ *http.Request, body *io.PipeWriter) { send(body, deltas(sentence)...) },
		"with comments": func(r *http.Request, body *io.PipeWriter) {
			for r.Context().Err() == nil {
				_, _ = io.WriteString(body, ": still there\n\n")
				select {
				case <-r.Context().Done():
				case <-time.After(time.Second):
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &Generator{Client: &Client{URL: "http://modèle/v1", HTTP: w, Silence: 20 * time.Second}, Model: "essai", Context: 8192, Output: 500}
				began := time.Now()
				_, err := write(t, g, prompt())
				if took := time.Since(began); !errs.Is(err, errs.Unavailable) || took < 20*time.Second || took > 21*time.Second {
					t.Errorf("%v after %v", err, took)
				}
				if !strings.Contains(err.Error(), errSilent.Error()) {
					t.Errorf("%v does not say that it was silent", err)
				}
			})
		})
	}
}

// A slow server is not silent: reasoning counts as progress.
func TestSlowServerIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := wire(func(_ *http.Request, body *io.PipeWriter) {
			for range 30 {
				time.Sleep(15 * time.Second)
				send(body, `{"choices":[{"delta":{"reasoning_content":"hm"}}]}`)
			}
			send(body, append(deltas(sentence), stop, done)...)
		})
		g := &Generator{Client: &Client{URL: "http://modèle/v1", HTTP: slow, Silence: 20 * time.Second}, Model: "essai", Context: 8192, Output: 500}
		if text, err := write(t, g, prompt()); text != sentence || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func TestCanceledWhileItWaits(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]http.RoundTripper{"for a head": wire(nil), "for text": wire(func(*http.Request, *io.PipeWriter) {}), "to try again": refusing("10")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				g := &Generator{Client: &Client{URL: "http://modèle/v1", HTTP: w}, Model: "essai", Context: 8192, Output: 500}
				began := time.Now()
				if err := g.Generate(ctx, prompt(), func(string) error { return nil }); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 3*time.Second {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		})
	}
}

// refusing responds with status 429 and this Retry-After.
type refusing string

func (after refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {string(after)}}, Body: http.NoBody, Request: r}, nil
}

func TestRetryAfterIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		soon := refusing(time.Now().Add(4 * time.Second).UTC().Format(http.TimeFormat))
		for _, c := range []struct {
			after refusing
			want  time.Duration
		}{{soon, 4 * time.Second}, {"7", 14 * time.Second}, {"120", 0}, {"-1", 0}, {"jamais", 0}} {
			after, want := c.after, c.want
			g := &Generator{Client: &Client{URL: "http://modèle/v1", HTTP: after}, Model: "essai", Context: 8192, Output: 500}
			began := time.Now()
			_, err := write(t, g, prompt())
			took := time.Since(began)
			own := took >= firstPause*3 && took <= firstPause*5 // its own delays: 1 and 2 units, plus up to half at random
			if !errs.Is(err, errs.Unavailable) || took != want && (want != 0 || !own) {
				t.Errorf("Retry-After %s: %v after %v", after, err, took)
			}
		}
	})
}
