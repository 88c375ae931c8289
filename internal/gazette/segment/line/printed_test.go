package line

import (
	"testing"
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
		if m := AnnexHead.FindStringSubmatch(text); m != nil {
			got = m[1] + "|" + m[3]
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
		if got := ListItem.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestParagraphs checks the signs by which paragraphs are recognized.
func TestParagraphs(t *testing.T) {
	t.Parallel()
	full := Line{Text: "une ligne pleine de la loi qui va", Scale: 10}
	full.Size = 10
	with := func(change func(*Line)) Line {
		l := full
		change(&l)
		return l
	}
	ends := with(func(l *Line) { l.Text = "et la voici qui finit." })
	short := with(func(l *Line) { l.Text, l.Slack = "qui finit tôt", 200 })
	for _, c := range []struct {
		name      string
		prev, cur Line
		want      bool
	}{
		{"within a sentence", full, with(func(l *Line) { l.Text = "et va encore" }), false},
		{"behind a full stop, in line", ends, with(func(l *Line) { l.Text = "Le sel est gris" }), false},
		{"behind a full stop, indented", ends, with(func(l *Line) { l.Text, l.Indent = "Le sel est gris", 12 }), true},
		{"behind a full stop, apart", ends, with(func(l *Line) { l.Text, l.Gap = "Le sel est gris", 6 }), true},
		{"behind a short line", with(func(l *Line) { *l = short; l.Text = "qui finit." }), with(func(l *Line) { l.Text = "Le sel est gris" }), true},
		{"a small letter behind a short line", short, with(func(l *Line) { l.Text = "et va encore" }), false},
		{"bigger type", full, with(func(l *Line) { l.Text, l.Size = "TITRE II", 14 }), true},
		{"an item behind a comma", with(func(l *Line) { l.Text = "le sel gris," }), with(func(l *Line) { l.Text = "- le sel fin" }), true},
		{"a dash in a sentence", full, with(func(l *Line) { l.Text = "- le sel fin" }), false},
		{"cells of a table", full, with(func(l *Line) { l.Text, l.Spaced = "gris 10", true }), true},
		{"into the middle", full, with(func(l *Line) { l.Text, l.Centered = "CHAPITRE II", true }), true},
	} {
		if got := Opens(c.prev, c.cur, 2); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
