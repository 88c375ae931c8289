package postgres_test

import (
	"testing"
	"time"

	"vigueur/internal/law/country"
)

// The database, whatever its zone, and the programs agree on what today is where a law is in force.
func TestLawDay(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for _, at := range []string{"2026-11-24T23:30:00Z", "2026-11-24T22:30:00Z", "2026-07-01T22:30:00Z", "2026-11-25T03:30:00Z", "2026-11-25T12:00:00Z"} {
		instant, err := time.Parse(time.RFC3339, at)
		ok(t, err)
		for _, code := range []string{"ci", "sn", "bj", "cm", "cd", "mg", "mu", "ma", "fr", "lu", "ht", "ca", "ohada", "xx", ""} {
			var got time.Time
			ok(t, b.QueryRow(ctx, `SELECT law_day($1, $2)`, instant, []string{code}).Scan(&got))
			if want := country.Today(instant, code); !got.Equal(want) {
				t.Errorf("%s in %q: %s, want %s", at, code, got.Format(time.DateOnly), want.Format(time.DateOnly))
			}
		}
		var got, tokyo time.Time
		ok(t, b.QueryRow(ctx, `SELECT law_day($1, '{}'), (SELECT law_day($1, '{}') FROM (SELECT set_config('TimeZone', 'Asia/Tokyo', true)) z)`, instant).Scan(&got, &tokyo))
		if want := country.Today[string](instant); !got.Equal(want) || !tokyo.Equal(want) {
			t.Errorf("%s in no country: %s and %s, want %s", at, got, tokyo, want)
		}
	}
}
