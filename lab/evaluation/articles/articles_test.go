package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

func written(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestArticlesOfTheSample(t *testing.T) {
	t.Parallel()
	scores, err := evaluate(t.Context(), reader(t, ""), "../../../scripts/sample/")
	if err != nil {
		t.Fatal(err)
	}
	articles, same := 0, 0
	for _, s := range scores {
		articles, same = articles+s.compared(), same+s.Same
	}
	if articles < 100 || same != articles {
		t.Errorf("%d of %d articles of the sample, want all", same, articles)
	}
	var people, machine strings.Builder
	if err := tell(&people, scores, false); err != nil || !strings.Contains(people.String(), "(100.0 %)") {
		t.Errorf("%v: %s", err, people.String())
	}
	if err := tell(&machine, scores, true); err != nil || !strings.Contains(machine.String(), `"share": 1`) {
		t.Errorf("%v: %s", err, machine.String())
	}
}

func TestEvaluateRefusesWhatIsNoTruth(t *testing.T) {
	t.Parallel()
	if _, err := evaluate(t.Context(), reader(t, ""), t.TempDir()); err == nil || !strings.Contains(err.Error(), "codes") {
		t.Errorf("%v", err)
	}
}

func TestScoreArticles(t *testing.T) {
	t.Parallel()
	rule := func(n string) string {
		return "La règle " + n + " vaut pour tous les habitants de la " + n + " commune, sans exception " + n + "."
	}
	p := pair{want: []splitArticle{
		{"1er", rule("une")}, {"2", rule("deux")}, {"3", rule("trois")}, {"4", rule("quatre")}, {"5", rule("cinq")}, {"7", rule("sept")},
	}}
	got := []law.Article{
		{Number: "1er", Text: strings.ReplaceAll(rule("une"), " ", "\n")},
		{Number: "2", Text: rule("deux") + " " + rule("trois")}, // an article swallowed the next one's words
		{Number: "3", Text: "Voir plus haut."},
		{Number: "4", Text: "En principe, " + rule("quatre")}, // another edition's words
		{Number: "6", Text: rule("cinq")},                     // an article under another number
	}
	s := scoreArticles(p, got, map[string]int{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1})
	if s.Same != 1 || s.Cut != 2 || s.Other != 1 || len(s.Wrong) != 2 {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(s.Missing, []string{"5"}) || !slices.Equal(s.Invented, []string{"6"}) {
		t.Errorf("missing %v, invented %v", s.Missing, s.Invented)
	}
}

func TestNamedAfter(t *testing.T) {
	t.Parallel()
	for truth, want := range map[string]bool{
		"codes/burkina-code-du-travail.json": true, "codes/fr-code-du-travail.md": false, "codes/code-travail.jsonl": true, "codes/code-douane.jsonl": false,
	} {
		if got := namedLike("pdfs/burkina-faso/loi-28-code-du-travail.pdf", truth); got != want {
			t.Errorf("%s: %v", truth, got)
		}
	}
}

func TestReadSplit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{
		written(t, dir, "a.jsonl", `{"num":"0","text":"Préambule"}`+"\n"+`{"num":"1","text":"Un."}`+"\n"+`{"num":"2","text":"Deux."}`),
		written(t, dir, "a.json", `{"Titres":[{"Titre":"I","Articles":[{"Article":"1","Texte":"Un."},{"Article":"2","Texte":"Deux."}]}]}`),
		written(t, dir, "a.md", "# Code\n\n## Article 1\n\nUn.\n\n## Titre II\n\nRien.\n\n### Article ANNEXE, art. 2\n\nDeux.\n"),
	} {
		got, err := readSplit(path)
		if err != nil || len(got) != 2 || got[0].number != "1" || blind(got[1].text) != "Deux." || got[1].number != "2" {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	if _, err := readSplit(written(t, dir, "b.jsonl", "{")); err == nil {
		t.Error("half a line was read")
	}
}
