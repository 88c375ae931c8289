// Command hyphens learns which hyphens at the ends of lines belong to their words.
//
// It counts the words and the compounds of 75 codes of France and of sheets in everyday words (-data: the folder that
// scripts/train encoder learns from) and writes internal/gazette/layout/words.txt: those that occur often enough. With -pages, a
// folder where words of real files once read are kept, it judges them on the gazettes in a folder, of which nothing is learned: a
// compound within a line has a hyphen that belongs to it, and a word divided at the end of a line that stands whole elsewhere in
// its file has none. It also takes the blanks out of runs of their words, and tells how many are told apart.
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
	var blanks parting
	for _, path := range files {
		pages, err := r.Words(context.Background(), path)
		if err != nil {
			continue // some files are there because they cannot be read
		}
		var words []string // as printed: arranging divides some
		for _, p := range pages {
			for _, w := range p.Words {
				words = append(words, w.Text)
			}
		}
		layout.Arrange(pages)
		inside, breaks := layout.Hyphens(pages)
		blanks.judge(inside, words)
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
	for k, often := range oftens {
		fmt.Printf("words that a file prints %2d times: of %d runs without blanks %d are told apart as printed and %d otherwise; %d of %d words are divided\n",
			often, blanks.runs, blanks.right[k], blanks.wrong[k], blanks.divided[k], blanks.words)
	}
	return nil
}

// oftens are how often a file must print a word so that it is known, to be compared.
var oftens = []int{1, 2, 3, 5, 10, 1 << 20}

// parting counts, for each of oftens, how runs of words were told apart whose blanks were taken away, and which words as they
// are printed were divided.
type parting struct {
	runs, words           int
	right, wrong, divided [6]int
}

// Every eachRun-th word of a file begins a run of three to six words.
const eachRun = 40

func (p *parting) judge(inside map[string]int, words []string) {
	var seen [6]map[string]int
	for k, often := range oftens {
		seen[k] = known(inside, often)
	}
	for i, w := range words {
		if utf8.RuneCountInString(w) > 6 {
			p.words++
			p.count(seen, inside, []string{w}, func(k int, parts []string) { p.divided[k] += count(len(parts) > 0) })
		}
		n := 3 + i/eachRun%4
		if i%eachRun != 0 || i+n > len(words) || slices.ContainsFunc(words[i:i+n], func(w string) bool { return !whole.MatchString(w) }) {
			continue
		}
		p.runs++
		p.count(seen, inside, words[i:i+n], func(k int, parts []string) {
			p.right[k] += count(slices.Equal(parts, words[i:i+n]))
			p.wrong[k] += count(len(parts) > 0 && !slices.Equal(parts, words[i:i+n]))
		})
	}
}

// whole matches a word or a number without a sign of its sentence.
var whole = regexp.MustCompile(`^[\p{L}\d'’-]+$`)

// known returns the words that a file prints at least so often, as package layout counts words that it knows.
func known(inside map[string]int, often int) map[string]int {
	out := map[string]int{}
	for w, n := range inside {
		if n >= often {
			out[w] = layout.Often
		}
	}
	return out
}

// count divides words without the blanks between them, by what the rest of their file prints often enough.
func (p *parting) count(seen [6]map[string]int, inside map[string]int, words []string, told func(k int, parts []string)) {
	for k, often := range oftens {
		var taken []string
		for _, w := range words {
			if w = strings.ToLower(w); seen[k][w] > 0 && inside[w]-1 < often {
				taken = append(taken, w)
				delete(seen[k], w)
			}
		}
		told(k, layout.Parts(seen[k], strings.Join(words, "")))
		for _, w := range taken {
			seen[k][w] = layout.Often
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
