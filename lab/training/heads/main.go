// Command heads learns which lines are heads of articles that can hardly be read, where the count leaves their number out, and writes internal/gazette/heads/obscured.json.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/lab/gazettes"
	"vigueur/lab/house"
	"vigueur/lab/readpages"
	"vigueur/lab/training/weights"
)

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.dir, "gazettes", "", "folder of real gazettes with their truth")
	flag.StringVar(&o.cache, "pages", "", "folder where words once read are kept")
	flag.IntVar(&o.made, "made", 2, "made issues of each house style, and as many of drawn styles")
	flag.Float64Var(&o.goal, "goal", 0.01, "greatest share of the lines taken for heads that are none")
	flag.StringVar(&o.out, "o", "", "file to write what was learned to")
	flag.StringVar(&o.left, "left-out", "", "folder to write what was learned without each source to")
	flag.Parse()
	if err := o.run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	dir, cache, out, left string
	made                  int
	goal                  float64
}

// firstSeed is that of the made issues, apart from those of other learnings, of tests and
// of evaluations.
const firstSeed = 700_000

// mostOf is how many heads of one file are learned from: a code has hundreds alike.
const mostOf = 60

func (o options) run(ctx context.Context) error {
	cases, err := o.realCases(ctx)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(cases))
	made := o.madeCases()
	for _, name := range names {
		fmt.Printf("%s: %d heads\n", name, len(cases[name]))
	}
	fmt.Printf("made: %d heads\n", len(made))
	outside := map[string][]judged{} // by source, without it
	models := map[string]*heads.Obscured{}
	for _, name := range names {
		m := fit(slices.Concat(made, joined(cases, name)))
		models[name], outside[name] = &m, judge(m, cases[name])
	}
	model := fit(slices.Concat(made, joined(cases, "")))
	ofMade := judge(model, made) // files of another kind, which are to meet the goal by themselves
	model.Threshold = max(threshold(joined(outside, ""), o.goal), threshold(ofMade, o.goal))
	model.Provenance = fmt.Sprintf("scripts/train heads: heads of real files of %d sources and of %d made issues of each style, hidden", len(names), o.made)
	tell("left out by source", joined(outside, ""), model.Threshold)
	tell("in sample", judge(model, joined(cases, "")), model.Threshold)
	tell("made", ofMade, model.Threshold)
	if o.left != "" {
		for _, name := range names {
			models[name].Threshold = max(threshold(joined(outside, name), o.goal), threshold(judge(*models[name], made), o.goal))
			if err := weights.Write(filepath.Join(o.left, name+".heads.json"), models[name], heads.ReadObscured); err != nil {
				return err
			}
		}
	}
	if o.out == "" {
		return nil
	}
	return weights.Write(o.out, &model, heads.ReadObscured)
}

// joined is what there is of all sources but one, in the order of their names.
func joined[T any](by map[string][]T, without string) []T {
	var out []T
	for _, name := range slices.Sorted(maps.Keys(by)) {
		if name != without {
			out = append(out, by[name]...)
		}
	}
	return out
}

// realCases hides heads of the real files, by source.
func (o options) realCases(ctx context.Context) (map[string][]hidden, error) {
	files, err := gazettes.Load(o.dir)
	if err != nil {
		return nil, err
	}
	r := &readpages.Reader{Cache: o.cache}
	defer r.Close()
	out := map[string][]hidden{}
	for k, f := range files {
		pages, err := r.Words(ctx, filepath.Join(o.dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		layout.Arrange(pages)
		out[f.Source()] = append(out[f.Source()], hide(segment.Standard().HiddenHeads(pages), uint64(k))...)
	}
	return out, nil
}

// madeCases hides heads of made issues of every style, worn in every way.
func (o options) madeCases() []hidden {
	var out []hidden
	for k, style := range house.Styles() {
		for i := range o.made {
			seed := uint64(firstSeed + o.made*k + i)
			for _, s := range []house.Style{style, house.Drawn(seed)} {
				issue := house.Make(s, seed, house.Worn(seed))
				layout.Arrange(issue.Pages)
				out = append(out, hide(segment.Standard().HiddenHeads(issue.Pages), seed)...)
			}
		}
	}
	return out
}

// hidden is a head that was made hard to read, or lost.
type hidden struct {
	rows  [][]float64 // what is seen of the lines up to the next head
	right int         // the one that is the head, -1: it was lost
}

// lostShare is the share of heads that are lost with all their letters.
const lostShare = 0.25

// hide makes heads hard to read, each once, by a chance that follows the seed.
func hide(heads []articles.HiddenHead, seed uint64) []hidden {
	rng := rand.New(rand.NewPCG(seed, 0x4845414453))
	rng.Shuffle(len(heads), func(i, k int) { heads[i], heads[k] = heads[k], heads[i] })
	var out []hidden
	for _, h := range heads[:min(len(heads), mostOf)] {
		head, lost := "", rng.Float64() < lostShare
		if !lost {
			head = house.Obscure(h.Head(), 0.1+0.5*rng.Float64(), rng)
		}
		rows, right := h.Rows(head)
		if lost {
			right = -1
		}
		if len(rows) > 0 {
			out = append(out, hidden{rows, right})
		}
	}
	return out
}
