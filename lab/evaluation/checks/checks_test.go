package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEvaluateCountsWhatIsCaught(t *testing.T) {
	t.Parallel()
	corpus := filepath.Join(t.TempDir(), "corpus.jsonl")
	article := `{"_id":"L1","title":"A","text":"Le préavis du cadre est de trois mois à compter de la notification du congé."}`
	if err := os.WriteFile(corpus, []byte(article), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := evaluate(t.Context(), corpus, 3000)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := m.tell(&out, true); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Sentences int
		Kinds     []checkCount
	}
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil || got.Sentences != 1 {
		t.Fatalf("%v: %s", err, out.String())
	}
	for _, c := range got.Kinds {
		wrong := !strings.HasPrefix(c.Kind, "phrase vraie")
		if c.Shown != 1 || (c.Warned == 1) != wrong {
			t.Errorf("%+v", c)
		}
	}
	if len(got.Kinds) < 2 {
		t.Errorf("%d kinds of variants", len(got.Kinds))
	}
}

func TestEvaluateRefusesAnEmptyCorpus(t *testing.T) {
	t.Parallel()
	corpus := filepath.Join(t.TempDir(), "none.jsonl")
	if err := os.WriteFile(corpus, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := evaluate(t.Context(), corpus, 1); err == nil || !strings.Contains(err.Error(), "no sentence") {
		t.Errorf("%v", err)
	}
}
