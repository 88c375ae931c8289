// Command segment learns to label the lines of gazettes, and writes internal/gazette/segment/label/weights.bin.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/kit/parallel"
	"vigueur/lab/gazettes"
	"vigueur/lab/training/labeling"
)

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.dir, "gazettes", "", "folder of real gazettes with their truth; none: only made ones")
	flag.StringVar(&o.cache, "pages", "", "folder where words once read are kept")
	flag.IntVar(&o.made, "made", 10, "made issues of each house style, and as many of drawn styles")
	flag.IntVar(&o.epochs, "epochs", 6, "how often each example is looked at")
	flag.Float64Var(&o.decay, "decay", 1e-4, "penalty on large weights")
	flag.Float64Var(&o.real, "real", 2, "weight of a real file against a made one")
	flag.StringVar(&o.out, "o", "", "file to write the weights of all files to")
	flag.StringVar(&o.learned, "learned", "", "file to list the real files in that the weights of -o were learned from: lab/gazettes/learned.txt")
	flag.StringVar(&o.left, "left-out", "", "folder to write the weights without each source to; those learned before from the same examples are kept")
	flag.IntVar(&o.learnings, "learnings", 1, "learnings, each from made issues of its own, whose mean is written")
	flag.BoolVar(&o.announcements, "announcements", false, "made issues have announcements of several paragraphs")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	dir, cache, out, left string
	learned               string
	made, epochs          int
	learnings             int
	announcements         bool
	decay, real           float64
}

// seedsApart is how far apart the seeds of the learnings' made issues begin. The tests'
// begin at 90,000, those of the evaluation at a million.
const seedsApart = 100_000

func run(ctx context.Context, o options) error {
	var real []example
	if o.dir != "" {
		var err error
		if real, err = realExamples(ctx, o.dir, o.cache); err != nil {
			return err
		}
	}
	all := make([]learning, max(1, o.learnings))
	for i := range all {
		all[i].made = o.madeExamples(i)
		fmt.Printf("%d made issues, %d real files\n", len(all[i].made), len(real))
		all[i].base = sync.OnceValue(func() *labeling.Learner { return o.pretrain(all[i].made, real) })
	}
	if o.out != "" {
		m, err := o.mean(all, real, "")
		if err != nil {
			return err
		}
		if err := write(m, o.out); err != nil {
			return err
		}
		tell("in sample", m, real)
		if o.learned != "" {
			if err := gazettes.WriteLearned(o.dir, o.learned); err != nil {
				return err
			}
		}
	}
	if o.left == "" {
		return nil
	}
	return o.leaveOut(all, real)
}

// learning is what was learned from made issues alone.
type learning struct {
	base func() *labeling.Learner // learned when it is first asked for
	made []example
}

// mean finishes all learnings without a source and gives the mean of what a file would
// keep of each: what one learns beyond the rest hangs on the issues that were drawn for it.
func (o options) mean(all []learning, real []example, without string) (*chain.Model, error) {
	models := make([]*chain.Model, len(all))
	for i, l := range all {
		models[i] = o.finish(l.base(), l.made, real, without)
		if len(all) == 1 {
			return models[i], nil
		}
		var b bytes.Buffer
		if err := labeling.Write(&b, models[i]); err != nil {
			return nil, err
		}
		var err error
		if models[i], err = chain.Read(b.Bytes()); err != nil {
			return nil, err
		}
	}
	return labeling.MeanOf(models...), nil
}

// leaveOut writes the weights without each source, learned beside one another: none knows of the others. What was learned
// before from the same examples is kept.
func (o options) leaveOut(all []learning, real []example) error {
	names := sources(real)
	own := gazettes.OwnNatures(filesOf(real))
	models, faults := make([]*chain.Model, len(names)), make([]error, len(names))
	parallel.Each(len(names), func(i int) {
		models[i], faults[i] = o.without(all, real, names[i], own[names[i]])
	})
	if err := errors.Join(faults...); err != nil {
		return err
	}
	var told tally
	for i, source := range names {
		var out []example
		for _, e := range real {
			if e.file.Source() == source {
				out = append(out, e)
			}
		}
		told.add(tell("without "+source, models[i], out))
	}
	fmt.Printf("left out, all sources: %s\n", told)
	return nil
}

// without learns from all sources but one, and from the made issues that have none of its own natures, unless the file
// beside the weights shows that they were learned so before.
func (o options) without(all []learning, real []example, source string, natures []string) (*chain.Model, error) {
	few := make([]learning, len(all))
	for i, l := range all {
		few[i] = o.withoutNatures(l, real, natures)
	}
	path := filepath.Join(o.left, source+".bin")
	key, keyFile := o.keyOf(few, real, source), path+".learned"
	if kept, err := os.ReadFile(keyFile); err == nil && string(kept) == key {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return chain.Read(raw)
	}
	m, err := o.mean(few, real, source)
	if err != nil {
		return nil, err
	}
	if err := write(m, path); err != nil {
		return nil, err
	}
	return m, os.WriteFile(keyFile, []byte(key), 0o644)
}

// withoutNatures is a learning without the made issues that have a text of one of the natures.
func (o options) withoutNatures(l learning, real []example, natures []string) learning {
	made := slices.DeleteFunc(slices.Clone(l.made), func(e example) bool {
		return slices.ContainsFunc(e.named, func(n string) bool { return slices.Contains(natures, n) })
	})
	if len(made) == len(l.made) {
		return l
	}
	return learning{made: made, base: func() *labeling.Learner { return o.pretrain(made, real) }}
}

// keyOf is the hash of all that the weights without a source are learned from.
func (o options) keyOf(all []learning, real []example, source string) string {
	sum := sha256.New()
	fmt.Fprintln(sum, o.epochs, o.decay, o.real)
	add := func(e example) {
		for i, item := range e.Items {
			_ = binary.Write(sum, binary.LittleEndian, []uint32(item)) // a hash takes everything
			_ = binary.Write(sum, binary.LittleEndian, uint64(e.Masks[i]))
		}
	}
	for _, l := range all {
		for _, e := range l.made {
			add(e)
		}
	}
	for _, e := range real { // the features of all files count: they choose which are kept
		fmt.Fprintln(sum, e.file.Source() == source)
		add(e)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func filesOf(real []example) []gazettes.File {
	out := make([]gazettes.File, 0, len(real))
	for _, e := range real {
		out = append(out, e.file)
	}
	return out
}

// pretrain learns from made issues alone. The vocabulary is that of all files: a
// feature that only a left-out file has keeps a weight of nothing.
func (o options) pretrain(made, real []example) *labeling.Learner {
	t := labeling.Trainer{Labels: label.LabelCount, Rate: 0.1, Decay: o.decay, Least: 6, Barred: barred}
	from := bare(made)
	l := t.Begin(append(bare(real), from...))
	for epoch := range o.epochs {
		fmt.Printf("made, epoch %d: loss %.4f\n", epoch, l.Teach(from, epoch))
	}
	return l
}

// finish goes on with the real files that are not of a source, and a quarter of
// the made ones in each epoch, so that what they taught is not forgotten. The model is
// the mean of what it was behind each epoch but the first (Polyak and Juditsky, 1992):
// where it stops hangs on the few examples that it saw last.
func (o options) finish(base *labeling.Learner, made, real []example, without string) *chain.Model {
	l := base.Clone()
	var mean labeling.Mean
	for epoch := range o.epochs {
		var from []labeling.Example
		for i, e := range made {
			if i%4 == epoch%4 {
				from = append(from, e.Example)
			}
		}
		for _, e := range real {
			if e.file.Source() != without {
				e.Weight = o.real
				from = append(from, e.Example)
			}
		}
		l.Teach(from, epoch)
		if epoch > 0 {
			mean.Add(l.Model())
		}
	}
	if m := mean.Model(); m != nil {
		return m
	}
	return l.Model()
}

func bare(examples []example) []labeling.Example {
	out := make([]labeling.Example, 0, len(examples))
	for _, e := range examples {
		out = append(out, e.Example)
	}
	return out
}

func write(m *chain.Model, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := labeling.Write(f, m); err != nil {
		return err
	}
	return f.Close()
}

func sources(real []example) []string {
	var out []string
	for _, e := range real {
		if s := e.file.Source(); len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}

// tally counts the beginnings of texts, and how improbable a model finds what is known of
// the lines, in nats: that tells models apart which find the same beginnings.
type tally struct {
	there, found, invented int
	loss                   float64
}

func (t *tally) add(o tally) {
	t.there, t.found, t.invented = t.there+o.there, t.found+o.found, t.invented+o.invented
	t.loss += o.loss
}

func (t tally) String() string {
	return fmt.Sprintf("%d of %d beginnings found, %d invented, %.1f nats", t.found, t.there, t.invented, t.loss)
}

// tell prints how a model finds the beginnings of texts.
func tell(what string, m *chain.Model, files []example) tally {
	var all tally
	for _, e := range files {
		all.add(e.judge(m))
	}
	fmt.Printf("%s: %d features: %s\n", what, len(m.Parts().Index), all)
	return all
}
