package form

import (
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

func TestInstants(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)
	for _, good := range []string{
		"2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000000Z", "2026-01-31t10:00:00z", "2026-01-31T12:00:00+02:00",
		"2026-01-31T12:00:00+0200", "2026-01-31T12:00:00+02", "2026-01-31T10:00Z", "2026-01-31T08:00-02:00", "2026-01-31 10:00:00Z",
		"20260131T100000Z", "2026-01-31T12:00:00 02:00", "2026-01-31T12:00:00.0 02:00", "2026-01-31T12:00 0200",
	} {
		if got, err := parseInstant(good); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%q: %v, %v", good, got, err)
		}
	}
	for _, bad := range []string{
		"", " ", "hier", "2026-01-31", "2026-01-31T10:00:00", "2026-01-31 10:00:00", "2026-01-31 10:00", "2026-02-30T10:00:00Z", "2026-01-31T25:00:00Z",
		"2026-01-31T10:00:60Z", "1769853600", "2026-01-31T10:00:00ZZ", "2026-01-31T10:00:00+99:00", "2026-01-31T10Z\x00", "26-01-31T10:00:00Z",
	} {
		if got, err := parseInstant(bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q reads as %v, %v; want Invalid", bad, got, err)
		}
	}
	exact, err := parseInstant("2026-01-31T10:00:00.123456Z")
	ok(t, err)
	equal(t, "there and back", showTime(exact), "2026-01-31T10:00:00.123456Z")
}

func FuzzParseInstant(f *testing.F) {
	f.Add("2026-01-31T12:00:00+02:00")
	f.Add("2026-01-31T12:00:00 02")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseInstant(s)
		if err != nil {
			return
		}
		if again, err := parseInstant(showTime(got)); got.Year() >= 0 && got.Year() < 10000 && (err != nil || !again.Equal(got.Truncate(time.Microsecond))) {
			t.Errorf("%q reads as %v, and that as %v, %v", s, got, again, err)
		}
	})
}

// showTime formats a time as responses have it.
func showTime(moment time.Time) string { return moment.UTC().Format("2006-01-02T15:04:05.000000Z") }
