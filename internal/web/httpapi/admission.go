package httpapi

import (
	"context"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

// backloggedText is the message if a question would have to wait for too long.
const backloggedText = "Trop de questions attendent déjà une réponse. Réessayez dans un instant."

// overloaded is the error for a question that would wait beyond the limit: a 503 with a
// sentence and a Retry-After of its own.
type overloaded struct {
	after time.Duration
	cause error
}

// Error returns the text for logs.
func (o *overloaded) Error() string { return o.cause.Error() }

// Unwrap returns the error that has the kind.
func (o *overloaded) Unwrap() error { return o.cause }

// admit rejects a question that would have to wait for too long, instead of queueing it.
func (s *Server) admit(ctx context.Context, user uuid.UUID) error {
	full, err := s.DB.Backlogged(ctx, user, s.Backlog)
	if err != nil || !full {
		return err
	}
	return &overloaded{after: min(max(s.Backlog.Wait/4, 5*time.Second), time.Minute), cause: errs.New(errs.Unavailable, backloggedText)}
}
