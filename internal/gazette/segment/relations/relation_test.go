package relations

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestAdditions(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"L'article 5 de la loi n° 2010-05 est complété par un alinéa ainsi rédigé : ~":               true,
		"Les articles 5 et 6 de la loi n° 2010-05 sont complétés par les dispositions suivantes : ~": true,
		"Il est ajouté à l'article 5 de la loi n° 2010-05 un alinéa ainsi rédigé : ~":                true,
		"Il est inséré, après l'article 26 de la loi n° 2010-05, un article 26 bis ainsi rédigé : ~": true,
		"La présente loi complète la loi n° 2010-05 du 3 mai 2010":                                   true,
		"L'article 5 de la loi n° 2010-05 est modifié ainsi qu'il suit : ~":                          false,
		"L'article 5 de la loi n° 2010-05 est modifié et complété ainsi qu'il suit : ~":              false,
		"L'article 5 de la loi n° 2010-05 est complété et modifié ainsi qu'il suit : ~":              false,
		"L'article 5 de la loi n° 2010-05 est abrogé":                                                false,
		"Les dispositions de l'article 5 de la loi n° 2010-05 sont remplacées par ce qui suit : ~":   false,
	} {
		r := reader{}
		got := r.sentence(s)
		if len(got) == 0 {
			t.Errorf("%q says nothing", s)
		}
		for _, relation := range got {
			if relation.Adds != want || relation.TargetNumber != "2010-05" || relation.Adds && relation.Kind != law.Amends {
				t.Errorf("%q: %+v, adds should be %v", s, relation, want)
			}
		}
	}
}

// says writes what a sentence changes: « abroge 99-4 3,4 », with a plus sign if the old wording stays law.
func says(r *reader, sentence string) string {
	var out []string
	for _, rel := range r.sentence(sentence) {
		sign := ""
		if rel.Adds {
			sign = "+"
		}
		out = append(out, fmt.Sprintf("%s%s %s%s %s", sign, rel.Kind, rel.TargetNumber, rel.TargetTitle, strings.Join(rel.TargetArticles, ",")))
	}
	return strings.Join(out, "; ")
}

func TestDateOfTheTarget(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"Le décret n° 2000-190 du 17 mai 2000 est abrogé.":                               "2000-05-17",
		"Sont abrogés les articles 3 et 4 du décret n° 2000-190 en date du 17 mai 2000.": "2000-05-17",
		"Le décret n° 2000-190 est abrogé à compter du 1er juin 2001.":                   "",
		"Le code du travail est modifié.":                                                "",
	} {
		r := reader{}
		for _, rel := range r.sentence(sentence) {
			got := ""
			if rel.TargetDate != nil {
				got = rel.TargetDate.Format("2006-01-02")
			}
			if got != want {
				t.Errorf("%q: %q, want %q", sentence, got, want)
			}
		}
		if len((&reader{}).sentence(sentence)) != 1 {
			t.Errorf("%q says %v", sentence, r.sentence(sentence))
		}
	}
}

func TestChangesOfASentence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sentence, want string }{
		// Whole texts and whole articles.
		{"La loi n° 99-4 du 2 mai 1999 est abrogée.", "abroge 99-4 "},
		{"Est abroge le decret n° 2004-102 du 06 fevrier 2004.", "abroge 2004-102 "},
		{"Sont abrogés les articles 3 à 5 de la loi n° 99-4.", "abroge 99-4 3,4,5"},
		{"La présente circulaire abroge et remplace la circulaire n° 2011-06 et la circulaire n° 2006-06.", "abroge 2011-06 ; abroge 2006-06 "},
		{"Sont abrogées les dispositions de l'article 23 de la loi n° 92-81 du 3 août 1992, relative aux zones franches.", "abroge 92-81 23"},
		// A part leaves the rest of the wording in force.
		{"Sont abrogées les dispositions des articles 6, 8, 319 alinéas 1 et 2 du Code pénal.", "abroge code pénal 6,8; +modifie code pénal 319"},
		{"Sont abrogés les articles 9, 18 (2e alinéa) et 46 de la loi n° 99-4.", "abroge 99-4 9,46; +modifie 99-4 18"},
		{"Est abrogé le premier alinéa de l'article 5 de la loi n° 99-4.", "+modifie 99-4 5"},
		{"Est abrogé le chapitre III de la loi n° 94-41 du 7 mars 1994.", "+modifie 94-41 "},
		{"Sont abrogées les dispositions du Titre II du Livre premier du Code du travail.", "+modifie code du travail "},
		{"Sont abrogés les articles 28 et 29 mentionnés à l'article 234 du code du travail.", "+modifie code du travail 28,29"},
		{"L'article 94-2 (nouveau) du code du travail est modifié ainsi qu'il suit :", "modifie code du travail 94-2"},
		// A title names other texts, which are not changed.
		{"Sont abrogées les dispositions du décret n° 89-530 portant application de la loi n° 88-111 du 18 août 1988.", "abroge 89-530 "},
		{"L'article 76 du décret n° 2014-1212 relatif au code des marchés publics est modifié.", "modifie 2014-1212 76"},
		{"Est abrogée la loi n° 99-4 du 2 mai 1999 modifiant la loi n° 65-60.", "abroge 99-4 "},
		{"Sont abrogés les articles 179 et 183 du code de procédure civile approuvé par le dahir portant loi n° 1-74-447.", "abroge code de procédure civile 179,183"},
		{"Toutes dispositions contraires, notamment celles du décret n° 96-377 du 29 octobre 1996, sont abrogées.", "abroge 96-377 "},
		// Lists as scans show them.
		{"Les articles ler, 7, 24. 42. 319 bis et 321 du Code penal sont modifies ainsi qu'il suit :", "modifie code penal 1er,7,24,42,319 bis,321"},
		// Insertions and complements.
		{"Il est ajouté un article 234 ter au code du travail comme suit :", "+modifie code du travail 234 ter"},
		{"L'article 5 de la loi n° 99-4 est complété par un alinéa.", "+modifie 99-4 5"},
		// Sentences that change nothing.
		{"Toutes dispositions antérieures contraires sont abrogées.", ""},
		{"Sont abrogées toutes dispositions antérieures contraires à la présente loi.", ""},
		{"Les dahirs portant code du statut personnel sont abrogés par l'article 397 de la loi n° 70-03.", ""},
		{"Le terme a été modifié par l'article 3 de la loi n° 2005-65.", ""},
		{"Lorsque la procédure est introduite par requête, l'avis rappelle l'article 388-1 du code civil.", ""},
		{"Si l'article 5 de la loi n° 99-4 est abrogé, le juge statue.", ""},
		{"Le juge qui est remplacé le sait par l'article 9 du code de commerce.", ""},
	} {
		r := reader{own: "2020-1"}
		if got := says(&r, c.sentence); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.sentence, got, c.want)
		}
	}
}

func TestTheSameLawIsTheOneNamedBefore(t *testing.T) {
	t.Parallel()
	r := reader{own: "2020-1"}
	if got := says(&r, "L'article 3 de la loi n° 99-4 est abrogé."); got != "abroge 99-4 3" {
		t.Fatal(got)
	}
	if got := says(&r, "Après l'article 26 de la même loi, il est inséré un article 26 bis ainsi rédigé :"); got != "+modifie 99-4 26 bis" {
		t.Error(got)
	}
}

func TestACodeDoesNotChangeItself(t *testing.T) {
	t.Parallel()
	r := reader{title: "code de procedure civile"}
	r.remember([]law.Reference{{Type: law.Code, Title: "code de procédure civile"}})
	if got := says(&r, "L'article 5 du code de procédure civile est complété par le juge."); got != "" {
		t.Error(got)
	}
}
