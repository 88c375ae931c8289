package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const made = `{"id":"1","country":"france","act":"a","amending_passage":"À l'article 5 du code rural, le mot : « maire » est remplacé par le mot : « juge ».","target_title":"Code rural","target_article":"5","before":"Le maire signe.","after":"Le Juge signe","operations":["replace_words"],"certain":true}
{"id":"2","country":"france","act":"a","amending_passage":"À l'article 6 du code rural, le mot : « reine » est remplacé par le mot : « juge ».","target_title":"Code rural","target_article":"6","before":"Le maire signe.","after":"Le juge signe.","operations":["replace_words"],"certain":true}
{"id":"3","country":"benin","act":"b","amending_passage":"L'article 7 du code rural est abrogé.","target_title":"Code rural","target_article":"7","before":"Le maire signe.","after":"Autre chose.","operations":["repeal_article"],"certain":true}
{"id":"4","country":"benin","act":"b","amending_passage":"Rien.","target_title":"Code rural","target_article":"7","before":"","after":"","operations":[],"certain":false}
`

const madeActs = `{"act":"a","articles":[{"no":"1er","alineas":["Le code rural est ainsi modifié :","1° À l'article 5, le mot : \"maire\" est remplacé par le mot : \"juge\" ;"]}]}
`

// figures runs the evaluation and returns its output and the figures of the last line.
func figures(t *testing.T, file string, o options) (string, score) {
	t.Helper()
	var out strings.Builder
	if err := run(file, o, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var last struct{ Figures score }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatalf("%v: %s", err, lines[len(lines)-1])
	}
	return out.String(), last.Figures
}

func TestMadeCases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, acts := filepath.Join(dir, "cases.jsonl.gz"), filepath.Join(dir, "acts.jsonl")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(made)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{file: packed.Bytes(), acts: []byte(madeActs)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, got := figures(t, file, options{acts: acts, failures: true})
	if want := (score{Cases: 3, Exact: 1, Waiting: 1, Wrong: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, want := range []string{"words_not_found", "applied, other words", "from the whole act: 2 cases, target found 1, exact 1, not applied 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"empty": "", "no JSON": "{\"id\":\"1\"}\nnothing", "no certain case": "{\"id\":\"1\"}"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := run(path, options{}, &out); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := run(filepath.Join(dir, "missing"), options{}, &strings.Builder{}); err == nil {
		t.Error("a missing file: no error")
	}
}

// TestOfficialConsolidations holds what was reached. The floor is below the figures of the half
// whose failures nobody looked at.
func TestOfficialConsolidations(t *testing.T) {
	t.Parallel()
	file := filepath.Join(folder(), casesFile)
	if !exists(file) {
		t.Skip("the cases of /work/shared/data/consolidation are not here")
	}
	out, got := figures(t, file, options{acts: filepath.Join(folder(), actsFile), half: "B"})
	if got.Cases == 0 || got.Exact*100 < got.Cases*80 || got.Wrong*100 > got.Cases*4 {
		t.Errorf("%+v\n%s", got, out)
	}
}
