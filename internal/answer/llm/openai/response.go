package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	refusalLimit  = 4 << 10 // maximum bytes of an error's body
	responseLimit = 8 << 20 // maximum bytes of a whole response
)

var (
	errSilent  = errors.New("openai: the server went silent")
	errTooLong = errors.New("openai: the response is too long")
)

// response is a response that is read with a size limit. Whoever reads it calls alive at
// each sign of progress. If alive is not called for the client's Silence, reading fails
// with errSilent.
type response struct {
	head    http.Header
	body    io.ReadCloser
	read    int
	watch   *time.Timer
	silence time.Duration
	cancel  context.CancelCauseFunc
	cause   func() error
}

func (r *response) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if r.read += n; r.read > responseLimit {
		return n, errTooLong
	}
	return n, err
}

// alive restarts the silence timer.
func (r *response) alive() {
	if r.watch.Stop() {
		r.watch.Reset(r.silence)
	}
}

// why replaces an error that the silence timer caused.
func (r *response) why(err error) error {
	if cause := r.cause(); err != nil && errors.Is(cause, errSilent) {
		return cause
	}
	return err
}

func (r *response) close() {
	r.watch.Stop()
	r.cancel(nil)
	if r.body != nil {
		_ = r.body.Close()
	}
}

// is reports whether the response has the given content type.
func (r *response) is(kind string) bool {
	return strings.HasPrefix(strings.ToLower(r.head.Get("Content-Type")), kind)
}

// refusal is a response with a status other than 200.
type refusal struct {
	status int
	after  string // Retry-After
	text   string
}

func (r *refusal) Error() string { return fmt.Sprintf("openai: status %d: %q", r.status, r.text) }

// passing reports whether the same request may succeed later.
func (r *refusal) passing() bool {
	switch r.status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return r.status >= http.StatusInternalServerError && r.status != http.StatusNotImplemented
}
