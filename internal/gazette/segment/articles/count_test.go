package articles

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/segment/judgment"
)

// counted returns candidates with the given numbers, all with the same log-odds.
func counted(odds float64, numbers ...string) Counting {
	c := Counting{}
	for i, n := range numbers {
		c.all = append(c.all, candidate{line: i, number: n, logit: odds})
	}
	return c
}

func TestArticlesAreChosenByTheirNumbers(t *testing.T) {
	t.Parallel()
	j := judgment.Standard()
	for _, c := range []struct {
		odds    float64
		numbers string
		want    []int
	}{
		{4, "1er 2 3", []int{0, 1, 2}},
		{-2, "1er 2 3", []int{0, 1, 2}},    // the numbering outweighs the chain, which does not see them
		{-1, "1er 2 61 3", []int{0, 1, 3}}, // a quotation
		{4, "", nil},
	} {
		if got := counted(c.odds, strings.Fields(c.numbers)...).Choose(j); !slices.Equal(got, c.want) {
			t.Errorf("%s at %v: %v", c.numbers, c.odds, got)
		}
	}
}
