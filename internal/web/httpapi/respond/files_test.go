package respond

import (
	"errors"
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

func TestRanges(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]span{
		"bytes=0-0": {0, 1}, "bytes=0-": {0, 10}, "bytes=9-": {9, 1}, "bytes=2-5": {2, 4}, "bytes=2-99": {2, 8}, "bytes=-3": {7, 3},
		"bytes=-99": {0, 10}, "bytes=\t2-5\t": {2, 4},
	} {
		if r, whole, err := parseRange(header, 10); r != want || whole || err != nil {
			t.Errorf("%q: %v, %v, %v; want %v", header, r, whole, err, want)
		}
	}
	for _, header := range []string{
		"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4", "items=0-1", "bytes=+1-2", "bytes=1--2", "bytes=--1",
		"bytes=99999999999999999999-", "Bytes=0-1 ",
	} {
		if r, whole, err := parseRange(header, 10); !whole || err != nil {
			t.Errorf("%q: %v, %v, %v; want it ignored", header, r, whole, err)
		}
	}
	for _, header := range []string{"bytes=10-", "bytes=10-20", "bytes=-0"} {
		if r, _, err := parseRange(header, 10); !errors.Is(err, errRange) {
			t.Errorf("%q: %v, %v; want a refusal", header, r, err)
		}
	}
	if _, _, err := parseRange("bytes=0-", 0); !errors.Is(err, errRange) {
		t.Errorf("of an empty file: %v", err)
	}
}

func FuzzParseRange(f *testing.F) {
	f.Add("bytes=0-5", int64(10))
	f.Add("bytes=-5", int64(0))
	f.Fuzz(func(t *testing.T, header string, size int64) {
		if size < 0 {
			return
		}
		r, whole, err := parseRange(header, size)
		if !whole && err == nil && (r.start < 0 || r.length < 1 || r.start > size-r.length) {
			t.Errorf("%q of %d: %+v", header, size, r)
		}
	})
}

// FuzzMatches: a cached response is reused only if the header names its tag, or any.
func FuzzMatches(f *testing.F) {
	const tag = `"0123"`
	for _, seed := range []string{"", "*", tag, "W/" + tag, `"a", W/"0123"`, `"0123`, "0123", ",,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if Matches(header, tag) && !strings.Contains(header, tag) && !strings.Contains(header, "*") {
			t.Errorf("%q matches", header)
		}
	})
}

// A header of a stranger is read in time linear in it.
func TestMatchesIsLinear(t *testing.T) {
	for name, words := range map[string]string{"tags": `"a",`, "commas": ",", "blanks": " ", "marks": `"`} {
		t.Run("If-None-Match, "+name, func(t *testing.T) {
			cost.Linear(t, 16<<10, func(size int) string { return strings.Repeat(words, size/len(words)) }, func(header string) {
				Matches(header, `"b"`)
			})
		})
	}
}
