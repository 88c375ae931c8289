package main

import (
	"fmt"
	"time"

	"vigueur/internal/kit/terminal"
)

// count formats a number with a French noun: « 1 texte », « 3 textes ».
func count(n int, what string) string {
	if n < 2 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// moment formats a time in the operator's time zone.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// momentOf formats a time of the API; what is no time is returned unchanged.
func momentOf(written string) string {
	if t := timeOf(written); !t.IsZero() {
		return moment(t)
	}
	return terminal.Line(written)
}

// timeOf parses a time of the API; the zero time if it is none.
func timeOf(written string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, written)
	return t
}
