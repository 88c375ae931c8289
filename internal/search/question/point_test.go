package question

import (
	"slices"
	"testing"
)

// The number of a neighboring article is only computed if numbers are consecutive, because a wrong article
// would be quoted as the law.
func TestNeighbor(t *testing.T) {
	t.Parallel()
	for number, want := range map[string][2]string{
		"1": {"", "2"}, "1er": {"", "2"}, "2": {"1", "3"}, "52": {"51", "53"},
		"52 bis": {"52", "52 ter"}, "52 quinquies": {"52 quater", "52 sexies"}, "6-2 bis": {"6-2", "6-2 ter"}, "52 octies": {"52 septies", ""},
		"L. 12-1": {"", ""}, "L. 12": {"", ""}, "L. 12-1 bis": {"", ""}, "Annexe 2": {"", ""}, "6-2": {"", ""}, "IV": {"", ""}, "unique": {"", ""}, "": {"", ""},
		"99999999999999999999": {"", ""},
	} {
		t.Run(number, func(t *testing.T) {
			t.Parallel()
			for i, step := range []int{-1, 1} {
				got, ok := neighbor(number, step)
				if got != want[i] || ok != (want[i] != "") {
					t.Errorf("%+d: %q, %v, want %q", step, got, ok, want[i])
				}
			}
		})
	}
}

// A question that points back means what was named last, and keeps no more of it than it asks for.
func TestPointingBack(t *testing.T) {
	t.Parallel()
	previous := Conversation{Asked: []string{"Et la loi n° 1999-1 ?", "Que dit l’article 26, alinéa 2, de la loi n° 2010-05 ?"}}
	for text, want := range map[string]struct {
		shown string
		parts []string
	}{
		"L’article 5 est-il en vigueur ?":                  {"5@loi 2010-05", nil},
		"L’article 5 et l’article 6 sont-ils en vigueur ?": {"5,6@loi 2010-05", nil},
		"Les articles 5 et 6 sont-ils en vigueur ?":        {"5,6@loi 2010-05", nil},
		"L’article 5, alinéa 3, est-il abrogé ?":           {"5@loi 2010-05", []string{"5"}},
		"Et l’article suivant ?":                           {"27@loi 2010-05", nil},
		"ET L’ARTICLE D’AVANT ?":                           {"25@loi 2010-05", nil},
		"Cite-moi le même article":                         {"26@loi 2010-05", []string{"26"}},
		"Cet article est-il abrogé ?":                      {"26@loi 2010-05", []string{"26"}},
		"Que dit cette loi des congés ?":                   {"@loi 2010-05", nil},
		"Que dit cette loi, la loi n° 2020-3 ?":            {"@loi 2020-3", nil},
		"Cite-moi l’article 7 de la loi n° 2020-3":         {"7@loi 2020-3", nil},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			refs := Read(text, previous).References
			if got := shown(refs); got != want.shown || len(refs) > 0 && !slices.Equal(refs[0].Parts, want.parts) {
				t.Errorf("%q of %+v, want %q of %q", got, refs, want.shown, want.parts)
			}
		})
	}
	if refs := Read("Et l’article suivant ?", Conversation{Asked: []string{"Que dit l’article L. 12-1 du code du travail ?"}}).References; len(refs) != 0 {
		t.Errorf("an article that nobody counted: %+v", refs)
	}
	if refs := Read("Et l’article suivant ?", Conversation{}).References; refs != nil {
		t.Errorf("of nothing: %+v", refs)
	}
}

// An answer is based on the reference that it names first; a question is about the one that it names last.
func TestLastNamed(t *testing.T) {
	t.Parallel()
	two := "La loi n° 2001-1 et la loi n° 2002-2"
	for name, c := range map[string]struct {
		before Conversation
		want   string
	}{
		"of a question the last":       {Conversation{Asked: []string{two}}, "2002-2"},
		"of an answer the first":       {Conversation{Asked: []string{"Quelles lois ?"}, Answers: []string{two}}, "2001-1"},
		"the answer before its asking": {Conversation{Asked: []string{"La loi n° 2003-3 ?"}, Answers: []string{two}}, "2001-1"},
		"the last asking first":        {Conversation{Asked: []string{two, "La loi n° 2003-3 ?"}, Answers: []string{"Rien."}}, "2003-3"},
		"behind what names nothing":    {Conversation{Asked: []string{two, "Et alors ?", "Et ?"}, Answers: []string{"", ""}}, "2002-2"},
		"more answers than askings":    {Conversation{Asked: []string{two}, Answers: []string{"", "La loi n° 2009-9"}}, "2002-2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			last, ok := c.before.LastText(func(Reference) bool { return true })
			if !ok || last.Number != c.want {
				t.Errorf("%q, %v, want %q", last.Number, ok, c.want)
			}
		})
	}
}
