package main

import (
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
)

var (
	markup = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
	marked = regexp.MustCompile(`(?s)<body.*`)
)

// garbled is how many pages with broken fonts may be taken for another language: their words would stay as they are. A page in
// another language that is taken for a broken font only costs its recognition.
const garbled = 0.003

// sayable learns from which share of vowels on words with unusual pairs are a language's, and tells what it does to the
// languages, and to the broken pages of every other style by what the rest teach.
func (o options) sayable(made []pages, w weights, least float64) (float64, error) {
	languages, err := o.spoken(w, least)
	if err != nil {
		return 0, err
	}
	at := sayableFrom(w.broken(made, least, func(int) bool { return true }))
	odd := sayableFrom(w.broken(made, least, func(style int) bool { return style%2 == 1 }))
	even := w.broken(made, least, func(style int) bool { return style%2 == 0 })
	below := func(all []float64, x float64) int {
		n := 0
		for _, share := range all {
			if share < x {
				n++
			}
		}
		return n
	}
	fmt.Printf("words of a language from a share of vowels of %.3f on: %d of %d languages with unusual pairs have it; styles left out, %.3f: %d of %d broken pages have it\n",
		at, len(languages)-below(languages, at), len(languages), odd, len(even)-below(even, odd), len(even))
	return at, nil
}

// sayableFrom returns the least share of vowels that no more broken pages have than may.
func sayableFrom(broken []float64) float64 {
	slices.Sort(broken)
	if len(broken) == 0 {
		return 0
	}
	return math.Ceil(1000*broken[len(broken)-1-int(garbled*float64(len(broken)))]+1) / 1000
}

// spoken returns the share of vowels in each language of the folder whose pairs of letters are unusual.
func (o options) spoken(w weights, least float64) (out []float64, err error) {
	paths, err := filepath.Glob(filepath.Join(o.languages, "*.html"))
	if err == nil && len(paths) == 0 {
		err = errors.New("-languages: no file")
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text := html.UnescapeString(markup.ReplaceAllString(string(marked.Find(raw)), " "))
		if share, unusual := w.vowels(strings.Fields(text), least); unusual && latin(text) {
			out = append(out, share)
		}
	}
	return out, err
}

// broken returns the share of vowels on each page with a broken font.
func (w *weights) broken(made []pages, least float64, use func(style int) bool) (out []float64) {
	for _, m := range made {
		for n := range m.broken {
			var words []string
			for k, o := range m.broken[n].Words {
				if o.Text != m.whole[n].Words[k].Text {
					words = append(words, o.Text)
				}
			}
			if share, unusual := w.vowels(words, least); unusual && use(m.style) {
				out = append(out, share)
			}
		}
	}
	return out
}

// vowels returns the share of vowels in words, and whether the pairs of their letters are those of a broken font.
func (w *weights) vowels(words []string, least float64) (share float64, unusual bool) {
	sum, vowels, pairs := 0.0, 0, 0
	for _, word := range words {
		layout.PairsOf(word, func(a, b int) {
			if pairs >= layout.Enough {
				return
			}
			sum += w[a][b]
			pairs++
			if b > 0 && b < 27 && strings.ContainsRune("aeiouy", rune('a'+b-1)) {
				vowels++
			}
		})
	}
	return float64(vowels) / float64(max(pairs, 1)), pairs > 0 && sum < -least
}

// latin reports whether a text is written in Latin letters.
func latin(text string) bool {
	of, all := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			all++
			if unicode.Is(unicode.Latin, r) {
				of++
			}
		}
	}
	return 10*of > 9*all && all > 0
}
