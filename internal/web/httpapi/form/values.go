package form

import (
	"bytes"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/rangetable"

	"vigueur/internal/kit/errs"
)

// LikeEmail reports whether s has the form of an e-mail address: one @ with something before it, a dot in the domain, no
// blanks, at most EmailLimit code points.
func LikeEmail(s string) bool {
	local, domain, _ := strings.Cut(s, "@")
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return local != "" && !strings.Contains(domain, "@") && strings.Contains(strings.Trim(domain, "."), ".") &&
		!strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") &&
		!strings.ContainsFunc(s, odd) && utf8.RuneCountInString(s) <= EmailLimit
}

// Unseen are the characters besides white space and controls that show nothing by themselves.
var Unseen = rangetable.Merge(unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, rangetable.New('\u2800'))

// Turning are the characters that turn the direction of what follows, up to their end: other words are read than are
// written. Marks of direction, which are copied with words, are none.
var Turning = rangetable.New('\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069')

// Seen reports whether a person sees a character.
func Seen(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(Unseen, r) }

func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil && day.Year() > 0
}

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

// loneSurrogate reports whether the JSON of a string escapes a surrogate (\ud83d) without
// its other half: no text contains that, and the decoder would silently replace it by
// U+FFFD.
func loneSurrogate(raw []byte) bool {
	high := false // the previous escape was a high surrogate
	for i := 0; i < len(raw); i++ {
		var first, second bool
		if raw[i] == '\\' {
			i++
			if i+4 < len(raw) && raw[i] == 'u' {
				first, second = halves(raw[i+1 : i+5])
				i += 4
			}
		}
		if high != second {
			return true
		}
		high = first
	}
	return high
}

// halves reports whether four hexadecimal digits are a high or a low surrogate.
func halves(digits []byte) (first, second bool) {
	d := bytes.ToLower(digits)
	if d[0] != 'd' {
		return false, false
	}
	return d[1] >= '8' && d[1] <= 'b', d[1] >= 'c' && d[1] <= 'f'
}

// PathID reads a UUID from the path; the error is a fault.
func PathID(c *fiber.Ctx, name string) (uuid.UUID, error) {
	value := c.Params(name)
	id, ok := parseID(value)
	if !ok {
		var f Faults
		f.Add("uuid_parsing", []any{"path", name}, Quote(value), "Un UUID est attendu.")
		return uuid.Nil, f
	}
	return id, nil
}

// parseID parses a UUID in its usual form, or without hyphens; the library's other forms
// are rejected.
func parseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 && len(s) != 32 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
