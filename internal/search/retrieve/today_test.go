package retrieve

import (
	"testing"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/question"
)

// Today is the day of the country whose law is asked about: at half past eleven in the evening in Abidjan it is the next
// day in Porto-Novo.
func TestTodayOfAQuestion(t *testing.T) {
	t.Parallel()
	s := &Searcher{Now: func() time.Time {
		return time.Date(2026, time.November, 25, 0, 30, 0, 0, time.FixedZone("Europe/Paris", 3600))
	}}
	of := func(codes ...country.Code) *question.Question { return &question.Question{Countries: codes} }
	for name, c := range map[string]struct {
		q    Question
		want string
	}{
		"no country":                  {Question{}, "2026-11-24"},
		"Abidjan":                     {Question{Asked: of("ci")}, "2026-11-24"},
		"Porto-Novo":                  {Question{Asked: of("bj")}, "2026-11-25"},
		"the filter before the words": {Question{Asked: of("bj"), Filters: law.Filters{Country: "ci"}}, "2026-11-24"},
		"by the filter":               {Question{Filters: law.Filters{Country: "bj"}}, "2026-11-25"},
	} {
		if day, today := s.Days(c.q); day.Format(time.DateOnly) != c.want || !day.Equal(today) {
			t.Errorf("%s: %v, %v, want %s", name, day, today, c.want)
		}
	}
	past := time.Date(2020, 1, 1, 15, 0, 0, 0, time.UTC)
	if day, today := s.Days(Question{Filters: law.Filters{Date: &past, Country: "bj"}}); day.Format(time.DateTime) != "2020-01-01 00:00:00" || today.Format(time.DateOnly) != "2026-11-25" {
		t.Errorf("%v, %v", day, today)
	}
}

// « hier » is the day before that of the named country, and a question that was parsed is not parsed again on the same day.
func TestQuestionIsParsedOnItsDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 24, 23, 30, 0, 0, time.UTC)
	q := Question{Text: "Quel était hier le taux de la taxe sur le sel au Bénin ?"}.Parse(now)
	if q.Asked.Day == nil || q.Asked.Day.Format(time.DateOnly) != "2026-11-24" || q.Today.Format(time.DateOnly) != "2026-11-25" {
		t.Errorf("day %v of a question of %v", q.Asked.Day, q.Today)
	}
	if again := q.Parse(now); again.Asked != q.Asked {
		t.Error("parsed again")
	}
	if next := q.Parse(now.AddDate(0, 0, 1)); next.Asked.Day.Format(time.DateOnly) != "2026-11-25" {
		t.Errorf("day %v of the next day", next.Asked.Day)
	}
}
