// Command ranking learns the weights of internal/search/rank: the order of what is found, and how likely the first answers.
//
// The folder has retrieval/ (what scripts/train encoder learns from, and a labor code with typed questions), qa/
// (questions on gazettes) and pdfs/ (these gazettes). The gazettes are read from the database into which they were
// ingested and kept in the file that --gazettes names, so that they are read once. Each third of the questions is asked of
// encoders and weights that were learned from the other two, by group of questions and by file; what these make of them
// is printed, and is what the gate is learned from. With --by the citizens' questions are left out by code or by field of
// life instead, with --gazettes-by those on gazettes by country: such weights are for the figures, and what is kept for other ways does not fit. The same files give the same bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vigueur/internal/search/rank"
	"vigueur/lab/judged"
	"vigueur/lab/training/ranking/learn"
	"vigueur/lab/training/weights"
)

func main() {
	t := &training{Run: weights.Run{Began: time.Now()}}
	out := flag.String("out", "internal/search/rank/weights.json", "file of the weights")
	flag.StringVar(&t.law, "law", "", "file that keeps the first stage of the encoder, as of scripts/train encoder")
	flag.StringVar(&t.gazettes, "gazettes", ".state/gazettes.kept", "file that keeps the gazettes once they are read")
	flag.StringVar(&t.vectors, "vectors", "", "folder that keeps what the transformer made of the passages; without it an hour of two cores is spent on the codes")
	flag.StringVar(&t.lists, "lists", "", "folder that keeps what was found for each question; to be emptied when the search changes")
	flag.StringVar(&t.without, "apart", "", "folder for the weights that were learned without each part, for scripts/eval answers")
	flag.StringVar(&t.by, "by", "group", "what the citizens' questions are parted by: group, code or field; the figures are left out by it")
	flag.StringVar(&t.gazettesBy, "gazettes-by", "file", "what the questions on gazettes are parted by: file or country; the figures are left out by it")
	flag.BoolVar(&t.plain, "no-lexicon", false, "ask without the words that the law has for everyday ones, to tell by the figures what they are worth")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train ranking [--by NAME] [--gazettes-by NAME] [--no-lexicon] [--out FILE] [--law FILE] [--gazettes FILE] [--lists FOLDER] [--apart FOLDER] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || partings[t.by] == nil || judged.OfGazettes[t.gazettesBy] == nil {
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
	law, gazettes  string
	lists, without string
	vectors        string // folder of what the transformer made
	indexes        string // folder of the indexes that are asked
	by, gazettesBy string
	plain          bool // without the lexicon
	weights.Run
	sets  []*field
	model rank.Model
	apart [judged.Parts]rank.Model // without what is learned from a part
}

// partings are the ways in which citizens' questions are left out.
var partings = map[string]func(*judged.Set, int) judged.Parting{"group": judged.ByGroup, "code": judged.ByCode, "field": judged.ByField}

func (t *training) run(ctx context.Context, out string) (err error) {
	if t.model.Sources, err = sources(t.Data); err != nil {
		return err
	}
	if t.without != "" { // before minutes of work
		if err := os.MkdirAll(t.without, 0o755); err != nil {
			return err
		}
	}
	t.model.Made = "scripts/train ranking"
	if t.indexes, err = os.MkdirTemp("", "vigueur-train-ranking-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.indexes)) }()
	if err := t.fields(ctx); err != nil {
		return err
	}
	for _, by := range []rank.Vectors{rank.WordVectors, rank.SentenceVectors, rank.NoVectors} {
		if err := t.learn(ctx, by); err != nil {
			return err
		}
	}
	if err := weights.Write(out, &t.model, rank.Read); err != nil || t.without == "" {
		return err
	}
	if err := t.sets[2].encode(); err != nil { // where all lists were kept, nobody has asked for them yet
		return err
	}
	for part := range judged.Parts {
		if err := weights.Write(filepath.Join(t.without, judged.PartFile(part)), &t.apart[part], rank.Read); err != nil {
			return err
		}
		table, err := t.sets[2].tables[part].Bytes()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(t.without, judged.TableFile(part)), table, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// learn learns both steps and the gate, for searches that go by one kind of vectors.
func (t *training) learn(ctx context.Context, by rank.Vectors) error {
	indexed := min(by, rank.WordVectors) // the index knows nothing of sentences
	found, err := t.kept("found", indexed, func() ([]*learn.List, error) { return t.found(ctx, indexed) })
	if err != nil {
		return err
	}
	first, apart := t.fit("find", found, learn.Options{Ridge: ridge, Uses: rank.Indexed, Share: t.shares(1)})
	*t.model.Find.For(by) = first
	read, err := t.kept("read", by, func() ([]*learn.List, error) { return t.read(ctx, by, apart) })
	if err != nil {
		return err
	}
	altered, err := t.kept("altered", by, func() ([]*learn.List, error) { return t.altered(ctx, by, apart) })
	if err != nil {
		return err
	}
	thinned, err := t.kept("thinned", by, func() ([]*learn.List, error) { return t.thinned(ctx, by, apart) })
	if err != nil {
		return err
	}
	t.order(by, read)
	t.tell(read, by)
	gate, gateApart := t.gate(slices.Concat(read, altered, thinned), by)
	*t.model.Gate.For(by) = gate
	for part := range judged.Parts {
		m := &t.apart[part]
		*m.Find.For(by), *m.Gate.For(by) = apart[part], gateApart[part]
	}
	return nil
}

// order learns both orders of what was read: of many short texts from all sets, the
// gazettes first, where one article answers; of few long ones from the codes, where
// several do. What weighs for the gate is learned from all sets alike.
func (t *training) order(by rank.Vectors, read []*learn.List) {
	gazettes := t.sets[len(t.sets)-1]
	long := slices.DeleteFunc(slices.Clone(read), func(l *learn.List) bool { return l.Set == gazettes.Name })
	shape := rank.Shape{Short: gazettes.PerText(), Long: t.sets[0].PerText()}
	short, shortApart := t.fit("order", read, learn.Options{Ridge: ridge, Uses: ofArticles, Share: t.shares(beside)})
	far, farApart := t.fit("order of long texts", long, learn.Options{Ridge: ridge, Uses: ofArticles, Each: true})
	t.addText(&far, &farApart, long)
	weigh, weighApart := t.fit("weigh", read, learn.Options{Ridge: ridge, Uses: ofArticles, Share: t.shares(1)})
	t.model.Shape, *t.model.Order.For(by), *t.model.Long.For(by), *t.model.Weigh.For(by) = shape, short, far, weigh
	for part := range judged.Parts {
		m := &t.apart[part]
		m.Shape, *m.Order.For(by), *m.Long.For(by), *m.Weigh.For(by) = shape, shortApart[part], farApart[part], weighApart[part]
	}
}

// ofArticles reports whether a feature is one of an article, not of the text that it is of.
func ofArticles(feature int) bool { return rank.Ordered(feature) && feature != rank.InText }

// addText learns what it counts that many of the articles read are of one text, behind the
// other weights, which stay as they are: a catalogue of one text, where that says nothing,
// keeps its order.
func (t *training) addText(all *rank.Weights, apart *[judged.Parts]rank.Weights, lists []*learn.List) {
	weight := func(base *rank.Weights, lists []*learn.List) float64 {
		only := func(feature int) bool { return feature == rank.InText }
		return learn.Fit(lists, learn.Options{Ridge: ridge, Uses: only, Each: true, Base: base})[rank.InText]
	}
	all[rank.InText] = weight(all, lists)
	for part := range judged.Parts {
		apart[part][rank.InText] = weight(&apart[part], others(lists, part))
	}
	t.Printf("in_text: %.3f, left out %.3f %.3f %.3f", all[rank.InText], apart[0][rank.InText], apart[1][rank.InText], apart[2][rank.InText])
}

// fit learns from all lists, and for each part from those of the others.
func (t *training) fit(step string, lists []*learn.List, o learn.Options) (all rank.Weights, apart [judged.Parts]rank.Weights) {
	all = learn.Fit(lists, o)
	for part := range judged.Parts {
		apart[part] = learn.Fit(others(lists, part), o)
	}
	t.Printf("%s: learned from %d questions", step, len(lists))
	return all, apart
}

// shares has each set count alike, however many questions it has, but the gazettes: law
// of different kinds, asked of in different ways. The others count as much as is given.
func (t *training) shares(other float64) map[string]float64 {
	out := make(map[string]float64)
	for _, f := range t.sets {
		out[f.Name] = other
	}
	out[t.sets[len(t.sets)-1].Name] = 1
	return out
}

const (
	// ridge is what the square of a weight costs.
	ridge = 1e-3
	// beside is how much each set of codes counts beside the gazettes where the order of
	// short texts is learned: a tenth to three tenths serve alike, left out by file.
	beside = 0.2
)

func others(lists []*learn.List, part int) (out []*learn.List) {
	for _, l := range lists {
		if l.Part != part {
			out = append(out, l)
		}
	}
	return out
}
