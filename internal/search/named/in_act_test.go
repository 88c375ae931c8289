package named

import (
	"testing"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
)

// TestNamesInActs checks what names in the words of an act of 2020 mean.
func TestNamesInActs(t *testing.T) {
	t.Parallel()
	of := func(title string, kind law.DocType, number, day string) postgres.NamedText {
		date, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		n := postgres.NamedText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: kind, OfficialNumber: number, Promulgated: date}, Countries: []string{"bj"}}
		return n
	}
	as2015 := of("Code du travail", law.Code, "", "2000-01-01")
	as2015.Document.AsOf = new(time.Time)
	*as2015.Document.AsOf = time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	foreign := of("Code du travail", law.Code, "", "2018-01-01")
	foreign.Countries = []string{"sn"}
	source := InMemory([]postgres.NamedText{
		of("Code pénal", law.Code, "", "1990-01-01"), of("Code pénal militaire", law.Code, "", "1995-01-01"),
		of("Code du travail", law.Code, "", "1990-01-01"), as2015, of("Loi portant Code du travail", law.Code, "", "2022-01-01"), foreign,
		of("Code du commerce, livre premier", law.Code, "", "1990-01-01"), of("Code du commerce maritime", law.Code, "", "1990-01-01"),
		of("Loi n° 2010-05 relative au sel gemme", law.Loi, "2010-05", "2010-05-03"),
		of("Arrêté n° 7 relatif au sel", law.Arrete, "7", "2011-01-01"), of("Arrêté n° 7 relatif au sel", law.Arrete, "7", "2012-01-01"),
		of("Loi relative à l'application du code forestier", law.Loi, "", "2001-01-01"),
	})
	act := Act{ID: postgres.NewID(), Countries: []string{"bj"}, Day: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		name   amend.TargetText
		want   string // title and day of the edition that the act changes; "" for none
		texts  int    // texts that the name may mean
		reason string
	}{
		{amend.TargetText{Type: law.Code, Title: "code pénal"}, "Code pénal 1990-01-01", 1, "the other code has a name of its own"},
		{amend.TargetText{Type: law.Code, Title: "code du travail"}, "Code du travail 2000-01-01", 2, "the edition of 2015 is the last before the act"},
		{amend.TargetText{Type: law.Code, Title: "code du commerce"}, "", 2, "two codes"},
		{amend.TargetText{Type: law.Loi, Number: "2010-05", Title: "loi n° 2010-05 du 3 mai 2010"}, "Loi n° 2010-05 relative au sel gemme 2010-05-03", 1, ""},
		{amend.TargetText{Type: law.Loi, Number: "2010-05", Title: "loi n° 2010-05 du 9 juin 2010"}, "", 1, "of another day"},
		{amend.TargetText{Type: law.Arrete, Number: "7", Title: "arrêté n° 7"}, "", 2, "numbers come again"},
		{amend.TargetText{Type: law.Arrete, Number: "7", Title: "arrêté n° 7 du 1er janvier 2012"}, "Arrêté n° 7 relatif au sel 2012-01-01", 1, ""},
		{amend.TargetText{Type: law.Code, Title: "code forestier"}, "", 0, "a law that mentions a code is not the code"},
	} {
		m, err := NewLookup(source).InAct(t.Context(), c.name, act)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if m.Edition != nil {
			got = m.Edition.Document.Title + " " + m.Edition.Document.Promulgated.Format(time.DateOnly)
		}
		if got != c.want || len(m.Texts) != c.texts {
			t.Errorf("%s: %q of %d texts, want %q of %d (%s)", c.name.Title, got, len(m.Texts), c.want, c.texts, c.reason)
		}
	}
}
