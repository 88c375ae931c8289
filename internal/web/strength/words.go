package strength

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed words.txt.gz
var packed []byte

//go:embed english.txt.gz
var packedEnglish []byte

// ranks tell how common a word is, from 1 on.
type ranks map[string]int

// common has the common passwords, words and names with their best rank in any list. The
// lists of English names and words each begin with 1, after an empty line; a word with
// accents is there without them as well.
var common = sync.OnceValue(func() ranks {
	all := ranks{}
	rank := 0
	for _, word := range lines(packed) {
		rank++
		all.add(word, rank)
		if plain := unaccented(word); plain != word {
			rank++
			all.add(plain, rank)
		}
	}
	rank = 0
	for _, word := range lines(packedEnglish) {
		if rank++; word == "" {
			rank = 0
			continue
		}
		all.add(word, rank)
	}
	return all
})

// lines unpacks an embedded file.
func lines(packed []byte) []string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the file is ours
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// ranked returns words with their places in a list.
func ranked(list []string) ranks {
	all := ranks{}
	for i, word := range list {
		all.add(word, i+1)
	}
	return all
}

// add gives a word a rank, unless it has a better one.
func (r ranks) add(word string, rank int) {
	if word = strings.ToLower(word); word == "" {
		return
	}
	if old, ok := r[word]; !ok || rank < old {
		r[word] = rank
	}
}

// of returns the rank of a word here or among the common ones, 0 for none.
func (r ranks) of(word string) int {
	own, others := r[word], common()[word]
	if own == 0 || others != 0 && others < own {
		return others
	}
	return own
}

// words returns the words in a password.
func words(p []rune, known ranks) (found []part) {
	lower := []rune(strings.ToLower(string(p)))
	for from := range lower {
		for to := from + 1; to <= len(lower); to++ {
			if rank := known.of(string(lower[from:to])); rank > 0 {
				found = append(found, part{from, to, math.Log2(float64(rank)) + caseBits(p[from:to])})
			}
		}
	}
	return found
}

// caseBits is what capital letters add to a word: one bit for the usual ways, the first or the
// last letter or all of them, else the number of ways to choose as many letters or fewer.
func caseBits(word []rune) float64 {
	upper, lower := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	switch {
	case upper == 0:
		return 0
	case lower == 0, upper == 1 && (unicode.IsUpper(word[0]) || unicode.IsUpper(word[len(word)-1])):
		return 1
	}
	return choiceBits(upper+lower, min(upper, lower))
}

// unaccented returns a text without the marks on its letters.
func unaccented(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}
