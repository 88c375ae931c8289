package postgres

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A program waits for a server that restarts, but not for a server that refuses it permanently. It calls Waiting once
// a minute.
func TestWaitsForAServerThatRestarts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var told []time.Duration
		refused := errors.New("password authentication failed")
		p := Program{Waiting: func(waited time.Duration, _ error) { told = append(told, waited.Round(time.Minute)) }}
		err := p.await(t.Context(), func() error {
			if time.Since(began) < 3*time.Minute-time.Second {
				return fmt.Errorf("connect: %w", &pgconn.PgError{Code: "57P03", Message: "the database system is starting up"})
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("waited until %v", err)
		}
		if want := []time.Duration{0, time.Minute, 2 * time.Minute}; fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("told after %v, want %v", told, want)
		}
	})
}
