package main

import (
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/search/question"
)

func TestLearn(t *testing.T) {
	t.Parallel()
	of := func(words ...string) ranked {
		out := ranked{make(map[string]int), make(map[string]string)}
		for i, w := range words {
			out.rank[law.Fold(w)], out.form[law.Fold(w)] = i+1, w
		}
		return out
	}
	k := knowledge{words: of("l'", "de", "la", "d'", "une", "lune", "accord", "droit", "quand", "avis", "essai", "usure", "loyer"), topics: of("la", "tunis", "davis"),
		forms: []string{"accord", "droit", "quand", "avis", "essai", "usure", "une", "lune", "roi", "laide", "lame", "loyer", "achat", "aide", "âme", "kan"},
		codes: &printed{counts: map[string]int{"l'achat": 3, "l'usure": 2, "laide": 1, "l'aide": 5, "lame": 4, "l'ame": 1, "t'unis": 0}, small: map[string]int{"avortement": 9},
			forms: map[string]map[string]int{"avortement": {"avortement": 9}}, all: 1000}, listed: make(map[string]bool)}
	k.codes.counts["avortement"] = 9
	for _, w := range k.forms {
		k.listed[law.Fold(w)] = true
	}
	learned := learn(k, 0.3)
	for typed, want := range map[string]string{
		"lusure":     "l'usure",
		"lachat":     "l'achat", // only printed
		"lessai":     "l'essai", // only spoken
		"laide":      "l'aide",  // printed more often in two
		"lame":       "lame",    // printed more often in one
		"lune":       "lune",    // spoken more often in one
		"davis":      "davis",   // more often of the encyclopedia
		"tunis":      "tunis",
		"usure":      "usure",
		"chat":       "chat",
		"droi":       "droit", // no « d'roi »
		"loyé":       "loyer",
		"kan":        "quand", // only listed
		"avortemant": "avortement",
	} {
		if got := learned.Write(typed); got != want {
			t.Errorf("%s as %s, want %s", typed, got, want)
		}
	}
}

func TestFoldersWithoutFiles(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"a"}, {t.TempDir(), "none", t.TempDir()}} {
		if err := run(args, filepath.Join(t.TempDir(), "out")); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out")
	if err := write(path, question.Spelling{Words: map[string]bool{"usure": true}}); err != nil {
		t.Fatal(err)
	}
	if err := write(filepath.Join(path, "below"), question.Spelling{}); err == nil {
		t.Error("no error")
	}
}

func TestTypedWords(t *testing.T) {
	t.Parallel()
	got := strings.Join(typedWords("L’usure d'un prêt : qu’il paie 12 € l'an, c’est-à-dire « aujourd'hui »."), " ")
	if want := "l'usure d'un pret qu'il paie l'an c'est a dire aujourd hui"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
