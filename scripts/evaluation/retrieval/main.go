// Command retrieval holds the search, by words and by meaning, against judged questions, on what was learned and left out.
//
// The folder has what scripts/train encoder learns from (allcodes/…), and corpus.jsonl, queries.train.jsonl and
// qrels.train.tsv: a labor code with questions that people typed, which nothing is learned from. Citizens' questions over
// 75 codes are asked of encoders that learned from their sheets (the one the program carries) and of such that did not:
// the sheets are parted by group, then by code, and each part is asked of an encoder that learned from the others. Beside
// stand a plain BM25 over headings and text and the search by words alone. Figures are averaged inside a group of
// questions, then over groups; differences are drawn anew in pairs. With --shares the meaning's share in the score is
// chosen as well, for each group by what served the others best. The last line is JSON.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/encode"
	"vigueur/internal/flat"
	"vigueur/internal/judge"
	"vigueur/scripts/training/encoder/learn"
)

type options struct {
	dir, law string
	folds    int
	shares   []float64 // of the meaning, to be tried
}

func main() {
	o, shares := options{}, ""
	flag.StringVar(&o.law, "law", "", "file in which scripts/train encoder kept its first stage; without it that is learned anew")
	flag.IntVar(&o.folds, "folds", 3, "into how many parts the sheets are parted")
	flag.StringVar(&shares, "shares", "", "shares of the meaning to be tried besides the search's own, as 0.25,0.5")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/eval retrieval [--law FILE] [--folds N] [--shares LIST] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	o.dir = flag.Arg(0)
	for s := range strings.FieldsFuncSeq(shares, func(r rune) bool { return r == ',' }) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || x < 0 || x > 1 {
			fmt.Fprintf(os.Stderr, "--shares: %q is no share\n", s)
			os.Exit(2)
		}
		o.shares = append(o.shares, x)
	}
	if flag.NArg() != 1 || o.folds < 2 {
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
	codes  *set
	labor  *set
	report report
}

func run(ctx context.Context, o options) (err error) {
	e := &evaluation{options: o, began: time.Now()}
	if e.corpus, err = learn.Read(o.dir); err != nil {
		return err
	}
	if e.codes, err = codesOf(o.dir, e.corpus); err != nil {
		return err
	}
	if e.labor, err = laborOf(o.dir); err != nil {
		return err
	}
	e.say("%d and %d questions, %d and %d passages", len(e.codes.questions), len(e.labor.questions), len(e.codes.rows), len(e.labor.rows))
	for _, s := range []*set{e.codes, e.labor} {
		e.report.add(s, "BM25", bm25(s))
	}
	e.say("BM25 is asked")
	if err := e.carried(ctx); err != nil {
		return err
	}
	if err := e.leftOut(ctx); err != nil {
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
	for _, s := range []*set{e.codes, e.labor} {
		x, err := s.open(ctx, encoder)
		if err != nil {
			return err
		}
		alone := flat.Chosen()
		alone.Meaning = 1
		e.report.add(s, words, x.ask(s.questions, flat.Weights{}, false))
		e.report.add(s, "meaning alone, in sample", x.ask(s.questions, alone, true))
		e.report.add(s, "words and meaning, in sample", x.ask(s.questions, flat.Chosen(), true))
		for _, share := range e.shares {
			e.report.try(s, share, x.ask(s.questions, shared(share), true))
		}
	}
	e.say("the encoder that the program carries is asked")
	return nil
}

func shared(share float64) flat.Weights {
	w := flat.Chosen()
	w.Meaning = share
	return w
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
	lawOnly := encode.Of(law.Table(encode.Provenance{}))
	x, err := e.codes.open(ctx, lawOnly)
	if err != nil {
		return err
	}
	e.report.add(e.codes, "words and meaning, no sheets", x.ask(e.codes.questions, flat.Chosen(), true))
	for _, by := range []parting{byGroup(e.codes, e.folds), byCode(e.codes, e.folds)} {
		if err := e.parts(ctx, law, by); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) parts(ctx context.Context, law *learn.Learner, by parting) error {
	runs := make(map[float64][]judge.Judged)
	var alone []judge.Judged
	for part := range e.folds {
		l := law.Clone()
		l.Lay(func(s *learn.Sheet) bool { return by.learned(s, part) })
		x, err := e.codes.open(ctx, encode.Of(l.Table(encode.Provenance{})))
		if err != nil {
			return err
		}
		asked := by.asked(part)
		for _, share := range append([]float64{flat.Chosen().Meaning}, e.shares...) {
			runs[share] = append(runs[share], x.ask(asked, shared(share), true)...)
		}
		alone = append(alone, x.ask(asked, shared(1), true)...)
		e.say("left out %s: part %d of %d, %d questions", by.name, part+1, e.folds, len(asked))
	}
	e.report.add(e.codes, "meaning alone, left out "+by.name, alone)
	e.report.add(e.codes, "words and meaning, left out "+by.name, runs[flat.Chosen().Meaning])
	e.report.choose(e.codes, by.name, runs)
	return nil
}
