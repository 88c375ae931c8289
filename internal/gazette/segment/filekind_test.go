package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

func TestWhatAFileIs(t *testing.T) {
	t.Parallel()
	other := strings.NewReplacer("2019-12/PM", "2019-13/PM", "fixant le prix du sel", "fixant le prix du sel gris").Replace(decree)
	for name, c := range map[string]struct{ text, is, doubted string }{
		"an act":           {decree, "", ""},
		"a gazette":        {"  JOURNAL OFFICIEL\n  N° 3 du 6 mars 2019\n\n" + decree + "\f" + other, "", ""},
		"two acts":         {decree + "\f" + other, "", ""},
		"a draft":          {strings.Replace(decree, "DÉCRET N° 2019-12/PM DU 1ER MARS 2019\n", "DÉCRET N° ........ DU 1ER MARS 2019\n", 1), "Projet : rien n’entre au catalogue sans confirmation.", "numero_officiel"},
		"after amendments": {strings.Replace(decree, "fixant le prix du sel.\n", "fixant le prix du sel.\n            (version consolidée au 3 mai 2021)\n", 1), "Texte coordonné : imprimé tel qu’il est après ses modifications.", ""},
	} {
		issue := segment.Split(typed(c.text), gazette.Hints{})
		var is []string
		for _, r := range issue.Is {
			is = append(is, r.Sentence())
		}
		same(t, name, strings.Join(is, " "), c.is)
		same(t, name+": doubts", strings.Join(fields(issue.Texts[0].Doubts), " "), c.doubted)
	}
}
