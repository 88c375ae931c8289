package conversations

import (
	"errors"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// addRetryAfter adds a Retry-After to the error for too many waiting questions, derived from
// the maximum time that questions may wait. It returns other errors unchanged.
func (s *Handlers) addRetryAfter(err error) error {
	if !errors.Is(err, postgres.ErrBacklogged) {
		return err
	}
	return transport.ErrLater(err, min(max(s.Backlog.Wait/4, 5*time.Second), time.Minute))
}
