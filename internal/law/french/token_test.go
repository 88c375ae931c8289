package french_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/law/french"
)

// spelled formats the tokens of a text: kind, term, and the covered part of the text; stop
// words are in brackets.
func spelled(text string) string {
	kinds := map[french.TokenKind]string{french.Word: "", french.Number: "#", french.Ordinal: "°", french.Date: "@", french.Text: "n:", french.Article: "a:"}
	var list []string
	for _, x := range french.Analyze(text) {
		s := fmt.Sprintf("%s%s=%s", kinds[x.Kind], x.Term, text[x.Start:x.End])
		if x.Stop {
			s = "(" + s + ")"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// Tokens cover the part of the text that they were made from, because excerpts mark exactly
// this part.
func TestTokensCoverTheirText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"l’employeur":          "employeu=employeur",
		"aujourd’hui":          "(aujourdhui=aujourd’hui)",
		"prud’homme":           "prudhom=prud’homme",
		"d' l":                 "(l=l)",
		"lorsqu’il":            "(il=il)",
		"sous\u00adtitre":      "soustitr=sous\u00adtitre",
		"5%":                   "#5=5 %=%",
		"100％":                 "#100=100 %=％",
		"8h30":                 "8h30=8h30",
		"20h":                  "#20=20 heur=h",
		"80m":                  "#80=80 (m=m)",
		"1er":                  "°1e=1er",
		"2nde":                 "°2e=2nde",
		"13 ème":               "°13e=13 ème",
		"n° 12":                "(n=n) n:12=12",
		"n°12":                 "(n=n) n:12=12",
		"3 mai 2010":           "@2010-05-03=3 mai 2010 (#2010=3 mai 2010)",
		"le 3 mai 2010bis":     "(le=le) #3=3 mai=mai #2010=2010 bis=bis",
		"S.M.I.G.":             "smig=S.M.I.G",
		"S. M. I. G.":          "(s=S) (m=M) i=I g=G",
		"M.A.":                 "ma=M.A",
		"pour cent":            "%=pour cent",
		"pour, cent":           "(pour=pour) #100=cent",
		"Titre IV":             "titr=Titre #4=IV",
		"TITRE\nIV":            "titr=TITRE iv=IV",
		"articles 3, 5 et 7":   "articl=articles a:art3=3 a:art5=5 a:art7=7",
		"\xffloi\xff":          "loi=loi",
		"«»—…":                 "",
		"l'article premier":    "articl=article a:art1=premier",
		"art. 12bis":           "articl=art a:art12bis=12bis",
		"art. 12 bis":          "articl=art a:art12bis=12 bis",
		"article 7-1 ter":      "articl=article a:art7-1ter=7-1 ter",
		"article 7-1ter":       "articl=article a:art7-1ter=7-1ter",
		"article 5, 6":         "articl=article a:art5=5 #6=6",
		"article cinq":         "articl=article #5=cinq",
		"article;12":           "articl=article #12=12",
		"L. 12":                "a:artl12=L. 12",
		"L 12":                 "(l=L) #12=12",
		"L 12-1":               "a:artl12-1=L 12-1",
		"R12bis":               "a:artr12bis=R12bis",
		"LP. 12":               "a:artlp12=LP. 12",
		"A12":                  "a12=A12",
		"L12x":                 "l12x=L12x",
		"12-15":                "#12=12 #15=15",
		"012-15":               "n:12-15=012-15",
		"loi 12-15":            "loi=loi n:12-15=12-15",
		"loi 2010":             "loi=loi #2010=2010",
		"12/2010/AN":           "n:12-2010-an=12/2010/AN",
		"12/2010/ASSEMBLEE":    "n:12-2010=12/2010 assembl=ASSEMBLEE",
		"décret 12-an":         "decret=décret #12=12 an=an",
		"1-2-3-4-5-2010":       "n:1-2-3-4-5-2010=1-2-3-4-5-2010",
		"Les lois n° 2010-05.": "(les=Les) loi=lois (n=n) n:2010-5=2010-05",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := spelled(text); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// Words that differ only by their ending have the same term, and words with different
// meanings have different terms.
func TestStems(t *testing.T) {
	t.Parallel()
	for _, same := range []string{
		"salarié salariée salariés salariées", "licencier licencié licenciée licenciés", "tribunal tribunaux", "bail baux", "travail travaux",
		"payer payé payée", "cheval chevaux", "ans an", "employeur employeurs", "annuel annuelle annuelles", "prix", "oeil yeux",
	} {
		t.Run(same, func(t *testing.T) {
			t.Parallel()
			forms := strings.Fields(same)
			for _, form := range forms[1:] {
				if a, b := french.Terms("le "+forms[0]), french.Terms("le "+form); fmt.Sprint(a) != fmt.Sprint(b) {
					t.Errorf("%s is %q, %s is %q", forms[0], a, form, b)
				}
			}
		})
	}
	for _, different := range []string{"loi lot", "mer mère", "bail bal", "cas case", "fils fille"} {
		t.Run(different, func(t *testing.T) {
			t.Parallel()
			seen := make(map[string]string)
			for _, form := range strings.Fields(different) {
				term := fmt.Sprint(french.Analyze(form)[0].Term)
				if other := seen[term]; other != "" {
					t.Errorf("%s and %s are both %q", other, form, term)
				}
				seen[term] = form
			}
		})
	}
}
