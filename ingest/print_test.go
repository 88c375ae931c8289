package main

import (
	"testing"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/work/admission"
)

func TestSmallPrints(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		terminal.Cut("élève", 5): "élève", terminal.Cut("un élève", 4): "un…", terminal.Bytes(1): "1 o", terminal.Bytes(1536): "1,5 Kio", terminal.Bytes(admission.MaxSize): "256,0 Mio",
		count(0, "texte"): "0 texte", count(1, "texte"): "1 texte", count(2, "texte"): "2 textes",
	} {
		t.Run(got, func(t *testing.T) {
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
