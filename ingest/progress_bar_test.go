package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestBarDraws checks every byte that is sent to the terminal: each line begins at the left
// edge, and a shorter line completely overwrites a longer one.
func TestBarDraws(t *testing.T) {
	t.Parallel()
	const empty = "1/2 jo.pdf   0% |                    | (0/3)"
	for _, c := range []struct {
		name string
		do   func(b *bar)
		want string
	}{
		{"nothing done", func(b *bar) { b.draw("1/2", "jo.pdf", "", 0, 3) }, "\r" + empty},
		{"a third", func(b *bar) { b.draw("1/2", "jo.pdf", "", 1, 3) }, "\r1/2 jo.pdf  33% |██████              | (1/3)"},
		{"not full before the end", func(b *bar) { b.draw("1/2", "jo.pdf", "", 199, 200) }, "\r1/2 jo.pdf  99% |███████████████████ | (199/200)"},
		{"all", func(b *bar) { b.draw("1/2", "jo.pdf", "", 40, 40) }, "\r1/2 jo.pdf 100% |████████████████████| (40/40)"},
		{"no page", func(b *bar) { b.draw("1/2", "jo.pdf", "", 0, 0) }, "\r1/2 jo.pdf   0% |                    | (0/0)"},
		{"more than all", func(b *bar) { b.draw("1/2", "jo.pdf", "", 4, 3) }, "\r1/2 jo.pdf 100% |████████████████████| (4/3)"},
		{"a shorter line", func(b *bar) {
			b.draw("1/2", "deuxième.pdf", "", 0, 3)
			b.draw("1/2", "jo.pdf", "", 0, 3)
		}, "\r1/2 deuxième.pdf   0% |                    | (0/3)\r" + empty + "      "},
		{"a sentence", func(b *bar) {
			b.draw("1/2", "jo.pdf", "", 0, 3)
			b.say("Aucun worker.")
			b.end()
		}, "\r" + empty + "\r" + strings.Repeat(" ", columns(empty)) + "\rAucun worker.\n\r\r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			c.do(newBar(&out))
			if out.String() != c.want {
				t.Errorf("drew\n%q, want\n%q", out.String(), c.want)
			}
		})
	}
}
