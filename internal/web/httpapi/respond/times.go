package respond

import (
	"time"

	"vigueur/internal/law"
)

// MaybeTime formats a time as ShowTime does; nil stays nil.
func MaybeTime(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(ShowTime(*t))
}

// timeLayout is the format of times: RFC 3339, UTC, microseconds.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// ShowTime formats a time for a response.
func ShowTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ShowDay formats a day as YYYY-MM-DD; nil stays nil.
func ShowDay(day *time.Time) *string {
	return NonEmpty(law.ISODay(day))
}

// NonEmpty returns a pointer to s, nil if s is empty.
func NonEmpty[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}
