package pdftext

import (
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

func TestMendCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"read as the Macintosh's", "ArrÍtÈ interministÈriel relatif ‡ líarrÍtÈ du 12 Cha‚bane ´ sel ª DÉCRET", "Arrêté interministériel relatif à l’arrêté du 12 Chaâbane « sel » DÉCRET"},
		{"a capital before it, a rule of dashes", "RÈpublique DÈcret Èventuelles Élan óóóó★óóóó", "République Décret éventuelles Élan ————★————"},
		{"capitals of the same font", "dÈcret dÈcret dÈcret D…CRET …TAT", "décret décret décret DÉCRET ÉTAT"},
		{"right already", "décret présidentiel DÉCRÈTE l’arrêté à … « sel »", "décret présidentiel DÉCRÈTE l’arrêté à … « sel »"},
		{"too few to tell", "dÈcret de M. McÉwan ‡", "dÈcret de M. McÉwan ‡"},
		{"a font among others", "dÈcret arrÍtÈ numÈro de l’État été à", "décret arrêté numéro de l’État été à"},
		{"Arabic beside it", "dÈcret arrÍtÈ numÈro مرسوم", "décret arrêté numéro مرسوم"},
	} {
		for range 2 { // what was mended stays
			var words []layout.Word
			for _, w := range strings.Fields(c.in) {
				words = append(words, layout.Word{Text: w})
			}
			var got []string
			for _, w := range MendCodes(words) {
				got = append(got, w.Text)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s:\n got %q\nwant %q", c.name, s, c.want)
			}
			c.in = c.want
		}
	}
}
