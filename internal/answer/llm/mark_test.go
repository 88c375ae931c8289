package llm_test

import (
	"testing"

	"vigueur/internal/answer/llm"
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
		got := llm.Unmarked(text)
		if got != want || llm.Marked(got) != text || llm.Unmarked(got) != got {
			t.Errorf("%q: %q, and back %q", text, got, llm.Marked(got))
		}
	}
	if got := llm.Marked("un renvoi [ 2 ]."); got != "un renvoi [2]." {
		t.Errorf("with plain spaces: %q", got)
	}
}
