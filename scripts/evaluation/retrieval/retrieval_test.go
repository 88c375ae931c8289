package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/encode"
	"vigueur/internal/flat"
	"vigueur/internal/judge"
	"vigueur/scripts/training/encoder/learn"
)

// codes are three codes of four articles, each with sheets of which a question was
// made; some sheets are of one group, and one rests on two codes.
func codes(t *testing.T) *set {
	t.Helper()
	c := &learn.Corpus{}
	s := &set{name: "codes", names: make(map[uuid.UUID]string), corpus: c}
	subjects := []string{"bail loyer locataire", "divorce mariage époux", "navire pavillon marin"}
	for i := range 12 {
		code := fmt.Sprint("code-", i/4)
		a := learn.Article{ID: fmt.Sprintf("%s:%d", code, i), Title: code + " > " + subjects[i/4], Text: fmt.Sprintf("Le %s, règle %d.", subjects[i/4], i), Code: code}
		c.Articles = append(c.Articles, a)
		s.add(judge.Article{ID: a.ID, Title: a.Title, Text: a.Text})
		group := fmt.Sprint("g", i/2)
		sheet := learn.Sheet{ID: fmt.Sprint("s", i), Group: group, Code: code, Right: []int{i}}
		if i == 0 {
			sheet.Right = append(sheet.Right, 11)
		}
		c.Sheets = append(c.Sheets, sheet)
		s.questions = append(s.questions, question{Query: judge.Query{ID: sheet.ID, Text: strings.Fields(subjects[i/4])[i%3], Group: group},
			split: group, code: code, right: map[string]bool{a.ID: true}})
	}
	return s
}

// Each question is asked once, of an encoder that learned neither from its sheet nor
// from those like it.
func TestPartsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := codes(t)
	const parts = 3
	for _, by := range []parting{byGroup(s, parts), byCode(s, parts)} {
		seen := make(map[string]int)
		for part := range parts {
			asked := by.asked(part)
			codes, groups := make(map[string]bool), make(map[string]bool)
			for _, q := range asked {
				seen[q.ID]++
				codes[q.code], groups[q.split] = true, true
			}
			for i := range s.corpus.Sheets {
				sheet := &s.corpus.Sheets[i]
				if !by.learned(sheet, part) {
					continue
				}
				if groups[sheet.Group] {
					t.Errorf("%s, part %d: %s was learned from, of a group that is asked", by.name, part, sheet.ID)
				}
				if by.name == "by code" && slices.ContainsFunc(sheet.Right, func(k int) bool { return codes[s.corpus.Articles[k].Code] }) {
					t.Errorf("%s, part %d: %s was learned from, of a code that is asked", by.name, part, sheet.ID)
				}
			}
		}
		if len(seen) != len(s.questions) {
			t.Errorf("%s: %d of %d questions are asked", by.name, len(seen), len(s.questions))
		}
		for id, n := range seen {
			if n != 1 {
				t.Errorf("%s: %s is asked %d times", by.name, id, n)
			}
		}
	}
}

func TestWaysAreJudgedAndTold(t *testing.T) {
	t.Parallel()
	s := codes(t)
	var r report
	r.add(s, "BM25", bm25(s))
	encoder, err := encode.New()
	if err != nil {
		t.Fatal(err)
	}
	x, err := s.open(context.Background(), encoder)
	if err != nil {
		t.Fatal(err)
	}
	r.add(s, words, x.ask(s.questions, flat.Weights{}, false))
	runs := map[float64][]judge.Judged{flat.Chosen().Meaning: x.ask(s.questions, flat.Chosen(), true), 1: x.ask(s.questions, shared(1), true)}
	r.add(s, "both", runs[flat.Chosen().Meaning])
	r.try(s, 1, runs[1])
	r.choose(s, "by group", runs)
	var out bytes.Buffer
	if err := r.print(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var told report
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &told); err != nil || told.Eval != "retrieval" || len(told.Sets) != 1 {
		t.Fatalf("%v: %s", err, lines[len(lines)-1])
	}
	ways := told.Sets[0].Ways
	if len(ways) != 3 || ways[2].BM25 == nil || ways[2].Words == nil || len(told.Sets[0].Chosen) != 1 {
		t.Fatalf("%+v", told.Sets[0])
	}
	for _, w := range ways { // a question's word stands in the four articles of its code alone
		if math.Abs(w.Figures["R@10"].Value-1) > 1e-9 {
			t.Errorf("%s: R@10 is %v", w.Name, w.Figures["R@10"].Value)
		}
	}
}
