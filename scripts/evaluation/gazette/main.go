// Command gazette cuts real gazettes and holds their texts against the truth about them, in sample and left out.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"vigueur/internal/chain"
	"vigueur/internal/page"
	"vigueur/internal/pdftext"
	"vigueur/internal/readpages"
	"vigueur/internal/segment"
	"vigueur/scripts/gazettes"
)

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.cache, "pages", "", "folder where words once read are kept")
	flag.StringVar(&o.left, "left-out", "", "folder with the weights without each source, by scripts/train segment -left-out")
	flag.BoolVar(&o.details, "details", false, "name the faults of files that people may look into")
	flag.BoolVar(&o.all, "all", false, "also the files that are one text, by their manifest")
	flag.BoolVar(&o.lines, "lines", false, "print the lines of files that people may look into, with their labels")
	flag.BoolVar(&o.doubts, "doubts", false, "tell of each kind of doubt how often it fired, and of how many texts that were wrong")
	flag.IntVar(&o.made, "made", 0, "also so many made issues of each house style that nothing was learned from")
	flag.StringVar(&o.only, "only", "", "only files whose name begins so")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: scripts/eval gazette [flags] FOLDER")
	}
	if err := o.run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	cache, left, only           string
	details, all, lines, doubts bool
	made                        int
}

func (o options) run(ctx context.Context, dir string) error {
	files, err := gazettes.Load(dir)
	if err != nil {
		return err
	}
	r := &readpages.Reader{Cache: o.cache}
	defer r.Close()
	var inside, outside score
	bySource := map[string]*score{}
	var order []string
	for _, f := range files {
		if f.Single && !o.all || len(f.Name) < len(o.only) || f.Name[:len(o.only)] != o.only {
			continue
		}
		pages, err := r.Words(ctx, filepath.Join(dir, f.Name))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		page.Arrange(pages)
		hints := segment.Hints{Filename: filepath.Base(f.Name)}
		in := judge(f, segment.Split(pages, hints))
		inside.add(in)
		told := in
		if o.left != "" {
			cutter, err := without(o.left, f.Source())
			if err != nil {
				return err
			}
			told = judge(f, cutter.Split(pages, hints))
			if o.lines && !f.Sealed() {
				for _, m := range cutter.Marks(pages) {
					fmt.Printf("%3d %-10s %.2f %s\n", m.Line.Page, m.Label, m.Probability, m.Line.Text())
				}
			}
			outside.add(told)
		}
		if bySource[f.Source()] == nil {
			bySource[f.Source()], order = &score{}, append(order, f.Source())
		}
		bySource[f.Source()].add(told)
		if o.details && !f.Sealed() {
			fmt.Printf("%s: %s\n", f.Name, told)
			for _, fault := range told.faults {
				fmt.Println("   " + fault)
			}
		}
	}
	if o.doubts {
		tellDoubts(outside.doubted)
	}
	for _, source := range order {
		fmt.Printf("%-18s %s\n", source, bySource[source])
	}
	fmt.Printf("%-18s %s\n", "in sample", inside)
	figures := map[string]any{"in_sample": inside.figures()}
	if o.made > 0 {
		made := judgeMade(o.made)
		fmt.Printf("%-18s %s\n", "made", made)
		figures["made"] = made.figures()
	}
	if o.left != "" {
		fmt.Printf("%-18s %s\n", "left out", outside)
		figures["left_out"] = outside.figures()
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"eval": "gazette", "figures": figures})
}

// without is a cutter that has learned nothing of a source.
func without(dir, source string) (segment.Cutter, error) {
	raw, err := os.ReadFile(filepath.Join(dir, source+".bin"))
	if err != nil {
		return segment.Cutter{}, err
	}
	m, err := chain.Read(raw)
	return segment.Cutter{Model: m}, err
}
