package judged

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vigueur/lab/training/encoder/learn"
	"vigueur/scripts/corpora"
)

// Breadth reads a folder of NAME.articles.jsonl and NAME.questions.jsonl, law of many countries with questions, as a set for
// each jurisdiction, in their order. Questions are asked of their own country's law; one that nothing answers is asked of
// the law of the question before it. Field, Split and Code of a question are the field, the title and the jurisdiction of the text that answers.
func Breadth(folder string) ([]*Set, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.articles.jsonl"))
	if err != nil {
		return nil, err
	}
	type article struct {
		ID, Jurisdiction, Field, Number, Body string
		Title                                 string `json:"text_title"`
		Path                                  []string
	}
	type asked struct {
		ID, Question, Style string
		Gold, Before        []string
	}
	sets, of := make(map[string]*Set), make(map[string]*article)
	name := strings.ReplaceAll(filepath.Base(folder), " ", "-")
	for _, f := range files {
		err := learn.Lines(f, func(line []byte) error {
			a := new(article)
			if err := json.Unmarshal(line, a); err != nil {
				return err
			}
			if sets[a.Jurisdiction] == nil {
				sets[a.Jurisdiction] = NewSet(name + " " + a.Jurisdiction)
				sets[a.Jurisdiction].Countries = countriesNamed(a.Jurisdiction)
			}
			of[a.ID] = a
			sets[a.Jurisdiction].Add(corpora.Article{ID: a.ID, Title: strings.Join(append([]string{a.Title}, a.Path...), " > "), Text: strings.ReplaceAll(a.Body, "\n", "\n\n")}, a.Number)
			return nil
		})
		if err != nil {
			return nil, err
		}
		questions := strings.TrimSuffix(f, ".articles.jsonl") + ".questions.jsonl"
		if _, err := os.Stat(questions); err != nil {
			continue
		}
		var last *Set
		err = learn.Lines(questions, func(line []byte) error {
			var q asked
			if err := json.Unmarshal(line, &q); err != nil {
				return fmt.Errorf("%s: %w", questions, err)
			}
			x := Question{Query: corpora.Query{ID: q.ID, Text: q.Question, Group: q.ID}, Split: q.ID, Right: make(map[string]bool),
				Asked: &corpora.Asked{ID: q.ID, Question: q.Question, Before: q.Before, Style: q.Style}}
			for _, g := range q.Gold {
				a := of[g]
				if a == nil {
					return fmt.Errorf("%s: question %s: no article %s", questions, q.ID, g)
				}
				x.Right[g], last = true, sets[a.Jurisdiction]
				x.Field, x.Split, x.Code = a.Field, a.Title, a.Jurisdiction
			}
			if x.Code == "" && last != nil {
				x.Code = last.Questions[len(last.Questions)-1].Code
			}
			if last != nil {
				last.Questions = append(last.Questions, x)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]*Set, 0, len(sets))
	for _, n := range slices.Sorted(maps.Keys(sets)) {
		out = append(out, sets[n])
	}
	return out, nil
}
