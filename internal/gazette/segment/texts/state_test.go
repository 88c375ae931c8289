package texts

import (
	"testing"
	"time"
)

// TestReadState checks how publishers give the day of a code's state, and words that give another day.
func TestReadState(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind StateKind
		day  string // "" if none is given
	}{
		"Dernière modification le 1er janvier 2024":                    {modified, "2024-01-01"},
		"Derniere modification le 01 janvier 2024":                     {modified, "2024-01-01"},
		"Date de la dernière mise à jour : 03/05/2021":                 {modified, "2021-05-03"},
		"Code du sel - Dernière modification le 3 mai 2021 - Document": {modified, "2021-05-03"},
		"DERNIÈRE MISE À JOUR DES DONNÉES : 3 MAI 2021":                {modified, "2021-05-03"},
		"Version consolidée au 3 mai 2021":                             {asOf, "2021-05-03"},
		"(texte coordonné à la date du 3 mai 2021)":                    {asOf, "2021-05-03"},
		"Code du sel à jour au 3 mai 2021.":                            {asOf, "2021-05-03"},
		"Mis à jour jusqu’au 3 mai 2021":                               {asOf, "2021-05-03"},
		"Version en vigueur au 2021-05-03":                             {asOf, "2021-05-03"},
		"État au 3 mai 2021":                                           {asOf, "2021-05-03"},
		"Modifié le 3 mai 2021":                                        {ChangedOn, "2021-05-03"},
		"Modifié le 3 mai 2021 par la loi n° 12":                       {},
		"Modifié par la loi n° 12 du 3 mai 2021":                       {},
		"Document généré le 3 mai 2021":                                {},
		"Publié au Journal officiel du 3 mai 2021":                     {},
		"Le présent code est mis à jour le 3 mai 2021":                 {}, // a sentence of its own
		"entre en vigueur le 3 mai 2021":                               {},
		"Dernière modification le 31 février 2021":                     {}, // not a date
		"Mise à jour : 2021":                                           {},
		"":                                                             {},
	} {
		s, ok := readState(text)
		got := ""
		if ok {
			got = s.Day.Format(time.DateOnly)
		}
		if got != want.day || s.Kind != want.kind {
			t.Errorf("%q: %q of kind %d, want %q of kind %d", text, got, s.Kind, want.day, want.kind)
		}
	}
}

// TestSeveralStates checks which of several days wins, and which contradict it.
func TestSeveralStates(t *testing.T) {
	t.Parallel()
	on := func(kind StateKind, day int) State {
		return State{Kind: kind, Day: time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC)}
	}
	for _, c := range []struct {
		name       string
		states     []State
		day, other int // 0 if there is none
	}{
		{"once", []State{on(asOf, 3)}, 3, 0},
		{"again", []State{on(asOf, 3), on(asOf, 3)}, 3, 0},
		{"changed, then printed", []State{on(asOf, 9), on(modified, 3)}, 3, 0},
		{"printed of a day before the change", []State{on(asOf, 3), on(modified, 9)}, 9, 3},
		{"the same the other way round", []State{on(modified, 9), on(asOf, 3)}, 9, 3},
		{"two last changes", []State{on(modified, 3), on(modified, 9)}, 9, 3},
		{"weak words beside sure ones", []State{on(ChangedOn, 9), on(asOf, 3)}, 3, 0},
	} {
		var s State
		for _, o := range c.states {
			s = s.combine(o)
		}
		if s.Day.Day() != c.day || !s.Other.IsZero() != (c.other > 0) || c.other > 0 && s.Other.Day() != c.other {
			t.Errorf("%s: %v beside %v", c.name, s.Day, s.Other)
		}
	}
}
