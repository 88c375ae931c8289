// Command encoder learns the vectors of words that internal/search/encode carries, from codes, sheets and questions below a folder.
//
// The folder has retrieval/allcodes/corpus.jsonl.gz (articles with their headings), bodies.train.jsonl.gz (sheets in
// everyday words), queries.train.jsonl and qrels.train.tsv there (which articles a sheet rests on), qa/ (questions on
// gazettes) and pdfs/ (these gazettes, read as scripts/train ranking reads them). The table goes to --out, by default to where the program carries it. The same files give the same bytes. With --law FILE the
// first stage, which learns from the codes alone, is kept there and taken from there when it fits, as scripts/eval
// retrieval does too.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"vigueur/internal/search/encode"
	"vigueur/lab/judged"
	"vigueur/lab/training/encoder/learn"
)

// mostBytes is how large a table may be.
const mostBytes = 20 << 20

func main() {
	out := flag.String("out", "internal/search/encode/weights.bin", "file of the table")
	law := flag.String("law", "", "file that keeps the first stage")
	gazettes := flag.String("gazettes", ".state/gazettes.kept", "file that keeps the gazettes once they are read")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train encoder [--out FILE] [--law FILE] [--gazettes FILE] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0), *out, *law, *gazettes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, out, law, gazettes string) error {
	began := time.Now()
	say := func(format string, a ...any) {
		fmt.Printf("%6.0f s  "+format+"\n", append([]any{time.Since(began).Seconds()}, a...)...)
	}
	if _, err := os.Stat(filepath.Dir(out)); err != nil { // before minutes are spent
		return fmt.Errorf("the table cannot go to %s, from this folder: %w", out, err)
	}
	p, err := provenance(dir)
	if err != nil {
		return err
	}
	corpus, err := learn.Read(filepath.Join(dir, "retrieval"))
	if err != nil {
		return err
	}
	say("%d articles and %d sheets are read", len(corpus.Articles), len(corpus.Sheets))
	tell := func(stage string, step, of int, loss float64) {
		say("%s: step %d of %d, loss %.3f", stage, step, of, loss)
	}
	l, err := learn.AfterLaw(corpus, learn.Defaults(), law, tell)
	if err != nil {
		return err
	}
	texts, questions, err := asked(ctx, dir, gazettes)
	if err != nil {
		return err
	}
	say("%d articles of gazettes and %d questions on them are read", len(texts), len(questions))
	l = l.With(texts, questions)
	l.Lay(func(*learn.Sheet) bool { return true })
	data, err := l.Table(p).Bytes()
	if err != nil {
		return err
	}
	if len(data) > mostBytes {
		return fmt.Errorf("the table has %d bytes, more than %d", len(data), mostBytes)
	}
	t, err := encode.Read(data)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return err
	}
	say("%s: %d words of %d dimensions, %d bytes in %s", t.Name(), len(t.Words), t.Dimensions, len(data), out)
	return nil
}

// asked are the gazettes that people asked questions on, and these.
func asked(ctx context.Context, dir, file string) ([]learn.Article, []learn.Sheet, error) {
	set, err := judged.OpenGazettes(ctx, filepath.Join(dir, "pdfs"), file)
	if err != nil {
		return nil, nil, err
	}
	if err := set.AskAll(dir); err != nil {
		return nil, nil, err
	}
	texts, questions := set.Lay(judged.ByFile(judged.Parts), judged.NoPart)
	return texts, questions, nil
}

// provenance says what is learned from.
func provenance(dir string) (p encode.Provenance, err error) {
	p = encode.Provenance{Model: "vigueur-mots-1", Made: "scripts/train encoder", Licence: "Licence Ouverte 2.0 (Etalab)"}
	for _, f := range []struct{ file, holds string }{
		{learn.ArticlesFile, "75 codes français au 1er janvier 2015 environ : données LEGI de la DILA, par etalab/codes-juridiques-francais"},
		{learn.SheetsFile, "fiches de service-public.fr : DILA, 2017-2020"},
		{learn.QueriesFile, "titres de fiches de service-public.fr : DILA, 2017-2020"},
		{learn.QrelsFile, "articles que ces fiches citent, vérifiés sur un échantillon"},
	} {
		sum, err := hash(filepath.Join(dir, "retrieval", f.file))
		if err != nil {
			return p, err
		}
		p.Sources = append(p.Sources, encode.Source{File: f.file, Holds: f.holds, SHA256: sum})
	}
	for _, f := range judged.GazetteQuestions(dir) {
		sum, err := hash(f.Path)
		if err != nil {
			return p, err
		}
		p.Sources = append(p.Sources, encode.Source{File: f.Name, Holds: "questions sur des journaux officiels, avec les articles qui y répondent : leurs auteurs", SHA256: sum})
	}
	return p, nil
}

func hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
