package law_test

import (
	"testing"

	"vigueur/internal/law"
)

func TestMarksOfSourcesAreToldApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                           "",
		"sans signe":                 "sans signe",
		"un renvoi [2].":             "un renvoi [\u00a02\u00a0].",
		"deux [1] et [12, 3]":        "deux [\u00a01\u00a0] et [\u00a012, 3\u00a0]",
		"[…] [a] [1000] [1 bis] [ ]": "[…] [a] [1000] [1 bis] [ ]",
	} {
		got := law.RemoveMarks(text)
		if got != want || law.Marked(got) != text || law.RemoveMarks(got) != got {
			t.Errorf("%q: %q, and back %q", text, got, law.Marked(got))
		}
	}
	if got := law.Marked("un renvoi [ 2 ]."); got != "un renvoi [2]." {
		t.Errorf("with plain spaces: %q", got)
	}
}
