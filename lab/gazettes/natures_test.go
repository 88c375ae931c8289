package gazettes

import (
	"slices"
	"testing"
)

// TestOwnNatures checks that a nature is a source's own if no other source has a text of it, and that the names of the
// catalogue's types are nobody's own.
func TestOwnNatures(t *testing.T) {
	t.Parallel()
	own := OwnNatures([]File{
		{Name: "maroc/a.pdf", Texts: []Text{{Nature: "dahir"}, {Nature: "reglement"}, {Nature: "loi"}}},
		{Name: "luxembourg/b.pdf", Texts: []Text{{Nature: "reglement_grand_ducal"}, {Nature: "reglement"}, {}}},
	})
	if !slices.Equal(own["maroc"], []string{"dahir"}) || !slices.Equal(own["luxembourg"], []string{"reglement grand-ducal"}) {
		t.Errorf("%v", own)
	}
}
