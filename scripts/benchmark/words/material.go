package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"vigueur/scripts/corpora"

	"vigueur/internal/law/french"
)

// made is what a catalogue is made of, and what it is asked.
type made struct {
	sentences []string
	headings  []string
	questions []string
	count     map[string]int // of each word, in the sentences
}

func material(o options) (*made, error) {
	m := &made{count: map[string]int{}}
	take := func(headings []string, text string) {
		m.headings = append(m.headings, strings.Join(headings, " > "))
		for _, s := range french.Sentences(text) {
			m.sentences = append(m.sentences, text[s.Start:s.End])
			for _, word := range french.Terms(text[s.Start:s.End]) {
				m.count[word]++
			}
		}
	}
	err := corpusOf(m, o, take)
	if errors.Is(err, fs.ErrNotExist) {
		err = sample(m, take)
	}
	m.questions = m.questions[:min(len(m.questions), o.most)]
	return m, err
}

func corpusOf(m *made, o options, take func([]string, string)) error {
	if err := corpora.Articles(o.corpus, func(a corpora.Article) { take(strings.Split(a.Title, " > "), a.Text) }); err != nil {
		return err
	}
	list, err := corpora.Queries(o.queries, "")
	for _, q := range list {
		m.questions = append(m.questions, q.Text)
	}
	return err
}

func sample(m *made, take func([]string, string)) error {
	raw, err := os.ReadFile("scripts/sample/truth.json")
	if err != nil {
		return err
	}
	var truth struct {
		Texts []struct {
			Articles []struct {
				Path []string `json:"path"`
				Text string   `json:"text"`
			} `json:"articles"`
		} `json:"texts"`
	}
	if err := json.Unmarshal(raw, &truth); err != nil {
		return err
	}
	for _, t := range truth.Texts {
		for _, a := range t.Articles {
			take(a.Path, a.Text)
		}
	}
	asked, err := corpora.Questions("scripts/sample/questions.jsonl")
	for _, q := range asked {
		m.questions = append(m.questions, q.Question)
	}
	return err
}

// set is a kind of query.
type set struct {
	name    string
	queries []string
}

// sets returns the kinds of queries of the questions.
func (m *made) sets() []set {
	whole, two, one := set{name: "question"}, set{name: "two_words"}, set{name: "commonest_word"}
	for _, q := range m.questions {
		words := slices.Compact(slices.DeleteFunc(strings.Fields(q), func(w string) bool { return m.often(w) == 0 }))
		slices.SortFunc(words, func(a, b string) int { return m.often(a) - m.often(b) })
		if len(words) < 2 {
			continue
		}
		whole.queries = append(whole.queries, q)
		two.queries = append(two.queries, words[0]+" "+words[1])
		one.queries = append(one.queries, words[len(words)-1])
	}
	return []set{two, one, whole}
}

// often is how often a word as it is typed stands in the sentences, 0 of a stop word.
func (m *made) often(word string) int {
	terms := french.Terms(word)
	if len(terms) != 1 {
		return 0
	}
	return m.count[terms[0]]
}
