// Package openai is a client of servers with the OpenAI-compatible protocol: chat
// completions that write answers, embeddings and reranking.
//
// The server is not trusted. Its output is limited in size and time, converted to valid
// text, and filtered before a reader sees any of it: reasoning and citations of unknown
// passages are removed, and looping text is ended. Passages are data: they are enclosed in
// fences that their text cannot close.
//
// Before the first word, a request is retried if the server is busy, down or unreachable;
// after the first word never, because a reader has begun to read. An error then has the
// kind errs.Unavailable, and the caller starts again. Errors that a retry cannot fix (a
// refused key, an unknown model) are errs.Unprocessable. Public messages name only the
// model; the cause, in which the key is masked, is for the log. The key is sent only to the
// configured server: redirects are not followed.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
)

// Retries of a request.
const (
	tries       = 3                      // maximum number of tries
	firstPause  = 500 * time.Millisecond // before the first retry; doubled with each
	longestWait = 20 * time.Second       // maximum Retry-After; a request with a longer one is not retried
)

// Client is a client of one server. Its fields are set once; it is safe for use by many
// goroutines.
type Client struct {
	URL     string            // including the version: http://host/v1
	Key     string            // "": none is sent
	Silence time.Duration     // maximum wait for the next piece of a response; 0: a minute
	HTTP    http.RoundTripper // nil: http.DefaultTransport
}

func (c *Client) silence() time.Duration { return cmp.Or(c.Silence, time.Minute) }

// open posts body and returns the response once its head has arrived, with retries. The
// response must be closed.
func (c *Client) open(ctx context.Context, model, path string, body any) (*response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		r, err := c.once(ctx, path, data)
		if err == nil {
			return r, nil
		}
		wait, again := pause(err, try)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if try == tries || !again {
			return nil, explain(model, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// whole posts body and returns the complete response. Errors have a public message, or are
// those of ctx.
func (c *Client) whole(ctx context.Context, model, path string, body any) ([]byte, error) {
	r, err := c.open(ctx, model, path, body)
	if err != nil {
		return nil, err
	}
	defer r.close()
	data, err := io.ReadAll(r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, unavailable(model, fmt.Errorf("%w: %w", errBroken, r.why(err)))
	}
	return data, nil
}

// once posts a request without retries.
func (c *Client) once(ctx context.Context, path string, data []byte) (*response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	watch := time.AfterFunc(c.silence(), func() { cancel(errSilent) })
	r := &response{watch: watch, silence: c.silence(), cancel: cancel, cause: func() error { return context.Cause(ctx) }}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(c.URL, "/")+path, bytes.NewReader(data))
	if err != nil {
		r.close()
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	// With tracing, a server that traces too continues the trace.
	if carried := trace.Carry(ctx); carried != "" {
		request.Header.Set("Traceparent", carried)
	}
	got, err := c.http().Do(request) //nolint:bodyclose // response.close does
	if err != nil {
		defer r.close()
		return nil, r.why(err)
	}
	r.head, r.body = got.Header, got.Body
	if got.StatusCode != http.StatusOK {
		defer r.close()
		text, _ := io.ReadAll(io.LimitReader(got.Body, refusalLimit))
		return nil, &refusal{status: got.StatusCode, after: got.Header.Get("Retry-After"), text: c.mask(string(text))}
	}
	return r, nil
}

func (c *Client) http() *http.Client {
	return &http.Client{Transport: c.HTTP, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// pause returns the delay after which a request that failed with err is retried, and
// whether it is retried at all.
func pause(err error, try int) (time.Duration, bool) {
	wait := firstPause << (try - 1)
	wait += rand.N(wait / 2)
	if r, ok := errors.AsType[*refusal](err); ok {
		if seconds, bad := strconv.ParseFloat(r.after, 64); bad == nil && seconds >= 0 {
			wait = time.Duration(min(seconds, 3600) * float64(time.Second))
		} else if at, bad := http.ParseTime(r.after); bad == nil {
			wait = max(0, time.Until(at))
		}
		return wait, r.passing() && wait <= longestWait
	}
	return wait, !errors.Is(err, errSilent)
}

// explain assigns a kind and a public message to an error.
func explain(model string, err error) error {
	r, ok := errors.AsType[*refusal](err)
	if ok && !r.passing() {
		return unfit(model, err)
	}
	if ok && r.status == http.StatusTooManyRequests {
		err = errors.Join(llm.ErrBusy, err)
	}
	return unavailable(model, err)
}

func unavailable(model string, err error) error {
	return errs.Wrap(errs.Unavailable, fmt.Sprintf("Le modèle « %s » ne répond pas. Réessayez dans quelques instants.", model), err)
}

// unfit returns the error for a failure of a model that a retry does not fix.
func unfit(model string, err error) error {
	return errs.Wrap(errs.Unprocessable, fmt.Sprintf("Le modèle « %s » n’a pas pu répondre. Choisissez-en un autre, ou signalez-le.", model), err)
}

// mask removes the key from a server's text, because some servers repeat it.
func (c *Client) mask(text string) string {
	if c.Key == "" {
		return text
	}
	return strings.ReplaceAll(text, c.Key, "(masked)")
}
