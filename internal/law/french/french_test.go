package french_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

func TestSameWordHoweverWritten(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"l’employeur", "L'EMPLOYEUR", "lʼemployeur", "employeurs", "l´employeur"},
		{"congés payés", "CONGES PAYES", "conge\u0301s paye\u0301s", "congé payé"},
		{"prud’hommes", "prudhommes", "PRUD'HOMMES"},
		{"trois (3) mois", "3 mois", "trois mois", "03 mois", "Trois\u00a0mois"},
		{"1.000.000 F", "1 000 000 F", "1\u202f000\u202f000 F", "un million F", "1000000 F"},
		{"vingt-cinq", "25", "vingt cinq", "vingt‑cinq"},
		{"quatre-vingt-dix-sept", "97", "nonante-sept"},
		{"soixante et onze", "71", "septante et un"},
		{"deux cent mille", "200 000"},
		{"mille neuf cent soixante", "1960"},
		{"1,50", "1.5", "1,5"},
		{"5 %", "5%", "cinq pour cent", "5 pour cent"},
		{"13ème mois", "13 eme mois", "treizième mois", "13e mois"},
		{"premier", "1er", "première", "1ère"},
		{"3 mai 2010", "03/05/2010", "3/5/2010", "2010-05-03", "3 MAI 2010"},
		{"1er mars 2020", "01/03/2020", "2020-03-01"},
		{"art. L. 1224-1", "article L1224-1", "Art L 1224-1", "articles l.1224-1"},
		{"article 1er", "Article premier", "art. 1", "ART. 1ER"},
		{"article 26 bis", "art. 26 bis", "Art. 26 BIS"},
		{"loi n° 2010-05", "loi 2010-5", "LOI N° 2010-05", "loi nº 2010-05", "loi no 2010-05"},
		{"S.M.I.G.", "SMIG", "smig"},
		{"TITRE II", "titre 2", "Titre II"},
		{"Chapitre Ier", "chapitre 1", "CHAPITRE I"},
		{"œuvre", "oeuvre", "ŒUVRE"},
		{"ﬁnances", "finances"},
		{"un mois", "1 mois", "un (1) mois"},
		{"travaux", "travail"},
		{"8h", "8 heures", "huit heures"},
	} {
		want := french.Terms(same[0])
		if len(want) == 0 {
			t.Errorf("%q has no terms", same[0])
		}
		for _, other := range same[1:] {
			if got := french.Terms(other); !slices.Equal(got, want) {
				t.Errorf("%q gives %q, %q gives %q", same[0], want, other, got)
			}
		}
	}
}

func TestDifferentThingsStayApart(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"article 26", "article 26 bis"}, {"article 14", "14"}, {"art. L. 1224-1", "art. R. 1224-1"},
		{"1 500", "1,5"}, {"10-15 jours", "1015 jours"}, {"loi n° 2010-05", "loi n° 2010-06"},
		{"trois ans", "trois mois"}, {"2 ans et 3 mois", "5 ans"}, {"vingt", "quatre-vingts"},
	} {
		if a, b := french.Terms(pair[0]), french.Terms(pair[1]); slices.Equal(a, b) {
			t.Errorf("%q and %q both give %q", pair[0], pair[1], a)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Les articles 3, 5 et 7 bis à 9", "art3 art5 art7bis art9"},
		{"l’article 5, trois mois après", "art5"},
		{"décret n° 028-2008/AN du 3 mai 2008", "28-2008-an 2008-05-03"},
		{"de 10-15 jours", ""},
		{"loi 97-12", "97-12"},
		{"n° 1499", "1499"},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, x := range french.Analyze(c.text) {
				if x.Kind == french.Article || x.Kind == french.Text || x.Kind == french.Date {
					got = append(got, x.Term)
				}
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("%q gives %q, want %q", c.text, g, c.want)
			}
		})
	}
}

func TestStopWords(t *testing.T) {
	t.Parallel()
	if got := french.Terms("Est-ce qu’il n’y a pas aujourd’hui de la loi ?"); !slices.Equal(got, []string{"loi"}) {
		t.Errorf("got %q", got)
	}
}

func TestNumbersOfArticlesAndTexts(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"14": "art14", "1er": "art1", "premier": "art1", "L. 1224-1": "artl1224-1",
		"L1224-1": "artl1224-1", "26 bis": "art26bis", "": "", "Préambule": "artpreambule"} {
		t.Run(number, func(t *testing.T) {
			if got := french.ArticleTerm(number); got != want {
				t.Errorf("article %q: %q, want %q", number, got, want)
			}
		})
	}
	for number, want := range map[string]string{"2010-05": "2010-5", "2023-118/MTM": "2023-118-mtm", "": "", "1499": "1499"} {
		t.Run(number, func(t *testing.T) {
			if got := french.TextTerm(number); got != want {
				t.Errorf("text %q: %q, want %q", number, got, want)
			}
		})
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"de deux mois à deux ans", "2 mois|2 an"},
		{"de 2 à 5 ans", "2 an|5 an"},
		{"15 ou 20 jours", "15 jour|20 jour"},
		{"une amende de 100.000 à 5.000.000 de F CFA", "100000|5000000"},
		{"6 écus 40 par heure", "6 écu|40"},
		{"un préavis d’un mois", "1 mois"},
		{"le 3 mai 2010, selon l’art. 14 bis de la loi n° 2010-05", "2010-05-03|art14bis|2010-5"},
		{"le premier alinéa", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, f := range french.Facts(c.text) {
				got = append(got, f.Value)
			}
			if g := strings.Join(got, "|"); g != c.want {
				t.Errorf("%q gives %q, want %q", c.text, g, c.want)
			}
		})
	}
}

func TestSimilar(t *testing.T) {
	t.Parallel()
	if s := french.Similar("travial", "travail"); s <= 0.2 {
		t.Errorf("a misspelling resembles by %.2f", s)
	}
	if s := french.Similar("licenci", "licenciement"); s < 0.5 {
		t.Errorf("a derivation resembles by %.2f", s)
	}
	if s := french.Similar("greve", "salaire"); s != 0 {
		t.Errorf("strangers resemble by %.2f", s)
	}
}

func TestAkin(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"licenci", "licenciement"}, {"fianc", "fiancail"}, {"prison", "prisonni"}, {"dette", "dette"}} {
		if french.Akin(pair[0], pair[1]) == 0 || french.Akin(pair[1], pair[0]) != french.Akin(pair[0], pair[1]) {
			t.Errorf("%v are not akin", pair)
		}
	}
	for _, pair := range [][2]string{{"mari", "mariag"}, {"viol", "violenc"}, {"greve", "salaire"}, {"", "salaire"}} {
		if like := french.Akin(pair[0], pair[1]); like != 0 {
			t.Errorf("%v are akin by %.2f", pair, like)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	if got := law.Fold("L’ÉTÉ à Cœur — n° 5"); got != "l'ete a coeur - n° 5" {
		t.Errorf("got %q", got)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"", "L’article 1er", "1.000.000", "quatre-vingt-dix", "\xff\xfe1er\xff", "l'l'l'", "n°n°12-/", "art. art. L.", "deux cent mille millions",
		"S.M.I.G.", "3 mai 2010", "I. II. Titre IV", "«»%‰ 5 %", "１２３", "e\u0301\u0301", "mille mille mille mille mille mille mille"} {
		f.Add(s)
	}
	var shared french.Analyzer
	f.Fuzz(func(t *testing.T, s string) {
		tokens := french.Analyze(s)
		if again := shared.Append(nil, s); !slices.Equal(tokens, again) {
			t.Fatalf("an Analyzer that has seen other texts gives %v, a new one %v", again, tokens)
		}
		pos := 0
		for _, x := range tokens {
			if x.Start < pos || x.End < x.Start || x.End > len(s) || x.Term == "" {
				t.Fatalf("token %+v after byte %d of %d", x, pos, len(s))
			}
			pos = x.Start
		}
		french.Facts(s)
		if utf8.ValidString(s) && !slices.Equal(french.Terms(s), french.Terms(" "+s+" ")) {
			t.Fatalf("white space around changes the terms")
		}
	})
}

func BenchmarkAnalyze(b *testing.B) {
	text := strings.Repeat("Le salarié dont le contrat à durée indéterminée est rompu par l’employeur, sauf faute grave, a droit à un préavis de trois (3) mois, conformément à l’article L. 1234-1 du code du travail. ", 500)
	var a french.Analyzer
	var tokens []french.Token
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tokens = a.Append(tokens[:0], text)
	}
}

// TestTermsOfOtherScriptsAreWhole checks that no rule for French letters cuts a letter of
// another script in two, because terms are stored as text.
func TestTermsOfOtherScriptsAreWhole(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"法耀", "一耀耀", "الجريدة الرسمية", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "abc\u3000\u8000", "\u8000s", "ኢትዮጵያ"} {
		t.Run(text, func(t *testing.T) {
			for _, term := range french.Terms(text) {
				if !utf8.ValidString(term) {
					t.Errorf("%q gives %q", text, term)
				}
			}
		})
	}
}
