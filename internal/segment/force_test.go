package segment

import (
	"testing"
	"time"

	"vigueur/internal/law"
)

func TestForceClauses(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	published := time.Date(2019, 3, 15, 0, 0, 0, 0, time.UTC)
	for clause, want := range map[string]string{ // "" for no clause
		"La présente loi entre en vigueur le 1er juin 2019.":                                                       "2019-06-01",
		"La présente loi entre en vigueur à compter de sa publication au Journal officiel.":                        "2019-03-15",
		"La présente loi entre en vigueur dès sa publication.":                                                     "2019-03-15",
		"La présente loi entrera en vigueur à compter de la date de sa promulgation.":                              "2019-03-01",
		"La présente loi entre en vigueur dès sa signature.":                                                       "2019-03-01",
		"La présente loi entre en vigueur un an après sa publication.":                                             "2020-03-15",
		"La présente loi entre en vigueur trois (3) mois après sa promulgation.":                                   "2019-06-01",
		"La présente loi entre en vigueur quatre-vingt-dix (90) jours à compter de sa publication.":                "2019-06-13",
		"La présente loi entre en vigueur six mois à compter de la date de sa publication.":                        "2019-09-15",
		"Le présent décret prend effet le lendemain de sa publication.":                                            "2019-03-16",
		"Le présent décret prend effet à compter du 2 avril 2019.":                                                 "2019-04-02",
		"Il entre en vigueur le 2 avril 2019.":                                                                     "2019-04-02",
		"Elle entre immédiatement en vigueur dès sa publication.":                                                  "2019-03-15",
		"Les dispositions de l'article 5 de la présente loi entrent en vigueur le 1er juin 2030.":                  "",
		"Le présent traité entre en vigueur soixante jours après le dépôt du septième instrument de ratification.": "2019-03-01",
		"Le chapitre II du présent code entre en vigueur le 1er juin 2030.":                                        "",
		"Le contrat entre en vigueur le jour de sa signature.":                                                     "",
		"La présente loi sera publiée au Journal officiel.":                                                        "",
	} {
		f, ok := forceClause(clause)
		if ok != (want != "") {
			t.Errorf("%s: a clause: %v", clause, ok)
			continue
		}
		if ok && f.date(promulgated, &published).Format(time.DateOnly) != want {
			t.Errorf("%s: %s, want %s", clause, f.date(promulgated, &published).Format(time.DateOnly), want)
		}
	}
}

func TestForceOfWhatIsRatified(t *testing.T) {
	t.Parallel()
	f, ok := forceClause("Le présent Traité entrera en vigueur soixante jours après la date du dépôt du septième instrument de ratification.")
	f.words = "entrera en vigueur"
	d := &draft{force: f}
	d.noteForce(Issue{}, false)
	if !ok || f.after != ratification || len(d.Doubts) != 1 || d.Doubts[0].Field != "date_entree_vigueur" {
		t.Errorf("%v, doubts %v", f, d.Doubts)
	}
}

func TestForceWithoutAPublication(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	if got := (force{months: 1, after: publication}).date(promulgated, nil); got.Format(time.DateOnly) != "2019-04-01" {
		t.Errorf("%v: from the promulgation, where the issue's day is not known", got)
	}
}

func TestTheLastClauseCounts(t *testing.T) {
	t.Parallel()
	f := forceOf([]law.Article{
		{Heading: preambleHeading, Text: "La présente loi entre en vigueur le 1er mai 2001."},
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

func TestTextsThatEnterTogether(t *testing.T) {
	t.Parallel()
	f, ok := forceClause("Le présent décret entre en vigueur en même temps que la loi relative aux salines.")
	if !ok {
		t.Fatal("no clause")
	}
	day := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	a := &draft{Text: Text{Document: law.Document{Title: "Loi n° 3 relative aux salines", EntersInForce: day}}}
	b := &draft{force: f, Text: Text{Document: law.Document{Title: "Décret n° 4"}}}
	settleTogether([]*draft{a, b})
	if !b.Document.EntersInForce.Equal(day) {
		t.Errorf("%v", b.Document.EntersInForce)
	}
}
