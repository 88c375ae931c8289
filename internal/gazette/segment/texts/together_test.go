package texts

import (
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/law"
)

func TestTextsThatEnterIntoForceTogether(t *testing.T) {
	t.Parallel()
	f, ok := force.ReadClause("Le présent décret entre en vigueur en même temps que la loi relative aux salines.", false)
	if !ok {
		t.Fatal("no clause")
	}
	day := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	a := &Draft{Text: gazette.Text{Document: law.Document{Title: "Loi n° 3 relative aux salines", EntersInForce: day}}}
	b := &Draft{Force: f, Text: gazette.Text{Document: law.Document{Title: "Décret n° 4"}}}
	ShareForceDays([]*Draft{a, b})
	if !b.Document.EntersInForce.Equal(day) {
		t.Errorf("%v", b.Document.EntersInForce)
	}
}
