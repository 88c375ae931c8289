package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/judgment"
)

func hundredths(x float64) float64 { return math.Round(100*x) / 100 }

// Of the logistic regression.
const (
	realWeight = 6 // of a real text against a made one: there are a tenth as many
	decay      = 2 // penalty on large weights
	rounds     = 4000
	rate       = 0.5
)

// fit learns the weights of witnesses by penalized logistic regression. No sign of a
// fault speaks for a text: weights are not negative, but that of a scan, which is no
// sign.
func fit(j judgment.Judgment, texts []text) judgment.Judgment {
	kinds := gazette.SignalKinds()
	x := make([][]float64, len(texts))
	total := 0.0
	for i, t := range texts {
		x[i] = valuesOf(t, kinds)
		total += t.weight
	}
	w, bias := make([]float64, len(kinds)), -2.0
	square, squareBias := make([]float64, len(kinds)), 1e-8
	for range rounds {
		grad, gradBias := make([]float64, len(kinds)), 0.0
		for i, t := range texts {
			z := bias
			for k, v := range x[i] {
				z += w[k] * v
			}
			off := 1 / (1 + math.Exp(-z))
			if t.wrong {
				off--
			}
			off *= t.weight
			gradBias += off
			for k, v := range x[i] {
				grad[k] += off * v
			}
		}
		gradBias /= total
		squareBias += gradBias * gradBias
		bias -= rate * gradBias / math.Sqrt(squareBias)
		for k := range w {
			g := (grad[k] + decay*w[k]) / total
			square[k] += g*g + 1e-12
			w[k] -= rate * g / math.Sqrt(square[k])
			if kinds[k] != gazette.Scanned {
				w[k] = max(w[k], 0)
			}
		}
	}
	j.Weights, j.Bias = map[gazette.SignalKind]float64{}, hundredths(bias)
	for k, kind := range kinds {
		j.Weights[kind] = hundredths(w[k])
	}
	return j
}

// unseen gives kinds that no text ever had the weight with which they make a doubt alone:
// what was never seen was never seen to be right. Made texts are texts: what only they
// have (acts of one sentence, where the one country that prints them is left out) weighs
// what they teach.
func unseen(j judgment.Judgment, texts []text) {
	for _, kind := range gazette.SignalKinds() {
		if !slices.ContainsFunc(texts, func(t text) bool {
			return slices.ContainsFunc(t.witnesses, func(w gazette.Signal) bool { return w.Kind == kind })
		}) {
			j.Weights[kind] = hundredths(math.Log(j.Threshold/(1-j.Threshold)) - j.Bias + 0.05)
		}
	}
}

func valuesOf(t text, kinds []gazette.SignalKind) []float64 {
	out := make([]float64, len(kinds))
	for _, w := range t.witnesses {
		out[slices.Index(kinds, w.Kind)] = w.Value
	}
	return out
}

// judged is a text and the probability of a fault that was told of it.
type judged struct {
	text
	p float64
}

// threshold is the probability from which on texts are doubted: the greatest one with
// which at most the share of the goal is expected to be wrong of the data of the others.
// Where more is wrong in the half of the texts of which the least was told, doubting more
// does not help: it is then the greatest one with which no greater share is wrong than
// in these.
//
// Counting the few wrong texts would make it jump with each of them. What is expected of
// a text is the share of wrong ones among those of which as much was told, where more was
// told not below where less was (isotonic regression by pooling adjacent violators, Ayer
// et al., 1955).
func threshold(texts []judged, goal float64) float64 {
	sure := slices.DeleteFunc(slices.Clone(texts), func(t judged) bool { return t.doubted })
	slices.SortFunc(sure, func(a, b judged) int { return cmp.Compare(a.p, b.p) })
	wrong, faults := 0, 0
	for _, t := range sure {
		if t.wrong {
			wrong, faults = wrong+1, faults+t.faults
		}
	}
	each := float64(faults) / float64(max(wrong, 1)) // data of a wrong text that are wrong
	blocks := pooled(sure)
	share := func(n int) float64 { // of the first n texts' data, expected to be wrong
		data, expected := 0.0, 0.0
		for _, b := range blocks {
			for i := b.from; i < min(b.to, n); i++ {
				data, expected = data+float64(sure[i].data), expected+each*b.share
			}
		}
		return expected / max(data, 1)
	}
	half := slices.IndexFunc(blocks, func(b block) bool { return 2*b.to >= len(sure) })
	if half >= 0 {
		goal = max(goal, share(blocks[half].to)) + 1e-9
	}
	at := 0.0
	for _, b := range blocks {
		switch {
		case share(b.to) > goal:
			return at
		case b.to < len(sure):
			at = (sure[b.to-1].p + sure[b.to].p) / 2
		default:
			at = 1
		}
	}
	return at
}

// Of the resampling of files.
const (
	resamples    = 401
	resampleSeed = 14
	// evenOdds is where a text is as likely wrong as right: none that is likelier wrong is told
	// without a doubt, whatever the goal allows.
	evenOdds = 0.5
)

// steady is the median of the thresholds of as many files, drawn from those at hand with
// replacement (bagging, Breiman, 1996), and never above even odds: of the threshold of one set of
// files two or three wrong data decide.
func steady(texts []judged, goal float64) float64 {
	byFile := map[string][]judged{}
	for _, t := range texts {
		byFile[t.file] = append(byFile[t.file], t)
	}
	files := slices.Sorted(maps.Keys(byFile))
	if len(files) == 0 {
		return 0
	}
	rng := rand.New(rand.NewPCG(resampleSeed, 0x5448524553))
	found := make([]float64, 0, resamples)
	for range resamples {
		var drawn []judged
		for range files {
			drawn = append(drawn, byFile[files[rng.IntN(len(files))]]...)
		}
		found = append(found, threshold(drawn, goal))
	}
	slices.Sort(found)
	return min(found[len(found)/2], evenOdds)
}

// block is texts [from,to) of which a share is wrong.
type block struct {
	from, to int
	share    float64
}

// pooled parts texts, sorted by what was told of them, into blocks of rising shares.
// Texts of which the same was told are in one.
func pooled(sorted []judged) []block {
	var out []block
	for i, t := range sorted {
		b := block{from: i, to: i + 1}
		if t.wrong {
			b.share = 1
		}
		for n := len(out); n > 0 && (out[n-1].share >= b.share || sorted[out[n-1].to-1].p == t.p); n = len(out) {
			last := out[n-1]
			size, more := float64(last.to-last.from), float64(b.to-b.from)
			b = block{last.from, b.to, (last.share*size + b.share*more) / (size + more)}
			out = out[:n-1]
		}
		out = append(out, b)
	}
	return out
}

// leaveOut learns without each source in turn, into its judgment, and judges its texts.
func leaveOut(by map[string]judgment.Judgment, made, real []text) []judged {
	bySource := map[string][]text{}
	for _, t := range real {
		bySource[t.source] = append(bySource[t.source], t)
	}
	var out []judged
	for _, source := range slices.Sorted(maps.Keys(bySource)) {
		from := slices.Clone(made)
		for _, t := range real {
			if t.source != source {
				from = append(from, t)
			}
		}
		by[source] = fit(by[source], from)
		for _, t := range bySource[source] {
			out = append(out, judged{t, by[source].Wrong(t.witnesses)})
		}
	}
	return out
}

// tellCut prints what a threshold makes of texts.
func tellCut(what string, texts []judged, at float64) {
	data, faults, doubted, needless := 0, 0, 0, 0
	for _, t := range texts {
		if t.doubted || t.p >= at {
			doubted++
			if !t.wrong {
				needless++
			}
			continue
		}
		data, faults = data+t.data, faults+t.faults
	}
	fmt.Printf("%s: threshold %.3f: %d of %d texts doubted, %d of them right; %d of %d data wrong without a doubt\n", what, at, doubted, len(texts), needless, faults, data)
}

// tellKinds prints how often each kind of witness speaks of texts that are wrong and
// of such that are right.
func tellKinds(texts []text) {
	for _, kind := range gazette.SignalKinds() {
		wrong, right, sumWrong, sumRight := 0, 0, 0.0, 0.0
		for _, t := range texts {
			for _, w := range t.witnesses {
				switch {
				case w.Kind != kind:
				case t.wrong:
					wrong, sumWrong = wrong+1, sumWrong+w.Value
				default:
					right, sumRight = right+1, sumRight+w.Value
				}
			}
		}
		fmt.Printf("%-15s wrong %3d (%6.2f), right %3d (%6.2f)\n", kind, wrong, sumWrong, right, sumRight)
	}
}
