package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"vigueur/lab/gazettes"
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
		kind := doubt.Field + ": " + words(doubt.Why.Sentence())
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

// waiting is a file of which a text waits for a person: what it waits for, and whether a
// text of it is wrong.
type waiting struct {
	kinds []string // of all its texts
	texts int      // that wait
	wrong int      // of all its texts, those that are not as noted
	found int      // of these, such that wait
}

// wait keeps what a file waits for, if it does.
func (s *score) wait(verdicts []gazettes.Verdict) {
	var w waiting
	for _, v := range verdicts {
		if !v.Right() {
			w.wrong++
		}
		if v.Cut == nil || len(v.Cut.Doubts) == 0 {
			continue
		}
		w.texts++
		if v.Wrong() {
			w.found++
		}
		for _, doubt := range v.Cut.Doubts {
			if kind := doubt.Field + ": " + words(doubt.Why.Sentence()); !slices.Contains(w.kinds, kind) {
				w.kinds = append(w.kinds, kind)
			}
		}
	}
	if w.wrong > 0 {
		s.faulty++
	}
	if w.texts > 0 {
		s.waiting = append(s.waiting, w)
	}
}

// tellWaiting prints how many files wait although all of their texts are right, and of
// each kind of doubt how many of these it stops.
func tellWaiting(s score) {
	needless := map[string]int{}
	alone := map[string]int{}
	right, blind := 0, 0
	for _, w := range s.waiting {
		switch {
		case w.wrong == 0:
			right++
			for _, k := range w.kinds {
				needless[k]++
				if len(w.kinds) == 1 {
					alone[k]++
				}
			}
		case w.found == 0:
			blind++
		}
	}
	fmt.Printf("%d files, %d have a text that is not as noted; %d wait: %d with every text right, %d for texts that are right although another is not\n", s.files, s.faulty, len(s.waiting), right, blind)
	for _, k := range slices.SortedFunc(maps.Keys(needless), func(a, b string) int {
		return cmp.Or(needless[b]-needless[a], strings.Compare(a, b))
	}) {
		fmt.Printf("%4d files wait with every text right, %3d for nothing else: %s\n", needless[k], alone[k], k)
	}
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
