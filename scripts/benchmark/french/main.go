// Command french measures how fast legal text is analyzed, beside cutting it at blanks and asking of each character
// whether it is a letter.
//
// The texts are the articles of a corpus, given by --corpus as « scripts/eval retrieval » reads it; without it, those of
// the sample gazettes. They are analyzed one after the other with one Analyzer, as the index does. The figures are of
// one core: megabytes for each second of processor time, which other work on the machine moves less than the clock.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"vigueur/scripts/corpora"

	"vigueur/internal/law/french"
	"vigueur/scripts/benchmark/report"
)

func main() {
	corpus := flag.String("corpus", "../shared/data/retrieval/corpus.jsonl", "articles to analyze")
	megabytes := flag.Float64("megabytes", 100, "how much to analyze")
	flag.Parse()
	if err := run(*corpus, *megabytes*1e6); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(corpus string, bytes float64) error {
	var texts []string
	err := corpora.Articles(corpus, func(a corpora.Article) { texts = append(texts, a.Text) })
	if errors.Is(err, fs.ErrNotExist) {
		texts, err = corpora.SampleArticles(".")
	}
	if err != nil {
		return err
	}
	r := report.New("french", report.ThisMachine())
	var analyzer french.Analyzer
	var tokens []french.Token
	r.Figure("mb_per_s", speed(texts, bytes, func(text string) int {
		tokens = analyzer.Append(tokens[:0], text)
		return len(tokens)
	}), "MB of text for a second of one core")
	r.Goal("mb_per_s", report.AtLeast, 20)
	r.Peer("strings.Fields", "mb_per_s", speed(texts, bytes, func(text string) int { return len(strings.Fields(text)) }))
	r.Peer("unicode.IsLetter", "mb_per_s", speed(texts, bytes, func(text string) (n int) {
		for _, c := range text {
			if unicode.IsLetter(c) {
				n++
			}
		}
		return n
	}))
	return r.Print(os.Stdout)
}

// speed reads the texts until so many bytes are read, in megabytes a second of
// processor time. What is found keeps the compiler from leaving the reading out.
func speed(texts []string, bytes float64, read func(string) int) float64 {
	began, done, found := report.Used(), 0.0, 0
	for done < bytes {
		for _, t := range texts {
			found += read(t)
			done += float64(len(t))
		}
	}
	if found == 0 {
		return 0
	}
	return done / 1e6 / (report.Used() - began).Seconds()
}
