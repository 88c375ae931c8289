// Command claims learns the weights of internal/work/answering: whether a sentence of an answer says something else than the
// article that it cites, and whether nothing decides that.
//
// True and false sentences in free words are those of lab/judged/questions/claims.jsonl and of models/ in the folder. From each
// true one further false ones are made, as from the sentences of the law of qa/breadth/ in the folder: an obligation for a
// leave, a negation, « tous », another one who acts, a condition left out. The bounds are the lowest with which of the true
// sentences in free words, judged by weights that were learned without the text that they are about, no more than the shares
// below are left out or warned of. The same files give the same bytes.
package main

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"vigueur/internal/search/rank"
	"vigueur/internal/work/answering"
	"vigueur/lab/judged"
	"vigueur/lab/training/ranking/learn"
	"vigueur/lab/training/weights"
)

const (
	beside    = 0.3   // how much sentences that a script made count beside those that people wrote, either kind of them
	ridge     = 0.003 // what the square of a weight costs
	mostLeft  = 0.01  // share of true sentences that are left out: of answers with five, one in twenty loses one
	mostOpen  = 0.05  // and of those that are warned of
	questions = "lab/judged/questions/claims.jsonl"
)

// undecided are the signs of what a sentence leaves out, or says in other words: they contradict nothing.
var undecided = []string{"words missing", "rule kept", "condition left out", "denied by the rule"}

func main() {
	t := &training{Run: weights.Run{Began: time.Now()}}
	out := flag.String("out", "internal/work/answering/weights.json", "file of the weights")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train claims [--out FILE] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	t.Data = flag.Arg(0)
	if err := t.run(*out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// training is what is learned from.
type training struct {
	weights.Run
	rows  []row
	names []string // of the signs
}

func (t *training) run(out string) error {
	claims, err := judged.Claims(questions, t.Data)
	if err != nil {
		return err
	}
	for _, c := range claims {
		if !c.Kept {
			t.rows = append(t.rows, written(&c)...)
		}
	}
	law, err := filepath.Glob(t.Path("qa/breadth/*.articles.jsonl"))
	if err != nil {
		return err
	}
	for _, file := range law {
		rows, err := ofLaw(file)
		if err != nil {
			return err
		}
		t.rows = append(t.rows, rows...)
	}
	names := make(map[string]bool)
	for _, r := range t.rows {
		for name := range r.signs {
			names[name] = true
		}
	}
	t.names = slices.Sorted(maps.Keys(names))
	t.Printf("%d sentences, %d signs", len(t.rows), len(t.names))
	model := &answering.Learned{Made: "scripts/train claims", Contradicted: t.learn(all, undecided...), Open: t.learn(all)}
	apart := t.apart(func(r *row) string { return r.group })
	model.Contradicted.Least, model.Open.Least = t.bounds(apart)
	model.Odds = t.odds(model, apart)
	t.tell("without the text", model, apart)
	t.tell("without the kind", model, t.apart(func(r *row) string { return r.kind }))
	for _, f := range append(law, questions, t.Path("models/falsehoods.jsonl")) {
		hash, err := weights.Hash(f)
		if err != nil {
			return err
		}
		source := rank.Source{File: filepath.Base(f), Holds: "law of many countries", Licence: "numbers only were learned", SHA256: hash}
		if filepath.Ext(f) == ".jsonl" && !slices.Contains(law, f) {
			source.Holds = "true and false sentences on articles of the law, our own"
		}
		model.Sources = append(model.Sources, source)
	}
	return weights.Write(out, model, answering.ReadLearned)
}

func all(*row) bool { return true }

// apart returns the scores of what people wrote, and of what was made of it, by weights that were learned without what is like
// them.
func (t *training) apart(like func(*row) string) map[*row][2]float64 {
	out, groups := make(map[*row][2]float64), make(map[string]bool)
	for i := range t.rows {
		if t.rows[i].set != ofTheLaw {
			groups[like(&t.rows[i])] = true
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		others := func(r *row) bool { return like(r) != group || like(r) == r.kind && r.true }
		wrong, open := t.learn(others, undecided...), t.learn(others)
		for i := range t.rows {
			if r := &t.rows[i]; r.set != ofTheLaw && like(r) == group {
				out[r] = [2]float64{wrong.Score(r.signs), open.Score(r.signs)}
			}
		}
	}
	return out
}

// bounds returns the lowest bounds that leave the true sentences in free words alone.
func (t *training) bounds(apart map[*row][2]float64) (contradicted, undecided float64) {
	bound := func(n int, most float64, but float64) float64 {
		var scores []float64
		for r, s := range apart {
			if r.set == inFreeWords && r.true && !r.facts && (n == 0 || s[0] <= but) {
				scores = append(scores, s[n])
			}
		}
		slices.Sort(scores)
		return scores[len(scores)-1-int(most*float64(len(scores)))]
	}
	contradicted = bound(0, mostLeft, 0)
	return contradicted, bound(1, mostOpen, contradicted)
}

// The fates of a sentence, the worst last.
const (
	held = iota
	open
	left
)

func fate(model *answering.Learned, r *row, scores [2]float64) int {
	switch {
	case r.facts || scores[0] > model.Contradicted.Least:
		return left
	case scores[1] > model.Open.Least:
		return open
	}
	return held
}

// odds counts the worst fate of the true sentences of each answer, and of two of them with the false one.
func (t *training) odds(model *answering.Learned, apart map[*row][2]float64) answering.Odds {
	const beside = 2
	var count [2][3]float64 // wrong, right
	for i := 0; i < len(t.rows); {
		worst, wrong, falsehood, n := held, held, false, 0
		id := t.rows[i].id
		for ; i < len(t.rows) && (t.rows[i].id == id || t.rows[i].id == ""); i++ {
			r := &t.rows[i]
			if r.set != inFreeWords {
				continue
			}
			f := fate(model, r, apart[r])
			if falsehood = !r.true; r.true {
				worst = max(worst, f)
				n++
			}
			if !r.true || n <= beside {
				wrong = max(wrong, f)
			}
		}
		count[1][worst]++
		if falsehood {
			count[0][wrong]++
		}
	}
	share := func(right, fate int) float64 {
		return (count[right][fate] + 1) / (count[right][held] + count[right][open] + count[right][left] + 2)
	}
	ratio := func(fate int) float64 { return math.Round(100*share(1, fate)/share(0, fate)) / 100 }
	t.Printf("answers shown whole, with a warning, without a sentence: right %v, wrong %v", count[1], count[0])
	return answering.Odds{Held: ratio(held), Open: ratio(open), Left: ratio(left)}
}

// tell prints what becomes of the sentences by their kinds.
func (t *training) tell(how string, model *answering.Learned, apart map[*row][2]float64) {
	type count struct{ all, left, open int }
	counts := make(map[string]*count)
	for i := range t.rows {
		r := &t.rows[i]
		scores, found := apart[r]
		if !found {
			scores = [2]float64{model.Contradicted.Score(r.signs), model.Open.Score(r.signs)}
		}
		for _, name := range []string{sets[r.set] + " " + map[bool]string{true: "true", false: "false"}[r.true], sets[r.set] + " false, kind " + r.kind} {
			if r.true && name != sets[r.set]+" true" {
				continue
			}
			if counts[name] == nil {
				counts[name] = new(count)
			}
			c := counts[name]
			c.all++
			switch fate(model, r, scores) {
			case left:
				c.left++
			case open:
				c.open++
			}
		}
	}
	t.Printf("learned %s:", how)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		t.Printf("  %-36s %4d: left out %5.1f %%, with a warning %5.1f %%", name, c.all, 100*float64(c.left)/float64(c.all), 100*float64(c.open)/float64(c.all))
	}
}

// learn learns weights from the rows that are used, without some signs.
func (t *training) learn(used func(*row) bool, without ...string) answering.Judgment {
	var rows []*row
	sum := make(map[string]float64)
	share := func(r *row) string { return strconv.Itoa(r.set) + strconv.FormatBool(r.true) }
	for i := range t.rows {
		if r := &t.rows[i]; !r.facts && used(r) {
			rows = append(rows, r)
			sum[share(r)]++
		}
	}
	total := 0.0
	for _, name := range slices.Sorted(maps.Keys(sum)) { // in one order, for the same bytes
		total += map[bool]float64{true: 1, false: beside}[name[0] == '0'+inFreeWords]
	}
	var names []string
	for _, name := range t.names {
		if !slices.Contains(without, name) {
			names = append(names, name)
		}
	}
	n := 2 * len(names)
	values := make([]float64, len(rows)*n)
	spread, mean := make([]float64, n), make([]float64, n)
	for i, r := range rows {
		near := answering.Near(r.signs)
		for k, name := range names {
			values[i*n+k], values[i*n+len(names)+k] = r.signs[name], r.signs[name]*near
		}
		for k, v := range values[i*n : (i+1)*n] {
			mean[k] += v / float64(len(rows))
			spread[k] += v * v / float64(len(rows))
		}
	}
	for k := range spread {
		if spread[k] = math.Sqrt(spread[k] - mean[k]*mean[k]); !(spread[k] > 1e-6) {
			spread[k] = 1
		}
	}
	constant := slices.Index(names, "one")
	x := learn.Minimize(make([]float64, n), func(x, gradient []float64) (loss float64) {
		for k := range x {
			gradient[k] = 0
			if k != constant {
				gradient[k], loss = 2*ridge*x[k], loss+ridge*x[k]*x[k]
			}
		}
		for i, r := range rows {
			score := 0.0
			for k, v := range values[i*n : (i+1)*n] {
				score += x[k] / spread[k] * v
			}
			weight := map[bool]float64{true: 1, false: beside}[r.set == inFreeWords] / sum[share(r)] / total
			sign := 1.0 // of a false one
			if r.true {
				sign = -1
			}
			loss += weight * math.Log1p(math.Exp(-sign*score))
			slope := -weight * sign / (1 + math.Exp(sign*score))
			for k, v := range values[i*n : (i+1)*n] {
				gradient[k] += slope * v / spread[k]
			}
		}
		return loss
	})
	var out answering.Judgment
	for k, name := range names {
		out.Weights = append(out.Weights, answering.Weight{Sign: name, Alone: round(x[k] / spread[k]), Near: round(x[k+len(names)] / spread[k+len(names)])})
	}
	return out
}

func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
