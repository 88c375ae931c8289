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
	constitution, unknown, nobody := of("Constitution", law.Constitution, "", "1991-06-02"), of("Loi n° 99-3", law.Loi, "99-3", "1999-05-02"), of("Constitution", law.Constitution, "", "1992-06-02")
	constitution.Countries, unknown.Countries, nobody.Countries = []string{"bf"}, nil, nil
	source := InMemory([]postgres.NamedText{
		constitution, unknown, nobody, of("Règlement du 4 septembre 1990 portant exécution du code du sel", law.Decret, "", "1990-09-04"),
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
		{amend.TargetText{Title: "règlement du 18 septembre 1974 sur les caisses régies par le code du sel"}, "", 0, "of another day"},
		{amend.TargetText{Type: law.Constitution, Title: "Constitution"}, "", 0, "that of another state, and one of an unknown"},
		{amend.TargetText{Type: law.Loi, Number: "99-3", Title: "loi n° 99-3 du 2 mai 1999"}, "Loi n° 99-3 1999-05-02", 1, "of an unknown state, with number and day"},
		{amend.TargetText{Type: law.Loi, Number: "99-3", Title: "loi n° 99-3"}, "", 0, "of an unknown state, by its number alone"},
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

// An act of a union changes the law of the union, and of no member.
func TestUnionsChangeNoState(t *testing.T) {
	t.Parallel()
	day := time.Date(2002, 5, 23, 0, 0, 0, 0, time.UTC)
	source := InMemory([]postgres.NamedText{
		{Document: law.Document{ID: postgres.NewID(), Title: "Constitution du Burkina Faso", Type: law.Constitution, Promulgated: day}, Countries: []string{"bf"}},
		{Document: law.Document{ID: postgres.NewID(), Title: "Règlement n° 02/2002/CM/UEMOA", OfficialNumber: "02/2002/CM/UEMOA", Promulgated: day}},
	})
	act := Act{ID: postgres.NewID(), Day: day.AddDate(12, 0, 0)}
	for _, c := range []struct {
		name  amend.TargetText
		texts int
	}{{amend.TargetText{Type: law.Constitution, Title: "Constitution"}, 0}, {amend.TargetText{Number: "02/2002/CM/UEMOA", Title: "règlement n° 02/2002/CM/UEMOA"}, 1}} {
		if m, err := NewLookup(source).InAct(t.Context(), c.name, act); err != nil || len(m.Texts) != c.texts {
			t.Errorf("%s means %d texts, want %d: %v", c.name.Title, len(m.Texts), c.texts, err)
		}
	}
}
