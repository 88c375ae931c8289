package segment

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

// A clause of which a part is not understood is a doubt, and the day of publication is put for it.
func TestForceClausesThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2024, 6, 12, 0, 0, 0, 0, time.UTC)
	published := time.Date(2024, 6, 20, 0, 0, 0, 0, time.UTC)
	for _, when := range []string{
		"à une date fixée par décret", "dans les conditions fixées par décret", "après la publication de ses décrets d’application", "dès la publication du décret pris pour son application", "le jour des élections qui suivent", "à la rentrée scolaire suivante",
		"trois jours ouvrables après sa publication", "le premier jour ouvrable du mois suivant sa publication", "au plus tard un an après sa promulgation", "six mois après la publication du décret visé à l’article 5", "à compter de l’exercice suivant sa publication",
		"le 1er juin 2025, à l’exception de l’article 37 qui entre en vigueur un an après", "dès sa publication, sous réserve des délais prévus à l’article 4", "à Port-Alma trois jours après l’arrivée du Journal officiel, ailleurs cinq jours après", "après son dépôt",
		"dès sa publication, sauf pour les contrats en cours auxquels elle s’applique après un délai de six mois", "lorsque les formalités sont accomplies", "dans les régions après affichage",
	} {
		clause := "La présente loi entre en vigueur " + when + "."
		f, ok := forceClause(clause, false)
		f.words = clause
		d := &draft{force: f, date: promulgated}
		d.Document.Promulgated = promulgated
		d.noteForce(gazette.Issue{Date: &published}, false)
		if !ok || !f.unread || len(d.Doubts) != 1 {
			t.Errorf("%s: a clause %v, %+v, doubts %v", clause, ok, f, d.Doubts)
		}
	}
	for _, when := range []string{"", "conformément à la Constitution", "dans toute la République", "à compter de la date de prise de fonctions de l’intéressé"} { // they say no day
		if f, ok := forceClause("La présente loi entre en vigueur "+when+".", false); ok {
			t.Errorf("%q is a clause: %+v", when, f)
		}
	}
}

// A text that enters into force by place is law everywhere from the last of the days, which a person confirms.
func TestForceByPlace(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2024, 6, 12, 0, 0, 0, 0, time.UTC)
	published := time.Date(2024, 6, 20, 0, 0, 0, 0, time.UTC)
	for clause, want := range map[string]string{
		"La présente loi entre en vigueur à Dakar trois jours après sa publication et dans les autres régions dix jours après sa publication.":              "2024-06-30",
		"La présente loi entre en vigueur, à Dakar, trois jours francs après sa publication, et, dans les autres régions, dix jours francs après.":          "2024-07-01",
		"La présente loi prend effet dans la capitale le lendemain de sa publication et dans le reste du territoire le cinquième jour suivant sa parution.": "2024-06-25",
	} {
		f, ok := forceClause(clause, false)
		f.words = clause
		d := &draft{force: f, date: promulgated}
		d.Document.Promulgated = promulgated
		d.noteForce(gazette.Issue{Date: &published}, false)
		if got := f.day(promulgated, &published).Format(time.DateOnly); !ok || f.unread || got != want || len(d.Doubts) != 1 || !strings.Contains(d.Doubts[0].Why.Sentence(), want[8:]+"/"+want[5:7]) {
			t.Errorf("%s: %v %s, unread %v, doubts %v", clause, ok, got, f.unread, d.Doubts)
		}
	}
}

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
		f, ok := forceClause(clause, false)
		if ok != (want != "") {
			t.Errorf("%s: a clause: %v", clause, ok)
			continue
		}
		if ok && f.date(promulgated, &published).Format(time.DateOnly) != want {
			t.Errorf("%s: %s, want %s", clause, f.date(promulgated, &published).Format(time.DateOnly), want)
		}
	}
}

func TestForceAfterRatification(t *testing.T) {
	t.Parallel()
	f, ok := forceClause("Le présent Traité entrera en vigueur soixante jours après la date du dépôt du septième instrument de ratification.", false)
	f.words = "entrera en vigueur"
	d := &draft{force: f}
	d.noteForce(gazette.Issue{}, false)
	if !ok || f.after != ratification || len(d.Doubts) != 1 || d.Doubts[0].Field != "date_entree_vigueur" {
		t.Errorf("%v, doubts %v", f, d.Doubts)
	}
}

func TestForceWithoutPublication(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	if got := (force{months: 1, after: publication}).date(promulgated, nil); got.Format(time.DateOnly) != "2019-04-01" {
		t.Errorf("%v: from the promulgation, where the issue's day is not known", got)
	}
}

func TestLastForceClauseWins(t *testing.T) {
	t.Parallel()
	f := forceOf([]law.Article{
		{Heading: gazette.PreambleHeading, Text: "La présente loi entre en vigueur le 1er mai 2001."},
		{Number: "1er", Text: "La présente loi entre en vigueur le 1er mai 2002."},
		{Number: "2", Text: "« La présente loi entre en vigueur le 1er mai 2003. » est le modèle."},
	}, false)
	if f.on.Year() != 2002 {
		t.Errorf("in force on %v", f.on)
	}
	if f := forceOf([]law.Article{{Text: "M. Personne est nommé à compter du 1er mai 2004."}}, true); f.on.Year() != 2004 {
		t.Errorf("an act in short: %+v", f)
	}
	if f := forceOf([]law.Article{{Text: "M. Personne est nommé."}}, true); f.after != promulgation {
		t.Errorf("an act in short without a day: %+v", f)
	}
}

func TestTextsThatEnterIntoForceTogether(t *testing.T) {
	t.Parallel()
	f, ok := forceClause("Le présent décret entre en vigueur en même temps que la loi relative aux salines.", false)
	if !ok {
		t.Fatal("no clause")
	}
	day := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	a := &draft{Text: gazette.Text{Document: law.Document{Title: "Loi n° 3 relative aux salines", EntersInForce: day}}}
	b := &draft{force: f, Text: gazette.Text{Document: law.Document{Title: "Décret n° 4"}}}
	shareForceDays([]*draft{a, b})
	if !b.Document.EntersInForce.Equal(day) {
		t.Errorf("%v", b.Document.EntersInForce)
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
		f := forceOf([]law.Article{{Number: "1er", Text: text}}, false)
		got := ""
		if !f.on.IsZero() {
			got = f.on.Format(time.DateOnly)
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
		if got := !forceOf(articles, false).on.IsZero(); got != want {
			t.Errorf("in article %s: found %v, want %v", articles[i].Number, got, want)
		}
	}
	flat := []law.Article{{Number: "1er", Text: "Objet."}, {Number: "2", Text: clause}, {Number: "3", Text: "Fin."}}
	if forceOf(flat, false).on.IsZero() {
		t.Error("a text without divisions has it anywhere")
	}
	named := base()
	named[1].Heading, named[1].Text = "Entrée en vigueur", clause
	if forceOf(named, false).on.IsZero() {
		t.Error("an article that is called so has it")
	}
}

// TestImplausibleForceIsDoubted checks that a day before the promulgation, or more than a lifetime after
// it, is doubted and not used.
func TestImplausibleForceIsDoubted(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	published := time.Date(2019, 3, 15, 0, 0, 0, 0, time.UTC)
	early := time.Date(2019, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name      string
		force     force
		date      time.Time
		published *time.Time
		want      string
		doubts    int
	}{
		{"later", force{on: published, words: "w"}, promulgated, nil, "2019-03-15", 0},
		{"before, published", force{on: early, words: "w"}, promulgated, &published, "2019-03-15", 1},
		{"before, not published", force{on: early, words: "w"}, promulgated, nil, "2019-03-01", 1},
		{"out of the world", force{on: time.Date(2190, 1, 1, 0, 0, 0, 0, time.UTC), words: "w"}, promulgated, &published, "2019-03-15", 1},
		{"published before it was made", force{after: publication, words: "w"}, promulgated, &early, "2019-03-01", 1},
		{"no clause", force{}, promulgated, &early, "2019-03-01", 0},
		{"no promulgation, a day", force{on: early, words: "w"}, time.Time{}, nil, "2019-02-01", 0},
		{"no promulgation, a period", force{months: 3, after: promulgation, words: "w"}, time.Time{}, nil, "0001-01-01", 0},
		{"no promulgation, published", force{on: early, words: "w"}, time.Time{}, &published, "2019-02-01", 0},
	} {
		d := &draft{force: c.force, date: c.date}
		d.Document.Promulgated = c.date
		if c.date.IsZero() && c.published != nil {
			d.Document.Promulgated = *c.published // as noteDate does
		}
		issue := gazette.Issue{Date: c.published}
		got := d.entersInForce(issue)
		d.noteForce(issue, false)
		if got.Format(time.DateOnly) != c.want || len(d.Doubts) != c.doubts {
			t.Errorf("%s: %s, want %s; doubts %v", c.name, got.Format(time.DateOnly), c.want, d.Doubts)
		}
	}
}

func TestMeasureThatTookEffectEarlier(t *testing.T) {
	t.Parallel()
	signed := time.Date(1979, 12, 15, 0, 0, 0, 0, time.UTC)
	f := forceOf([]law.Article{{Text: "M. Personne est titularisé à compter du 11 juillet 1979."}}, true)
	if f.odd(signed, nil) || !f.date(signed, nil).Equal(signed) {
		t.Errorf("odd %v, in force %v", f.odd(signed, nil), f.date(signed, nil))
	}
	f = forceOf([]law.Article{{Text: "M. Personne est nommé à compter du 1er janvier 1980."}}, true)
	if got := f.date(signed, nil); got.Year() != 1980 {
		t.Errorf("a later day: %v", got)
	}
	rule := force{on: time.Date(1979, 1, 1, 0, 0, 0, 0, time.UTC)}
	if !rule.odd(signed, nil) {
		t.Error("a rule of an earlier day is not doubted")
	}
}
