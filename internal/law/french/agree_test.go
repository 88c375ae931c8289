package french_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
)

// dates maps dates as printed to the days that they mean; "" means that they are not dates.
var dates = map[string]string{
	"1er mars 2010": "2010-03-01", "1 er mars 2010": "2010-03-01", "premier mars 2010": "2010-03-01", "Premier Mars 2010": "2010-03-01",
	"ler mars 2010": "2010-03-01", "PREMIER AOÛT 1999": "1999-08-01", "3 mai 2010": "2010-05-03", "03 MAI, 2010": "2010-05-03",
	"3\u00a0mai\u202f2010": "2010-05-03", "3 fe\u0301vrier 2010": "2010-02-03",
	"31 février 2010": "", "30 fevrier 2012": "", "29 février 2011": "", "29 février 2012": "2012-02-29", "31 avril 2010": "", "32 mai 2010": "", "0 mai 2010": "",
	"31/02/2010": "", "03/05/2010": "2010-05-03", "3.5.2010": "2010-05-03", "03-05-2010": "2010-05-03", "03\u201105\u20112010": "2010-05-03",
	"2010-05-03": "2010-05-03", "2010\u201105\u201103": "2010-05-03", "2010\u201005\u201003": "2010-05-03", "2010-02-31": "", "2010-13-01": "",
	"03/05.2010": "", "3 mai 201": "", "3 mai 20100": "", "deuxième mars 2010": "", "premier 2010": "",
}

// TestDatesAreReadAlike checks that packages french and law read the same days.
func TestDatesAreReadAlike(t *testing.T) {
	t.Parallel()
	for printed, want := range dates {
		sayDate(t, "le "+printed+" ;", want)
	}
}

func sayDate(t *testing.T, text, want string) {
	t.Helper()
	var read, searched string
	if d, _, _, ok := law.FindDate(text); ok {
		read = d.Format("2006-01-02")
	}
	for _, token := range french.Analyze(text) {
		if token.Kind == french.Date {
			searched = token.Term
		}
	}
	if read != want || searched != want {
		t.Errorf("%q: read as %q, searched as %q, want %q", text, read, searched, want)
	}
}

// FuzzDatesAreReadAlike checks that both packages agree on any date that people may print.
func FuzzDatesAreReadAlike(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		one := func(names ...string) string { return names[r.IntN(len(names))] }
		day := one("1er", "1 er", "ler", "l er", "premier", fmt.Sprint(r.IntN(40)), fmt.Sprintf("%02d", r.IntN(40)))
		month := one("janvier", "Février", "MARS", "avril", "juillet", "AOÛT", "aout", "décembre", "brumaire")
		year := fmt.Sprint(1700 + r.IntN(500))
		blank, sign := one(" ", "  ", "\u00a0", "\u202f", "\n", "\t"), one("/", ".", "-", "\u2010", "\u2011", "\u2013")
		number := func(n int) string { return fmt.Sprintf(one("%d", "%02d"), r.IntN(n)) }
		text := one("le ", "(", "", "du\n") + one(day+blank+month+one("", ",")+blank+year,
			number(40)+sign+number(15)+sign+year, year+sign+number(15)+sign+number(40)) + one(".", "", " ;", ")", ", ")
		var read, searched []string
		if d, _, _, ok := law.FindDate(text); ok {
			read = append(read, d.Format("2006-01-02"))
		}
		for _, token := range french.Analyze(text) {
			if token.Kind == french.Date {
				searched = append(searched, token.Term)
			}
		}
		if !slices.Equal(read, searched) {
			t.Errorf("%q: read as %q, searched as %q", text, read, searched)
		}
	})
}

// TestArticlesAreReadAlike checks that two article numbers have the same term exactly if
// they have the same ArticleKey.
func TestArticlesAreReadAlike(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"L. 1224-1", "L1224\u20111"}, {"12 bis", "12bis"}, {"12 novies", "12novies"}, {"12 undecies", "12 undecies"},
		{"premier", "1er"}, {"6-2", "6\u20112"}, {"6-2", "6\u20102"}, {"014", "14"}, {"première", "1"},
	} {
		if law.ArticleKey(pair[0]) != law.ArticleKey(pair[1]) || french.ArticleTerm(pair[0]) != french.ArticleTerm(pair[1]) {
			t.Errorf("%q and %q: keys %q, %q, terms %q, %q", pair[0], pair[1], law.ArticleKey(pair[0]), law.ArticleKey(pair[1]),
				french.ArticleTerm(pair[0]), french.ArticleTerm(pair[1]))
		}
	}
}

// FuzzArticlesAreReadAlike checks that packages french and law distinguish the same article
// numbers.
func FuzzArticlesAreReadAlike(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		one := func(names ...string) string { return names[r.IntN(len(names))] }
		number := func() string {
			n := one("", "", "L. ", "L", "R. ", "D.") + fmt.Sprint(1+r.IntN(3))
			if r.IntN(2) == 0 {
				n += one("-", "\u2010", "\u2011") + fmt.Sprint(1+r.IntN(3))
			}
			if suffix := one("", "", "bis", "ter", "novies", "nonies", "undecies", "duodecies"); suffix != "" {
				n += one(" ", "") + suffix
			}
			return n
		}
		a, b := number(), number()
		if keys, terms := law.ArticleKey(a) == law.ArticleKey(b), french.ArticleTerm(a) == french.ArticleTerm(b); keys != terms {
			t.Errorf("%q and %q: keys %q, %q, terms %q, %q", a, b, law.ArticleKey(a), law.ArticleKey(b), french.ArticleTerm(a), french.ArticleTerm(b))
		}
		if term, again := french.ArticleTerm(a), french.ArticleTerm(law.ArticleNumber("Article "+a)); term != again {
			t.Errorf("%q is searched as %q, %q as %q", a, term, law.ArticleNumber("Article "+a), again)
		}
	})
}

// TestNumbersOfTextsAreReadAlike checks the same for the numbers of texts.
func TestNumbersOfTextsAreReadAlike(t *testing.T) {
	t.Parallel()
	for _, printed := range []string{"2010-05", "2010\u201105", "2010\u201005", "2000-190/pres/pm", "028-2008/AN", "2023-118/MTM"} {
		t.Run(printed, func(t *testing.T) {
			if a, b := french.TextTerm(printed), french.TextTerm(law.TextNumber(printed)); a == "" || a != b {
				t.Errorf("%q is searched as %q, %q as %q", printed, a, law.TextNumber(printed), b)
			}
			refs := read.Printed("la loi n° " + printed + " du 3 mai 2010")
			if len(refs) != 1 || refs[0].Number != law.TextNumber(printed) || refs[0].Date.IsZero() {
				t.Errorf("%q: references %+v", printed, refs)
			}
		})
	}
}

// FuzzWordsAreFoldedAlike checks that packages french and law fold words in the same way.
func FuzzWordsAreFoldedAlike(f *testing.F) {
	for _, s := range []string{"Œuvre", "garc\u0327on", "sous\u2011section", "arr\u00adêté", "stra\u00dfe", "Ørsted", "ﬁn", "ÎLE", "\u1e9e", "l\u200boi"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsFunc(s, unicode.IsSymbol) {
			t.Skip("a symbol parts words, and is compared as the letters it is made of")
		}
		searched := french.Analyze(s)
		folded := french.Analyze(law.Fold(s))
		if len(searched) != len(folded) {
			t.Skip("what parts words may be folded")
		}
		for i := range searched {
			if searched[i].Term != folded[i].Term {
				t.Errorf("%q: %q, folded before %q", s, searched[i].Term, folded[i].Term)
			}
		}
		if again := law.Fold(law.Fold(s)); strings.TrimSpace(again) != strings.TrimSpace(law.Fold(s)) {
			t.Errorf("%q is folded to %q, and that to %q", s, law.Fold(s), again)
		}
	})
}
