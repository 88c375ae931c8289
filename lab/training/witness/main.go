// Command witness learns which signs together make a doubt about a text, and how the numbers of articles follow one another, and writes internal/gazette/segment/judgment/judgment.json.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/lab/gazettes"
	"vigueur/lab/readpages"
)

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.dir, "gazettes", "", "folder of real gazettes with their truth")
	flag.StringVar(&o.cache, "pages", "", "folder where words once read are kept")
	flag.StringVar(&o.left, "left-out", "", "folder with the weights without each source, by scripts/train segment -left-out")
	flag.StringVar(&o.weights, "weights", "internal/gazette/segment/label/weights.bin", "weights of all files, which cut the made issues")
	flag.IntVar(&o.made, "made", 3, "made issues of each house style, and as many of drawn styles")
	flag.Float64Var(&o.goal, "goal", 0.01, "greatest share of data that are wrong without a doubt")
	flag.StringVar(&o.counting, "counting", "", "judgment to which only what it does not know yet of how numbers follow is added, from made issues; needs no gazettes")
	flag.StringVar(&o.out, "o", "", "file to write what was learned to")
	flag.Parse()
	if err := o.run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	dir, cache, left, weights, out, counting string
	made                                     int
	goal                                     float64
}

func (o options) run(ctx context.Context) error {
	full, err := modelAt(o.weights)
	if err != nil {
		return err
	}
	if o.counting != "" {
		return o.recount(full)
	}
	files, err := o.readAll(ctx)
	if err != nil {
		return err
	}
	j := judgment.Judgment{Provenance: fmt.Sprintf("scripts/train witness: %d made issues of each style, and real files cut without their source", o.made)}
	learnNumbering(&j, full, madeIssues(o.made, countingSeed))
	by := o.learnRereading(&j, full, files)
	texts := cutMade(full, j, madeIssues(o.made, witnessSeed))
	var real []text
	for _, f := range files {
		real = append(real, textsOf(f.File, unjudged(f.model, by[f.Source()]).Split(f.pages, f.hints()), realWeight)...)
	}
	fmt.Printf("%d texts of made issues, %d of real ones\n", len(texts), len(real))
	tellKinds(real)
	outside := leaveOut(by, texts, real)
	fmt.Printf("threshold of these files: %.3f\n", threshold(outside, o.goal))
	at := steady(outside, o.goal)
	for _, other := range []float64{0.1, 0.15, 0.2, 0.25, 0.3, 0.35} {
		tellCut("left out by source", outside, other)
	}
	tellCut("left out by source, chosen", outside, at)
	j = fit(j, append(slices.Clone(texts), real...))
	j.Threshold = math.Round(1000*at) / 1000
	unseen(j, append(slices.Clone(texts), real...))
	tellCut("in sample", judgeAll(j, real), j.Threshold)
	tellCut("made", judgeAll(j, texts), j.Threshold)
	for _, kind := range gazette.SignalKinds() {
		fmt.Printf("%-15s %6.2f\n", kind, j.Weights[kind])
	}
	fmt.Printf("bias %.2f, trust %.2f, numbering %v\nrereading %v\n", j.Bias, j.Trust, j.Numbering, j.Rereading)
	if o.out == "" {
		return nil
	}
	if err := o.writeLeftOut(by, outside, append(texts, real...)); err != nil {
		return err
	}
	return write(j, o.out)
}

// recount adds to a judgment the weights of ways in which numbers follow, and of signs, that
// it does not know, and leaves all else as it was learned: the doubts were learned with it.
func (o options) recount(full *chain.Model) error {
	raw, err := os.ReadFile(o.counting)
	if err != nil {
		return err
	}
	var j judgment.Judgment
	if err := json.Unmarshal(raw, &j); err != nil {
		return fmt.Errorf("%s: %w", o.counting, err)
	}
	fresh := slices.DeleteFunc(articles.Followings(), func(name string) bool {
		_, known := j.Numbering[name]
		return known
	})
	learnFollowings(&j, full, madeIssues(o.made, countingSeed), judgment.Judgment{Numbering: maps.Clone(j.Numbering), Trust: j.Trust}, fresh)
	fmt.Printf("trust %.2f, numbering %v\n", j.Trust, j.Numbering)
	if o.out == "" {
		return nil
	}
	return write(j, o.out)
}

// learnRereading learns which changes of a reading are made, and for each source
// without it.
func (o options) learnRereading(j *judgment.Judgment, full *chain.Model, files []file) (by map[string]judgment.Judgment) {
	trials := tryMade(full, *j, madeIssues(rereadShare*o.made, rereadSeed))
	made := len(trials)
	for _, f := range files {
		trials = append(trials, trialsOf(unjudged(f.model, *j), f.File, f.pages, f.hints(), realWeight)...)
	}
	by = map[string]judgment.Judgment{}
	for _, f := range files {
		if _, known := by[f.Source()]; !known {
			left := *j
			left.Rereading = fitRereading(without(trials, f.Source()))
			by[f.Source()] = left
		}
	}
	j.Rereading = fitRereading(trials)
	tellTrials("made", trials[:made], func(trial) map[string]float64 { return j.Rereading })
	tellTrials("real, in sample", trials[made:], func(trial) map[string]float64 { return j.Rereading })
	tellTrials("real, left out", trials[made:], func(t trial) map[string]float64 { return by[t.source].Rereading })
	return by
}

// writeLeftOut writes what was learned without each source beside its weights.
func (o options) writeLeftOut(by map[string]judgment.Judgment, outside []judged, all []text) error {
	for source, j := range by {
		others := slices.DeleteFunc(slices.Clone(outside), func(t judged) bool { return t.source == source })
		j.Threshold = math.Round(1000*steady(others, o.goal)) / 1000
		unseen(j, slices.DeleteFunc(slices.Clone(all), func(t text) bool { return t.source == source }))
		if err := write(j, filepath.Join(o.left, source+".json")); err != nil {
			return err
		}
	}
	return nil
}

func judgeAll(j judgment.Judgment, texts []text) []judged {
	out := make([]judged, 0, len(texts))
	for _, t := range texts {
		out = append(out, judged{t, j.Wrong(t.witnesses)})
	}
	return out
}

// modelAt reads weights.
func modelAt(path string) (*chain.Model, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return chain.Read(raw)
}

// text is a text that was cut and what became of it.
type text struct {
	source    string
	file      string
	witnesses []gazette.Signal
	wrong     bool
	faults    int  // data of it that are wrong
	data      int  // data that would be told
	doubted   bool // for what no judgment is needed
	weight    float64
}

// file is a real file, its pages arranged, and the weights that know nothing of its
// source.
type file struct {
	gazettes.File
	pages []layout.Page
	model *chain.Model
}

func (f file) hints() gazette.Hints { return gazette.Hints{Filename: filepath.Base(f.Name)} }

// readAll reads the real files.
func (o options) readAll(ctx context.Context) ([]file, error) {
	known, err := gazettes.Load(o.dir)
	if err != nil {
		return nil, err
	}
	r := &readpages.Reader{Cache: o.cache}
	defer r.Close()
	var out []file
	models := map[string]*chain.Model{}
	for _, f := range known {
		if f.Single {
			continue // how many articles it has was not noted
		}
		pages, err := r.Words(ctx, filepath.Join(o.dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		layout.Arrange(pages)
		if models[f.Source()] == nil {
			if models[f.Source()], err = modelAt(filepath.Join(o.left, f.Source()+".bin")); err != nil {
				return nil, err
			}
		}
		out = append(out, file{f, pages, models[f.Source()]})
	}
	return out, nil
}

// unjudged is a cutter that doubts nothing by its witnesses.
func unjudged(m *chain.Model, j judgment.Judgment) segment.Cutter {
	j.Threshold = math.Inf(1)
	return segment.Cutter{Model: m, Judgment: &j}
}

// textsOf is what became of the texts of a file.
func textsOf(f gazettes.File, issue gazette.Issue, weight float64) []text {
	var out []text
	for _, v := range gazettes.Judge(f, issue) {
		if v.Cut == nil {
			continue
		}
		t := text{source: f.Source(), file: f.Name, witnesses: v.Cut.Signals, wrong: v.Wrong(), doubted: len(v.Cut.Doubts) > 0, weight: weight, data: 1, faults: len(v.Faults)}
		if v.Noted != nil {
			t.data = 3
			if v.Noted.Articles > 0 {
				t.data++
			}
		}
		out = append(out, t)
	}
	return out
}

func write(j judgment.Judgment, path string) error {
	raw, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(raw, '\n'), 0o644)
}
