package law_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		text string
		want []read.Reference
	}{
		{"selon l’art. L. 1224-1 du code du travail", []read.Reference{
			{Articles: []string{"L. 1224-1"}, Type: law.Code, Title: "code du travail"}}},
		{"la loi n° 2010-05 du 3 mai 2010 portant réforme", []read.Reference{
			{Type: law.Loi, Number: "2010-05", Date: day("2010-05-03")}}},
		{"les articles 3 à 7 et 9 bis du code du travail sont abrogés", []read.Reference{
			{Articles: []string{"3", "4", "5", "6", "7", "9 bis"}, Type: law.Code, Title: "code du travail"}}},
		{"L’article 14 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail est remplacé", []read.Reference{
			{Articles: []string{"14"}, Type: law.Loi, Number: "2023-07", Date: day("2023-03-14")},
			{Type: law.Code, Title: "code du travail"}}},
		{"après l’article 26 de la même loi", []read.Reference{{Articles: []string{"26"}, Same: true}}},
		{"à l’article premier du présent décret", []read.Reference{{Articles: []string{"1er"}, Self: true}}},
		{"un article 6-2 (nouveau) ainsi rédigé", []read.Reference{{Articles: []string{"6-2"}}}},
		{"Le décret n° 2000-190/PRES/PM/MCIA du 17 mai 2000", []read.Reference{
			{Type: law.Decret, Number: "2000-190/PRES/PM/MCIA", Date: day("2000-05-17")}}},
		{"l’arrêté n° 2024-015/MF du 1er avril 2024", []read.Reference{
			{Type: law.Arrete, Number: "2024-015/MF", Date: day("2024-04-01")}}},
		{"L'ordonnance N°62-OF-91 et la Constitution", []read.Reference{
			{Type: law.Loi, Number: "62-OF-91"}, {Type: law.Constitution, Title: "constitution"}}},
		{"aux articles L. 12-1 à L. 12-4 et R. 3", []read.Reference{
			{Articles: []string{"L. 12-1", "L. 12-2", "L. 12-3", "L. 12-4", "R. 3"}}}},
		{"le code des impôts est modifié", []read.Reference{{Type: law.Code, Title: "code des impôts"}}},
		{"les lois n°s 2010-05 et 2011-06 sont abrogées", []read.Reference{
			{Type: law.Loi, Number: "2010-05"}, {Type: law.Loi, Number: "2011-06"}}},
		{"les décrets n° 2000-190/PRES du 17 mai 2000, 2001-12 du 3 juin 2001 et n° 2002-7", []read.Reference{
			{Type: law.Decret, Number: "2000-190/PRES", Date: day("2000-05-17")}, {Type: law.Decret, Number: "2001-12", Date: day("2001-06-03")},
			{Type: law.Decret, Number: "2002-7"}}},
		{"articles 3 et 4 des lois n°s 2010-05 et 2011-06", []read.Reference{
			{Articles: []string{"3", "4"}, Type: law.Loi, Number: "2010-05"}, {Type: law.Loi, Number: "2011-06"}}},
		{"aux ordonnances n°s 12 et 13", []read.Reference{{Type: law.Loi, Number: "12"}, {Type: law.Loi, Number: "13"}}},
		// Only one text is named: what follows is a year or another number.
		{"la loi n° 2010-05 et 2011-06 marcheurs", []read.Reference{{Type: law.Loi, Number: "2010-05"}}},
		{"les lois n° 2010-05 et 30 jours", []read.Reference{{Type: law.Loi, Number: "2010-05"}}},
		{"les lois n°s 2010-05 et décret n° 2011-06", []read.Reference{
			{Type: law.Loi, Number: "2010-05"}, {Type: law.Decret, Number: "2011-06"}}},
		{"un art subtil, la loi des nombres, le code postal", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			got := read.Printed(c.text)
			if d := compare.Diff(c.want, got, compare.EmptyIsNil(), compare.Without(read.Reference{}, "Start", "End")); d != "" {
				t.Errorf("%q: %s", c.text, d)
			}
		})
	}
}

func TestArticleNumber(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"Article premier": "1er", "ARTICLE 1ER": "1er", "Art. ler": "1er", "1 er": "1er", "1": "1er",
		"Art. L. 1224-1": "L. 1224-1", "L1224-1": "L. 1224-1", "l.1224-1": "L. 1224-1", "R. * 12": "R. 12",
		"26 bis": "26 bis", "26BIS": "26 bis", "Article 6-2 (nouveau)": "6-2", "6 – 2": "6-2", "Art. 12 :": "12",
		"unique": "unique", "2e": "2", "52 ter": "52 ter", "II": "II",
	} {
		t.Run(printed, func(t *testing.T) {
			if got := law.ArticleNumber(printed); got != want {
				t.Errorf("ArticleNumber(%q) = %q, want %q", printed, got, want)
			}
		})
	}
}

func TestArticleKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"1er", "premier", "1", "Article premier", "ARTICLE 1ER"},
		{"L. 1224-1", "L1224-1", "Art. L. 1224-1", "l 1224-1"},
		{"26 bis", "26bis", "26 BIS", "Article 26 bis (nouveau)"},
		{"6-2", "6-2 (nouveau)", "Art. 6-2"},
	} {
		for _, s := range same[1:] {
			if law.ArticleKey(s) != law.ArticleKey(same[0]) {
				t.Errorf("ArticleKey(%q) = %q, ArticleKey(%q) = %q", s, law.ArticleKey(s), same[0], law.ArticleKey(same[0]))
			}
		}
	}
	if law.ArticleKey("26") == law.ArticleKey("26 bis") {
		t.Error("26 and 26 bis are one")
	}
}

func TestFindDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"du 1er mars 2010": "2010-03-01", "ce 3 mai 2010.": "2010-05-03", "Fait à X, le 12 AOÛT 1998": "1998-08-12",
		"le premier janvier 2024": "2024-01-01", "Du jeudi 26 juin 2025": "2025-06-26", "le 03/05/2010": "2010-05-03",
		"2010-05-03": "2010-05-03", "DU 16 DECEMBRE 2003": "2003-12-16", "31 février 2010": "", "en 2010": "",
		"du ler juillet 1961": "1961-07-01", "14 rejeb 1424 (11 septembre 2003)": "2003-09-11", "loi 2010-05-031": "",
	} {
		t.Run(text, func(t *testing.T) {
			d, start, end, ok := law.FindDate(text)
			if ok != (want != "") || ok && d.Format(time.DateOnly) != want {
				t.Errorf("FindDate(%q) = %v %v, want %q", text, d, ok, want)
			}
			if ok && (start < 0 || end > len(text) || start >= end) {
				t.Errorf("FindDate(%q) stands at [%d,%d)", text, start, end)
			}
		})
	}
}

func FuzzReferences(f *testing.F) {
	f.Add("les articles 3 à 7 et 9 bis du code du travail, l’article L. 12-1 de la loi n° 2010-05 du 3 mai 2010")
	f.Add("articles 1er à 99999999999999999999 \xff art. 1 à")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, r := range read.Printed(text) {
			if r.Start < last || r.End <= r.Start || r.End > len(text) {
				t.Fatalf("[%d,%d) after %d in %q", r.Start, r.End, last, text)
			}
			last = r.End
		}
	})
}

func FuzzArticleNumber(f *testing.F) {
	f.Add("Art. L. 1224-1")
	f.Add("1er (nouveau) bis")
	f.Fuzz(func(t *testing.T, printed string) {
		once := law.ArticleNumber(printed)
		// An invalid byte is written as U+FFFD, which takes three bytes.
		if len(once) > len(string([]rune(printed)))+3 || !utf8.ValidString(once) {
			t.Fatalf("%q grew to %q", printed, once)
		}
		_ = law.TextNumber(printed)
		_ = law.ArticleKey(printed)
	})
}

func FuzzFindDate(f *testing.F) {
	f.Add("1er mars 2010")
	f.Add("31/02/2010 2010-05-03")
	f.Fuzz(func(t *testing.T, text string) {
		if d, start, end, ok := law.FindDate(text); ok && (start < 0 || end > len(text) || d.IsZero()) {
			t.Fatalf("%v [%d,%d) in %q", d, start, end, text)
		}
	})
}

func TestReferencesNameEachCode(t *testing.T) {
	t.Parallel()
	var got []string
	for _, r := range read.Printed("le code de l’arbitrage et le code de commerce, puis le code du travail") {
		got = append(got, r.Title)
	}
	if d := compare.Diff([]string{"code de l’arbitrage", "code de commerce", "code du travail"}, got); d != "" {
		t.Error(d)
	}
}

func TestPartsOfArticles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"les articles 9, 18 (2e alinéa), 37 (1er alinéa) et 46":        {"9 18 37 46", "18 37"},
		"les articles 6, 8 et 319 alinéas 1 et 2 du code pénal":        {"6 8 319", "319"},
		"l'article 5, alinéa 3":                                        {"5", "5"},
		"l'article 6-2 (nouveau) et l'article 7":                       {"6-2", ""},
		"les articles 3 à 5 et 9 bis (paragraphe premier) de la loi":   {"3 4 5 9 bis", "9 bis"},
		"les articles 24. 42. 319 bis et 320":                          {"24 42 319 bis 320", ""},
		"l'article 4 point 2 de la loi n° 99-4 et l'article 6 du code": {"4", "4"},
	} {
		t.Run(text, func(t *testing.T) {
			refs := read.Printed(text)
			if len(refs) == 0 {
				t.Errorf("%s: nothing found", text)
				return
			}
			got := [2]string{strings.Join(refs[0].Articles, " "), strings.Join(refs[0].Parts, " ")}
			if got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		})
	}
}

func TestCodesWithoutAnArticle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"l'article 388-1 du code civil.": "code civil", "le code pénal est modifié": "code pénal", "le code général des impôts": "code général des impôts",
		"le code de la famille et la loi": "code de la famille", "que dit le Code de la route marocain ?": "code de la route marocain",
		"le code postal": "", "le code de procédure civile approuvé par le dahir": "code de procédure civile",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			for _, r := range read.Printed(text) {
				got = r.Title
			}
			if got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		})
	}
}

func TestNumberAlone(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"2000-192":                  "2000-192 ",
		" n° 2000-192/pres ":        "2000-192/PRES ",
		"décret 2000/192":           "2000/192 decret",
		"Loi organique n° 7":        "7 loi",
		"arrêté n°2024–015/MF":      "2024-015/MF arrete",
		"2000":                      "",
		"code du travail":           "",
		"décret n° 2000-192 du sel": "",
		"":                          "",
		"décret":                    "",
	} {
		t.Run(words, func(t *testing.T) {
			got := ""
			if number, kind, ok := read.NumberAlone(words); ok {
				got = number + " " + string(kind)
			}
			if got != want {
				t.Errorf("%q: %q, want %q", words, got, want)
			}
		})
	}
}
