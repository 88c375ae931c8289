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
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vigueur/internal/search/rank"
	"vigueur/internal/search/transformer"
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
	flag.BoolVar(&t.alone, "gazettes-alone", false, "learn from questions on gazettes alone, without the hour that codes take: the weights that the program carries stay, and only the projected cosines and the alignments behind their order of short texts, and their gate for short texts, are learned anew; figures left out are of weights from gazettes alone")
	flag.BoolVar(&t.plain, "no-lexicon", false, "ask without the words that the law has for everyday ones, to tell by the figures what they are worth")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train ranking [--by NAME] [--gazettes-by NAME] [--no-lexicon] [--gazettes-alone] [--out FILE] [--law FILE] [--gazettes FILE] [--lists FOLDER] [--apart FOLDER] FOLDER")
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
	alone          bool // without codes
	weights.Run
	sets        []*field
	model       rank.Model
	projections func() ([judged.Parts]*transformer.Projection, error) // without what is learned from a part of the gazettes
	carried     rank.Model                                            // what the program carries, where it gets only another gate
	apart       [judged.Parts]rank.Model                              // without what is learned from a part
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
	t.carried = *rank.Builtin()
	t.carried.Sources = t.model.Sources
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
	if err := weights.Write(out, t.carrying(), rank.Read); err != nil || t.without == "" {
		return err
	}
	projections, err := t.projections()
	if err != nil {
		return err
	}
	if err := t.onGazettes().encode(); err != nil { // where all lists were kept, nobody has asked for them yet
		return err
	}
	for part := range judged.Parts {
		if err := weights.Write(filepath.Join(t.without, judged.PartFile(part)), &t.apart[part], rank.Read); err != nil {
			return err
		}
		table, err := t.onGazettes().tables[part].Bytes()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(t.without, judged.TableFile(part)), table, 0o644); err != nil {
			return err
		}
		projection, err := projections[part].Bytes()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(t.without, judged.ProjectionFile(part)), projection, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// onGazettes returns the set of gazettes, which is the last.
func (t *training) onGazettes() *field { return t.sets[len(t.sets)-1] }

// carrying returns what was learned, as the program is to carry it.
func (t *training) carrying() *rank.Model {
	if t.alone {
		return &t.carried
	}
	return &t.model
}

// renew learns the gate of the model that the program carries, and what is learned behind its order of short texts, anew from gazettes. The lists are found and ordered by
// this model, which has learned from them, but by encoders that have not; the gate of long texts stays.
func (t *training) renew(ctx context.Context, by rank.Vectors) error {
	var find [judged.Parts]rank.Weights
	for part := range find {
		find[part] = *t.carried.Find.For(by)
	}
	var lists []*learn.List
	for name, made := range map[string]func(context.Context, rank.Vectors, [judged.Parts]rank.Weights) ([]*learn.List, error){"read": t.read, "altered": t.altered} {
		some, err := t.kept(name+"-carried", by, func() ([]*learn.List, error) { return made(ctx, by, find) })
		if err != nil {
			return err
		}
		lists = append(lists, some...)
	}
	slices.SortStableFunc(lists, func(a, b *learn.List) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	order := t.carried.Order.For(by)
	added.add(order, slices.DeleteFunc(slices.Clone(lists), func(l *learn.List) bool { return l.Kind != learn.Asked }))
	t.Printf("%s of the carried order: %.3f", added.name, order[added.from:added.to+1])
	outcomes := t.outcomes(lists, by, func(int) *rank.Model { return &t.carried })
	learn.Weigh(outcomes)
	g, of := t.carried.Gate.For(by), func(o *learn.Outcome) bool { return o.Kind != learn.Asked }
	asked := slices.DeleteFunc(slices.Clone(outcomes), of)
	before := *g
	t.Printf("gate of the carried order, as it was: %s", learn.Verdicts(asked, func(*learn.Outcome) *rank.Gate { return &before }))
	long := g.Long
	*g = learned(outcomes)
	g.Long = long
	t.Printf("gate of the carried order, learned anew, in sample: %s", learn.Verdicts(asked, func(*learn.Outcome) *rank.Gate { return g }))
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
	if t.alone {
		return t.renew(ctx, by)
	}
	return nil
}

// order learns both orders of what was read: of many short texts from all sets, the
// gazettes first, where one article answers; of few long ones from the codes, where
// several do. What weighs for the gate is learned from all sets alike.
func (t *training) order(by rank.Vectors, read []*learn.List) {
	gazettes := t.onGazettes()
	long := slices.DeleteFunc(slices.Clone(read), func(l *learn.List) bool { return l.Set == gazettes.Name })
	ofGazettes := slices.DeleteFunc(slices.Clone(read), func(l *learn.List) bool { return l.Set != gazettes.Name })
	shape := rank.Shape{Short: gazettes.PerText(), Long: t.sets[0].PerText()}
	if t.alone { // nothing is known of long texts
		shape = rank.Shape{}
	}
	short, shortApart := t.fit("order", read, learn.Options{Ridge: ridge, Uses: ofArticles, Share: t.shares(beside)})
	far, farApart := t.fit("order of long texts", long, learn.Options{Ridge: ridge, Uses: ofArticles, Each: true})
	t.addBehind(inText, &far, &farApart, long)
	t.addBehind(added, &short, &shortApart, ofGazettes)
	weigh, weighApart := t.fit("weigh", read, learn.Options{Ridge: ridge, Uses: ofArticles, Share: t.shares(1)})
	t.model.Shape, *t.model.Order.For(by), *t.model.Long.For(by), *t.model.Weigh.For(by) = shape, short, far, weigh
	for part := range judged.Parts {
		m := &t.apart[part]
		m.Shape, *m.Order.For(by), *m.Long.For(by), *m.Weigh.For(by) = shape, shortApart[part], farApart[part], weighApart[part]
	}
}

// ofArticles reports whether a feature belongs to the joint fit: it describes an article, not
// the text that it is of, and is not learned behind the others.
func ofArticles(feature int) bool {
	return rank.Ordered(feature) && !inText.has(feature) && !added.has(feature)
}

// behind is what is learned behind the other weights of an order, which stay as they are.
type behind struct {
	name     string
	from, to int  // the features, both included
	each     bool // as in learn.Options
}

var (
	// inText counts that many of the articles read are of one text: a catalogue of one text,
	// where that says nothing, keeps its order.
	inText = behind{name: "in_text", from: rank.InText, to: rank.InText, each: true}
	// added are the projected cosines, and whether an article offers what the question asks
	// for. Learned from gazettes, the only questions that people wrote as such.
	added = behind{name: "projection and alignments", from: rank.Projected, to: rank.AlignedPlace}
)

func (b behind) has(feature int) bool { return b.from <= feature && feature <= b.to }

// add sets the weights of b, learned from lists behind the other weights.
func (b behind) add(w *rank.Weights, lists []*learn.List) {
	clear(w[b.from : b.to+1])
	base := *w
	learned := learn.Fit(lists, learn.Options{Ridge: ridge, Uses: b.has, Each: b.each, Base: &base})
	copy(w[b.from:b.to+1], learned[b.from:b.to+1])
}

// addBehind adds b to the weights learned from all lists, and to those learned without each part.
func (t *training) addBehind(b behind, all *rank.Weights, apart *[judged.Parts]rank.Weights, lists []*learn.List) {
	b.add(all, lists)
	t.Printf("%s: %.3f", b.name, all[b.from:b.to+1])
	for part := range judged.Parts {
		b.add(&apart[part], others(lists, part))
		t.Printf("%s, without part %d: %.3f", b.name, part+1, apart[part][b.from:b.to+1])
	}
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
	out[t.onGazettes().Name] = 1
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
