package doubts

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/texts"
)

// A clause of which a part is not understood is a doubt, and the day of publication is put for it.
func TestForceClausesThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2024, 6, 12, 0, 0, 0, 0, time.UTC)
	published := time.Date(2024, 6, 20, 0, 0, 0, 0, time.UTC)
	for _, moment := range []string{
		"à une date fixée par décret", "dans les conditions fixées par décret", "après la publication de ses décrets d’application", "dès la publication du décret pris pour son application", "le jour des élections qui suivent", "à la rentrée scolaire suivante",
		"trois jours ouvrables après sa publication", "le premier jour ouvrable du mois suivant sa publication", "au plus tard un an après sa promulgation", "six mois après la publication du décret visé à l’article 5", "à compter de l’exercice suivant sa publication",
		"le 1er juin 2025, à l’exception de l’article 37 qui entre en vigueur un an après", "dès sa publication, sous réserve des délais prévus à l’article 4", "à Port-Alma trois jours après l’arrivée du Journal officiel, ailleurs cinq jours après", "après son dépôt",
		"dès sa publication, sauf pour les contrats en cours auxquels elle s’applique après un délai de six mois", "lorsque les formalités sont accomplies", "dans les régions après affichage",
	} {
		clause := "La présente loi entre en vigueur " + moment + "."
		f, ok := force.ReadClause(clause, false)
		f.Words = clause
		d := &texts.Draft{Force: f, Date: promulgated}
		d.Document.Promulgated = promulgated
		noteForce(d, gazette.Issue{Date: &published}, false)
		if !ok || !f.Unread || len(d.Doubts) != 1 {
			t.Errorf("%s: a clause %v, %+v, doubts %v", clause, ok, f, d.Doubts)
		}
	}
	for _, moment := range []string{"", "conformément à la Constitution", "dans toute la République", "à compter de la date de prise de fonctions de l’intéressé"} { // they say no day
		if f, ok := force.ReadClause("La présente loi entre en vigueur "+moment+".", false); ok {
			t.Errorf("%q is a clause: %+v", moment, f)
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
		f, ok := force.ReadClause(clause, false)
		f.Words = clause
		d := &texts.Draft{Force: f, Date: promulgated}
		d.Document.Promulgated = promulgated
		noteForce(d, gazette.Issue{Date: &published}, false)
		if got := f.Day(promulgated, &published).Format(time.DateOnly); !ok || f.Unread || got != want || len(d.Doubts) != 1 || !strings.Contains(d.Doubts[0].Why.Sentence(), want[8:]+"/"+want[5:7]) {
			t.Errorf("%s: %v %s, unread %v, doubts %v", clause, ok, got, f.Unread, d.Doubts)
		}
	}
}

func TestForceAfterRatification(t *testing.T) {
	t.Parallel()
	f, ok := force.ReadClause("Le présent Traité entrera en vigueur soixante jours après la date du dépôt du septième instrument de ratification.", false)
	f.Words = "entrera en vigueur"
	d := &texts.Draft{Force: f}
	noteForce(d, gazette.Issue{}, false)
	if !ok || f.After != force.Ratification || len(d.Doubts) != 1 || d.Doubts[0].Field != "date_entree_vigueur" {
		t.Errorf("%v, doubts %v", f, d.Doubts)
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
		force     force.Force
		date      time.Time
		published *time.Time
		want      string
		doubts    int
	}{
		{"later", force.Force{On: published, Words: "w"}, promulgated, nil, "2019-03-15", 0},
		{"before, published", force.Force{On: early, Words: "w"}, promulgated, &published, "2019-03-15", 1},
		{"before, not published", force.Force{On: early, Words: "w"}, promulgated, nil, "2019-03-01", 1},
		{"out of the world", force.Force{On: time.Date(2190, 1, 1, 0, 0, 0, 0, time.UTC), Words: "w"}, promulgated, &published, "2019-03-15", 1},
		{"published before it was made", force.Force{After: force.Publication, Words: "w"}, promulgated, &early, "2019-03-01", 1},
		{"no clause", force.Force{}, promulgated, &early, "2019-03-01", 0},
		{"no promulgation, a day", force.Force{On: early, Words: "w"}, time.Time{}, nil, "2019-02-01", 0},
		{"no promulgation, a period", force.Force{Months: 3, After: force.Promulgation, Words: "w"}, time.Time{}, nil, "0001-01-01", 0},
		{"no promulgation, published", force.Force{On: early, Words: "w"}, time.Time{}, &published, "2019-02-01", 0},
	} {
		d := &texts.Draft{Force: c.force, Date: c.date}
		d.Document.Promulgated = c.date
		if c.date.IsZero() && c.published != nil {
			d.Document.Promulgated = *c.published // as noteDate does
		}
		issue := gazette.Issue{Date: c.published}
		got := d.EntersInForce(issue)
		noteForce(d, issue, false)
		if got.Format(time.DateOnly) != c.want || len(d.Doubts) != c.doubts {
			t.Errorf("%s: %s, want %s; doubts %v", c.name, got.Format(time.DateOnly), c.want, d.Doubts)
		}
	}
}
