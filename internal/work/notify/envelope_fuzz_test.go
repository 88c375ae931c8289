package notify

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

// FuzzParseEnvelope: no address smuggles a line into a head.
func FuzzParseEnvelope(f *testing.F) {
	for _, seed := range [][2]string{{"", ""}, {"Vigueur <a@b.c>", "x@y, z@w"}, {"a@b\r\nBcc: x@y", "x@y"}, {"=?utf-8?q?a=0D=0ABcc?= <a@b>", "x@y"}, {"a", ","}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, source, target string) {
		e, err := ParseEnvelope(source, target)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Errorf("%q, %q: %v", source, target, err)
			}
			return
		}
		for _, a := range append(e.To, &e.From) {
			if a.Address == "" || strings.ContainsAny(a.String(), "\r\n") {
				t.Errorf("%q, %q: %q", source, target, a.String())
			}
		}
	})
}
