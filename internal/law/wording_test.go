package law

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestReplaced(t *testing.T) {
	t.Parallel()
	if r := (*Wording)(nil).Replaced(); r != nil {
		t.Errorf("an article of its own replaces %+v", r)
	}
	target := uuid.New()
	whole := (&Wording{Number: "36", TargetID: &target, TargetTitle: "Code du travail"}).Replaced()
	if *whole != (Replaced{&target, "36", "Code du travail", Replaces}) || whole.By() != "tel que remplacé par" {
		t.Errorf("%+v", whole)
	}
	part := (&Wording{Number: "94-2", Part: "premier alinéa", TargetTitle: "Code du travail", Inserted: true}).Replaced()
	if *part != (Replaced{nil, "94-2, premier alinéa", "Code du travail", Inserts}) || part.By() != "tel qu’inséré par" {
		t.Errorf("%+v", part)
	}
}

func TestNewNumber(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{"5 (nouveau)": NewNumber("5", ""), "17 (alinéa 2 nouveau)": NewNumber("17", "alinéa 2")} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if n := ArticleNumber(NewNumber("40 bis", "")); n != "40 bis" {
		t.Errorf("read back as %q", n)
	}
}

func TestCallText(t *testing.T) {
	t.Parallel()
	day := time.Date(1999, 5, 1, 0, 0, 0, 0, time.UTC)
	for want, got := range map[string]string{
		"Loi n° 99-4 du 1er mai 1999": CallText(Loi, "99-4", "", day),
		"Décret n° 99-4":              CallText(Decret, "99-4", "", time.Time{}),
		"Texte n° 99-4":               CallText("", "99-4", "", time.Time{}),
		"Code du travail":             CallText(Code, "", "code du travail", time.Time{}),
	} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
