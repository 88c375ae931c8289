package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"vigueur/internal/flat"
	"vigueur/internal/judge"
)

// words is the search by words alone.
const words = "words"

// report is what was measured.
type report struct {
	Eval string      `json:"eval"`
	Sets []*measured `json:"sets"`
}

// measured is what was measured on one set.
type measured struct {
	Set    string   `json:"set"`
	Ways   []way    `json:"ways"`
	Shares []tried  `json:"shares,omitempty"`
	Chosen []choice `json:"chosen,omitempty"`
}

// way is how one way of searching did.
type way struct {
	Name    string                  `json:"name"`
	Figures map[string]judge.Figure `json:"figures"`
	BM25    map[string]judge.Figure `json:"less_bm25,omitempty"`  // how much better than that
	Words   map[string]judge.Figure `json:"less_words,omitempty"` // how much better than that
	each    []judge.Judged
}

// tried is a share of the meaning, asked of the encoder that the program carries.
type tried struct {
	Share   float64                 `json:"meaning"`
	Figures map[string]judge.Figure `json:"figures"`
}

// choice is what choosing the share of the meaning is worth: each group's by the
// others.
type choice struct {
	By      string                  `json:"left_out"`
	Shares  map[string]int          `json:"times_chosen"`
	Each    []tried                 `json:"each"`
	Figures map[string]judge.Figure `json:"figures"`
	Gain    map[string]judge.Figure `json:"less_present"`
}

func (r *report) of(s *set) *measured {
	for _, j := range r.Sets {
		if j.Set == s.name {
			return j
		}
	}
	r.Sets = append(r.Sets, &measured{Set: s.name})
	return r.Sets[len(r.Sets)-1]
}

func (r *report) add(s *set, name string, run []judge.Judged) {
	j := r.of(s)
	w := way{Name: name, Figures: named(judge.Summary(run)), each: run}
	for _, before := range j.Ways {
		d, _ := judge.Difference(before.each, run)
		switch before.Name {
		case "BM25":
			w.BM25 = named(d)
		case words:
			w.Words = named(d)
		}
	}
	j.Ways = append(j.Ways, w)
}

func (r *report) try(s *set, share float64, run []judge.Judged) {
	j := r.of(s)
	j.Shares = append(j.Shares, tried{share, named(judge.Summary(run))})
}

// choose tells what the best of the shares is worth on groups it was not chosen by.
func (r *report) choose(s *set, by string, runs map[float64][]judge.Judged) {
	if len(runs) < 2 {
		return
	}
	shares := slices.Sorted(maps.Keys(runs))
	all := make([][]judge.Judged, len(shares))
	c := choice{By: by, Shares: make(map[string]int)}
	for i, share := range shares {
		all[i] = runs[share]
		c.Each = append(c.Each, tried{share, named(judge.Summary(runs[share]))})
	}
	left, times := judge.LeftOut(all)
	for i, n := range times {
		if n > 0 {
			c.Shares[fmt.Sprint(shares[i])] = n
		}
	}
	gain, _ := judge.Difference(runs[flat.Chosen().Meaning], left)
	c.Figures, c.Gain = named(judge.Summary(left)), named(gain)
	j := r.of(s)
	j.Chosen = append(j.Chosen, c)
}

func named(figures []judge.Figure) map[string]judge.Figure {
	out := make(map[string]judge.Figure, len(figures))
	for i, name := range judge.Names() {
		out[name] = figures[i]
	}
	return out
}

// shown are the figures of the tables.
var shown = []string{"R@10", "R@100", "nDCG@10", "Hit@5"}

func (r *report) print(out io.Writer) error {
	r.Eval = "retrieval"
	var err error
	line := func(format string, a ...any) {
		if err == nil {
			_, err = fmt.Fprintf(out, format+"\n", a...)
		}
	}
	for _, j := range r.Sets {
		line("%s\n%-42s %s   less BM25: R@10, R@100             less words: R@10, R@100", j.Set, "", "  R@10  R@100 nDCG@10  Hit@5")
		for _, w := range j.Ways {
			line("%-42s%s   %s   %s", w.Name, row(w.Figures), gain(w.BM25), gain(w.Words))
		}
		for _, t := range j.Shares {
			line("%-42s%s", fmt.Sprintf("meaning %.2f, in sample", t.Share), row(t.Figures))
		}
		for _, c := range j.Chosen {
			for _, t := range c.Each {
				line("%-42s%s", fmt.Sprintf("meaning %.2f, left out %s", t.Share, c.By), row(t.Figures))
			}
			line("%-42s%s   less the present share: %s, chosen %v", "meaning chosen by the other groups", row(c.Figures), gain(c.Gain), c.Shares)
		}
		line("")
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

func row(f map[string]judge.Figure) (s string) {
	for _, name := range shown {
		s += fmt.Sprintf(" %6.1f", 100*f[name].Value)
	}
	return s
}

func gain(f map[string]judge.Figure) (s string) {
	if f == nil {
		return fmt.Sprintf("%34s", "")
	}
	for _, name := range shown[:2] {
		s += fmt.Sprintf(" %+5.1f [%+5.1f %+5.1f]", 100*f[name].Value, 100*f[name].Low, 100*f[name].High)
	}
	return s
}
