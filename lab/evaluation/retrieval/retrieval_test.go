package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"vigueur/scripts/corpora"

	"vigueur/internal/search/encode"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// codes are three codes of four articles, each with a question of one of its words.
func codes() *judged.Set {
	s := judged.NewSet("codes")
	subjects := []string{"bail loyer locataire", "divorce mariage époux", "navire pavillon marin"}
	for i := range 12 {
		a := corpora.Article{ID: fmt.Sprintf("code-%d:%d", i/4, i), Title: fmt.Sprintf("code-%d > %s", i/4, subjects[i/4]),
			Text: fmt.Sprintf("Le %s, règle %d.", subjects[i/4], i)}
		s.Add(a, fmt.Sprint(i))
		s.Questions = append(s.Questions, judged.Question{Query: corpora.Query{ID: fmt.Sprint("s", i), Text: strings.Fields(subjects[i/4])[i%3],
			Group: fmt.Sprint("g", i/2)}, Right: map[string]bool{a.ID: true}})
	}
	return s
}

func TestWaysAreJudgedAndTold(t *testing.T) {
	t.Parallel()
	s := codes()
	var r report
	r.add(s, "BM25", bm25(s))
	encoder, err := encode.New()
	if err != nil {
		t.Fatal(err)
	}
	x := with(s, encoder)
	ask := func(a asking) []judge.Judged {
		run, err := a.ask(context.Background(), s.Questions, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	r.add(s, words, ask(asking{Set: s}))
	r.add(s, "both", ask(x))
	file := filepath.Join(t.TempDir(), "kept.json")
	if err := r.keep(file); err != nil {
		t.Fatal(err)
	}
	if r = (report{}); r.read(file) != nil {
		t.Fatal("what was kept is not read")
	}
	r.add(s, "BM25", bm25(s))
	r.add(s, words, ask(asking{Set: s}))
	r.add(s, "both", ask(x))
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
	if len(ways) != 3 || ways[2].BM25 == nil || ways[2].Words == nil || ways[2].Before == nil {
		t.Fatalf("%+v", told.Sets[0])
	}
	for _, w := range ways { // a question's word stands in the four articles of its code alone
		if math.Abs(w.Figures["R@10"].Value-1) > 1e-9 {
			t.Errorf("%s: R@10 is %v", w.Name, w.Figures["R@10"].Value)
		}
	}
}
