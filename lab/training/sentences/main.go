// Command sentences learns the weights of internal/answer/llm/extractive: which sentence of an article answers, and which others
// are worth quoting beside it.
//
// The folder has qa/ (questions on gazettes, with the facts that an answer must say), pdfs/ (these gazettes) and retrieval/
// (75 codes, and sheets that tell them in everyday words). The gazettes are read as by scripts/train ranking and asked by the
// ranking that the program carries. Right in an article that answers is the sentence that says the most of the facts; in an
// article that a sheet cites, the one nearest to a paragraph of the sheet. Each third of the questions is judged by weights
// that were learned from the other two, by file and by group of sheets. The same files give the same bytes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law/french"
	"vigueur/lab/judged"
	"vigueur/lab/training/weights"
)

const (
	// beside is how much the sheets count beside the gazettes: a tenth to three tenths serve
	// alike, left out by file.
	beside = 0.2
	// ridge is what the square of a weight costs: between a thousandth and a hundredth the
	// figures differ by less than noise.
	ridge = 0.01
)

func main() {
	t := &training{Run: weights.Run{Began: time.Now()}, lexicon: french.NewLexicon()}
	out := flag.String("out", "internal/answer/llm/extractive/weights.json", "file of the weights")
	flag.StringVar(&t.kept, "gazettes", ".state/gazettes.kept", "file that keeps the gazettes once they are read")
	flag.StringVar(&t.without, "apart", "", "folder for the weights that were learned without each part, for scripts/eval answers")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train sentences [--out FILE] [--gazettes FILE] [--apart FOLDER] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	t.Data = flag.Arg(0)
	if err := t.run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// training is what has been learned so far.
type training struct {
	kept, without string
	weights.Run
	lexicon *french.Lexicon
	model   extractive.Learned
	apart   [judged.Parts]extractive.Learned // without what is learned from a part
}

// generator chooses by a model.
func (t *training) generator(m *extractive.Learned) *extractive.Generator {
	return &extractive.Generator{Lexicon: t.lexicon, Learned: m}
}

func (t *training) run(ctx context.Context, out string) error {
	files, err := sources(t.Data)
	if err != nil {
		return err
	}
	if t.without != "" { // before the work
		if err := os.MkdirAll(t.without, 0o755); err != nil {
			return err
		}
	}
	questions, err := t.gazettes(ctx)
	if err != nil {
		return err
	}
	t.Printf("%d questions on gazettes", len(questions))
	real := t.answered(questions)
	told, err := t.told()
	if err != nil {
		return err
	}
	t.learn(real, told)
	t.tell(questions, told)
	t.model.Made, t.model.Sources = "scripts/train sentences", files
	if err := weights.Write(out, &t.model, extractive.Read); err != nil || t.without == "" {
		return err
	}
	for part := range judged.Parts {
		if err := weights.Write(filepath.Join(t.without, judged.PartFile(part)), &t.apart[part], extractive.Read); err != nil {
			return err
		}
	}
	return nil
}

// unlearned is a model by which the features of sentences are read: they do not depend on
// it.
var unlearned = &extractive.Learned{Best: extractive.Weights{"own": 1}}

// answered are the articles that answer questions on gazettes.
func (t *training) answered(questions []asked) (lists []list) {
	for i := range questions {
		lists = append(lists, questions[i].lists(t.generator(unlearned).Sentences(questions[i].prompt))...)
	}
	return lists
}

// told are the articles that sheets cite.
func (t *training) told() (lists []list, err error) {
	sheets, rarity, err := t.sheets()
	if err != nil {
		return nil, err
	}
	of := make([][]list, len(sheets))
	judged.Each(len(sheets), func(i int) { of[i] = sheets[i].lists(t.generator(unlearned), rarity) })
	for _, some := range of {
		lists = append(lists, some...)
	}
	t.Printf("%d articles of %d sheets", len(lists), len(sheets))
	return lists, nil
}

// learn learns the weights of sentences, and those without each part.
func (t *training) learn(real, told []list) {
	both := append(scaled(real, 1), scaled(told, beside)...)
	t.model.Best = best(both, ridge)
	for part := range judged.Parts {
		t.apart[part].Best = best(but(both, part), ridge)
	}
}

// tell prints how the sentences are chosen, in sample and by weights that were learned from
// the other parts.
func (t *training) tell(questions []asked, told []list) {
	for _, way := range []struct {
		name  string
		model func(part int) *extractive.Learned
	}{
		{"in sample", func(int) *extractive.Learned { return &t.model }},
		{"left out", func(part int) *extractive.Learned { return &t.apart[part] }},
	} {
		t.Printf("%-10s %s; of sheets %.1f %% first", way.name, try(questions, way.model, t.generator), 100*firsts(told, way.model))
	}
}

// scaled are lists that count together as much as is given.
func scaled(lists []list, together float64) []list {
	out := append([]list(nil), lists...)
	total := 0.0
	for i := range out {
		if out[i].tells() {
			total += out[i].weight
		}
	}
	for i := range out {
		out[i].weight *= together / max(1e-9, total)
	}
	return out
}

func but(lists []list, part int) (out []list) {
	for _, l := range lists {
		if l.part != part {
			out = append(out, l)
		}
	}
	return out
}
