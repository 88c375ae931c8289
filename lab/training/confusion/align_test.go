package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	printed := strings.Fields(`La commission tient une séance modeste avant la fin du mois ; le membre absent est remplacé
		par un membre suppléant dont le mandat prend fin avec la séance suivante de cette commission`)
	read := strings.Fields(`La commission tient une seance modeste avant la fin du mois ; le mernbre absent est remplacé
		par un mernbre suppléant dont le mandat prend fin avec la seance suivante de cettecommission`)
	c := newCounts()
	if held := c.compare(printed, read); held != len(read) {
		t.Errorf("%d of %d words are held against printed ones", held, len(read))
	}
	lines := strings.Split(strings.TrimRight(string(c.table()), "\n"), "\n")
	want := []string{" \t\t", "m\trn\t", "é\te\t"}
	if len(lines) != len(want) {
		t.Fatalf("table\n%s", strings.Join(lines, "\n"))
	}
	for i, w := range want {
		if !strings.HasPrefix(lines[i], w) {
			t.Errorf("line %q, want %q…", lines[i], w)
		}
	}
	// Two of four é are read otherwise.
	if !strings.HasSuffix(lines[2], "0.50000") {
		t.Errorf("line %q", lines[2])
	}
}

func TestOtherTextsAreNotCompared(t *testing.T) {
	t.Parallel()
	c := newCounts()
	held := c.compare(strings.Fields("les droits sont perçus par le receveur"), strings.Fields("un conseil siège dans chaque région du pays"))
	if held != 0 || len(c.read) != 0 {
		t.Errorf("%d words held, %v", held, c.read)
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	steps, equal := path([]rune("arme"), []rune("anne"))
	if equal != 2 || len(steps) != 4 {
		t.Errorf("%d steps, %d characters kept", len(steps), equal)
	}
}
