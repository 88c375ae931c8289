package catalogue

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/store/postgres"
)

// TestOffered offers a state of no list only where there is no other.
func TestOffered(t *testing.T) {
	for _, c := range []struct{ counts, want string }{
		{"x-Astrevalle ohada", "[x-Astrevalle]"}, {"x-Astrevalle sn ohada ci", "[ci sn]"}, {"", "[]"},
	} {
		var counts []postgres.Count
		for code := range strings.FieldsSeq(c.counts) {
			counts = append(counts, postgres.Count{Value: code, N: 1})
		}
		got := []string{}
		for _, n := range selectOffered(counts) {
			got = append(got, n.Value)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("of %s: %v, want %s", c.counts, got, c.want)
		}
	}
}
