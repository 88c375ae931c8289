package main

import (
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/search/question"
)

func TestLearn(t *testing.T) {
	t.Parallel()
	words := ranked{"l'": 1, "de": 2, "la": 3, "d'": 4, "usure": 900, "une": 5, "lune": 6, "avis": 60, "accord": 10, "essai": 70}
	topics := ranked{"la": 1, "tunis": 2, "davis": 3}
	printed := counts{"l'achat": 3, "l'usure": 2, "laide": 1, "l'aide": 5, "lame": 4, "l'ame": 1, "t'unis": 0}
	learned := learn(words, topics, printed)
	for typed, want := range map[string]string{
		"lusure": "l'usure",
		"lachat": "l'achat", // only printed
		"lessai": "l'essai", // only spoken
		"laide":  "l'aide",  // printed more often in two
		"lame":   "lame",    // printed more often in one
		"lune":   "lune",    // spoken more often in one
		"davis":  "davis",   // more often of the encyclopedia
		"tunis":  "tunis",
		"usure":  "usure",
		"chat":   "chat",
	} {
		if got := part(learned, typed); got != want {
			t.Errorf("%s as %s, want %s", typed, got, want)
		}
	}
}

func TestFoldersWithoutFiles(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"a"}, {t.TempDir(), t.TempDir()}} {
		if err := run(args, filepath.Join(t.TempDir(), "out")); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out")
	if err := write(path, question.Elided{Words: map[string]bool{"usure": true}}); err != nil {
		t.Fatal(err)
	}
	if err := write(filepath.Join(path, "below"), question.Elided{}); err == nil {
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
