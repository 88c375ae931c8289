package form

import (
	"regexp"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
)

// instants are the accepted layouts of an ISO 8601 date and time, with zone.
var instants = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07",
	"20060102T150405Z0700", "20060102T150405Z07",
}

// lostPlus matches a zone whose unescaped + was decoded as a blank.
var lostPlus = regexp.MustCompile(`(:\d\d(\.\d+)?) (\d\d(:?\d\d)?)$`)

// parseInstant parses the parameter before, an ISO 8601 date and time with a zone. The
// error is Invalid (400), because the contract has no 422 for it.
func parseInstant(value string) (time.Time, error) {
	s := strings.ToUpper(lostPlus.ReplaceAllString(value, "$1+$3"))
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, form := range instants {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errs.New(errs.Invalid,
		"« before » doit être une date et une heure ISO 8601 avec fuseau, par exemple 2026-01-31T12:00:00Z.")
}
