package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const front = "type: loi\nnumber: 1\nsigned: 2024-01-02\nin-force: 2024-02-01\ndomain: civil\nobject: relative à l'essai\nrubric: LOIS\n"

func TestParseText(t *testing.T) {
	t.Parallel()
	got, err := parseText("x.txt", front+`---
Vu l'avis ;

# TITRE PREMIER | DES ESSAIS

@ 1er
Première ligne
suite.

>@ 14
>Texte cité.

>Suite citée.

| a | b |
| 1 | 2 |

^ DÉCRÈTE :

!annexe ANNEXE I | Tarif
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []block{
		{Text: "Vu l’avis ;"},
		{Kind: blockHeading, Level: 1, Label: "TITRE PREMIER", Text: "DES ESSAIS"},
		{Text: "Première ligne suite.", Article: "1er"},
		{Text: "Texte cité.", Article: "14", Quoted: true},
		{Text: "Suite citée.", Quoted: true},
		{Kind: blockTable, Rows: [][]string{{"a", "b"}, {"1", "2"}}},
		{Kind: blockCentered, Text: "DÉCRÈTE :"},
		{Kind: blockAnnex, Label: "ANNEXE I", Text: "Tarif"},
	}
	if d := cmp.Diff(want, got.Blocks); d != "" {
		t.Error(d)
	}
	if title := got.title(); title != "Loi n° 1 du 2 janvier 2024 relative à l’essai" {
		t.Errorf("title %q", title)
	}
	if text := got.quotedText("1er", "14"); text != "Texte cité.\nSuite citée." {
		t.Errorf("quoted text %q", text)
	}
}

func TestParseTextFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ raw, want string }{
		"no body":            {front, "no line ---"},
		"unknown key":        {"colour: red\n" + front + "---\nx", `unknown key "colour"`},
		"no key":             {"hello\n" + front + "---\nx", "no key"},
		"missing keys":       {"type: loi\n---\nx", "are needed"},
		"bad date":           {"signed: demain\n" + front + "---\nx", "demain"},
		"bad signatory":      {"signatory: seul\n" + front + "---\nx", "signatory without name"},
		"short relation":     {"relation: modifie 1 | 2\n" + front + "---\nx", "4 fields"},
		"unknown relation":   {"relation: aime 1 | 2 | 2024-01-01 | 3\n" + front + "---\nx", `unknown relation "aime"`},
		"empty article":      {front + "---\n@ 1er\n\nTexte.", "no text right below"},
		"article of heading": {front + "---\n@ 1er\n# A | B", "does not open with an alinea"},
		"heading":            {front + "---\n# TITRE", "heading without"},
		"ragged table":       {front + "---\n| a | b |\n| 1 |", "1 cells instead of 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := parseText("x.txt", c.raw); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestRelationFaults(t *testing.T) {
	t.Parallel()
	head := strings.Replace(front, "number: 1", "number: 2", 1)
	for name, c := range map[string]struct{ relation, want string }{
		"unknown target":   {"abroge 9 | | 2024-05-01 | 1er", "relation to 9: no such text"},
		"unknown author":   {"abroge 1 | | 2024-05-01 | 7", `has no article "7"`},
		"unknown article":  {"modifie 1 | 8 | 2024-05-01 | 1er", "article 8 of the target: exists is false"},
		"inserted twice":   {"insere 1 | 5 | 2024-05-01 | 1er", "article 5 of the target: exists is true"},
		"nothing is cited": {"modifie 1 | 5 | 2024-05-01 | 1er", "does not quote the article 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := loadIssues(fstest.MapFS{
				"a/issue.txt": {Data: []byte("number: 1\ndate: 2024-03-01\n")},
				"a/1.txt":     {Data: []byte(front + "---\n@ 5\nTexte.")},
				"a/2.txt":     {Data: []byte("relation: " + c.relation + "\n" + head + "---\n@ 1er\nTexte.")},
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "a/2.txt") {
				t.Errorf("error %v, want one with %q and the file", err, c.want)
			}
		})
	}
}

func FuzzParseText(f *testing.F) {
	f.Add(front + "---\n@ 1er\nTexte.\n\n>@ 2\n>Cité.")
	f.Add(front + "---\n| a |\n\n!annexe A | B\n\n# A | B")
	f.Add(">@")
	f.Fuzz(func(t *testing.T, raw string) {
		text, err := parseText("x.txt", raw)
		if err != nil {
			return
		}
		for _, b := range text.Blocks {
			if b.Kind == blockTable && len(b.Rows) == 0 {
				t.Fatal("a table without rows")
			}
		}
	})
}
