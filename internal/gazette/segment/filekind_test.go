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
	older := strings.ReplaceAll(strings.Replace(other, "2019-13/PM", "2015-13/PM", 1), "2019", "2015")
	const draft, compilation = "Projet : rien n’entre au catalogue sans confirmation.", "Recueil : des textes de plusieurs années, imprimés ensemble."
	for name, c := range map[string]struct{ text, is, doubted string }{
		"an act":                {decree, "", ""},
		"a gazette":             {"  JOURNAL OFFICIEL\n  N° 3 du 6 mars 2019\n\n" + decree + "\f" + other, "", ""},
		"two acts":              {decree + "\f" + other, "", ""},
		"a draft":               {strings.Replace(decree, "DÉCRET N° 2019-12/PM DU 1ER MARS 2019\n", "DÉCRET N° ........ DU 1ER MARS 2019\n", 1), draft, "numero_officiel"},
		"a compilation":         {decree + "\f" + older, compilation, ""},
		"a gazette prints late": {"  JOURNAL OFFICIEL\n  N° 3 du 6 mars 2019\n\n" + decree + "\f" + older, "", ""},
		"after amendments":      {strings.Replace(decree, "fixant le prix du sel.\n", "fixant le prix du sel.\n            (version consolidée au 3 mai 2021)\n", 1), "Texte coordonné : imprimé tel qu’il est après ses modifications.", ""},
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

// TestWhatAPersonSaysAFileIs checks that a person's word about a file counts: for law, for no law, and for what it is.
func TestWhatAPersonSaysAFileIs(t *testing.T) {
	t.Parallel()
	const notice = "           COMMUNIQUÉ DU CONSEIL DES MINISTRES\n\n  Le Conseil des ministres s’est réuni le 3 mai 2019.\n"
	if issue := segment.Split(typed(notice), gazette.Hints{Is: gazette.FileOfLaw}); len(issue.Texts) != 1 {
		t.Errorf("of law: %d texts", len(issue.Texts))
	}
	issue := segment.Split(typed(decree), gazette.Hints{Is: gazette.FileOfNoLaw})
	if len(issue.Texts) != 0 || !strings.HasPrefix(issue.NoLaw.Sentence(), "Écarté par une personne") || len(issue.Loose) == 0 {
		t.Errorf("of no law: %d texts, %q", len(issue.Texts), issue.NoLaw.Sentence())
	}
	for is, want := range map[gazette.FileKind]string{gazette.FileDraft: "Projet", gazette.FileCompilation: "Recueil", gazette.FileCoordinated: "Texte coordonné"} {
		issue := segment.Split(typed(decree), gazette.Hints{Is: is})
		if len(issue.Is) != 1 || !strings.HasPrefix(issue.Is[0].Sentence(), want) || (is == gazette.FileDraft) != (len(issue.Texts[0].Doubts) > 0) {
			t.Errorf("%s: %+v, doubts %+v", is, issue.Is, issue.Texts[0].Doubts)
		}
	}
	x := segment.Split(typed(strings.Replace(decree, "DÉCRET", "ORDONNANCE", 1)), gazette.Hints{Country: "cd"}).Texts[0]
	same(t, "type in the country", string(x.Document.Type), "decret")
}
