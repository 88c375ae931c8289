package segment

import (
	"testing"

	"vigueur/internal/law"
)

func TestWhatOnlyAdds(t *testing.T) {
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
