package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// question is one line of questions.jsonl.
type question struct {
	ID         string    `json:"id"`
	Question   string    `json:"question"`
	Date       string    `json:"date"`
	Answerable bool      `json:"answerable"`
	Documents  []string  `json:"documents"`
	Articles   []passage `json:"articles"`
	KeyFacts   []string  `json:"key_facts"`
	// Outdated are articles on the same matter that are not in force on the date.
	Outdated []passage `json:"outdated"`
}

type passage struct{ Document, Article string }

func questions(t *testing.T) []question {
	t.Helper()
	data, err := os.ReadFile("questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	for line := range bytes.Lines(data) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		var q question
		if err := d.Decode(&q); err != nil {
			t.Fatalf("line %d: %v", len(all)+1, err)
		}
		all = append(all, q)
	}
	return all
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	articles := map[passage]string{}
	for _, x := range committedTruth(t).Texts {
		for _, a := range x.Articles {
			articles[passage{x.Number, a.Number}] = a.Text
		}
	}
	all, ids, unanswerable := questions(t), map[string]bool{}, 0
	for _, q := range all {
		if q.ID == "" || ids[q.ID] || q.Question == "" {
			t.Errorf("%q: the id is missing or taken, or there is no question", q.ID)
		}
		ids[q.ID] = true
		if !q.Answerable {
			unanswerable++
			if len(q.Documents)+len(q.Articles)+len(q.KeyFacts) > 0 {
				t.Errorf("%s cannot be answered and has an answer", q.ID)
			}
			continue
		}
		checkQuestion(t, q, articles)
	}
	if len(all) != 20 || unanswerable != 3 {
		t.Errorf("%d questions, %d unanswerable", len(all), unanswerable)
	}
}

func checkQuestion(t *testing.T, q question, articles map[passage]string) {
	t.Helper()
	text := ""
	documents := map[string]bool{}
	for _, a := range append(append([]passage{}, q.Articles...), q.Outdated...) {
		if articles[a] == "" {
			t.Errorf("%s: there is no article %s of %s", q.ID, a.Article, a.Document)
		}
	}
	for _, a := range q.Articles {
		text += articles[a] + "\n"
		documents[a.Document] = true
	}
	for _, d := range q.Documents {
		if !documents[d] {
			t.Errorf("%s: document %s has no article named", q.ID, d)
		}
	}
	if len(q.Documents) != len(documents) || len(q.KeyFacts) == 0 {
		t.Errorf("%s: %d documents, %d of articles, %d key facts", q.ID, len(q.Documents), len(documents), len(q.KeyFacts))
	}
	for _, fact := range q.KeyFacts {
		if !strings.Contains(oneSpace(text), oneSpace(fact)) {
			t.Errorf("%s: %q is not in its articles", q.ID, fact)
		}
	}
}

// oneSpace makes every kind of white space one blank, so that « 50 000 » is
// found whatever parts its digits.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// The same question has other articles on the other side of a change, and each
// side's date falls where its article is the one in force.
func TestQuestionPairs(t *testing.T) {
	t.Parallel()
	byQuestion := map[string][]question{}
	for _, q := range questions(t) {
		if q.Date != "" {
			byQuestion[q.Question] = append(byQuestion[q.Question], q)
		}
	}
	pairs := 0
	for text, pair := range byQuestion {
		if len(pair) != 2 {
			t.Errorf("%d questions with a date: %s", len(pair), text)
			continue
		}
		pairs++
		if pair[0].Articles[0] != pair[1].Outdated[0] || pair[1].Articles[0] != pair[0].Outdated[0] {
			t.Errorf("%s and %s do not answer each other", pair[0].ID, pair[1].ID)
		}
		change := changeBetween(t, pair[0].Articles[0], pair[1].Articles[0])
		if pair[0].Date >= change || pair[1].Date < change {
			t.Errorf("%s and %s are asked on %s and %s, the law changes on %s", pair[0].ID, pair[1].ID, pair[0].Date, pair[1].Date, change)
		}
	}
	if pairs < 2 {
		t.Errorf("%d pairs", pairs)
	}
}

// changeBetween is the date from which the new text's relation to the old takes
// effect on that article, or on the whole text.
func changeBetween(t *testing.T, before, after passage) string {
	t.Helper()
	for _, x := range committedTruth(t).Texts {
		for _, r := range x.Relations {
			whole := len(r.Articles) == 0
			named := r.By == after.Article && slices.Contains(r.Articles, before.Article)
			if x.Number == after.Document && r.Target == before.Document && (whole || named) {
				if _, err := time.Parse(time.DateOnly, r.Effective); err != nil {
					t.Error(err)
				}
				return r.Effective
			}
		}
	}
	t.Fatalf("nothing changes %v into %v", before, after)
	return ""
}
