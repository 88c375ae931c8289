package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/lab/gazettes"
	"vigueur/lab/house"
)

// madeSeed is above the seeds that the model learns from.
const madeSeed = 1_000_000

// judgeMade cuts n made issues of every house style, and as many of drawn styles,
// that nothing was learned from, and tells the figures of each style. Clean ones are as
// they left the press: what is wrong with these is no damage.
func judgeMade(n int, o options, cutter segment.Cutter, k kept) score {
	var all score
	byStyle := map[string]*score{}
	worn := house.Worn
	if o.clean {
		worn = func(uint64) house.Damage { return house.Damage{} }
	}
	if o.tall > 0 {
		worn = func(uint64) house.Damage {
			return house.Damage{OCR: true, Skew: 0.2, Noise: 0.2, Confusion: 0.2, Tall: o.tall}
		}
	}
	judge := func(name string, style house.Style, seed uint64, damage house.Damage) {
		if o.announcements {
			style = style.Announcing()
		}
		made := house.Make(style.With(house.Form(o.form)), seed, damage)
		s := judgeIssue(cutter, byStyle, name, made)
		if o.details && len(s.faults) > 0 {
			fmt.Printf("%s, seed %d: %s\n", style.Name, seed, s)
			for _, fault := range s.faults {
				fmt.Println("   " + fault)
			}
			if o.lines {
				tellLines(cutter, made.Pages)
			}
		}
		all.add(s)
		k[madeIssues] = append(k[madeIssues], counts{fmt.Sprintf("%s %d", name, seed), s.figures()})
	}
	for i, style := range house.Styles() {
		if !strings.HasPrefix(style.Name, o.style) {
			continue
		}
		for k := range n {
			seed := uint64(madeSeed + n*i + k)
			judge(cmp.Or(style.Name, "unnamed"), style, seed, worn(seed))
			judge("drawn", house.Drawn(seed), seed, worn(seed+1))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byStyle)) {
		fmt.Printf("%-18s %s\n", name, byStyle[name])
	}
	return all
}

// judgeIssue holds what is cut of a made issue against its truth.
func judgeIssue(cutter segment.Cutter, by map[string]*score, name string, made house.Issue) score {
	layout.Arrange(made.Pages)
	s := held(gazettes.MadeTruth(made), cutter.Split(made.Pages, gazette.Hints{}))
	if by[name] == nil {
		by[name] = &score{}
	}
	by[name].add(s)
	return s
}
