package learn

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"vigueur/internal/law/french"
)

const (
	leastTexts = 6      // that a word must be in
	mostWords  = 20_000 // that have a vector, the commonest
)

// vocabulary is the words that have a vector, in alphabetical order.
type vocabulary struct {
	words  []string
	number map[string]int32
	idf    []float32
}

// counted is in how many texts a word is.
type counted struct {
	word string
	n    int
}

// analyzed is a text by its sentences, before words have numbers.
type analyzed [][]string

// reader takes the words out of texts.
type reader struct {
	analyzer french.Analyzer
	room     []french.Token
}

// words are those of a text that count.
func (r *reader) words(text string) (out []string) {
	out, r.room = terms(&r.analyzer, r.room, text)
	return out
}

// sentences are the words of the sentences that have some.
func (r *reader) sentences(text string) (out analyzed) {
	for _, s := range french.Sentences(text) {
		if words := r.words(text[s.Start:s.End]); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// analyze gives every text its words.
func (c *Corpus) analyze() {
	var r reader
	heads := make(map[string][]string) // few headings stand above many articles
	texts := make([]analyzed, 0, len(c.Articles)+len(c.Sheets))
	for i := range c.Articles {
		t := c.Articles[i].Title
		if _, ok := heads[t]; !ok {
			heads[t] = r.words(t)
		}
		texts = append(texts, append(r.sentences(c.Articles[i].Text), heads[t]))
	}
	for i := range c.Sheets {
		texts = append(texts, append(r.sentences(c.Sheets[i].Text), r.words(c.Sheets[i].Title)))
	}
	c.words = newVocabulary(texts)
	for i, t := range texts {
		numbers, head := c.words.all(t[:len(t)-1]), c.words.of(t[len(t)-1])
		if i < len(c.Articles) {
			c.Articles[i].path, c.Articles[i].sentences = head, numbers
		} else {
			s := &c.Sheets[i-len(c.Articles)]
			s.title, s.sentences = head, numbers
		}
	}
	c.follow()
	c.cite()
}

func newVocabulary(texts []analyzed) *vocabulary {
	count := make(map[string]int)
	for _, t := range texts {
		seen := make(map[string]bool)
		for _, sentence := range t {
			for _, w := range sentence {
				if !seen[w] {
					seen[w] = true
					count[w]++
				}
			}
		}
	}
	var all []counted
	for w, n := range count {
		if n >= leastTexts {
			all = append(all, counted{w, n})
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.word, b.word)) })
	all = all[:min(len(all), mostWords)]
	slices.SortFunc(all, func(a, b counted) int { return strings.Compare(a.word, b.word) })
	v := &vocabulary{number: make(map[string]int32, len(all))}
	for i, w := range all {
		v.words = append(v.words, w.word)
		v.number[w.word] = int32(i)
		v.idf = append(v.idf, float32(math.Log(float64(len(texts)+1)/float64(w.n))))
	}
	return v
}

func (v *vocabulary) of(words []string) (out []int32) {
	for _, w := range words {
		if n, ok := v.number[w]; ok {
			out = append(out, n)
		}
	}
	return out
}

func (v *vocabulary) all(t analyzed) (out [][]int32) {
	for _, sentence := range t {
		if words := v.of(sentence); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}
