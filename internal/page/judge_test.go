package page

import (
	"strings"
	"testing"
)

const french = "Le contrat de travail est conclu librement entre les parties et il est constaté dans les formes que la loi prévoit pour chacune d’elles. L’employeur déclare toute embauche à l’inspection du travail dans les cinq jours qui suivent la prise de service du salarié, sous peine d’une amende fixée par décret."

// shifted gives text as a layer of glyph codes has it: each code 29 too low.
func shifted(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > 'z' {
			return r
		}
		return r - 29
	}, s)
}

func plainWords(s string) []Word {
	var out []Word
	for i, w := range strings.Fields(s) {
		x := float64(i%10) * 50
		y := float64(i/10) * 12
		out = append(out, Word{Text: w, Rect: [4]float64{x, y, x + 45, y + 10}})
	}
	return out
}

func TestJudgeFrench(t *testing.T) {
	t.Parallel()
	q := Judge(plainWords(french))
	if q.Stop < 0.35 || q.Vowels < 0.4 || q.Accents < 0.02 || q.Letters < 0.9 || q.Lower < 0.9 {
		t.Errorf("French text judged as %+v", q)
	}
	if got := Judge(nil); got != (Quality{}) {
		t.Errorf("no words judged as %+v", got)
	}
}

func TestLayer(t *testing.T) {
	t.Parallel()
	bare := strings.NewReplacer("é", "e", "à", "a", "è", "e", "ê", "e").Replace(french)
	english := "Any person who wishes to lodge the complaint shall notify their intention within thirty days from the publication and must provide every document which the registry deems necessary"
	tests := []struct {
		name string
		page Page
		want Worth
	}{
		{"digital page", Page{Words: plainWords(french)}, Good},
		{"empty page", Page{}, Good},
		{"image without words", Page{Drawn: true, Cover: 1}, Useless},
		{"outlines without words", Page{Drawn: true}, Useless},
		{"scan with a good layer", Page{Words: plainWords(french), Drawn: true, Cover: 1}, Good},
		{"scan with a layer that lost its accents", Page{Words: plainWords(bare + " " + bare), Drawn: true, Cover: 1}, Poor},
		{"scan with a stamp", Page{Words: plainWords("Visa du 3 mai"), Drawn: true, Cover: 0.9}, Useless},
		{"scan with dirt for a layer", Page{Words: plainWords(strings.Repeat("rxt lqp vvm zrt ", 10)), Cover: 1}, Useless},
		{"glyph codes", Page{Words: plainWords(shifted(french))}, Useless},
		{"digital page in another language", Page{Words: plainWords(english)}, Good},
		{"table of figures", Page{Words: plainWords(strings.Repeat("1 250 000 75 % ", 20))}, Good},
		{"page that could not be read", Page{Drawn: true, Fault: "La page 3 est abîmée."}, Good},
	}
	for _, tt := range tests {
		if got := tt.page.Layer(); got != tt.want {
			t.Errorf("%s: %d, want %d (%+v)", tt.name, got, tt.want, Judge(tt.page.Words))
		}
	}
}
