package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

// TestRelationFindsItsTextByTheStemOfTheNumber names decrees of a catalogue as
// other texts do, with and without the signs of those who made them.
func TestRelationFindsItsTextByTheStemOfTheNumber(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	decree := func(number, on string) postgres.Text {
		x := text("Décret n° "+number, number, day(on), "1er")
		x.Document.Type = law.Decret
		return x
	}
	signed, plain := decree("2000-190/PRES/PM/MCIA", "2000-05-17"), decree("2001-7", "2001-02-01")
	work, finance := decree("2002-36/MTM", "2002-01-01"), decree("2002-36/MF", "2002-01-01")
	bis, slash := decree("2003-12BIS", "2003-01-01"), decree("1997/012", "1997-01-10")
	early, late := decree("2004-5", "2004-01-01"), decree("2004-5", "2004-09-09")
	all := []postgres.Text{signed, plain, work, finance, bis, slash, early, late}
	b.ingested(t, "a1", all...)
	names := map[uuid.UUID]string{}
	for _, x := range all {
		names[x.Document.ID] = x.Document.OfficialNumber + " of " + x.Document.Promulgated.Format(time.DateOnly)
	}
	change := text("Décret modificatif", "2020-1", day("2020-01-01"), "1er")
	cases := []struct{ number, on, want string }{ // want "" for none, "?" for a person's to settle
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
	// The text that it means comes later.
	b.ingested(t, "a3", decree("2003-012/PM", "2003-05-05"))
	if list, err := b.Relations(ctx, change.Document.ID); err != nil || len(list.Amends) != 7 {
		t.Errorf("%d texts are amended: %+v, %v", len(list.Amends), list.Amends, err)
	}
}
