// Command capitals learns how the words of laws are written, for titles that are printed in capitals.
//
// It reads the articles of French codes (LEGI data of DILA: corpus.jsonl.gz of a folder as retrieval is judged with) and
// counts the forms of each word inside sentences. It writes internal/gazette/segment/texts/forms.txt.gz: one form for each word
// whose accents and capital are certain. How certain they must be is learned: as little as lets one word in a thousand of
// articles that it did not count have other accents than there, or a capital that it has not there. It prints that share, and how many of these words have a
// form.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
)

const (
	// mistaken is the share of words that may be written otherwise.
	mistaken = 0.001
	// fewest is how often a form must occur: a misprint occurs less often.
	fewest = 5
)

func main() {
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "gazette", "segment", "texts", "forms.txt.gz"), "where the forms are written")
	flag.Parse()
	if err := run(flag.Args(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out string) error {
	if len(args) != 1 {
		return errors.New("usage: scripts/train capitals [-o FILE] FOLDER")
	}
	var halves [2]counts
	all := counts{}
	for i := range halves {
		halves[i] = counts{}
	}
	n := 0
	err := articles(filepath.Join(args[0], "corpus.jsonl.gz"), func(text string) {
		halves[n%2].add(text)
		all.add(text)
		n++
	})
	if err != nil {
		return err
	}
	share := 1.0
	for s := 0.5; s < 1; s += 0.005 {
		if _, wrong := halves[0].judge(s, halves[1]); wrong <= mistaken {
			share = s
			break
		}
	}
	known, wrong := halves[0].judge(share, halves[1])
	forms := all.forms(share)
	fmt.Printf("%d articles, %d forms with a share of %.3f; left out: %.1f %% of words have a form, %.2f %% of these are written otherwise\n",
		n, len(forms), share, 100*known, 100*wrong)
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, f := range slices.Sorted(maps.Values(forms)) {
		fmt.Fprintln(z, f)
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

// articles calls f with the text of each article of a file.
func articles(path string, f func(text string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var a struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f(a.Text)
	}
	return lines.Err()
}

// counts holds how often each form of each folded word occurs inside sentences.
type counts map[string]map[string]int

// add counts the words of a text, but for the first of each sentence and those in capitals.
func (c counts) add(text string) {
	first := true
	for text != "" {
		from := strings.IndexFunc(text, unicode.IsLetter)
		if from < 0 {
			return
		}
		first = first || strings.ContainsAny(text[:from], ".;:!?\n«")
		text = text[from:]
		to := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
		if to < 0 {
			to = len(text)
		}
		if word := text[:to]; !first && word != strings.ToUpper(word) {
			k := law.Fold(word)
			if c[k] == nil {
				c[k] = map[string]int{}
			}
			c[k][word]++
		}
		first, text = false, text[to:]
	}
}

// most returns the most frequent form of a word, how often it occurs, and how often the word does.
func most(forms map[string]int) (best string, n, all int) {
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		all += forms[form]
		if forms[form] > n {
			best, n = form, forms[form]
		}
	}
	return best, n, all
}

// forms returns the form of each word of which at least a share of the occurrences has that form. If only its accents
// are so certain, the form is in lower case.
func (c counts) forms(share float64) map[string]string {
	out := map[string]string{}
	for word, forms := range c {
		small := map[string]int{}
		for form, n := range forms {
			small[strings.ToLower(form)] += n
		}
		for _, of := range []map[string]int{small, forms} {
			if best, n, all := most(of); n >= fewest && float64(n) >= share*float64(all) {
				out[word] = best
			}
		}
	}
	return out
}

// judge returns the share of the words of other that have a form, and the share of these that is written otherwise.
func (c counts) judge(share float64, other counts) (known, wrong float64) {
	forms := c.forms(share)
	words, have, bad := 0, 0, 0
	for word, written := range other {
		for form, n := range written {
			words += n
			if want := forms[word]; want != "" {
				have += n
				if lower := strings.ToLower(form); want != form && want != lower { // in lower case no letter is wrong
					bad += n
				}
			}
		}
	}
	return float64(have) / float64(max(1, words)), float64(bad) / float64(max(1, have))
}
