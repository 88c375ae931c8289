package main

import (
	"fmt"
	"io"

	"vigueur/lab/judge"
)

// trace is how far what answers a question came.
type trace struct {
	group    string
	right    int   // how many articles answer, found or not
	found    []int // places of those that answer among what the index looked at
	read     []int // … and among the articles that were read, in their order
	answered bool  // an answer was written
	cited    bool  // it cites an article that answers
	said     bool  // … and says all that it must
}

// Stage is one that questions pass.
type Stage struct {
	Name    string  `json:"name"`
	Reached int     `json:"reached"` // questions that passed it and all before
	Lost    int     `json:"lost"`    // that came to it and did not pass
	Perfect float64 `json:"perfect"` // that would pass the last stage if this one lost none and each other as many of a hundred as now
}

// Figures are nDCG@10 by groups, as what was found stands and as it could.
type Figures struct {
	Now      float64 `json:"now"`
	ReadBest float64 `json:"read_best"` // the articles that were read, in the best order
	AllBest  float64 `json:"all_best"`  // all that was found, in the best order
}

// table is where the questions of a set are lost.
type table struct {
	Set       string  `json:"set"`
	Left      bool    `json:"left_out"`
	Questions int     `json:"questions"`
	Stages    []Stage `json:"stages"`
	First     int     `json:"first"`      // questions whose first article answers
	FirstBest int     `json:"first_best"` // … if the articles that were read stood in the best order
	Figures   Figures `json:"ndcg10"`

	traces []trace
}

// passes are the stages in their order, each with what passes it.
var passes = []struct {
	name    string
	written bool // only where answers are written
	pass    func(t *trace) bool
}{
	{"the index finds it", false, func(t *trace) bool { return len(t.found) > 0 || len(t.read) > 0 }},
	{"it is read", false, func(t *trace) bool { return len(t.read) > 0 }},
	{"it is among ten", false, func(t *trace) bool { return t.within(10) }},
	{"it is among three", false, func(t *trace) bool { return t.within(3) }},
	{"the gate lets it be cited", true, func(t *trace) bool { return t.cited }},
	{"the sentences say the facts", true, func(t *trace) bool { return t.said }},
}

func (t *trace) within(n int) bool { return len(t.read) > 0 && t.read[0] < n }

// sum makes the figures of the traces.
func (t *table) sum() {
	t.Questions, t.Stages = len(t.traces), nil
	left := t.traces
	for _, p := range passes {
		if p.written && (len(t.traces) == 0 || !t.traces[0].answered) {
			continue
		}
		var on []trace
		for i := range left {
			if p.pass(&left[i]) {
				on = append(on, left[i])
			}
		}
		t.Stages = append(t.Stages, Stage{Name: p.name, Reached: len(on), Lost: len(left) - len(on)})
		left = on
	}
	for i, s := range t.Stages {
		if s.Reached > 0 {
			t.Stages[i].Perfect = float64(len(left)) * float64(s.Reached+s.Lost) / float64(s.Reached)
		}
	}
	var now, read, all []judge.Judged
	for i := range t.traces {
		q := &t.traces[i]
		if q.within(1) {
			t.First++
		}
		if len(q.read) > 0 {
			t.FirstBest++
		}
		now, read = append(now, q.judged(i, q.read)), append(read, q.judged(i, upTo(len(q.read))))
		all = append(all, q.judged(i, upTo(max(len(q.found), len(q.read)))))
	}
	t.Figures = Figures{ndcg(now), ndcg(read), ndcg(all)}
}

// upTo are the places from 0 up.
func upTo(n int) (places []int) {
	for i := range n {
		places = append(places, i)
	}
	return places
}

// judged is what a ranking is worth in which the articles that answer have some places.
func (t *trace) judged(id int, places []int) judge.Judged {
	right, ranked := make(map[string]bool), []string{}
	for i := range t.right {
		right[fmt.Sprint("right ", i)] = true
	}
	for i, p := range places {
		for len(ranked) < p {
			ranked = append(ranked, fmt.Sprint("wrong ", len(ranked)))
		}
		ranked = append(ranked, fmt.Sprint("right ", i))
	}
	return judge.Judged{ID: fmt.Sprint(id), Group: t.group, Ranking: judge.Rank(ranked, right)}
}

func ndcg(all []judge.Judged) float64 { return judge.Summary(all)[3].Value }

func (t *table) print(out io.Writer) error {
	how := "in sample"
	if t.Left {
		how = "left out"
	}
	if _, err := fmt.Fprintf(out, "%s, %s: of %d questions that have an answer\n  %-30s %8s %8s %30s\n", t.Set, how, t.Questions, "stage", "reached", "lost", "at the end, were it perfect"); err != nil {
		return err
	}
	for _, s := range t.Stages {
		if _, err := fmt.Fprintf(out, "  %-30s %8d %8d %30.1f\n", s.Name, s.Reached, s.Lost, s.Perfect); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "  first: %d; %d with what is read in the best order\n  nDCG@10: %.1f; %.1f with what is read in the best order, %.1f with all that is found\n",
		t.First, t.FirstBest, 100*t.Figures.Now, 100*t.Figures.ReadBest, 100*t.Figures.AllBest)
	return err
}
