package main

import (
	"encoding/json"
	"fmt"
	"io"

	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// words is the search by words alone.
const words = "words"

// report is what was measured.
type report struct {
	Eval string      `json:"eval"`
	Sets []*measured `json:"sets"`

	before kept
}

// measured is what was measured on one set.
type measured struct {
	Set  string `json:"set"`
	Ways []way  `json:"ways"`
}

// way is how one way of searching did.
type way struct {
	Name    string                  `json:"name"`
	Figures map[string]judge.Figure `json:"figures"`
	BM25    map[string]judge.Figure `json:"less_bm25,omitempty"`   // how much better than that
	Words   map[string]judge.Figure `json:"less_words,omitempty"`  // how much better than that
	Before  map[string]judge.Figure `json:"less_before,omitempty"` // how much better than the same way in a run that was kept
	each    []judge.Judged
}

func (r *report) of(s *judged.Set) *measured {
	for _, j := range r.Sets {
		if j.Set == s.Name {
			return j
		}
	}
	r.Sets = append(r.Sets, &measured{Set: s.Name})
	return r.Sets[len(r.Sets)-1]
}

func (r *report) add(s *judged.Set, name string, run []judge.Judged) {
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
	if before, known := r.before[s.Name+", "+name]; known {
		d, _ := judge.Difference(before, run)
		w.Before = named(d)
	}
	j.Ways = append(j.Ways, w)
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
			if w.Before != nil {
				line("%-42s%28s   %s", "", "less the run that was kept:", gain(w.Before))
			}
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
