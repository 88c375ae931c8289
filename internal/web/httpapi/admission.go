package httpapi

import (
	"errors"
	"time"

	"vigueur/internal/store/postgres"
)

// retryLater is an error with its own message and its own Retry-After.
type retryLater struct {
	after time.Duration
	cause error
}

// Error returns the text for logs.
func (r *retryLater) Error() string { return r.cause.Error() }

// Unwrap returns the cause, which has the kind of the error.
func (r *retryLater) Unwrap() error { return r.cause }

// overloaded adds a Retry-After to the error for too many waiting questions, derived from
// the maximum time that questions may wait. It returns other errors unchanged.
func (s *Server) overloaded(err error) error {
	if !errors.Is(err, postgres.ErrBacklogged) {
		return err
	}
	return &retryLater{after: min(max(s.Backlog.Wait/4, 5*time.Second), time.Minute), cause: err}
}
