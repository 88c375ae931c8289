package spelling_test

import (
	"testing"

	"vigueur/internal/law/spelling"
)

func TestAlike(t *testing.T) {
	t.Parallel()
	const title = "loi n° 28-2008/an portant code du travail et des conges annuels, organisation du conseil"
	for typed, want := range map[string]bool{
		"travial":               true,  // two neighbors exchanged
		"travai1":               true,  // as a scan has it
		"trvail":                true,  // a letter is missing
		"travvail":              true,  // one too many
		"conje":                 false, // two slips in five letters
		"conges":                true,
		"conge":                 true,
		"conse":                 false, // a word that goes on
		"conge de maternite":    false, // every word is to be there
		"loi de conges":         true,  // short words do not count
		"organizasion":          true,  // two slips in a long word
		"orgonizasion":          false, // three
		"28-2009":               true,  // numbers this short are none of its affair
		"28-20083":              false, // a number has no slips
		"annuels travail conge": true,
	} {
		if got := spelling.Alike(typed, title); got != want {
			t.Errorf("%s: %t", typed, got)
		}
	}
}
