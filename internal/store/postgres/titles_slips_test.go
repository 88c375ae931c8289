package postgres_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// slip makes a typing error in a word at a place, or returns "".
type slip struct {
	name string
	make func(word []rune, at int) string
}

func slipsOfTyping() []slip {
	return []slip{
		{"exchanged", func(w []rune, i int) string {
			if i+1 == len(w) || w[i] == w[i+1] {
				return ""
			}
			return string(w[:i]) + string(w[i+1]) + string(w[i]) + string(w[i+2:])
		}},
		{"missing", func(w []rune, i int) string { return string(w[:i]) + string(w[i+1:]) }},
		{"doubled", func(w []rune, i int) string { return string(w[:i+1]) + string(w[i:]) }},
		{"wrong", func(w []rune, i int) string { return string(w[:i]) + string('a'+(w[i]-'a'+7)%26) + string(w[i+1:]) }},
	}
}

// TestSlipsOfTyping makes each slip at each place of each long word of titles, and counts how many still find a text.
func TestSlipsOfTyping(t *testing.T) {
	b := setup(t)
	titles := []string{"Loi sur les contrats de louage", "Code du travail et de la protection sociale", "Décret portant organisation du ministère de la justice",
		"Arrêté fixant le salaire minimum national", "Ordonnance relative aux hydrocarbures", "Loi portant régime des douanes"}
	var texts []postgres.Text
	for i, title := range titles {
		texts = append(texts, text(title, fmt.Sprintf("2014-%02d", i+1), day("2014-01-01"), "1"))
	}
	b.save(t, b.addGazette(t, "a1"), texts...)
	found, made := map[string]int{}, map[string]int{}
	for _, word := range strings.Fields(law.Fold(strings.Join(titles, " "))) {
		letters := []rune(word)
		for _, s := range slipsOfTyping() {
			for i := range letters {
				typed := s.make(letters, i)
				if utf8.RuneCountInString(typed) < 5 || len(letters) < 5 {
					continue
				}
				made[s.name]++
				_, total, err := b.Documents(t.Context(), postgres.DocumentQuery{Title: typed, Page: 1, PageSize: 10})
				ok(t, err)
				if total > 0 {
					found[s.name]++
				}
			}
		}
	}
	for name, n := range made {
		t.Logf("%s: %d of %d are found", name, found[name], n)
	}
	// Exchanged letters are looked up as such, doubled ones spare the trigrams; of the others these find what they can.
	for _, name := range []string{"exchanged", "doubled"} {
		if found[name] != made[name] {
			t.Errorf("%s: %d of %d are found", name, found[name], made[name])
		}
	}
}
