// Command gazette cuts real gazettes and holds their texts against the truth about them: those that the carried weights
// were learned from, those that they never saw, and left out by country;
// with -counts it tells without any truth which articles they skip, repeat or reverse.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/lab/gazettes"
	"vigueur/lab/readpages"
)

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.cache, "pages", "", "folder where words once read are kept")
	flag.StringVar(&o.left, "left-out", "", "folder with the weights without each source, by scripts/train segment -left-out")
	flag.BoolVar(&o.details, "details", false, "name the faults of files that people may look into")
	flag.BoolVar(&o.all, "all", false, "also the files that are one text, by their manifest")
	flag.BoolVar(&o.lines, "lines", false, "print the lines of files that people may look into, with their labels")
	flag.BoolVar(&o.doubts, "doubts", false, "tell of each kind of doubt how often it fired, and of how many texts that were wrong")
	flag.IntVar(&o.made, "made", 0, "also so many made issues of each house style that nothing was learned from")
	flag.BoolVar(&o.announcements, "announcements", false, "made issues with announcements of several paragraphs")
	flag.IntVar(&o.layers, "layers", 0, "only so many made issues of each house style, with text layers that are wrong, and no real files")
	flag.BoolVar(&o.clean, "clean", false, "made issues without any damage")
	flag.StringVar(&o.form, "form", "", "made issues with this form of house.Forms")
	flag.Float64Var(&o.tall, "tall", 0, "made issues as scans, with this share of lines whose boxes are too high")
	flag.StringVar(&o.style, "style", "", "made issues of the styles only whose name begins so, and as many drawn ones")
	flag.StringVar(&o.out, "o", "", "file to keep what came of each file in, for -against")
	flag.StringVar(&o.against, "against", "", "file that an earlier run kept: tell the differences, file by file")
	flag.BoolVar(&o.once, "once", false, "read nothing again that the texts contradict")
	flag.BoolVar(&o.counts, "counts", false, "instead, what the numbers of the articles tell of all PDF files of the folder, which needs no truth; only -pages, -only and -details count beside it")
	flag.StringVar(&o.judgment, "judgment", "", "file with a judgment in place of the carried one, as internal/gazette/segment/judgment/judgment.json: what a sign or a change is worth")
	flag.StringVar(&o.only, "only", "", "only files whose name begins so")
	flag.Parse()
	if o.layers > 0 {
		judgeLayers(o.layers, o)
		return
	}
	if flag.NArg() != 1 {
		log.Fatal("usage: scripts/eval gazette [flags] FOLDER")
	}
	run := o.run
	if o.counts {
		run = o.count
	}
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	cache, left, only, style    string
	out, against, judgment      string
	details, all, lines, doubts bool
	once, counts                bool
	clean, announcements        bool
	form                        string
	tall                        float64
	made, layers                int
}

func (o options) run(ctx context.Context, dir string) error {
	files, err := gazettes.Load(dir)
	if err != nil {
		return err
	}
	r := &readpages.Reader{Cache: o.cache}
	defer r.Close()
	t := totals{bySource: map[string]*[2]score{}, kept: kept{}, own: gazettes.OwnNatures(files)}
	for _, f := range files {
		if f.Single && !o.all || !strings.HasPrefix(f.Name, o.only) {
			continue
		}
		pages, err := r.Words(ctx, filepath.Join(dir, f.Name))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		h := holding{reader: r, path: filepath.Join(dir, f.Name), pages: pages, once: o.once}
		if err := o.hold(ctx, &t, f, h); err != nil {
			return err
		}
	}
	return o.report(t)
}

// totals is what came of all files.
type totals struct {
	inside, outside score
	unseen          score                // of the files that the carried weights were not learned from
	bySource        map[string]*[2]score // as the carried weights cut its files, and left out
	order           []string             // sources as they come
	kept            kept
	own             map[string][]string // natures of one source alone
}

// cutter is the product's, with the judgment of a file where one is named.
func (o options) cutter() (c segment.Cutter, err error) {
	if c = segment.Standard(); o.judgment != "" {
		c.Judgment, err = learnedAt[judgment.Judgment](o.judgment)
	}
	return c, err
}

// hold cuts a file in every way that is asked for and adds what came of it.
func (o options) hold(ctx context.Context, t *totals, f gazettes.File, h holding) error {
	cutter, err := o.cutter()
	if err != nil {
		return err
	}
	issue, pages, err := h.cut(ctx, cutter)
	if err != nil {
		return err
	}
	told := held(f, issue)
	if o.lines && o.left == "" && !f.Sealed() {
		tellLines(cutter, pages)
	}
	if t.bySource[f.Source()] == nil {
		t.bySource[f.Source()], t.order = &[2]score{}, append(t.order, f.Source())
	}
	t.bySource[f.Source()][0].add(told)
	if f.Learned {
		t.inside.add(told)
		t.kept.note(inSample, f, told)
	} else {
		t.unseen.add(told)
		t.kept.note(neverSeen, f, told)
	}
	if o.left != "" {
		defer titles.Forget(t.own[f.Source()])()
		cutter, err := without(o.left, f.Source())
		if err != nil {
			return err
		}
		issue, pages, err := h.cut(ctx, cutter)
		if err != nil {
			return err
		}
		told = held(f, issue)
		if o.lines && !f.Sealed() {
			tellLines(cutter, pages)
		}
		t.outside.add(told)
		t.kept.note(leftOut, f, told)
		t.bySource[f.Source()][1].add(told)
	}
	if o.details && !f.Sealed() {
		fmt.Printf("%s: %s\n", f.Name, told)
		for _, fault := range told.faults {
			fmt.Println("   " + fault)
		}
	}
	return nil
}

// holding is a file to be cut, with its words as first read.
type holding struct {
	reader *readpages.Reader
	path   string
	pages  []layout.Page
	once   bool
}

// cut cuts the file as a worker with that cutter does, after reading again what its texts contradict.
func (h holding) cut(ctx context.Context, c segment.Cutter) (gazette.Issue, []layout.Page, error) {
	split := func(pages []layout.Page) gazette.Issue {
		return c.Split(pages, gazette.Hints{Filename: filepath.Base(h.path), Today: time.Now()})
	}
	pages := slices.Clone(h.pages)
	if !h.once {
		if _, err := h.reader.Again(ctx, h.path, pages, split); err != nil {
			return gazette.Issue{}, nil, fmt.Errorf("%s: %w", h.path, err)
		}
	}
	layout.Arrange(pages)
	return split(pages), pages, nil
}

// tellLines prints the lines of a file with their labels.
func tellLines(cutter segment.Cutter, pages []layout.Page) {
	for _, m := range cutter.Marks(pages) {
		fmt.Printf("%3d %-10s %.2f %s\n", m.Line.Page, m.Label, m.Probability, m.Line.Text())
	}
}

// report prints all figures.
func (o options) report(t totals) error {
	if o.doubts {
		told := t.outside // without the weights of each source, of the files as the carried weights cut them
		if o.left == "" {
			told.add(t.inside)
			told.add(t.unseen)
		}
		tellDoubts(told.doubted)
		tellWaiting(told)
	}
	for _, source := range t.order {
		fmt.Printf("%-18s %s\n", source, t.bySource[source][0])
		if o.left != "" {
			fmt.Printf("%-18s %s\n", "  left out", t.bySource[source][1])
		}
	}
	fmt.Printf("%-18s %s\n", inSample, t.inside)
	fmt.Printf("%-18s %s\n", neverSeen, t.unseen)
	figures := map[string]any{"in_sample": t.inside.figures(), "never_seen": t.unseen.figures()}
	if o.made > 0 {
		cutter, err := o.cutter()
		if err != nil {
			return err
		}
		made := judgeMade(o.made, o, cutter, t.kept)
		if o.doubts {
			tellDoubts(made.doubted)
			tellWaiting(made)
		}
		fmt.Printf("%-18s %s\n", "made", made)
		figures["made"] = made.figures()
	}
	if o.left != "" {
		fmt.Printf("%-18s %s\n", leftOut, t.outside)
		figures["left_out"] = t.outside.figures()
	}
	if err := t.kept.tell(o.against, o.out); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"eval": "gazette", "figures": figures})
}

// without is a cutter that has learned nothing of a source: neither to label lines nor,
// where scripts/train witness has written it, what to doubt.
func without(dir, source string) (segment.Cutter, error) {
	raw, err := os.ReadFile(filepath.Join(dir, source+".bin"))
	if err != nil {
		return segment.Cutter{}, err
	}
	m, err := chain.Read(raw)
	if err != nil {
		return segment.Cutter{}, err
	}
	judgment, err := learnedAt[judgment.Judgment](filepath.Join(dir, source+".json"))
	if err != nil {
		return segment.Cutter{}, err
	}
	if judgment == nil {
		judgment = segment.Standard().Judgment
	}
	return segment.Cutter{Model: m, Judgment: judgment}, nil
}

// learnedAt reads what a training program has written; nil where there is no such file.
func learnedAt[M any](path string) (*M, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var m M
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &m, nil
}
