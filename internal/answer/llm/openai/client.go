// Package openai is a client of servers with the OpenAI-compatible protocol: chat
// completions that write answers, and embeddings.
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
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
	"vigueur/internal/law/french"
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
		} else if moment, bad := http.ParseTime(r.after); bad == nil {
			wait = max(0, time.Until(moment))
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

// The tokens of a message besides its text, and the minimum tokens of a shortened passage.
const (
	perMessage = 8
	leastPart  = 64
)

// tokens is an upper bound of a text's tokens in the tokenizers in use: one per three
// letters begun of a word in Latin letters, one per digit, one per byte of every sign and
// every other letter, one per line end. For French that is about one and a half times the
// real number, so a prompt within the limit is never refused as too long.
func tokens(text string) int {
	n, letters := 0, 0
	for _, r := range text {
		if unicode.Is(unicode.Latin, r) {
			if letters%3 == 0 {
				n++
			}
			letters++
			continue
		}
		letters = 0
		switch {
		case r == ' ':
		case r < 0x80:
			n++
		default:
			n += len(string(r)) - 1
		}
	}
	return n
}

// fit returns the passages that fit into room, best first, in order. A passage that does
// not fit is left out, but a later, shorter passage may fit. If no passage fits, the best
// one is cut after a sentence, with « […] » for the rest.
func fit(passages []llm.Passage, room int) []llm.Passage {
	var out []llm.Passage
	left := room
	for _, p := range passages {
		if cost := tokens(fencePassage(p)); cost <= left {
			out, left = append(out, p), left-cost
		}
	}
	if len(out) > 0 || len(passages) == 0 {
		return out
	}
	best := passages[0]
	text := best.Text
	best.Text = ""
	if left -= tokens(fencePassage(best)) + tokens(gap); left < leastPart {
		return nil
	}
	best.Text = opening(text, left) + gap
	return []llm.Passage{best}
}

const gap = "\n[…]"

// opening returns the beginning of a text, of at most room tokens: whole sentences if the
// first one fits, else whole words.
func opening(text string, room int) string {
	end := 0
	for _, s := range french.Sentences(text) {
		if tokens(text[:s.End]) > room {
			break
		}
		end = s.End
	}
	if end > 0 {
		return text[:end]
	}
	var b strings.Builder
	for word := range strings.SplitAfterSeq(text, " ") {
		if room -= tokens(word); room < 0 {
			break
		}
		b.WriteString(word)
	}
	return b.String()
}

// modelsLimit is the maximum size of a list of models, in bytes.
const modelsLimit = 4 << 20

// Listed is a model in a server's list.
type Listed struct {
	Name   string
	Window int // context window in tokens; 0: the server does not report it
}

// ListModels lists the server's models. ok is false if the server has no such list; if it
// refuses the key, the error is one that Rejected recognizes.
func (c *Client) ListModels(ctx context.Context) (models []Listed, ok bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.URL, "/")+"/models", http.NoBody)
	if err != nil {
		return nil, false, err
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	got, err := c.http().Do(request)
	if err != nil {
		return nil, false, err
	}
	defer got.Body.Close()
	switch {
	case got.StatusCode == http.StatusUnauthorized || got.StatusCode == http.StatusForbidden:
		return nil, false, &refusal{status: got.StatusCode}
	case got.StatusCode >= http.StatusInternalServerError:
		return nil, false, fmt.Errorf("openai: the server answers with status %d", got.StatusCode)
	case got.StatusCode != http.StatusOK:
		return nil, false, nil
	}
	var list struct {
		Data []struct {
			ID  string `json:"id"`
			Max int    `json:"max_model_len"` // vLLM
			Own struct {
				Context int `json:"n_ctx"` // llama.cpp
			} `json:"meta"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(got.Body, modelsLimit)).Decode(&list); err != nil || list.Data == nil {
		return nil, false, nil //nolint:nilerr // another kind of server, without a list
	}
	for _, m := range list.Data {
		models = append(models, Listed{Name: m.ID, Window: max(m.Max, m.Own.Context, 0)})
	}
	return models, true, nil
}

// Rejected reports whether a server refused the key.
func Rejected(err error) bool {
	r, ok := err.(*refusal) //nolint:errorlint // Listed returns it unwrapped
	return ok && (r.status == http.StatusUnauthorized || r.status == http.StatusForbidden)
}

// Ping checks that a server responds. A server that requires a key or has no list of models
// counts as available; a server that reports an internal error or an overload does not.
func (c *Client) Ping(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.URL, "/")+"/models", http.NoBody)
	if err != nil {
		return err
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	got, err := c.http().Do(request)
	if err != nil {
		return err
	}
	if err := got.Body.Close(); err != nil {
		return err
	}
	if got.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("openai: the server answers with status %d", got.StatusCode)
	}
	return nil
}

// The maximum number of texts in a request, and the duration of a request above which the
// next requests have fewer texts. Both are small, so that a question waits less than a
// second for a request with passages.
const (
	perRequest    = 16
	longestAtOnce = 400 * time.Millisecond
)

// mostDimensions limits the dimension of a vector.
const mostDimensions = 8192

// Embedder is an llm.Embedder. Its fields are set once; it is safe for use by many
// goroutines.
type Embedder struct {
	Client     *Client
	Model      string
	Dimensions int // required dimension of every vector; 0: the dimension of the first vector of each call

	fewer atomic.Int32 // how often the texts per request were halved, because a request was slow
}

// atOnce returns the maximum number of texts in the next request.
func (e *Embedder) atOnce() int { return max(1, perRequest>>e.fewer.Load()) }

// took records the duration of a request. After a slow request the next ones have half as
// many texts, after a fast one twice as many, up to perRequest.
func (e *Embedder) took(texts int, d time.Duration) {
	was := e.fewer.Load()
	switch {
	case d > longestAtOnce && texts > 1 && texts <= perRequest>>was:
		e.fewer.CompareAndSwap(was, was+1)
	case d < longestAtOnce/3 && was > 0 && texts == perRequest>>was:
		e.fewer.CompareAndSwap(was, was-1)
	}
}

// errVector means that a server sent something that is not a vector of its model.
var errVector = errors.New("openai: no vector")

// Embed returns a vector of length 1 for each text, in order. A missing vector, a vector of
// another dimension, or a coordinate that is not a number fails the whole call.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	dimensions := e.Dimensions
	for len(texts) > 0 {
		batch := texts[:min(len(texts), e.atOnce())]
		texts = texts[len(batch):]
		began := time.Now()
		got, err := e.batch(ctx, batch)
		e.took(len(batch), time.Since(began))
		if err != nil {
			return nil, err
		}
		for _, v := range got {
			dimensions = cmp.Or(dimensions, len(v))
			if len(v) != dimensions {
				return nil, unfit(e.Model, fmt.Errorf("%w: %d dimensions instead of %d", errVector, len(v), dimensions))
			}
			if err := normalize(v); err != nil {
				return nil, unfit(e.Model, err)
			}
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

type embedRequest struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

type embedResponse struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	data, err := e.Client.whole(ctx, e.Model, "/embeddings", embedRequest{e.Model, texts, "float"})
	if err != nil {
		return nil, err
	}
	vectors, err := readVectors(data, len(texts))
	if err != nil {
		return nil, unfit(e.Model, err)
	}
	return vectors, nil
}

// readVectors returns the vectors of a response in the order of the n texts.
func readVectors(data []byte, n int) ([][]float32, error) {
	var got embedResponse
	if err := json.Unmarshal(data, &got); err != nil {
		return nil, fmt.Errorf("%w: %w", errVector, err)
	}
	if len(got.Data) != n {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", errVector, len(got.Data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range got.Data {
		switch {
		case d.Index < 0 || d.Index >= n || vectors[d.Index] != nil:
			return nil, fmt.Errorf("%w: the number %d is out of place", errVector, d.Index)
		case len(d.Embedding) == 0 || len(d.Embedding) > mostDimensions:
			return nil, fmt.Errorf("%w: %d dimensions", errVector, len(d.Embedding))
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

// normalize scales v to length 1.
func normalize(v []float32) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length < 1e-12 || math.IsNaN(length) || math.IsInf(length, 0) {
		return fmt.Errorf("%w: its length is %v", errVector, length)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return nil
}
