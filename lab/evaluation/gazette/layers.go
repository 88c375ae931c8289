package main

import (
	"fmt"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/lab/gazettes"
	"vigueur/lab/house"
)

// layers are what is wrong with text layers, and how well their pages are recognized where
// the program asks for that.
var layers = []struct {
	name   string
	damage house.Damage
}{
	{"whole", house.Damage{}},
	{"broken fonts", house.Damage{Fonts: 1}},
	{"ligatures lost", house.Damage{Ligatures: 1}},
	{"recognized", recognized}, // as well as any of these can be
}

var recognized = house.Damage{OCR: true, Confusion: 0.2, Noise: 0.1}

// judgeLayers cuts n made issues of every house style whose text layers are wrong in one
// way, each page with the words that its recognition gives where its layer is found wanting.
func judgeLayers(n int, o options) {
	for _, l := range layers {
		var all score
		asked, pages := 0, 0
		for i, style := range house.Styles() {
			if !strings.HasPrefix(style.Name, o.style) {
				continue
			}
			for k := range n {
				seed := uint64(madeSeed + n*i + k)
				made := house.Make(style, seed, l.damage)
				seen := house.Make(style, seed, recognized)
				for p := range made.Pages {
					if pages++; l.damage != recognized && made.Pages[p].Layer() != layout.Good {
						asked++
						made.Pages[p] = layout.Better(made.Pages[p], seen.Pages[p])
					}
				}
				layout.Arrange(made.Pages)
				all.add(held(gazettes.MadeTruth(made), segment.Split(made.Pages, gazette.Hints{})))
			}
		}
		fmt.Printf("%-18s %s; %d of %d pages recognized\n", l.name, all, asked, pages)
	}
}
