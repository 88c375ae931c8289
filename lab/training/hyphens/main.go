// Command hyphens learns which hyphens at the ends of lines belong to their words.
//
// It counts the words and the compounds of 75 codes of France and of sheets in everyday words (-data: the folder that
// scripts/train encoder learns from) and writes internal/gazette/layout/words.txt: those that occur often enough. With -pages, a
// folder where words of real files once read are kept, it judges them on the gazettes in a folder, of which nothing is learned: a
// compound within a line has a hyphen that belongs to it, and a word divided at the end of a line that stands whole elsewhere in
// its file has none.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/lab/readpages"
	"vigueur/lab/training/encoder/learn"
)

// How often a word, and a compound, must occur to be learned.
const (
	leastWord     = 10
	leastCompound = 3
)

func main() {
	pdftext.Main()
	ocr.Main()
	log.SetFlags(0)
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "gazette", "layout", "words.txt"), "where the words are written")
	data := flag.String("data", "", "folder with allcodes/")
	cache := flag.String("pages", "", "folder where words of real files once read are kept")
	flag.Parse()
	words, err := learned(*data)
	if err == nil {
		err = os.WriteFile(*out, []byte(strings.Join(words, "\n")+"\n"), 0o644)
	}
	if err == nil && flag.NArg() == 1 {
		err = judge(words, flag.Arg(0), &readpages.Reader{Cache: *cache, Reading: readpages.Tell})
	}
	if err != nil {
		log.Fatal(err)
	}
}

var printed = regexp.MustCompile(`\p{L}+(?:-\p{L}+)*`)

// learned returns the words and compounds that occur often enough, in order.
func learned(dir string) ([]string, error) {
	words, compounds := map[string]int{}, map[string]int{}
	for _, name := range []string{learn.ArticlesFile, learn.SheetsFile} {
		err := learn.Lines(filepath.Join(dir, name), func(line []byte) error {
			var x struct{ Text string }
			if err := json.Unmarshal(line, &x); err != nil {
				return err
			}
			for _, w := range printed.FindAllString(strings.ToLower(x.Text), -1) {
				parts := strings.Split(w, "-")
				for _, p := range parts {
					words[p]++
				}
				if len(parts) > 1 {
					compounds[w]++
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out []string
	for w, n := range words {
		if n >= leastWord && utf8.RuneCountInString(w) > 1 {
			out = append(out, w)
		}
	}
	for w, n := range compounds {
		if n >= leastCompound && n > words[strings.ReplaceAll(w, "-", "")] {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out, nil
}

// judge prints how the hyphens of the gazettes in a folder are judged.
func judge(words []string, dir string, r *readpages.Reader) error {
	defer r.Close()
	known := map[string]bool{}
	for _, w := range words {
		known[w] = true
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.pdf"))
	if err != nil {
		return err
	}
	var kept, compounds, glued, divided int
	for _, path := range files {
		pages, err := r.Words(context.Background(), path)
		if err != nil {
			continue // some files are there because they cannot be read
		}
		layout.Arrange(pages)
		inside, breaks := layout.Hyphens(pages)
		for w := range inside {
			for i := range w {
				if w[i] == '-' && !strings.ContainsAny(w, "0123456789") {
					compounds++
					kept += count(layout.Compound(known, w[:i], w[i+1:]))
				}
			}
		}
		for _, b := range breaks {
			if inside[b[0]+b[1]] > 0 && inside[b[0]+"-"+b[1]] == 0 {
				divided++
				glued += count(!layout.Compound(known, b[0], b[1]))
			}
		}
	}
	fmt.Printf("%d words; %d of %d hyphens within compounds are kept, %d of %d that divide a word are removed\n", len(words), kept, compounds, glued, divided)
	return nil
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
