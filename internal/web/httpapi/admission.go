package httpapi

import (
	"errors"
	"time"

	"vigueur/internal/store/postgres"
)

// retryLater is an error with a sentence and a Retry-After of its own.
type retryLater struct {
	after time.Duration
	cause error
}

// Error returns the text for logs.
func (r *retryLater) Error() string { return r.cause.Error() }

// Unwrap returns the error that has the kind.
func (r *retryLater) Unwrap() error { return r.cause }

// overloaded gives the error of too many waiting questions a Retry-After that follows from
// how long questions may wait; another error is returned as it is.
func (s *Server) overloaded(err error) error {
	if !errors.Is(err, postgres.ErrBacklogged) {
		return err
	}
	return &retryLater{after: min(max(s.Backlog.Wait/4, 5*time.Second), time.Minute), cause: err}
}
