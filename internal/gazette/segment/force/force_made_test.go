package force

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Made clauses: a subject and verb, a way to count, an event. Each is read, and its day compared with the one that the parts mean.
func TestMadeForceClauses(t *testing.T) {
	t.Parallel()
	promulgated := time.Date(2024, 6, 12, 0, 0, 0, 0, time.UTC)
	published := time.Date(2024, 6, 20, 0, 0, 0, 0, time.UTC)
	events := map[string]time.Time{
		"sa publication": published, "sa publication au Journal officiel": published, "sa publication au Journal officiel de la République de Solmarie": published, "la publication de la présente loi": published,
		"la date de sa publication": published, "sa date de publication": published, "sa parution au Journal officiel": published, "son insertion au Journal officiel": published, "la publication au Bulletin officiel de la présente loi": published,
		"sa promulgation": promulgated, "la date de sa promulgation": promulgated, "sa signature": promulgated, "la promulgation de la présente loi": promulgated,
	}
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	monthStart := func(n int) func(time.Time) time.Time {
		return func(e time.Time) time.Time { return day(e.Year(), e.Month()+time.Month(n), 1) }
	}
	plus := func(m, d int) func(time.Time) time.Time {
		return func(e time.Time) time.Time { return e.AddDate(0, m, d) }
	}
	ways := map[string]func(time.Time) time.Time{
		"dès %s": plus(0, 0), "à compter de %s": plus(0, 0), "à partir de %s": plus(0, 0), "immédiatement après %s": plus(0, 0), "le jour de %s": plus(0, 0), "dès le jour de %s": plus(0, 0),
		"le lendemain de %s": plus(0, 1), "au lendemain de %s": plus(0, 1), "le jour suivant celui de %s": plus(0, 1), "à compter du lendemain de %s": plus(0, 1),
		"trois jours après %s": plus(0, 3), "trois (3) jours après %s": plus(0, 3), "quinze jours à compter de %s": plus(0, 15), "le troisième jour suivant %s": plus(0, 3), "le dixième jour qui suit %s": plus(0, 10),
		"trois jours francs après %s": plus(0, 4), "dix (10) jours francs à compter de %s": plus(0, 11), "un jour franc après %s": plus(0, 2), "deux semaines après %s": plus(0, 14),
		"un mois après %s": plus(1, 0), "six (6) mois à compter de %s": plus(6, 0), "trois mois suivant %s": plus(3, 0), "un trimestre après %s": plus(3, 0), "un an après %s": plus(12, 0), "une année après %s": plus(12, 0), "deux ans à compter de %s": plus(24, 0),
		"à l’expiration d’un délai de trois mois à compter de %s": plus(3, 0), "à l’expiration d’un délai d’un mois après %s": plus(1, 0), "au terme d’un délai de six mois suivant %s": plus(6, 0), "à l’issue d’un délai de quinze jours à compter de %s": plus(0, 15),
		"passé un délai de dix jours après %s": plus(0, 10), "à l’expiration d’un délai de dix jours francs à compter de %s": plus(0, 11),
		"le premier jour du mois qui suit %s": monthStart(1), "le premier jour du mois suivant %s": monthStart(1), "le 1er jour du mois suivant %s": monthStart(1), "le 1er du mois suivant %s": monthStart(1), "le premier jour du mois suivant celui de %s": monthStart(1),
		"à compter du premier jour du mois suivant %s": monthStart(1), "à partir du 1er jour du mois qui suit celui de %s": monthStart(1), "au premier jour du mois suivant %s": monthStart(1), "le premier du mois qui suit %s": monthStart(1),
		"le premier jour du deuxième mois qui suit %s": monthStart(2), "le premier jour du troisième mois suivant celui de %s": monthStart(3), "le 1er jour du 3e mois suivant %s": monthStart(3), "le premier jour du sixième mois qui suit celui de %s": monthStart(6), "le premier jour du second mois suivant %s": monthStart(2),
		"le premier jour du mois civil suivant %s": monthStart(1), "le premier jour du trimestre suivant %s": func(time.Time) time.Time { return day(2024, 7, 1) }, "le premier jour du semestre qui suit %s": func(time.Time) time.Time { return day(2024, 7, 1) },
		"le premier jour de l’année suivant %s": func(time.Time) time.Time { return day(2025, 1, 1) }, "le premier jour de l’année qui suit celle de %s": func(time.Time) time.Time { return day(2025, 1, 1) }, "le 1er janvier suivant %s": func(time.Time) time.Time { return day(2025, 1, 1) },
		"le 1er janvier de l’année suivant celle de %s": func(time.Time) time.Time { return day(2025, 1, 1) }, "le 1er juillet qui suit %s": func(time.Time) time.Time { return day(2024, 7, 1) }, "le 1er mars suivant %s": func(time.Time) time.Time { return day(2025, 3, 1) },
		"le 15 du mois suivant %s": func(e time.Time) time.Time { return day(2024, 7, 15) }, "le dernier jour du mois suivant %s": func(e time.Time) time.Time { return day(2024, 7, 31) },
		"le premier jour du mois suivant l’expiration d’un délai de trois mois à compter de %s": monthStart(4), "le premier jour du mois qui suit un délai de deux mois après %s": monthStart(3),
	}
	subjects := []string{"La présente loi entre en vigueur %s.", "La présente loi entrera en vigueur %s et sera exécutée comme loi de l’État.", "Les dispositions de la présente loi prennent effet %s.", "La présente loi, qui abroge la loi n° 98-2 du 3 mars 1998, entre en vigueur %s.",
		"La présente loi sera publiée au Journal officiel et entrera en vigueur %s.", "La présente loi est applicable %s.", "La présente loi entre en vigueur %s et abroge toutes dispositions contraires.", "Elle est exécutoire %s."}
	n := 0
	for way, count := range ways {
		for event, start := range events {
			clause := fmt.Sprintf(subjects[n%len(subjects)], fmt.Sprintf(way, event))
			if n%3 == 0 {
				clause = strings.ReplaceAll(clause, "’", "'")
			}
			n++
			f, ok := ReadClause(clause, true)
			if got, want := f.Day(promulgated, &published), count(start); !ok || f.Unread || !got.Equal(want) {
				t.Errorf("%s: a clause %v, unread %v, %s, want %s", clause, ok, f.Unread, got.Format(time.DateOnly), want.Format(time.DateOnly))
			}
		}
	}
	if n < 600 {
		t.Errorf("only %d clauses", n)
	}
}

// A month ends on the day with the same number, or on its last.
func TestMonthsEndWithTheMonth(t *testing.T) {
	t.Parallel()
	published := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC)
	for clause, want := range map[string]string{"un mois après sa publication": "2024-02-29", "trois mois après sa publication": "2024-04-30", "deux mois après sa publication": "2024-03-31", "treize mois après sa publication": "2025-02-28"} {
		f, ok := ReadClause("La présente loi entre en vigueur "+clause+".", false)
		if got := f.Day(published, &published).Format(time.DateOnly); !ok || got != want {
			t.Errorf("%s: %s, want %s", clause, got, want)
		}
	}
}
