package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"vigueur/scripts/gazettes"
)

// doubted is what one text was doubted for, and whether it was wrong.
type doubted struct {
	kinds []string
	wrong bool
}

// note keeps what a text was doubted for.
func (s *score) note(v gazettes.Verdict) {
	d := doubted{wrong: v.Wrong()}
	for _, doubt := range v.Cut.Doubts {
		kind := doubt.Field + ": " + words(doubt.Reason)
		if !slices.Contains(d.kinds, kind) {
			d.kinds = append(d.kinds, kind)
		}
	}
	s.doubted = append(s.doubted, d)
}

// words is the beginning of a reason up to its first figure: reasons of one kind
// have it in common.
func words(reason string) string {
	at := strings.IndexFunc(reason, unicode.IsDigit)
	if at >= 0 {
		reason = reason[:at]
	}
	return strings.TrimRight(reason, " (.,p«")
}

// tellDoubts prints of each kind of doubt how many texts it fired for, how many of
// them were wrong, and how many it was the only doubt of.
func tellDoubts(texts []doubted) {
	type count struct{ texts, wrong, alone, aloneWrong int }
	counts := map[string]*count{}
	for _, d := range texts {
		kinds := d.kinds
		if len(kinds) == 0 {
			kinds = []string{"none"}
		}
		for _, k := range kinds {
			c := counts[k]
			if c == nil {
				c = &count{}
				counts[k] = c
			}
			c.texts++
			if d.wrong {
				c.wrong++
			}
			if len(kinds) == 1 {
				c.alone++
				if d.wrong {
					c.aloneWrong++
				}
			}
		}
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b].texts-counts[a].texts, strings.Compare(a, b))
	})
	for _, k := range kinds {
		c := counts[k]
		fmt.Printf("%4d texts, %3d of them wrong; the only doubt of %3d, %3d wrong: %s\n", c.texts, c.wrong, c.alone, c.aloneWrong, k)
	}
}
