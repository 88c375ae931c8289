package naming

import (
	"slices"
	"testing"
)

// The rarest keys are looked up in the index, and keys that nearly all texts have are not.
func TestCommonKeysAreNotLookedUp(t *testing.T) {
	t.Parallel()
	shares := Shares{Of: map[string]float64{"portant": .9, "loi": .4, "service": .08, "peche": .06, "~": .85}, Rest: .001}
	for name, c := range map[string]struct {
		shares                 Shares
		all, anyOf             []string
		wantLooked             []string
		wantCompared           []string
		wantAny, wantAnyOthers []string
	}{
		"a rare one first":     {shares, []string{"portant", "service", "region12"}, nil, []string{"region12", "service"}, []string{"portant"}, nil, nil},
		"common ones together": {shares, []string{"portant", "service", "peche"}, nil, []string{"peche", "service"}, []string{"portant"}, nil, nil},
		"one common key":       {shares, []string{"portant"}, nil, []string{"portant"}, nil, nil, nil},
		"any of rare ones":     {shares, []string{"portant"}, []string{"a", "b"}, []string{"portant"}, nil, []string{"a", "b"}, nil},
		"any of common ones":   {shares, []string{"x"}, []string{"loi", "~"}, []string{"x"}, nil, nil, []string{"loi", "~"}},
		"only any":             {shares, nil, []string{"loi", "~"}, nil, nil, []string{"loi", "~"}, nil},
		"no statistics":        {Shares{}, []string{"portant", "service"}, []string{"loi"}, []string{"portant", "service"}, nil, []string{"loi"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.shares.Plan(c.all, c.anyOf)
			for _, l := range [][2][]string{{p.Looked, c.wantLooked}, {p.Compared, c.wantCompared}, {p.AnyLooked, c.wantAny}, {p.AnyCompared, c.wantAnyOthers}} {
				if !slices.Equal(l[0], l[1]) {
					t.Errorf("%+v, want %q", p, l[1])
				}
			}
		})
	}
}
