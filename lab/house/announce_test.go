package house

import (
	"regexp"
	"slices"
	"testing"
)

// kinds are what each kind of announcement has that the others have not.
var kinds = map[string]string{
	"tenders":      `(?i)^avis d.appel d.offres .*n° \d`,
	"outcomes":     `(?i)attributaire|march[ée] est attribu|infructueux`,
	"companies":    `(?i)capital (?:de|est fix)|assembl[ée]e g[ée]n[ée]rale|acte sous seing`,
	"associations": `(?i)r[ée]c[ée]piss[ée].* n° \d|d[ée]claration d.association n° \d`,
	"land":         `(?i)r[ée]quisition d.immatriculation n° \d|livre foncier|bornage provisoire`,
	"courts":       `(?i)^par jugement n° \d|syndic|d[ée]clare la requ[êe]te`,
	"offices":      `(?i)^(?:communiqu[ée]|avis au public|avis de concours|avis de recrutement|avis d.enqu[êe]te|situation mensuelle)`,
}

// TestAnnouncementsAreNoTexts: of every kind there are some, all of their lines belong to no
// text, and the texts before them are the same with and without.
func TestAnnouncementsAreNoTexts(t *testing.T) {
	t.Parallel()
	styles := Styles()
	style := styles[slices.IndexFunc(styles, func(s Style) bool { return s.flood > 1 })]
	seen := map[string]bool{}
	for seed := range uint64(6) {
		plain, with := Make(style, seed, Damage{}), Make(style.Announcing(), seed, Damage{})
		if len(plain.Texts) != len(with.Texts) {
			t.Fatalf("seed %d: %d texts and with announcements %d", seed, len(plain.Texts), len(with.Texts))
		}
		for i, x := range with.Texts {
			if p := plain.Texts[i]; p.Title != x.Title || !p.Date.Equal(x.Date) || !slices.Equal(p.Articles, x.Articles) {
				t.Errorf("seed %d: %q has become %q", seed, p.Title, x.Title)
			}
		}
		for _, l := range arrangedLines(with) {
			for name, pattern := range kinds {
				if l.label == Notice && regexp.MustCompile(pattern).MatchString(l.text) {
					seen[name] = true
				}
			}
			if l.label == Notice && l.owner >= 0 {
				t.Errorf("%q belongs to text %d", l.text, l.owner)
			}
		}
	}
	for name := range kinds {
		if !seen[name] {
			t.Errorf("no announcement of %s", name)
		}
	}
}
