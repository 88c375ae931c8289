package main

import (
	"context"
	"fmt"
	"strings"

	"vigueur/internal/flat"
	"vigueur/internal/judge"
)

// tuned is what weights near those of the search are worth: the best of them over
// all questions, and what choosing among them is worth on questions left out.
type tuned struct {
	Tried   int           `json:"tried"`
	Best    flat.Weights  `json:"best"`
	Figures []namedFigure `json:"figures"` // of the best
	Picked  flat.Weights  `json:"picked"`  // most often, with a group left out
	Times   int           `json:"times"`
	LeftOut []namedFigure `json:"left_out"` // each group by the best weights over the others
	Parts   []part        `json:"parts"`
}

// part is what the search is worth by one of its channels alone, or without one.
type part struct {
	Name    string        `json:"name"`
	Figures []namedFigure `json:"figures"`
	weights flat.Weights
}

// ways are those of the weights of the search.
func ways(w flat.Weights, meant bool) []part {
	out := []part{{Name: "mots entiers"}, {Name: "morceaux de mots"}, {Name: "sans les sections"}, {Name: "sans les têtes de section"}}
	for i := range out {
		out[i].weights = w
	}
	out[0].weights.Pieces, out[1].weights.Pieces, out[2].weights.Section, out[3].weights.Opening = 0, 1, 0, 0
	if meant {
		alone := w
		alone.Meaning = 1
		out = append(out, part{Name: "sens seul", weights: alone})
	}
	return out
}

// around gives weights near those of the search, these first. What the words
// count among themselves is chosen where they count alone; beside the meaning only
// its own share is, since so few questions cannot choose among more.
func around(w flat.Weights, meant bool) (all []flat.Weights) {
	all = append(all, w)
	add := func(near flat.Weights) {
		if near != w {
			all = append(all, near)
		}
	}
	if meant {
		for _, meaning := range []float64{w.Meaning - 0.1, w.Meaning - 0.05, w.Meaning + 0.05, w.Meaning + 0.1} {
			near := w
			near.Meaning = meaning
			add(near)
		}
		return all
	}
	for _, pieces := range []float64{w.Pieces - 0.1, w.Pieces, w.Pieces + 0.1} {
		for _, section := range []float64{0, w.Section - 0.15, w.Section, w.Section + 0.15} {
			for _, opening := range []float64{0, w.Opening, 2 * w.Opening} {
				add(flat.Weights{Pieces: pieces, Meaning: w.Meaning, Section: section, Opening: opening})
			}
		}
	}
	return all
}

// tune asks all questions by each of the weights.
func tune(ctx context.Context, corpus *fixed, asked []judged, meant bool) (*tuned, error) {
	options := flat.Options{Source: corpus}
	if meant {
		options.Vectors = corpus
	}
	index, err := flat.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	weights := around(flat.Chosen(), meant)
	by := func(w flat.Weights) (run []judge.Judged) {
		for _, q := range asked {
			if ctx.Err() == nil {
				run = append(run, q.rank(corpus.ranked(index.SearchBy(q.query, w))))
			}
		}
		return run
	}
	runs := make([][]judge.Judged, len(weights))
	for i, w := range weights {
		runs[i] = by(w)
	}
	of := ways(weights[0], meant)
	for i := range of {
		of[i].Figures = withNames(judge.Summary(by(of[i].weights)))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	best := judge.Best(runs)
	out := tuned{Parts: of, Tried: len(weights), Best: weights[best], Figures: withNames(judge.Summary(runs[best]))}
	left, chosen := judge.LeftOut(runs)
	out.LeftOut = withNames(judge.Summary(left))
	for i, n := range chosen {
		if n > out.Times {
			out.Picked, out.Times = weights[i], n
		}
	}
	return &out, nil
}

// tellTuned prints what was tried, for one way to search.
func (a *app) tellTuned(way string, t *tuned) error {
	if t == nil {
		return nil
	}
	if _, err := fmt.Fprintln(a.out); err != nil {
		return err
	}
	rows := table{head: []string{way, "LES MEILLEURS POIDS", "GROUPE TENU À PART"}}
	for _, p := range t.Parts {
		rows.head = append(rows.head, strings.ToUpper(p.Name))
	}
	for i, f := range t.Figures {
		row := []any{f.Name, hundredths(f.Value), hundredths(t.LeftOut[i].Value)}
		for _, p := range t.Parts {
			row = append(row, hundredths(p.Figures[i].Value))
		}
		rows.add(row...)
	}
	if err := rows.write(a.out, ""); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "%d jeux de poids essayés. Les meilleurs : %s. Un groupe tenu à part, %d fois sur le plus choisi : %s.\n",
		t.Tried, weightsText(t.Best), t.Times, weightsText(t.Picked))
	return err
}

func weightsText(w flat.Weights) string {
	return fmt.Sprintf("morceaux %s, sens %s, section %s, tête %s", comma(fmt.Sprintf("%.2f", w.Pieces)), comma(fmt.Sprintf("%.2f", w.Meaning)),
		comma(fmt.Sprintf("%.2f", w.Section)), comma(fmt.Sprintf("%.3f", w.Opening)))
}
