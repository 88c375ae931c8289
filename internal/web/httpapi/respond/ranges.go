package respond

import (
	"errors"
	"strconv"
	"strings"
)

// span is a byte range of a file.
type span struct {
	start, length int64
}

// errRange means that a range is outside the file (416).
var errRange = errors.New("range not satisfiable")

// parseRange parses a Range header for a file of size bytes (RFC 9110, 14.1 and 14.2).
// whole is true if the header must be ignored, as the RFC allows for malformed ones, other
// units and multiple ranges.
func parseRange(header string, size int64) (r span, whole bool, err error) {
	set, ok := strings.CutPrefix(header, "bytes=")
	first, last, dash := strings.Cut(strings.TrimSpace(set), "-")
	if !ok || !dash || strings.Contains(set, ",") {
		return span{}, true, nil
	}
	if first == "" {
		return suffix(last, size)
	}
	start, err := position(first)
	if err != nil {
		return span{}, true, nil
	}
	end := size - 1
	if last != "" {
		if end, err = position(last); err != nil || end < start {
			return span{}, true, nil
		}
	}
	if start >= size {
		return span{}, false, errRange
	}
	return span{start, min(end, size-1) - start + 1}, false, nil
}

// suffix returns the range of the last n bytes.
func suffix(n string, size int64) (span, bool, error) {
	length, err := position(n)
	switch {
	case err != nil:
		return span{}, true, nil
	case length == 0 || size == 0:
		return span{}, false, errRange
	}
	length = min(length, size)
	return span{size - length, length}, false, nil
}

// position parses a number of digits only, without a sign.
func position(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err
}

// Matches reports whether an If-None-Match header contains etag, by weak comparison (RFC
// 9110, 13.1.2).
func Matches(header, etag string) bool {
	for _, one := range strings.Split(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == etag {
			return true
		}
	}
	return false
}
