// Command stages tells at which stage of an answer the article that answers a question is lost, and what would be gained
// if one of the stages were perfect.
//
// The folder has qa/ and pdfs/ as scripts/eval answers reads them, and retrieval/ with the citizens' questions over 75
// codes. With --left-out each question is asked of a ranking that learned nothing from its part (scripts/train ranking
// --apart), otherwise of the one that the program carries. The codes are asked where --encoders names the folder in which
// scripts/train ranking --lists kept the encoders that had not learned from each part: the carried one has read their
// answers. No question is shown, only totals. The last line is JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/judged"
	"vigueur/lab/training/encoder/learn"
)

type options struct {
	dir, gazettes, apart, encoders string
}

func main() {
	var o options
	flag.StringVar(&o.gazettes, "gazettes", ".state/gazettes.kept", "file that keeps the gazettes, as of scripts/eval answers")
	flag.StringVar(&o.apart, "left-out", "", "folder with the rankings without each part, by scripts/train ranking --apart")
	flag.StringVar(&o.encoders, "encoders", "", "folder with the encoders without each part, by scripts/train ranking --lists")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/eval stages [FLAG…] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	o.dir = flag.Arg(0)
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	ways := []func(context.Context, options) (*table, error){gazettes}
	if o.encoders != "" {
		ways = append(ways, codes)
	}
	var tables []*table
	for _, way := range ways {
		t, err := way(ctx, o)
		if err == nil {
			err = t.print(os.Stdout)
		}
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"eval": "stages", "sets": tables})
}

// gazettes asks real gazettes.
func gazettes(ctx context.Context, o options) (*table, error) {
	set, err := judged.OpenGazettes(ctx, filepath.Join(o.dir, "pdfs"), o.gazettes)
	if err != nil {
		return nil, err
	}
	if err := set.AskAll(o.dir); err != nil {
		return nil, err
	}
	carried, err := encode.New()
	if err != nil {
		return nil, err
	}
	vectors := set.Encode(carried)
	return o.ask(ctx, set, judged.ByFile(judged.Parts), func(int) (*judged.Vectors, error) { return vectors, nil })
}

// codes asks the 75 codes.
func codes(ctx context.Context, o options) (*table, error) {
	dir := filepath.Join(o.dir, "retrieval")
	corpus, err := learn.Read(dir)
	if err != nil {
		return nil, err
	}
	set, err := judged.Codes(dir, corpus)
	if err != nil {
		return nil, err
	}
	return o.ask(ctx, set, judged.ByGroup(set, judged.Parts), func(part int) (*judged.Vectors, error) {
		raw, err := os.ReadFile(filepath.Join(o.encoders, fmt.Sprintf("encoder-by-group-%d.bin", part+1)))
		if err != nil {
			return nil, err
		}
		read, err := encode.Read(raw)
		if err != nil {
			return nil, err
		}
		return set.Encode(encode.Of(read)), nil
	})
}

// ask asks the questions that have an answer, part by part, each by the vectors of its
// part.
func (o options) ask(ctx context.Context, set *judged.Set, by judged.Parting, vectors func(part int) (*judged.Vectors, error)) (*table, error) {
	t := &table{Set: set.Name, Left: o.apart != ""}
	for part := range judged.Parts {
		model, err := o.model(part)
		if err != nil {
			return nil, err
		}
		v, err := vectors(part)
		if err != nil {
			return nil, err
		}
		searcher, err := set.Open(ctx, v, model)
		if err != nil {
			return nil, err
		}
		searcher.Words = v.Encoder
		var questions []judged.Question
		for _, q := range by.Those(set.Questions, part) {
			if len(q.Right) > 0 || q.Asked != nil && len(q.Asked.Gold) > 0 {
				questions = append(questions, q)
			}
		}
		asked := judged.Asked(questions)
		traces, errs := make([]trace, len(questions)), make([]error, len(questions))
		judged.Each(len(questions), func(i int) { traces[i], errs[i] = follow(ctx, set, searcher, &questions[i], asked[i]) })
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		t.traces = append(t.traces, traces...)
	}
	t.sum()
	return t, nil
}

// model is the ranking that a part is asked of; nil: the one that the program carries.
func (o options) model(part int) (*rank.Model, error) {
	if o.apart == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(filepath.Join(o.apart, judged.PartFile(part)))
	if err != nil {
		return nil, err
	}
	return rank.Read(raw)
}

// follow follows what answers a question through the stages.
func follow(ctx context.Context, set *judged.Set, searcher *retrieve.Searcher, q *judged.Question, asked retrieve.Question) (t trace, err error) {
	looked, err := searcher.Examine(ctx, asked)
	if err != nil {
		return t, err
	}
	t = trace{group: q.Group, right: len(q.Right)}
	t.found = placesOf(len(looked.All), func(i int) string { return set.ArticleName(looked.All[i].ArticleID) }, q.Right)
	t.read = placesOf(len(looked.Hits), func(i int) string { return set.ArticleName(looked.Hits[i].Article.ID) }, q.Right)
	if q.Asked == nil {
		return t, nil
	}
	answered, err := judged.Answer(ctx, searcher, &extractive.Generator{Lexicon: french.NewLexicon()}, asked)
	if err != nil {
		return t, err
	}
	t.answered = true
	for _, n := range answered.Cited {
		t.cited = t.cited || set.Fits(q.Asked, answered.Found.Hits[n].Found)
	}
	t.said = t.cited && answered.Says(q.Asked.KeyFacts)
	return t, nil
}

// placesOf are the places, from 0, of the articles that answer, each once.
func placesOf(n int, name func(i int) string, right map[string]bool) (places []int) {
	seen := make(map[string]bool)
	for i := range n {
		if a := name(i); !seen[a] {
			if right[a] {
				places = append(places, len(seen))
			}
			seen[a] = true
		}
	}
	return places
}
