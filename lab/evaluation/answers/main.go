// Command answers asks real gazettes the questions that people judged, and holds the answers against what they must say.
//
// The folder has qa/ (questions with the articles that answer them and the facts that an answer must say, some with
// nothing to answer them) and pdfs/ (the gazettes). These are read from the database into which they were ingested
// (« ingest add », and « ingest review accept » for what waits there) and kept in the file that --gazettes names, so that
// later runs take seconds. Each question is asked in sample, of the ranking and the choice of sentences that the program
// carries, and, with --left-out, --sentences or both, of such as learned nothing from questions on the same file, or with
// --by country on files of the same country (scripts/train ranking --apart, scripts/train sentences --apart); what is
// counted is told for each country as well. With --named texts and articles that a question names are found first and the
// search is narrowed to them, as the program does it, in the database that the environment names: the one that the kept file
// was made from. A fifth of the questions, by the hash of their ids, is sealed: it counts in
// the totals, and --details does not name it. --keep writes what became of each question in each way of asking, and --against tells
// the differences to such a file, drawn anew in pairs: in sample to in sample, left out to left out. The last line is JSON.
//
// Further questions on these gazettes, of which nothing was learned, are those of the files that --questions and --sealed
// name, as often as there are such files: they are asked of what the program carries, told beside the others, and by
// style where they name one. Of those that --sealed names only the totals are told.
//
// --breadth asks further questions on law of many countries, a set for each jurisdiction in the form of qa/breadth; more than
// one folder with more than one flag. With --together these are one catalogue. Nothing else is asked then unless FOLDER is given.
//
// With --questions and --documents other questions are asked of the catalogue that the environment names, as a worker
// would: the article cited, the facts that an answer must say (« trois (3) mois » is « 3 mois »), the refusal of what the
// catalogue does not tell. Files of the folder that are not in the catalogue are named. No worker may run meanwhile.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
)

type options struct {
	dir, gazettes, apart, sentences, by, keep, against string
	vectors                                            string
	details, named, plain, unread, together            bool
	further                                            []further
	breadth                                            []string // folders of questions on law of many countries
}

// further is a file of questions beside the folder's own.
type further struct {
	file   string
	sealed bool // only the totals are told
}

func main() {
	var o options
	flag.StringVar(&o.gazettes, "gazettes", ".state/gazettes.kept", "file that keeps the gazettes once they are read")
	flag.StringVar(&o.apart, "left-out", "", "folder with the rankings without each part, by scripts/train ranking --apart")
	flag.StringVar(&o.sentences, "sentences", "", "folder with the choices of sentences without each part, by scripts/train sentences --apart")
	flag.StringVar(&o.vectors, "vectors", "", "file that keeps what the transformer made of the passages")
	flag.BoolVar(&o.plain, "no-sentences", false, "search without the transformer")
	flag.BoolVar(&o.unread, "no-reader", false, "search without the reader, which learned from questions on all these files but not from those of --questions")
	flag.StringVar(&o.by, "by", "file", "what these were parted by, as of scripts/train ranking --gazettes-by: file or country")
	flag.StringVar(&o.keep, "keep", "", "write what became of each question to this file")
	flag.StringVar(&o.against, "against", "", "tell the differences to such a file")
	flag.BoolVar(&o.details, "details", false, "a line for each question that is not sealed")
	flag.BoolVar(&o.named, "named", false, "find the texts that questions name first, in the database that the kept file was made from")
	var c catalogueOptions
	ask := func(sealed bool) func(string) error {
		return func(file string) error {
			o.further = append(o.further, further{file, sealed})
			return nil
		}
	}
	flag.Func("questions", "`file` of further questions, or with --documents of others: a JSON object a line with id, question, gold and key_facts; more than once with FOLDER", ask(false))
	flag.Func("sealed", "`file` of further questions of which only the totals are told; more than once", ask(true))
	flag.Func("breadth", "`folder` of law of many countries with questions; more than once", func(s string) error { o.breadth = append(o.breadth, s); return nil })
	flag.BoolVar(&o.together, "together", false, "make one catalogue of all that --breadth names, and have each question name its country")
	flag.StringVar(&c.documents, "documents", "", "folder of the PDF files that these questions name")
	flag.BoolVar(&c.whole, "whole", false, "print the text of each of their answers, too")
	flag.BoolVar(&c.words, "words", false, "search for them by words alone")
	flag.BoolVar(&c.asJSON, "json", false, "print JSON of them")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/eval answers [--questions FILE]… [--sealed FILE]… [FLAG…] FOLDER\n"+
			"       scripts/eval answers --breadth FOLDER… [--no-reader] [--details] [--keep FILE] [--against FILE]\n"+
			"       scripts/eval answers --questions FILE --documents FOLDER [--whole] [--words] [--json]")
		flag.PrintDefaults()
	}
	flag.Parse()
	evaluate := func() error { return run(context.Background(), o) }
	switch {
	case c.documents != "" && flag.NArg() == 0 && len(o.further) == 1 && !o.further[0].sealed:
		c.questions = o.further[0].file
		evaluate = func() error { return askCatalogue(context.Background(), c, os.Stdout) }
	case c.documents == "" && flag.NArg() == 1 && judged.OfGazettes[o.by] != nil:
		o.dir = flag.Arg(0)
	case len(o.breadth) > 0 && flag.NArg() == 0:
		evaluate = func() error { return runBreadth(context.Background(), o) }
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err := evaluate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	set, err := judged.OpenGazettes(ctx, filepath.Join(o.dir, "pdfs"), o.gazettes)
	if err != nil {
		return err
	}
	if err := set.AskAll(o.dir); err != nil {
		return err
	}
	encoder, err := encode.New()
	if err != nil {
		return err
	}
	carried := set.Encode(encoder)
	r := report{set: set, vectors: carried, details: o.details}
	if !o.plain {
		if r.reads, err = set.Sentences(ctx, o.vectors); err != nil {
			return err
		}
		projection, err := transformer.BuiltinProjection()
		if err != nil {
			return err
		}
		r.reads = r.reads.With(projection)
		if !o.unread {
			if r.reader, err = transformer.BuiltinReader(); err != nil {
				return err
			}
		}
	}
	reads := r.reads
	if o.named {
		if r.names, err = judged.DatabaseOf(ctx, set); err != nil {
			return err
		}
		defer r.names.Close()
	}
	if err := r.read(o.against); err != nil {
		return err
	}
	by := judged.OfGazettes[o.by](set, judged.Parts)
	inSample, err := r.ask(ctx, set.Questions, nil, nil)
	if err != nil {
		return err
	}
	r.add("in sample", inSample)
	if o.apart != "" || o.sentences != "" {
		var out []outcome
		for part := range judged.Parts {
			model, err := apart(o.apart, judged.PartFile(part), rank.Read)
			if err != nil {
				return err
			}
			choice, err := apart(o.sentences, judged.PartFile(part), extractive.Read)
			if err != nil {
				return err
			}
			table, err := apart(o.apart, judged.TableFile(part), encode.Read)
			if err != nil {
				return err
			}
			if r.reads != nil && o.apart != "" {
				projection, err := apart(o.apart, judged.ProjectionFile(part), transformer.ReadProjection)
				if err != nil {
					return err
				}
				r.reads = reads.With(projection)
			}
			if table != nil {
				r.vectors = set.Encode(encode.Of(table))
			}
			some, err := r.ask(ctx, by.Those(set.Questions, part), model, choice)
			if err != nil {
				return err
			}
			out = append(out, some...)
		}
		r.add("left out "+by.Name, out)
	}
	r.vectors, r.reads = carried, reads
	for _, f := range o.further {
		if err := r.askFurther(ctx, f); err != nil {
			return err
		}
	}
	if err := r.askBreadth(ctx, o); err != nil {
		return err
	}
	if err := r.keep(o.keep); err != nil {
		return err
	}
	return r.print(os.Stdout)
}

// askFurther asks what the program carries the questions of a further file, from which it did not learn.
func (r *report) askFurther(ctx context.Context, f further) error {
	r.set.Questions = nil
	if err := r.set.Ask(f.file); err != nil {
		return err
	}
	out, err := r.ask(ctx, r.set.Questions, nil, nil)
	if err != nil {
		return err
	}
	name := filepath.Base(f.file) + ", not learned from"
	if f.sealed {
		r.addSealed(name+", sealed", out)
		return nil
	}
	for i := range out { // the file is open as a whole
		out[i].Sealed = false
	}
	r.add(name, out)
	return nil
}

// apart is what learned nothing from a part of the questions; nil, for what the program
// carries, where no folder is named.
func apart[M any](dir, file string, read func([]byte) (*M, error)) (*M, error) {
	if dir == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, err
	}
	return read(raw)
}
