package postgres

import (
	"slices"
	"strings"
	"testing"
)

func TestNearForms(t *testing.T) {
	t.Parallel()
	condition, patterns := nearForms("le 20085 contarts")
	if condition != "d.title_folded LIKE ANY (($4::text[])[1:8])" || !slices.Contains(patterns, "%contrats%") || !slices.Contains(patterns, "%contarts%") {
		t.Errorf("%s of %q", condition, patterns)
	}
	for _, none := range []string{"", "le", "20085", strings.Repeat("contrats ", 26)} {
		if condition, patterns := nearForms(none); condition != "" {
			t.Errorf("%q: %s of %d patterns", none, condition, len(patterns))
		}
	}
}
