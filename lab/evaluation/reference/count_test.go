package main

import (
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	answer := func(text string, cited ...string) given { return given{Cited: cited, Answer: text} }
	for name, c := range map[string]struct {
		want  wanted
		given given
		fault string
	}{
		"all that is wanted":      {wanted{All: []string{"a.pdf, art. 1er"}, Only: []string{"a.pdf, art. 1er"}}, answer("…", "pays/a.pdf, art. 1"), ""},
		"another beside it":       {wanted{All: []string{"a.pdf, art. 1"}, Only: []string{"a.pdf, art. 1"}}, answer("…", "a.pdf, art. 1", "b.pdf, art. 1"), "too"},
		"not all":                 {wanted{All: []string{"a.pdf, art. 1", "a.pdf, art. 2"}}, answer("…", "a.pdf, art. 1"), "not all"},
		"one of them is enough":   {wanted{All: []string{"a.pdf, art. 1", "a.pdf, art. 2"}, Some: true}, answer("…", "a.pdf, art. 2"), ""},
		"none of them":            {wanted{All: []string{"a.pdf, art. 1"}, Some: true}, answer("…", "a.pdf, art. 2"), "none"},
		"nothing may be cited":    {wanted{None: true}, answer("…", "a.pdf, art. 2"), "cites"},
		"nothing is":              {wanted{None: true, Says: []string{"2031-05"}}, answer("Le catalogue n’a pas la loi n° 2031-05."), ""},
		"what it must say":        {wanted{Says: []string{"N’est plus en vigueur"}}, answer("Elle est en vigueur."), "does not say"},
		"what it must not say":    {wanted{Denies: []string{"n’est plus"}}, answer("Elle n'est plus en vigueur."), "says"},
		"apostrophes do not tell": {wanted{Says: []string{"n’est plus"}}, answer("Elle n'est plus en vigueur."), ""},
	} {
		if got := c.want.fault(c.given); (got == "") != (c.fault == "") || !strings.Contains(got, c.fault) {
			t.Errorf("%s: %q, want « %s »", name, got, c.fault)
		}
	}
}
