package line

import (
	"strings"
	"testing"
)

// TestMayDivide checks that the beginnings of all headings pass, and that the beginnings of most other lines do not.
func TestMayDivide(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"PARTIE I", "Partie première", "LIVRE II", "SOUS-TITRE I", "Sous-titre 2", "TITRE PREMIER", "SOUS-CHAPITRE III", "CHAPITRE 4", "Sous-section 1", "SECTION I",
		"SOUS-PARAGRAPHE 1", "Paragraphe 2", "§ 3",
	} {
		for _, text := range []string{words, strings.ToUpper(words), words + " : Du sel"} {
			if _, ok := HeadingOf(text); !ok {
				t.Errorf("%q is no heading", text)
			}
		}
	}
	for _, ordinal := range []string{
		"premier", "première", "deuxième", "second", "seconde", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième", "neuvième", "dixième", "dernière",
		"unique", "préliminaire", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix",
	} {
		for _, text := range []string{strings.ToUpper(ordinal) + " PARTIE", strings.ToUpper(ordinal[:1]) + ordinal[1:] + " livre"} {
			if matched := partFirst.MatchString(text); matched != mayDivide(text) && matched {
				t.Errorf("%q is kept from being matched", text)
			}
		}
	}
	for _, text := range []string{"", "L", "Le sel", "La loi", "Dans les dix jours", "Nul ne peut", "Sont abrogés", "Ce sel", "é", "Art. 3", "\xff\xfe\xfd"} {
		if mayDivide(text) {
			t.Errorf("%q is matched", text)
		}
	}
}
