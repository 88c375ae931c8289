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

// ranks maps words to their rank by frequency; the most common word has 1.
type ranks map[string]int

// common holds the common passwords, words and names, each with its best rank in any list.
// In the file of English lists, an empty line begins a new list, whose ranks begin with 1.
// A word with accents is also listed without them.
var common = sync.OnceValue(func() ranks {
	all := ranks{}
	rank := 0
	for _, word := range lines(packed) {
		rank++
		all.add(word, rank)
		if plain := removeAccents(word); plain != word {
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

// lines returns the lines of an embedded file, which is compressed by gzip.
func lines(packed []byte) []string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the file is embedded
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// rank returns the words of a list with their places as ranks, from 1.
func rank(list []string) ranks {
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

// of returns the better rank of a word in r and among the common words, 0 if it is in
// neither.
func (r ranks) of(word string) int {
	own, others := r[word], common()[word]
	if own == 0 || others != 0 && others < own {
		return others
	}
	return own
}

// words returns the parts of a password that are known words.
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

// caseBits returns the bits that capital letters add to a word: one bit if only the first
// letter, only the last letter or all letters are capitals, else the logarithm of the
// number of ways to choose at most as many letters.
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

// removeAccents returns a text without the marks on its letters.
func removeAccents(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}
