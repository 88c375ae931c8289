package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"vigueur/internal/search/decide"
	"vigueur/internal/search/transformer"
	"vigueur/internal/store/postgres"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// report is what was measured.
type report struct {
	set     *judged.Set
	vectors *judged.Vectors
	reads   *judged.Sentences   // nil: the search goes without
	reader  *transformer.Reader // nil: the search goes without
	names   *postgres.DB        // where texts that a question names are found; nil: they are searched as any words
	details bool
	before  map[string]map[string]outcome // by the name of the way and the question's id; nil: nothing is compared
	ways    []way
}

// way is how the questions did in one way of asking.
type way struct {
	Name    string                      `json:"name"`
	Figures map[string]count            `json:"figures"`
	Country map[string]map[string]count `json:"by_country,omitempty"`
	Style   map[string]map[string]count `json:"by_style,omitempty"`
	Chances judge.Calibration           `json:"calibration"`
	Gain    map[string]judge.Figure     `json:"less_before,omitempty"` // how much better than before
	all     []outcome
}

// count is how many of how many.
type count struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// figures are what is counted: of which questions, and which of these are counted.
var figures = []struct {
	name     string
	of, good func(o *outcome) bool
}{
	{"right article first", (*outcome).has, func(o *outcome) bool { return o.First }},
	{"right article among three", (*outcome).has, func(o *outcome) bool { return o.Three }},
	{"right article cited", (*outcome).has, func(o *outcome) bool { return o.Cited }},
	{"key facts said", (*outcome).has, func(o *outcome) bool { return o.Facts }},
	{"refused, with no answer", func(o *outcome) bool { return !o.Has }, func(o *outcome) bool { return o.Refused }},
	{"refused, with an answer", (*outcome).has, func(o *outcome) bool { return o.Refused }},
	{"given as sure", func(*outcome) bool { return true }, (*outcome).sure},
	{"right, of those given as sure", (*outcome).sure, func(o *outcome) bool { return o.First }},
	{"given as likely", func(*outcome) bool { return true }, (*outcome).likely},
	{"right, of those given as likely", (*outcome).likely, func(o *outcome) bool { return o.First }},
	{"given as candidates", func(*outcome) bool { return true }, (*outcome).unsure},
	{"right among them", (*outcome).unsure, func(o *outcome) bool { return o.Three }},
	{"warned of, of those right first", func(o *outcome) bool { return o.First }, (*outcome).unsure},
}

func (o *outcome) has() bool    { return o.Has }
func (o *outcome) sure() bool   { return o.Verdict == decide.Sure && !o.Refused }
func (o *outcome) likely() bool { return o.Verdict == decide.Likely && !o.Refused }
func (o *outcome) unsure() bool { return o.Verdict == decide.Unsure && !o.Refused }

func (r *report) add(name string, all []outcome) {
	w := way{Name: name, Figures: counts(all), all: all, Chances: calibration(all)}
	w.Country = countsBy(all, func(o *outcome) (string, bool) { return o.Country, true })
	w.Style = countsBy(all, func(o *outcome) (string, bool) { return o.Style, o.Style != "" })
	if before := r.before[name]; before != nil {
		w.Gain = gains(before, all)
	}
	r.ways = append(r.ways, w)
}

// addSealed adds questions of which only the totals are told.
func (r *report) addSealed(name string, all []outcome) {
	all = slices.Clone(all)
	for i := range all {
		all[i].Sealed = true
	}
	r.add(name, all)
	w := &r.ways[len(r.ways)-1]
	w.Country, w.Style = nil, nil
}

// countsBy are the figures of the questions that share a name, by that name.
func countsBy(all []outcome, name func(o *outcome) (of string, has bool)) map[string]map[string]count {
	of := make(map[string][]outcome)
	for i := range all {
		if n, has := name(&all[i]); has {
			of[n] = append(of[n], all[i])
		}
	}
	out := make(map[string]map[string]count, len(of))
	for n, some := range of {
		out[n] = counts(some)
	}
	return out
}

// counts are the figures of some questions.
func counts(all []outcome) map[string]count {
	out := make(map[string]count)
	for _, f := range figures {
		c := count{}
		for i := range all {
			if f.of(&all[i]) {
				c.Of++
				c.N += ones(f.good(&all[i]))
			}
		}
		out[f.name] = c
	}
	return out
}

// gains are the differences to before, by the questions' ids, in shares of the questions.
func gains(was map[string]outcome, all []outcome) map[string]judge.Figure {
	out := make(map[string]judge.Figure)
	for name, of := range map[string]func(o *outcome) bool{
		"right article first": func(o *outcome) bool { return o.First }, "right article among three": func(o *outcome) bool { return o.Three },
		"refused, with an answer": func(o *outcome) bool { return o.Refused }, "right article cited": func(o *outcome) bool { return o.Cited },
		"key facts said": func(o *outcome) bool { return o.Facts }, "as it should be": (*outcome).good,
	} {
		var before, after []judge.Judged
		for i := range all {
			b, known := was[all[i].ID]
			if !known || name != "as it should be" && !b.Has {
				continue
			}
			before = append(before, judge.Judged{ID: b.ID, Group: b.ID, Ranking: judge.Ranking{R10: one(of(&b))}})
			after = append(after, judge.Judged{ID: b.ID, Group: b.ID, Ranking: judge.Ranking{R10: one(of(&all[i]))}})
		}
		if len(before) == 0 { // all of these questions are new
			continue
		}
		d, _ := judge.Difference(before, after)
		out[name] = d[0]
	}
	return out
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// calibration is how far the probabilities of what no reference decided lie from
// how often the first article answers.
func calibration(all []outcome) judge.Calibration {
	var said []judge.Said
	for i := range all {
		if o := &all[i]; o.Probability < 1 {
			said = append(said, judge.Said{P: o.Probability, True: o.Answers})
		}
	}
	return judge.Calibrated(said)
}

func (r *report) print(out io.Writer) error {
	var err error
	line := func(format string, a ...any) {
		if err == nil {
			_, err = fmt.Fprintf(out, format+"\n", a...)
		}
	}
	for _, w := range r.ways {
		line("%s", w.Name)
		for _, f := range figures {
			c := w.Figures[f.name]
			line("  %-32s %3d of %3d", f.name, c.N, c.Of)
		}
		line("  %s", w.Chances)
		for _, country := range slices.Sorted(maps.Keys(w.Country)) {
			line("  %-14s %s", cmp.Or(country, "no answer"), inOneLine(w.Country[country]))
		}
		for _, style := range slices.Sorted(maps.Keys(w.Style)) {
			line("  %-14s %s", style, inOneLine(w.Style[style]))
		}
		for _, name := range slices.Sorted(maps.Keys(w.Gain)) {
			g := w.Gain[name]
			line("  %-32s %+.1f [%+.1f %+.1f] points more than before", name, 100*g.Value, 100*g.Low, 100*g.High)
		}
		for i := range w.all {
			if o := &w.all[i]; r.details && !o.Sealed {
				line("    %-7s good %-5v first %-5v facts %-5v %-8s %.2f  %s", o.ID, o.good(), o.First, o.Facts, o.Verdict, o.Probability, o.told)
			}
		}
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(map[string]any{"eval": "answers", "ways": r.ways})
}

// inOneLine are the figures of one country, or of one style.
func inOneLine(of map[string]count) string {
	var parts []string
	for _, f := range []struct{ figure, called string }{{"right article first", "first"}, {"right article among three", "among three"}, {"key facts said", "key facts"},
		{"refused, with an answer", "refused"}, {"refused, with no answer", "rightly refused"}, {"right, of those given as sure", "right of sure"}, {"right, of those given as likely", "right of likely"}} {
		if c := of[f.figure]; c.Of > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", f.called, c.N, c.Of))
		}
	}
	return strings.Join(parts, ", ")
}

func (r *report) read(path string) error {
	if path == "" {
		return nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all map[string][]outcome
	if err := json.Unmarshal(raw, &all); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r.before = make(map[string]map[string]outcome, len(all))
	for name, outcomes := range all {
		r.before[name] = make(map[string]outcome, len(outcomes))
		for _, o := range outcomes {
			r.before[name][o.ID] = o
		}
	}
	return nil
}

// keep writes the outcomes of each way, by its name.
func (r *report) keep(path string) error {
	if path == "" {
		return nil
	}
	all := make(map[string][]outcome)
	for _, w := range r.ways {
		all[w.Name] = w.all
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o644)
}
