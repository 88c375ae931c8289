package openai

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote returns the bytes of a JSON string unchanged: invalid UTF-8 and single surrogates
// are kept, because the rest may come with the next event. raw is valid JSON; unquote
// returns nil if it is not a string.
func unquote(raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	raw = raw[1 : len(raw)-1]
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] == 'u' && i+4 < len(raw) {
			n, _ := strconv.ParseUint(string(raw[i+1:i+5]), 16, 16)
			out = appendUnit(out, uint16(n))
			i += 4
			continue
		}
		if at := strings.IndexByte(`"\/bfnrt`, raw[i]); at >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[at])
		}
	}
	return out
}

// appendUnit appends a UTF-16 unit in the three bytes that UTF-8 would use if it allowed
// surrogates.
func appendUnit(out []byte, unit uint16) []byte {
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(out, rune(unit))
	}
	return append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0xBF, 0x80|byte(unit)&0xBF)
}

// joiner makes valid text of pieces that may be cut anywhere. Broken bytes become U+FFFD;
// invisible and unstorable characters are removed.
type joiner struct{ rest []byte }

func (j *joiner) write(piece []byte) string {
	j.rest = append(j.rest, piece...)
	return j.take(false)
}

func (j *joiner) end() string { return j.take(true) }

func (j *joiner) take(last bool) string {
	var b strings.Builder
	for len(j.rest) > 0 {
		r, size := decode(j.rest)
		if size == 0 {
			if !last {
				break
			}
			r, size = utf8.RuneError, 1
			if surrogate(j.rest) {
				size = min(3, len(j.rest))
			}
		}
		if visible(r) {
			b.WriteRune(r)
		}
		j.rest = j.rest[size:]
	}
	return b.String()
}

// decode returns the first rune; size 0 if more bytes are needed.
func decode(b []byte) (r rune, size int) {
	if surrogate(b) {
		return decodePair(b)
	}
	r, size = utf8.DecodeRune(b)
	if r == utf8.RuneError && !utf8.FullRune(b) {
		return 0, 0
	}
	return r, size
}

// surrogate reports whether b may begin with a surrogate.
func surrogate(b []byte) bool { return b[0] == 0xED && (len(b) == 1 || b[1] >= 0xA0 && b[1] <= 0xBF) }

func decodePair(b []byte) (rune, int) {
	const unit = 3
	high := func(i int) rune { return rune(b[i+1]&0x3F)<<6 | rune(b[i+2]&0x3F) }
	switch {
	case len(b) < unit:
		return 0, 0
	case b[1] >= 0xB0: // a low surrogate alone
		return utf8.RuneError, unit
	case len(b) == unit || len(b) < 2*unit && b[unit] == 0xED:
		return 0, 0
	case len(b) >= 2*unit && b[3] == 0xED && b[4] >= 0xB0 && b[4] <= 0xBF:
		return 0x10000 + (high(0)&0x3FF)<<10 + high(unit)&0x3FF, 2 * unit
	}
	return utf8.RuneError, unit
}

// visible reports whether a rune is allowed in an answer: no control characters except line
// ends and tabs, no marks that change the direction of text or have no width.
func visible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < ' ' || r >= 0x7F && r < 0xA0:
		return false
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF:
		return false
	}
	return true
}
