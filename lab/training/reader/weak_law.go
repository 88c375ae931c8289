package main

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vigueur/internal/law/french"
	encoder "vigueur/lab/training/encoder/learn"
)

// weakArticle is an article of a text that weak lists are made of.
type weakArticle struct {
	number    string
	path      []string
	heading   string
	sentences []string

	terms [][]string // of each sentence
	words int        // how many these are
	at    []int      // where the pieces of each sentence begin, and where the last ends
}

type span [2]int

// weakText is a text of law.
type weakText struct {
	country, title string
	articles       []*weakArticle

	holders map[string][]posting
	length  float64
}

type posting struct{ article, n int }

// index counts the words of the articles.
func (t *weakText) index() {
	t.holders = make(map[string][]posting)
	for i, a := range t.articles {
		count := make(map[string]int)
		for _, s := range a.sentences {
			terms := french.Terms(s)
			for _, term := range terms {
				count[term]++
			}
			a.terms, a.words = append(a.terms, terms), a.words+len(terms)
		}
		t.length += float64(a.words) / float64(len(t.articles))
		for term, n := range count {
			t.holders[term] = append(t.holders[term], posting{i, n})
		}
	}
}

// rarity is the weight of a word in the text.
func (t *weakText) rarity(term string) float64 {
	n := float64(len(t.holders[term]))
	return math.Log(1 + (float64(len(t.articles))-n+0.5)/(n+0.5))
}

// near returns the articles that have most of the words of a query (BM25), the best first.
func (t *weakText) near(terms []string) []int {
	type scored struct {
		article int
		score   float64
	}
	all := make([]scored, len(t.articles))
	seen := make(map[string]bool)
	for _, term := range terms {
		if seen[term] {
			continue
		}
		seen[term] = true
		w := t.rarity(term)
		for _, p := range t.holders[term] {
			n := float64(p.n)
			all[p.article].article = p.article
			all[p.article].score += w * n * 2.2 / (n + 1.2*(0.4+0.6*float64(t.articles[p.article].words)/t.length))
		}
	}
	all = slices.DeleteFunc(all, func(x scored) bool { return x.score == 0 })
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.article, b.article)) })
	out := make([]int, len(all))
	for i, x := range all {
		out[i] = x.article
	}
	return out
}

// has reports whether an article has a word.
func (t *weakText) has(article int, term string) bool {
	_, found := slices.BinarySearchFunc(t.holders[term], article, func(p posting, i int) int { return cmp.Compare(p.article, i) })
	return found
}

// broken finds the end of a line inside a sentence.
var broken = regexp.MustCompile(`([^.:;\n])\n+([\p{Ll}(])`)

// whole finds a sentence that is no part of a list.
var whole = regexp.MustCompile(`^(?:\d+[°.)]?\s*)?[\p{Lu}«].*[.»]$`)

// add splits an article and appends it to a text. A short first line without a full stop is its heading.
func (t *weakText) add(number string, path []string, text string) {
	a := &weakArticle{number: number, path: slices.DeleteFunc(slices.Clone(path), func(s string) bool { return strings.TrimSpace(s) == "" })}
	text = broken.ReplaceAllString(text, "$1 $2")
	for _, s := range french.Sentences(text) {
		a.sentences = append(a.sentences, text[s.Start:s.End])
	}
	if len(a.sentences) > 1 && len(a.sentences[0]) < 100 && !strings.ContainsAny(a.sentences[0][len(a.sentences[0])-1:], ".;,:") {
		a.heading, a.sentences = a.sentences[0], a.sentences[1:]
	}
	if len(a.sentences) == 0 || len(text) < 60 {
		return
	}
	t.articles = append(t.articles, a)
}

// weakLaw reads the articles of a folder in the form of qa/breadth, a text each; of France nothing, whose codes are read apart.
func weakLaw(folders []string, draw *rand.Rand) ([]*weakText, error) {
	var out []*weakText
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.articles.jsonl"))
		if err != nil {
			return nil, err
		}
		of := make(map[string]*weakText)
		for _, f := range files {
			err := encoder.Lines(f, func(line []byte) error {
				var a struct {
					Jurisdiction, Number, Body string
					Title                      string `json:"text_title"`
					Path                       []string
				}
				if err := json.Unmarshal(line, &a); err != nil || a.Jurisdiction == "France" {
					return err
				}
				key := a.Jurisdiction + "\n" + a.Title
				if of[key] == nil {
					of[key] = &weakText{country: a.Jurisdiction, title: a.Title}
					out = append(out, of[key])
				}
				of[key].add(a.Number, a.Path, a.Body)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	// No country has more than its share: texts that would pass it are left out, drawn by lot.
	draw.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	has := make(map[string]int)
	titles := make(map[string]bool)
	return slices.DeleteFunc(out, func(t *weakText) bool {
		key := t.country + "\n" + t.title
		if len(t.articles) < weakLeast || titles[key] || has[t.country] > 0 && has[t.country]+len(t.articles) > weakCountry {
			return true
		}
		titles[key] = true
		if len(t.articles) > weakCountry/2 {
			from := draw.IntN(len(t.articles) - weakCountry/2)
			t.articles = t.articles[from : from+weakCountry/2]
		}
		has[t.country] += len(t.articles)
		return false
	}), nil
}

// weakCodes takes runs of articles out of each French code, and those that answer sheets with their neighbors.
func weakCodes(c *encoder.Corpus, draw *rand.Rand) []*weakText {
	codes := make(map[string][]int)
	var order []string
	for i, a := range c.Articles {
		if codes[a.Code] == nil {
			order = append(order, a.Code)
		}
		codes[a.Code] = append(codes[a.Code], i)
	}
	var out []*weakText
	for _, code := range order {
		all := codes[code]
		chosen := make(map[int]bool)
		for len(chosen) < weakOfCode && len(chosen) < len(all)/2 {
			from := draw.IntN(max(1, len(all)-weakRun))
			for k := from; k < min(from+weakRun, len(all)); k++ {
				chosen[k] = true
			}
		}
		t := &weakText{country: "France"}
		for k, at := range all {
			if !chosen[k] {
				continue
			}
			a := &c.Articles[at]
			path := strings.Split(a.Title, " > ")
			t.title = path[0]
			t.add(a.Num, path[1:], a.Text)
		}
		if len(t.articles) >= weakLeast {
			out = append(out, t)
		}
	}
	return out
}
