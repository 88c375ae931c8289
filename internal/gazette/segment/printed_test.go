package segment

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/law"
)

// TestAnnexHeads checks printed heads of annexes: the sign, and the title on the same line.
func TestAnnexHeads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // "" if it is no head
		"ANNEXE":                         "|",
		"ANNEXES":                        "|",
		"Annexe I":                       "I|",
		"ANNEXE N° 2":                    "2|",
		"ANNEXE II : Barème des sels":    "II|Barème des sels",
		"Annexe 1 - Statut de la saline": "1|Statut de la saline",
		"ANNEXE A — TARIF":               "A|TARIF",
		"Annexe au décret n° 2023-283":   "",
		"Annexés au présent décret":      "",
		"L'annexe I du présent décret":   "",
	} {
		got := ""
		if m := annexHead.FindStringSubmatch(text); m != nil {
			got = m[1] + "|" + m[3]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestPreamblesBegin checks how the lines after a title begin.
func TestPreamblesBegin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Vu la Constitution ;": true,
		"VU le décret n° 2012-1038/PRES du 31 décembre 2012 ;":      true,
		"Considérant la demande ;":                                  true,
		"Sur le rapport du ministre du sel,":                        true,
		"Sur proposition du ministre du sel ;":                      true,
		"Le Président de la République,":                            true,
		"LE PRESIDENT DU FASO,":                                     true,
		"Le Premier ministre, chef du Gouvernement,":                true,
		"L'Assemblée nationale a délibéré et adopté ;":              true,
		"L’Assemblée Nationale a délibéré et adopté,":               true,
		"Au nom du peuple,":                                         true,
		"La chambre des députés ayant adopté,":                      true,
		"LOUANGE A DIEU SEUL !":                                     true,
		"EXPOSE DES MOTIFS":                                         true,
		"RAPPORT DE PRESENTATION":                                   true,
		"DÉCRÈTE :":                                                 true,
		"Après avis du Conseil du sel ;":                            true,
		"En application de l'article 5 de la loi":                   true,
		"portant Code du sel":                                       false,
		"relatif au titre et à la vente du sel":                     false,
		"Vue d'ensemble des marais":                                 false,
		"et modifiant le décret n° 2012-1038/PRES":                  false,
		"DU 14 MARS 2023":                                           false,
		"Présidents de conseil d'administration des entreprises et": false,
	} {
		if got := preambleStart.MatchString(law.Fold(text)) || preambleStart.MatchString(strings.ReplaceAll(text, "’", "'")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestFormulas checks the formulas that enact a text, and words that are not yet law.
func TestFormulas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"L'Assemblée nationale a délibéré et adopté ;":                         "enacting",
		"La chambre des conseillers ayant a adopté":                            "enacting",
		"Le Président de la République promulgue la loi dont la teneur suit :": "enacting",
		"DECRETE":                   "enacting",
		"D'ordre du Roi, décrète :": "enacting",
		"ARRETENT :":                "enacting",
		"Décide :":                  "enacting",
		"Vu la loi n° 2016-35 du 25 avril 2016 ;":           "enacting",
		"Sur le rapport du ministre du sel ;":               "enacting",
		"Projet de décret abrogeant le décret n° 2020-1021": "bill",
		"Avant-projet de code du sel":                       "bill",
		"Proposition de loi relative au sel":                "bill",
		"Guide pratique du saunier":                         "bill",
		"Formulaire de déclaration":                         "bill",
		"Note de présentation":                              "bill",
		"Le guidage des navires":                            "",
		"Le sel est gris.":                                  "",
	} {
		got := ""
		switch {
		case enacting.MatchString(text):
			got = "enacting"
		case notYetLaw.MatchString(text):
			got = "bill"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestListItems checks how a list item, and so a paragraph, begins.
func TestListItems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"- au fonctionnement de son administration ;": true,
		"– à la diffusion de son programme ;":         true,
		"• le capital ou la dotation":                 true,
		"1° les sels gris ;":                          true,
		"2) les sels fins ;":                          true,
		"a) la durée des services ;":                  true,
		"iv) les marais ;":                            true,
		"(2) les listes sont fournies":                true,
		"12. – Le sel est libre":                      true,
		"o le sel":                                    true,
		"12 écus le kilogramme":                       false,
		"le sel gris":                                 false,
		"2016 et suivants":                            false,
		"A la demande du saunier":                     false,
	} {
		if got := item.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestParagraphs checks the signs by which paragraphs are recognized.
func TestParagraphs(t *testing.T) {
	t.Parallel()
	full := line{text: "une ligne pleine de la loi qui va", scale: 10}
	full.Size = 10
	with := func(change func(*line)) line {
		l := full
		change(&l)
		return l
	}
	ends := with(func(l *line) { l.text = "et la voici qui finit." })
	short := with(func(l *line) { l.text, l.Slack = "qui finit tôt", 200 })
	for _, c := range []struct {
		name      string
		prev, cur line
		want      bool
	}{
		{"within a sentence", full, with(func(l *line) { l.text = "et va encore" }), false},
		{"behind a full stop, in line", ends, with(func(l *line) { l.text = "Le sel est gris" }), false},
		{"behind a full stop, indented", ends, with(func(l *line) { l.text, l.Indent = "Le sel est gris", 12 }), true},
		{"behind a full stop, apart", ends, with(func(l *line) { l.text, l.Gap = "Le sel est gris", 6 }), true},
		{"behind a short line", with(func(l *line) { *l = short; l.text = "qui finit." }), with(func(l *line) { l.text = "Le sel est gris" }), true},
		{"a small letter behind a short line", short, with(func(l *line) { l.text = "et va encore" }), false},
		{"bigger type", full, with(func(l *line) { l.text, l.Size = "TITRE II", 14 }), true},
		{"an item behind a comma", with(func(l *line) { l.text = "le sel gris," }), with(func(l *line) { l.text = "- le sel fin" }), true},
		{"a dash in a sentence", full, with(func(l *line) { l.text = "- le sel fin" }), false},
		{"cells of a table", full, with(func(l *line) { l.text, l.wide = "gris 10", true }), true},
		{"into the middle", full, with(func(l *line) { l.text, l.mid = "CHAPITRE II", true }), true},
	} {
		if got := opens(c.prev, c.cur, 2); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestOddYears compares the years in numbers with those of the texts.
func TestOddYears(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number string
		year   int
		odd    bool
		mended string
	}{
		{"2000-15", 2000, false, ""},
		{"200/015", 2000, true, "2000/015"}, // a digit was lost
		{"2001-15", 2002, false, ""},        // made in the year before
		{"2010-15", 2000, true, "2000-15"},  // a digit was misread
		{"1998-15", 2020, true, ""},         // no change of one digit repairs it
		{"10-2025", 2025, false, ""},        // the year comes last
		{"10-2025", 2024, true, ""},         // a text is numbered when it is made, or later
		{"10-2025", 2026, false, ""},
		{"2000", 2000, true, ""}, // nothing but the year was read
		{"98-97", 1998, false, ""},
		{"1373", 2025, false, ""},
	} {
		d := &draft{date: time.Date(c.year, 5, 4, 0, 0, 0, 0, time.UTC)}
		d.Document.OfficialNumber = c.number
		if got := d.oddYear(); got != c.odd {
			t.Errorf("%s of %d: odd %v", c.number, c.year, got)
		}
		if got := d.correctedNumber(); c.odd && got != c.mended {
			t.Errorf("%s of %d: mended to %q, want %q", c.number, c.year, got, c.mended)
		}
	}
}
