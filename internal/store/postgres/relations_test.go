package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// TestALawChangesNoOtherCountrys checks that a relation to a code without a number means
// the code of the law's own country, or a code whose country is unknown.
func TestALawChangesNoOtherCountrys(t *testing.T) {
	b := setup(t)
	code := func(number string, countries ...string) postgres.StoredText {
		x := text("Loi portant Code du travail", number, day("2000-01-01"), "5")
		x.Document.Type, x.Countries = law.Code, countries
		return x
	}
	own, foreign := code("1", "bf"), code("1", "ma")
	b.ingested(t, "a1", own, foreign)
	change := text("Loi modificative", "2020-1", day("2020-01-01"), "1er")
	change.Countries = []string{"bf"}
	for _, r := range []law.Relation{{TargetType: law.Code, TargetTitle: "code du travail", TargetArticles: []string{"5"}}, {TargetType: law.Loi, TargetNumber: "1"}} {
		r.ID, r.SourceArticle, r.Kind, r.Effective = postgres.NewID(), change.Articles[0].ID, law.Amends, day("2020-01-01")
		change.Relations = append(change.Relations, r)
	}
	b.ingested(t, "a2", change)
	for _, c := range []struct {
		text postgres.StoredText
		want int
	}{{own, 1}, {foreign, 0}} {
		related, err := b.Relations(t.Context(), c.text.Document.ID)
		ok(t, err)
		if len(related.AmendedBy) != c.want {
			t.Errorf("%v is amended by %v", c.text.Countries, related.AmendedBy)
		}
	}
	silent := code("2")
	b.ingested(t, "a3", silent)
	uncertain, err := b.UncertainRelations(t.Context(), 10)
	ok(t, err)
	if len(uncertain) != 0 { // the first relation was resolved earlier, and existing links stay
		t.Errorf("uncertain: %v", uncertain)
	}
}

// TestRelationFindsItsTextByTheStemOfTheNumber names decrees of a catalogue as other texts
// do, with and without the initials of their authors.
func TestRelationFindsItsTextByTheStemOfTheNumber(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	decree := func(number, target string) postgres.StoredText {
		x := text("Décret n° "+number, number, day(target), "1er")
		x.Document.Type = law.Decret
		return x
	}
	signed, plain := decree("2000-190/PRES/PM/MCIA", "2000-05-17"), decree("2001-7", "2001-02-01")
	work, finance := decree("2002-36/MTM", "2002-01-01"), decree("2002-36/MF", "2002-01-01")
	bis, slash := decree("2003-12BIS", "2003-01-01"), decree("1997/012", "1997-01-10")
	early, late := decree("2004-5", "2004-01-01"), decree("2004-5", "2004-09-09")
	all := []postgres.StoredText{signed, plain, work, finance, bis, slash, early, late}
	b.ingested(t, "a1", all...)
	names := map[uuid.UUID]string{}
	for _, x := range all {
		names[x.Document.ID] = x.Document.OfficialNumber + " of " + x.Document.Promulgated.Format(time.DateOnly)
	}
	change := text("Décret modificatif", "2020-1", day("2020-01-01"), "1er")
	cases := []struct{ number, on, want string }{ // want: "" for no text, "?" for uncertain
		{"2000-190", "", "2000-190/PRES/PM/MCIA of 2000-05-17"},
		{"2000-190", "2000-05-17", "2000-190/PRES/PM/MCIA of 2000-05-17"},
		{"2000-190", "2000-05-18", "?"},
		{"2000-190/PRES/PM/MCIA", "", "2000-190/PRES/PM/MCIA of 2000-05-17"},
		{"2000-190/PRES", "", ""},
		{"2000-19", "", ""},
		{"2001-007", "", "2001-7 of 2001-02-01"},
		{"2001-7/PM", "", "2001-7 of 2001-02-01"},
		{"2002-36", "", "?"},
		{"2002-036/mf", "", "2002-36/MF of 2002-01-01"},
		{"2003-12", "", ""},
		{"2003-12bis", "", "2003-12BIS of 2003-01-01"},
		{"97-12", "", ""},
		{"1997-12", "", "1997/012 of 1997-01-10"},
		{"2004-5", "", "?"},
		{"2004-5", "2004-09-09", "2004-5 of 2004-09-09"},
	}
	for _, c := range cases {
		r := law.Relation{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Decret, TargetNumber: c.number, Effective: day("2020-01-01")}
		if c.on != "" {
			r.TargetDate = ptr(day(c.on))
		}
		change.Relations = append(change.Relations, r)
	}
	b.ingested(t, "a2", change)
	uncertain, err := b.UncertainRelations(ctx, 100)
	ok(t, err)
	got := map[uuid.UUID]string{}
	for _, u := range uncertain {
		got[u.Relation.ID] = "?"
	}
	whole, err := b.WholeText(ctx, change.Document.ID)
	ok(t, err)
	for _, r := range whole.Relations {
		if r.TargetID != nil {
			got[r.ID] = names[*r.TargetID]
		}
	}
	for i, c := range cases {
		if id := change.Relations[i].ID; got[id] != c.want {
			t.Errorf("« %s » of %q means %q, want %q", c.number, c.on, got[id], c.want)
		}
	}
	// The text that the relation means is added later.
	b.ingested(t, "a3", decree("2003-012/PM", "2003-05-05"))
	if list, err := b.Relations(ctx, change.Document.ID); err != nil || len(list.Amends) != 7 {
		t.Errorf("%d texts are amended: %+v, %v", len(list.Amends), list.Amends, err)
	}
}
