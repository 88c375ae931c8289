package force

import (
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

func TestForceClauses(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	published := time.Date(2019, 3, 15, 0, 0, 0, 0, time.UTC)
	for clause, want := range map[string]string{ // "" if it is no clause
		"La présente loi entre en vigueur le 1er juin 2019.":                                                        "2019-06-01",
		"La présente loi entre en vigueur à compter de sa publication au Journal officiel.":                         "2019-03-15",
		"La présente loi entre en vigueur dès sa publication.":                                                      "2019-03-15",
		"La présente loi entrera en vigueur à compter de la date de sa promulgation.":                               "2019-03-01",
		"La présente loi entre en vigueur dès sa signature.":                                                        "2019-03-01",
		"La présente loi entre en vigueur un an après sa publication.":                                              "2020-03-15",
		"La présente loi entre en vigueur trois (3) mois après sa promulgation.":                                    "2019-06-01",
		"La présente loi entre en vigueur quatre-vingt-dix (90) jours à compter de sa publication.":                 "2019-06-13",
		"La présente loi entre en vigueur six mois à compter de la date de sa publication.":                         "2019-09-15",
		"Le présent décret prend effet le lendemain de sa publication.":                                             "2019-03-16",
		"Le présent décret prend effet à compter du 2 avril 2019.":                                                  "2019-04-02",
		"La présente loi, qui abroge la loi n° 98-2 du 3 mars 1998, entre en vigueur un mois après sa publication.": "2019-04-15",
		"La présente loi sera publiée au Journal officiel et entrera en vigueur le 1er juin 2019.":                  "2019-06-01",
		"Le présent arrêté, qui prend effet à compter du 2 avril 2019, sera enregistré.":                            "2019-04-02",
		"Le présent arrêté qui abroge toutes dispositions contraires prend effet dès sa signature.":                 "2019-03-01",
		"Les dispositions de la présente ordonnance entrent en vigueur le 1er juin 2019.":                           "2019-06-01",
		"Toutes les dispositions du présent code prennent effet dès sa publication.":                                "2019-03-15",
		"Article 6 Le présent règlement entre en vigueur dès sa publication.":                                       "2019-03-15",
		"Sous réserve de l'article 5, le présent Acte uniforme entre en vigueur le 1er juin 2019.":                  "2019-06-01",
		"Le présent dahir est applicable à compter de sa publication.":                                              "2019-03-15",
		"La présente loi entre en vigueur dès sa publication et abroge la loi n° 5-98 du 3 mars 1998.":              "2019-03-15",
		"La présente loi entre en vigueur le 1er juin 2019, date de la publication de son décret.":                  "2019-06-01",
		"Les dispositions de l'article 5 de la présente loi entrent en vigueur le 1er juin 2030.":                   "",
		"Le présent traité entre en vigueur soixante jours après le dépôt du septième instrument de ratification.":  "2019-03-01",
		"Le chapitre II du présent code entre en vigueur le 1er juin 2030.":                                         "",
		"Le contrat entre en vigueur le jour de sa signature.":                                                      "",
		"Le présent contrat prend effet le 1er juin 2030.":                                                          "",
		"La représentation prend effet à compter de sa notification.":                                               "",
		"Il entre en vigueur le 2 avril 2019.":                                                                      "",
		"Les taux fixés par la présente loi prennent effet le 1er juin 2030.":                                       "",
		"La présente loi s'applique aux contrats qui prennent effet après le 1er juin 2030.":                        "",
		"Le présent code fixe le jour où l'assurance prend effet après la notification.":                            "",
		"La présente loi est applicable aux contrats en cours le 1er juin 1990.":                                    "",
		"Les textes d'application de la présente loi entrent en vigueur dès leur publication.":                      "",
		"La présente loi sera publiée au Journal officiel.":                                                         "",
	} {
		f, ok := ReadClause(clause, false)
		if ok != (want != "") {
			t.Errorf("%s: a clause: %v", clause, ok)
			continue
		}
		if ok && f.Date(promulgated, &published).Format(time.DateOnly) != want {
			t.Errorf("%s: %s, want %s", clause, f.Date(promulgated, &published).Format(time.DateOnly), want)
		}
	}
}

func TestForceWithoutPublication(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	if got := (Force{Months: 1, After: Publication}).Date(promulgated, nil); got.Format(time.DateOnly) != "2019-04-01" {
		t.Errorf("%v: from the promulgation, where the issue's day is not known", got)
	}
}

func TestLastForceClauseWins(t *testing.T) {
	t.Parallel()
	f := Of([]law.Article{
		{Heading: gazette.PreambleHeading, Text: "La présente loi entre en vigueur le 1er mai 2001."},
		{Number: "1er", Text: "La présente loi entre en vigueur le 1er mai 2002."},
		{Number: "2", Text: "« La présente loi entre en vigueur le 1er mai 2003. » est le modèle."},
	}, false)
	if f.On.Year() != 2002 {
		t.Errorf("in force on %v", f.On)
	}
	if f := Of([]law.Article{{Text: "M. Personne est nommé à compter du 1er mai 2004."}}, true); f.On.Year() != 2004 {
		t.Errorf("an act in short: %+v", f)
	}
	if f := Of([]law.Article{{Text: "M. Personne est nommé."}}, true); f.After != Promulgation {
		t.Errorf("an act in short without a day: %+v", f)
	}
}

// TestPronounOfAForceClause checks that « il » means the text only after a sentence about the text.
func TestPronounOfAForceClause(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Le présent décret sera publié. Il entre en vigueur le 2 avril 2019.":                  "2019-04-02",
		"La présente loi sera publiée. Elle entre immédiatement en vigueur le 2 avril 2019.":   "2019-04-02",
		"Le présent décret sera publié. Il sera affiché. Il entre en vigueur le 2 avril 2019.": "2019-04-02",
		"Le contrat est écrit. Il prend effet le 2 avril 2019.":                                "",
		"Le présent décret sera publié. Le contrat est écrit. Il prend effet le 2 avril 2019.": "",
		"Il prend effet le 2 avril 2019.":                                                      "",
		"La police mentionne : « Le présent traité entre en vigueur le 2 avril 2019. ».":       "",
	} {
		f := Of([]law.Article{{Number: "1er", Text: text}}, false)
		got := ""
		if !f.On.IsZero() {
			got = f.On.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestArticlesThatMayStateForce checks that the clause is searched for in final provisions, in the first and the last
// division, and not in annexes.
func TestArticlesThatMayStateForce(t *testing.T) {
	t.Parallel()
	const clause = "La présente loi entre en vigueur le 1er juin 2030."
	path := func(p ...string) []string { return p }
	base := func() []law.Article {
		return []law.Article{
			{Number: "1er", Path: path("TITRE I — OBJET"), Text: "Objet."},
			{Number: "2", Path: path("TITRE II — DES CONTRATS", "Chapitre I"), Text: "Contrat."},
			{Number: "3", Path: path("TITRE III — DIVERS", "Chapitre I — Dispositions transitoires"), Text: "Attente."},
			{Number: "4", Path: path("TITRE III — DIVERS", "Chapitre II"), Text: "Fin."},
			{Number: "Annexe", Text: "Tableau."},
		}
	}
	for i, want := range []bool{true, false, true, true, false} {
		articles := base()
		articles[i].Text = clause
		if got := !Of(articles, false).On.IsZero(); got != want {
			t.Errorf("in article %s: found %v, want %v", articles[i].Number, got, want)
		}
	}
	flat := []law.Article{{Number: "1er", Text: "Objet."}, {Number: "2", Text: clause}, {Number: "3", Text: "Fin."}}
	if Of(flat, false).On.IsZero() {
		t.Error("a text without divisions has it anywhere")
	}
	named := base()
	named[1].Heading, named[1].Text = "Entrée en vigueur", clause
	if Of(named, false).On.IsZero() {
		t.Error("an article that is called so has it")
	}
}

func TestMeasureThatTookEffectEarlier(t *testing.T) {
	t.Parallel()
	signed := time.Date(1979, 12, 15, 0, 0, 0, 0, time.UTC)
	f := Of([]law.Article{{Text: "M. Personne est titularisé à compter du 11 juillet 1979."}}, true)
	if f.IsOdd(signed, nil) || !f.Date(signed, nil).Equal(signed) {
		t.Errorf("odd %v, in force %v", f.IsOdd(signed, nil), f.Date(signed, nil))
	}
	f = Of([]law.Article{{Text: "M. Personne est nommé à compter du 1er janvier 1980."}}, true)
	if got := f.Date(signed, nil); got.Year() != 1980 {
		t.Errorf("a later day: %v", got)
	}
	rule := Force{On: time.Date(1979, 1, 1, 0, 0, 0, 0, time.UTC)}
	if !rule.IsOdd(signed, nil) {
		t.Error("a rule of an earlier day is not doubted")
	}
}
