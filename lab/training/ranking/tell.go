package main

import (
	"fmt"
	"slices"

	"vigueur/internal/search/rank"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
	"vigueur/lab/training/ranking/learn"
)

// tell prints how the articles were ordered: by the search before this step, by
// weights learned from all, and by those that were learned from the other parts.
func (t *training) tell(lists []*learn.List, by rank.Vectors) {
	before := rank.Weights{rank.RankFound: 1}
	for _, f := range t.sets {
		for _, way := range []struct {
			name string
			of   func(l *learn.List) rank.Weights
		}{
			{"found, left out", func(*learn.List) rank.Weights { return before }},
			{"ordered, in sample", func(l *learn.List) rank.Weights { return t.model.Ordering(by, l.PerText) }},
			{"ordered, left out", func(l *learn.List) rank.Weights { return t.apart[l.Part].Ordering(by, l.PerText) }},
		} {
			t.Printf("%-12s %-20s %s", f.Name, way.name, figures(f, lists, way.of))
		}
	}
}

// figures are those of the lists of a set.
func figures(f *field, lists []*learn.List, of func(*learn.List) rank.Weights) string {
	right := make(map[string]map[string]bool)
	for i := range f.Questions {
		right[f.Questions[i].ID] = f.Questions[i].Right
	}
	var run []judge.Judged
	first, three, answerable := 0, 0, 0
	for _, l := range lists {
		if l.Set != f.Name || l.Right == 0 {
			continue
		}
		w := of(l)
		names, _ := l.Ranked(&w)
		run = append(run, judge.Judged{ID: l.ID, Group: l.Group, Ranking: judge.Rank(names, right[l.ID])})
		answerable++
		for i, n := range names[:min(3, len(names))] {
			if right[l.ID][n] {
				three++
				if i == 0 {
					first++
				}
				break
			}
		}
	}
	s := judge.Summary(run)
	return fmt.Sprintf("R@10 %.1f  R@100 %.1f  nDCG@10 %.1f  Hit@5 %.1f  first %d  among three %d  of %d",
		100*s[0].Value, 100*s[1].Value, 100*s[3].Value, 100*s[4].Value, first, three, answerable)
}

// outcomes are what the gate is learned from: the questions that no reference
// decides, by the model for each part.
func (t *training) outcomes(lists []*learn.List, by rank.Vectors, model func(part int) *rank.Model) (out []*learn.Outcome) {
	splits := make(map[string]string)
	for _, f := range t.sets {
		for i := range f.Questions {
			splits[f.Name+f.Questions[i].ID] = f.Questions[i].Split
		}
	}
	for _, l := range lists {
		if len(l.Named) > 0 || len(l.Items) == 0 {
			continue
		}
		kind := l.Kind
		if l.Set != t.onGazettes().Name {
			kind = map[learn.Kind]learn.Kind{learn.Asked: learn.Codes, learn.Robbed: learn.Cut}[l.Kind]
		}
		m := model(l.Part)
		w := m.Ordering(by, l.PerText)
		_, order := l.Ranked(&w)
		o := &learn.Outcome{ID: l.ID, Part: l.Part, Split: l.Set + " " + splits[l.Set+l.ID], Weight: l.Weight, Evidence: l.Evidence(m, by), Kind: kind, Has: l.Right > 0}
		for place, i := range order[:min(3, len(order))] {
			if l.Items[i].Right {
				o.Among, o.Answers = true, o.Answers || place == 0
			}
		}
		out = append(out, o)
	}
	return out
}

// gate learns the gate: the weights from all, its calibration and thresholds from what
// gates that were learned from others make of each question on gazettes, and on codes where
// those have their own. It gives also
// gates that know nothing of a part, neither by their weights nor by their calibration.
// Nothing is learned from gazettes without the articles alone that answer: what stands
// beside these is hardly told from them, and other articles may answer.
func (t *training) gate(lists []*learn.List, by rank.Vectors) (g rank.Gate, without [judged.Parts]rank.Gate) {
	all := t.outcomes(lists, by, func(part int) *rank.Model { return &t.apart[part] })
	outcomes := slices.DeleteFunc(slices.Clone(all), func(o *learn.Outcome) bool { return o.Kind == learn.Thinned })
	learn.Weigh(outcomes)
	g = learned(outcomes)
	for part := range judged.Parts {
		without[part] = learned(but(outcomes, part, func(o *learn.Outcome) int { return o.Part }))
	}
	asked := slices.DeleteFunc(slices.Clone(outcomes), func(o *learn.Outcome) bool { return o.Kind != learn.Asked })
	t.Printf("gate, in sample: %s", learn.Verdicts(asked, func(*learn.Outcome) *rank.Gate { return &g }))
	t.Printf("gate, left out: %s", learn.Verdicts(asked, func(o *learn.Outcome) *rank.Gate { return &without[o.Part] }))
	for _, of := range []struct {
		kind learn.Kind
		name string
	}{
		{learn.Alone, "the files that answer alone"}, {learn.Astray, "other files alone"}, {learn.Robbed, "gazettes without the files that answer"},
		{learn.Thinned, "gazettes without the articles that answer"}, {learn.Codes, "codes"}, {learn.Cut, "codes without those that answer"},
	} {
		t.Printf("gate, left out: %s", learn.Refusals(of.name, all, of.kind, without[:]))
	}
	t.Printf("gate, left out: %s", learn.Reliability("gazettes, with and without the files that answer", outcomes, []learn.Kind{learn.Asked, learn.Robbed}, without[:]))
	t.Printf("gate, left out: %s", learn.Reliability("codes", outcomes, []learn.Kind{learn.Codes}, without[:]))
	return g, without
}

// learned learns a gate from outcomes, and its calibration from what gates that were learned
// from shares of them make of the others.
func learned(from []*learn.Outcome) rank.Gate {
	g := learn.Gate(from, gateRidge)
	learn.Calibrate(&g, learn.Cross(from, gateRidge), learn.Times)
	return g
}

func but[T any](all []T, part int, of func(T) int) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return of(x) == part })
}

// gateRidge is what the square of a weight of the gate costs: few
// questions are on gazettes.
const gateRidge = 0.01
