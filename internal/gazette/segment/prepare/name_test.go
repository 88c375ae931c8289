package prepare

import "testing"

func TestGazetteName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"JOURNAL OFFICIEL DE LA REPUBLIQUE DU SENEGAL":                            "JOURNAL OFFICIEL DE LA REPUBLIQUE DU SENEGAL",
		"N° 7234 — Journal officiel de la République d’Astrevalle — 12 juin 2021": "Journal officiel de la République d’Astrevalle",
		"Bulletin officiel n° 6538 bis du 30 janvier":                             "Bulletin officiel",
		"1er mars 2021 JOURNAL OFFICIEL 45":                                       "JOURNAL OFFICIEL",
		"Moniteur belge":                                                          "Moniteur belge",
		"Loi de finances":                                                         "",
	} {
		if got := GazetteName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
