// Command retrieval holds the search, by words and by meaning, against judged questions, on what was learned and left out.
//
// The folder has what scripts/train encoder learns from (allcodes/…), and corpus.jsonl, queries.train.jsonl and
// qrels.train.tsv: a labor code with questions that people typed. Citizens' questions over 75 codes are asked of encoders
// that learned from their sheets (the one the program carries) and of such that did not: the sheets are parted by group,
// by code, and by field of life, and each part is asked of an encoder that learned from the others. Beside stand a plain BM25 over headings
// and text and the search by words alone. The ranking is the one the program carries, which knows these questions:
// scripts/train ranking prints what it is worth where it does not. Figures are averaged inside a group of questions, then
// over groups; differences are drawn anew in pairs, against BM25, against words, and against a run that was kept by
// --keep. The last line is JSON.
//
// With --corpus, --queries and --qrels another set is asked: by BM25, by words, by meaning too and, where
// VIGUEUR_EMBEDDER_URL names a server of vectors, with that one.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
	"vigueur/lab/training/encoder/learn"
)

// patience is how long a server of vectors may be silent: nobody waits for a measurement.
const patience = 5 * time.Minute

type options struct {
	dir, law, keep, against string
	folds                   int
	files                   judged.Files // of a set of its own, in place of dir
	vectors                 string       // file that keeps what a server of vectors made
}

func main() {
	o := options{}
	flag.StringVar(&o.law, "law", "", "file in which scripts/train encoder kept its first stage; without it that is learned anew")
	flag.IntVar(&o.folds, "folds", 3, "into how many parts the sheets are parted; 0: nothing is learned anew")
	flag.StringVar(&o.keep, "keep", "", "write what became of each question to this file")
	flag.StringVar(&o.against, "against", "", "tell the differences to such a file")
	flag.StringVar(&o.files.Corpus, "corpus", "", "file of articles of another set: a JSON object a line with _id, title and text")
	flag.StringVar(&o.files.Queries, "queries", "", "its questions: a JSON object a line with _id and text")
	flag.StringVar(&o.files.Qrels, "qrels", "", "its judgments: question, article and grade between tabulators")
	flag.StringVar(&o.files.GroupBy, "group-by", "", "field of these questions that groups them by intention")
	flag.StringVar(&o.files.Distractors, "distractors", "", "file of more articles, which answer nothing")
	flag.StringVar(&o.vectors, "vectors", "", "file that keeps the vectors of a server (VIGUEUR_EMBEDDER_URL)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/eval retrieval [--law FILE] [--folds N] [--keep FILE] [--against FILE] FOLDER\n"+
			"       scripts/eval retrieval --corpus FILE --queries FILE --qrels FILE [FLAG…]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if o.files.Corpus != "" && o.files.Queries != "" && o.files.Qrels != "" && flag.NArg() == 0 {
		if err := ofFiles(context.Background(), o); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	o.dir = flag.Arg(0)
	if flag.NArg() != 1 || o.folds < 0 || o.folds == 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// evaluation is what has been measured so far.
type evaluation struct {
	options
	began  time.Time
	corpus *learn.Corpus
	codes  *judged.Set
	labor  *judged.Set
	report report
}

func run(ctx context.Context, o options) (err error) {
	e := &evaluation{options: o, began: time.Now()}
	if err := e.report.read(o.against); err != nil {
		return err
	}
	if e.corpus, err = learn.Read(o.dir); err != nil {
		return err
	}
	if e.codes, err = judged.Codes(o.dir, e.corpus); err != nil {
		return err
	}
	if e.labor, err = judged.Labor(o.dir); err != nil {
		return err
	}
	e.say("%d and %d questions, %d and %d passages", len(e.codes.Questions), len(e.labor.Questions), e.codes.Passages(), e.labor.Passages())
	for _, s := range []*judged.Set{e.codes, e.labor} {
		e.report.add(s, "BM25", bm25(s))
	}
	e.say("BM25 is asked")
	if err := e.carried(ctx); err != nil {
		return err
	}
	if o.folds > 0 {
		if err := e.leftOut(ctx); err != nil {
			return err
		}
	}
	if err := e.report.keep(o.keep); err != nil {
		return err
	}
	return e.report.print(os.Stdout)
}

func (e *evaluation) say(format string, a ...any) {
	fmt.Fprintf(os.Stderr, "%6.0f s  "+format+"\n", append([]any{time.Since(e.began).Seconds()}, a...)...)
}

// carried asks all questions of the encoder that the program carries.
func (e *evaluation) carried(ctx context.Context) error {
	encoder, err := encode.New()
	if err != nil {
		return err
	}
	for _, s := range []*judged.Set{e.codes, e.labor} {
		x := with(s, encoder)
		for _, way := range []struct {
			name  string
			by    asking
			model *rank.Model
		}{{words, asking{Set: s}, nil}, {"meaning alone, in sample", x, byMeaning()}, {"words and meaning, in sample", x, nil}} {
			run, err := way.by.ask(ctx, s.Questions, way.model)
			if err != nil {
				return err
			}
			e.report.add(s, way.name, run)
		}
	}
	e.say("the encoder that the program carries is asked")
	return nil
}

// leftOut asks each part of the questions of an encoder that did not learn from it.
func (e *evaluation) leftOut(ctx context.Context) error {
	law, err := learn.AfterLaw(e.corpus, learn.Defaults(), e.law, func(stage string, step, of int, loss float64) {
		e.say("%s: step %d of %d, loss %.3f", stage, step, of, loss)
	})
	if err != nil {
		return err
	}
	law.Tell = nil
	run, err := with(e.codes, encode.Of(law.Table(encode.Provenance{}))).ask(ctx, e.codes.Questions, nil)
	if err != nil {
		return err
	}
	e.report.add(e.codes, "words and meaning, no sheets", run)
	for _, by := range []judged.Parting{judged.ByGroup(e.codes, e.folds), judged.ByCode(e.codes, e.folds), judged.ByField(e.codes, e.folds)} {
		if err := e.parts(ctx, law, by); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) parts(ctx context.Context, law *learn.Learner, by judged.Parting) error {
	var mixed, alone []judge.Judged
	for part := range e.folds {
		l := law.Clone()
		l.Lay(func(s *learn.Sheet) bool { return by.Learned(s, part) })
		x, asked := with(e.codes, encode.Of(l.Table(encode.Provenance{}))), by.Those(e.codes.Questions, part)
		run, err := x.ask(ctx, asked, nil)
		if err != nil {
			return err
		}
		mixed = append(mixed, run...)
		if run, err = x.ask(ctx, asked, byMeaning()); err != nil {
			return err
		}
		alone = append(alone, run...)
		e.say("left out %s: part %d of %d, %d questions", by.Name, part+1, e.folds, len(asked))
	}
	e.report.add(e.codes, "meaning alone, left out "+by.Name, alone)
	e.report.add(e.codes, "words and meaning, left out "+by.Name, mixed)
	return nil
}

// kept are the questions of each way, by the set and the name of the way.
type kept map[string][]judge.Judged

func (r *report) read(path string) error {
	if path == "" {
		return nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, &r.before)
}

func (r *report) keep(path string) error {
	if path == "" {
		return nil
	}
	all := make(kept)
	for _, j := range r.Sets {
		for _, w := range j.Ways {
			all[j.Set+", "+w.Name] = w.each
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o644)
}
