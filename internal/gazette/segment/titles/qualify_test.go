package titles

import (
	"slices"
	"strings"
	"testing"
)

// TestUnknownAdjectives leaves each nature with an adjective out of the table. Its type is only proposed where the others do not
// give it. The test changes the table, so it is not parallel.
func TestUnknownAdjectives(t *testing.T) {
	sure := 0
	for _, n := range slices.Clone(natures) {
		noun, adjective, _ := strings.Cut(n.Name, " ")
		base, _, known := ReadNature(noun)
		if !known || base.Folded == "" || n.NoLaw {
			continue
		}
		restore := Forget([]string{n.Folded})
		q, _ := base.qualify(" "+adjective, false)
		restore()
		if q.Folded != n.Folded || q.Unsure {
			continue
		}
		if sure++; q.Type != n.Type {
			t.Errorf("%s is %s, and is taken for %s", n.Name, n.Type, q.Type)
		}
	}
	if sure < 15 {
		t.Errorf("only %d are known from the others", sure)
	}
}
