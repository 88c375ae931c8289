package main

import (
	"fmt"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

func TestAbove(t *testing.T) {
	t.Parallel()
	p := &layout.Page{Width: 600, Height: 800}
	for turn, want := range map[layout.Rotation]bool{layout.Upright: true, layout.Over: false, layout.Down: false, layout.Up: true, layout.Askew: true} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			l := layout.Line{Rect: law.Rect{20, 10, 60, 22}, Words: []layout.Word{{Text: "Journal", Turn: turn}}}
			if got := above(p, l); got != want {
				t.Errorf("turn %d: %v", turn, got)
			}
		})
	}
	if !above(p, layout.Line{}) {
		t.Error("a line without words")
	}
}
