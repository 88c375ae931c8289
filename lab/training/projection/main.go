// Command projection learns the projection of sentence vectors that internal/search/transformer carries.
//
// The folder has retrieval/ (codes and labor law with questions), qa/ (questions on gazettes) and pdfs/ (these gazettes, which
// are read as scripts/train ranking does). The same files give the same bytes. scripts/train ranking learns the projections
// for its figures itself, each without a part of the questions on gazettes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
	encoder "vigueur/lab/training/encoder/learn"
	"vigueur/lab/training/projection/learn"
	"vigueur/lab/training/weights"
)

func main() {
	t := &training{Run: weights.Run{Began: time.Now()}}
	out := flag.String("out", "internal/search/transformer/projection.bin", "file of the projection")
	flag.StringVar(&t.gazettes, "gazettes", ".state/gazettes.kept", "file that keeps the gazettes once they are read")
	flag.StringVar(&t.vectors, "vectors", "", "folder that keeps what the transformer made of the passages")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train projection [--out FILE] [--gazettes FILE] [--vectors FOLDER] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	t.Data = flag.Arg(0)
	if err := t.run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type training struct {
	weights.Run
	gazettes, vectors string
}

func (t *training) run(ctx context.Context, out string) error {
	sources, err := t.sources()
	if err != nil {
		return err
	}
	set, err := judged.OpenGazettes(ctx, t.Path("pdfs"), t.gazettes)
	if err != nil {
		return err
	}
	if err := set.AskAll(t.Data); err != nil {
		return err
	}
	reads, err := set.Sentences(ctx, t.kept(set))
	if err != nil {
		return err
	}
	questions, err := learn.Gather(ctx, t.Data, set, reads, judged.ByFile(judged.Parts), t.kept)
	if err != nil {
		return err
	}
	t.Printf("%d questions, %d passages of gazettes", len(questions.All), len(questions.Passages))
	p, err := questions.Learn(transformer.ProjectionHeader{Made: "scripts/train projection", Model: reads.Model(), Sources: sources}, judged.NoPart, learn.Defaults())
	if err != nil {
		return err
	}
	data, err := p.Bytes()
	if err != nil {
		return err
	}
	t.Printf("%d coordinates of %d", p.Out, p.In)
	return os.WriteFile(out, data, 0o644)
}

// kept names the file that keeps what the transformer made of a set; "": it is not kept.
func (t *training) kept(set *judged.Set) string {
	if t.vectors == "" {
		return ""
	}
	return filepath.Join(t.vectors, strings.ReplaceAll(set.Name, " ", "-")+".kept")
}

// sources says what is learned from.
func (t *training) sources() (out []transformer.ProjectionSource, err error) {
	const open, numbers = "Licence Ouverte 2.0 (Etalab)", "numbers only were learned"
	files := []transformer.ProjectionSource{
		{File: "retrieval/" + encoder.ArticlesFile, Holds: "75 French codes of about 1 January 2015: LEGI, DILA, by way of etalab/codes-juridiques-francais", Licence: open},
		{File: "retrieval/" + encoder.QueriesFile, Holds: "titles of sheets of service-public.fr: DILA", Licence: open},
		{File: "retrieval/" + encoder.QrelsFile, Holds: "articles that these sheets cite", Licence: open},
		{File: "retrieval/" + judged.LaborFile, Holds: "the French labor code: LEGI, DILA", Licence: open},
		{File: "retrieval/" + judged.LaborQueriesFile, Holds: "questions that people typed", Licence: numbers},
		{File: "retrieval/" + judged.LaborQrelsFile, Holds: "articles that answer them", Licence: numbers},
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = t.Path(f.File)
	}
	for _, f := range judged.GazetteQuestions(t.Data) {
		files = append(files, transformer.ProjectionSource{File: f.Name, Holds: "questions on real gazettes, with the articles that answer them", Licence: numbers})
		paths = append(paths, f.Path)
	}
	for i := range files {
		if files[i].SHA256, err = weights.Hash(paths[i]); err != nil {
			return nil, err
		}
	}
	return files, nil
}
