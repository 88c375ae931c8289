// Command order holds the reading order of made gazettes against the order in which they were set, by style and damage.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
	"vigueur/lab/house"
)

// seedFrom is above the seeds that anything learns from.
const seedFrom = 5_000_000

func main() {
	log.SetFlags(0)
	var n int
	var style, form string
	flag.IntVar(&n, "made", 4, "issues of each house style, and as many of drawn styles, clean, as scans and as scans of bent paper")
	flag.StringVar(&style, "style", "", "only styles whose name begins so")
	flag.StringVar(&form, "form", "", "made with this form of house.Forms")
	flag.Parse()
	if flag.NArg() != 0 {
		log.Fatal("usage: scripts/eval order [flags]")
	}
	if err := run(n, style, house.Form(form)); err != nil {
		log.Fatal(err)
	}
}

func run(n int, only string, form house.Form) error {
	by := map[string]*score{}
	for i, style := range house.Styles() {
		if !strings.HasPrefix(style.Name, only) {
			continue
		}
		for k := range n {
			seed := uint64(seedFrom + n*i + k)
			for how, damage := range map[string]house.Damage{"clean": {}, "scan": scan(seed), "bent": bent(seed)} {
				judge(by, style.Name+", "+how, style.With(form), seed, damage)
				judge(by, "drawn, "+how, house.Drawn(seed).With(form), seed, damage)
			}
		}
	}
	all := map[string]*score{}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		fmt.Printf("%-26s %s\n", name, by[name])
		_, how, _ := strings.Cut(name, ", ")
		if all[how] == nil {
			all[how] = &score{}
		}
		all[how].add(*by[name])
	}
	figures := map[string]any{}
	for how, s := range all {
		figures[how] = map[string]int{"lines": s.lines, "mixed": s.mixed, "leaps": s.leaps, "back": s.back}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"eval": "order", "figures": figures})
}

// scan is a damage of recognized pages that changes no letters: only where words are.
func scan(seed uint64) house.Damage {
	share := func(step uint64) float64 { return float64(seed/step%4) / 4 }
	return house.Damage{OCR: true, Skew: share(1), Noise: share(4)}
}

// bent is a scan of which every fourth line has a box that reaches into its neighbors.
func bent(seed uint64) house.Damage {
	d := scan(seed)
	d.Tall = 0.25
	return d
}

func judge(by map[string]*score, name string, style house.Style, seed uint64, damage house.Damage) {
	made := house.Make(style, seed, damage)
	rank := ranks(made)
	layout.Arrange(made.Pages)
	if by[name] == nil {
		by[name] = &score{}
	}
	for _, p := range made.Pages {
		by[name].hold(p, rank)
	}
}

// place is where a word stands, by which it is known again once it is arranged.
type place struct {
	page int
	rect law.Rect
	text string
}

// ranks is the place of each word among those of its page, in the order in which they
// were set. What belongs to no text's flow has none: running heads, the other language.
func ranks(made house.Issue) map[place]int {
	out := map[place]int{}
	for n, p := range made.Pages {
		at := 0
		for k, w := range p.Words {
			switch made.Labels[n][k] {
			case house.Furniture, house.Notice, house.Masthead, house.Table, "":
				continue
			}
			out[place{p.Number, w.Rect, w.Text}] = at
			at++
		}
	}
	return out
}

// score is what came of some pages.
type score struct {
	lines int // that have ranked words
	mixed int // of these: that leap within
	leaps int // lines that do not go on where the line before them ended
	back  int // of these: to what stands before it
}

func (s *score) add(o score) {
	s.lines, s.mixed, s.leaps, s.back = s.lines+o.lines, s.mixed+o.mixed, s.leaps+o.leaps, s.back+o.back
}

func (s score) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(s.lines, 1)) }
	return fmt.Sprintf("%6d lines, %5d (%5.2f %%) mixed, %5d (%5.2f %%) leap, %5d back", s.lines, s.mixed, share(s.mixed), s.leaps, share(s.leaps), s.back)
}

// hold counts the leaps of one page's lines. A line that lost a word leaps over no more
// than a few.
func (s *score) hold(p layout.Page, rank map[place]int) {
	const lost = 6
	last := -1
	for _, l := range p.Lines {
		var at []int
		for _, w := range l.Words {
			if r, ok := rank[place{p.Number, w.Rect, w.Text}]; ok {
				at = append(at, r)
			}
		}
		if len(at) == 0 {
			continue
		}
		s.lines++
		if slices.ContainsFunc(at, func(r int) bool { return r < at[0]-lost || r > at[0]+len(at)+lost }) {
			s.mixed++
		}
		if at[0] < last || at[0] > last+lost {
			s.leaps++
			if at[0] < last {
				s.back++
			}
		}
		last = slices.Max(at)
	}
}
