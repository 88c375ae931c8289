package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"vigueur/internal/page"
	"vigueur/internal/segment"
	"vigueur/scripts/gazettes"
	"vigueur/scripts/house"
)

// madeSeed is above the seeds that the model learns from.
const madeSeed = 1_000_000

// judgeMade cuts n made issues of every house style, and as many of drawn styles,
// that nothing was learned from, and tells the figures of each style.
func judgeMade(n int) score {
	var all score
	byStyle := map[string]*score{}
	for i, style := range house.Styles() {
		for k := range n {
			seed := uint64(madeSeed + n*i + k)
			all.add(judgeIssue(byStyle, cmp.Or(style.Name, "unnamed"), house.Make(style, seed, house.Worn(seed))))
			all.add(judgeIssue(byStyle, "drawn", house.Make(house.Drawn(seed), seed, house.Worn(seed+1))))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byStyle)) {
		fmt.Printf("%-18s %s\n", name, byStyle[name])
	}
	return all
}

// judgeIssue holds what is cut of a made issue against its truth.
func judgeIssue(by map[string]*score, name string, made house.Issue) score {
	page.Arrange(made.Pages)
	s := held(gazettes.MadeTruth(made), segment.Split(made.Pages, segment.Hints{}))
	if by[name] == nil {
		by[name] = &score{}
	}
	by[name].add(s)
	return s
}
