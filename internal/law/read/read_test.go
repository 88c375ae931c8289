package read

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
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
		want []Reference
	}{
		{"selon l’art. L. 1224-1 du code du travail", []Reference{
			{Articles: []string{"L. 1224-1"}, Type: law.Code, Title: "code du travail"}}},
		{"la loi n° 2010-05 du 3 mai 2010 portant réforme", []Reference{
			{Type: law.Loi, Number: "2010-05", Date: day("2010-05-03")}}},
		{"les articles 3 à 7 et 9 bis du code du travail sont abrogés", []Reference{
			{Articles: []string{"3", "4", "5", "6", "7", "9 bis"}, Type: law.Code, Title: "code du travail"}}},
		{"L’article 14 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail est remplacé", []Reference{
			{Articles: []string{"14"}, Type: law.Loi, Number: "2023-07", Date: day("2023-03-14")},
			{Type: law.Code, Title: "code du travail"}}},
		{"après l’article 26 de la même loi", []Reference{{Articles: []string{"26"}, Same: true}}},
		{"à l’article premier du présent décret", []Reference{{Articles: []string{"1er"}, Self: true}}},
		{"un article 6-2 (nouveau) ainsi rédigé", []Reference{{Articles: []string{"6-2"}}}},
		{"Le décret n° 2000-190/PRES/PM/MCIA du 17 mai 2000", []Reference{
			{Type: law.Decret, Number: "2000-190/PRES/PM/MCIA", Date: day("2000-05-17")}}},
		{"l’arrêté n° 2024-015/MF du 1er avril 2024", []Reference{
			{Type: law.Arrete, Number: "2024-015/MF", Date: day("2024-04-01")}}},
		{"L'ordonnance N°62-OF-91 et la Constitution", []Reference{
			{Type: law.Loi, Number: "62-OF-91"}, {Type: law.Constitution, Title: "constitution"}}},
		{"aux articles L. 12-1 à L. 12-4 et R. 3", []Reference{
			{Articles: []string{"L. 12-1", "L. 12-2", "L. 12-3", "L. 12-4", "R. 3"}}}},
		{"le code des impôts est modifié", []Reference{{Type: law.Code, Title: "code des impôts"}}},
		{"les lois n°s 2010-05 et 2011-06 sont abrogées", []Reference{
			{Type: law.Loi, Number: "2010-05"}, {Type: law.Loi, Number: "2011-06"}}},
		{"les décrets n° 2000-190/PRES du 17 mai 2000, 2001-12 du 3 juin 2001 et n° 2002-7", []Reference{
			{Type: law.Decret, Number: "2000-190/PRES", Date: day("2000-05-17")}, {Type: law.Decret, Number: "2001-12", Date: day("2001-06-03")},
			{Type: law.Decret, Number: "2002-7"}}},
		{"articles 3 et 4 des lois n°s 2010-05 et 2011-06", []Reference{
			{Articles: []string{"3", "4"}, Type: law.Loi, Number: "2010-05"}, {Type: law.Loi, Number: "2011-06"}}},
		{"aux ordonnances n°s 12 et 13", []Reference{{Type: law.Loi, Number: "12"}, {Type: law.Loi, Number: "13"}}},
		// Only one text is named: what follows is a year or another number.
		{"la loi n° 2010-05 et 2011-06 marcheurs", []Reference{{Type: law.Loi, Number: "2010-05"}}},
		{"les lois n° 2010-05 et 30 jours", []Reference{{Type: law.Loi, Number: "2010-05"}}},
		{"les lois n°s 2010-05 et décret n° 2011-06", []Reference{
			{Type: law.Loi, Number: "2010-05"}, {Type: law.Decret, Number: "2011-06"}}},
		{"un art subtil, la loi des nombres, le code postal", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			got := Printed(c.text)
			if d := compare.Diff(c.want, got, compare.EmptyIsNil(), compare.Without(Reference{}, "Start", "End")); d != "" {
				t.Errorf("%q: %s", c.text, d)
			}
		})
	}
}

func FuzzReferences(f *testing.F) {
	f.Add("les articles 3 à 7 et 9 bis du code du travail, l’article L. 12-1 de la loi n° 2010-05 du 3 mai 2010")
	f.Add("articles 1er à 99999999999999999999 \xff art. 1 à")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, r := range Printed(text) {
			if r.Start < last || r.End <= r.Start || r.End > len(text) {
				t.Fatalf("[%d,%d) after %d in %q", r.Start, r.End, last, text)
			}
			last = r.End
		}
	})
}

func TestReferencesNameEachCode(t *testing.T) {
	t.Parallel()
	var got []string
	for _, r := range Printed("le code de l’arbitrage et le code de commerce, puis le code du travail") {
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
			refs := Printed(text)
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
			for _, r := range Printed(text) {
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
			if number, kind, ok := NumberAlone(words); ok {
				got = number + " " + string(kind)
			}
			if got != want {
				t.Errorf("%q: %q, want %q", words, got, want)
			}
		})
	}
}

func TestTypedNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"les articles n° 5 et n° 6 du code du travail":    "5 6",
		"les articles n° 5 à n° 8 du code du travail":     "5 6 7 8",
		"art 5 & 6 code du travail":                       "5 6",
		"l'article douze bis du code civil":               "12 bis",
		"article L1234_5 du code du travail":              "L. 1234-5",
		"articles 5 ancien et 6 nouveau du code pénal":    "5 6",
		"l'article cinq, alinéa 2, du code de la famille": "5",
	} {
		t.Run(text, func(t *testing.T) {
			if refs := Typed(text); len(refs) != 1 || strings.Join(refs[0].Articles, " ") != want {
				t.Errorf("%q: %+v, want %q", text, refs, want)
			}
		})
	}
}

func TestRangesOfArticles(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]struct {
		count       int
		second, end string
	}{
		"articles 3 à 7":                        {5, "4", "7"},
		"articles 1er à 3":                      {3, "2", "3"},
		"articles 1 à 601":                      {601, "2", "601"},
		"articles 1 à 602":                      {2, "602", "602"},
		"articles 7 à 3":                        {2, "3", "3"},
		"articles 5 à 5":                        {2, "5", "5"},
		"articles L. 1 à R. 4":                  {2, "R. 4", "R. 4"},
		"articles L. 9 à L. 12":                 {4, "L. 10", "L. 12"},
		"articles 5-1 à 5-4":                    {4, "5-2", "5-4"},
		"articles 5-1 à 6-4":                    {2, "6-4", "6-4"},
		"articles 12 ter à 14":                  {2, "14", "14"},
		"articles 1er, 2 et 4 à 6":              {5, "2", "6"},
		"articles 1 à 99999999999999999999":     {2, "99999999999999999999", "99999999999999999999"},
		"articles 18446744073709551615 et 3":    {2, "3", "3"},
		"articles 1 à " + strconv.Itoa(1<<31-1): {2, "2147483647", "2147483647"},
	} {
		t.Run(list, func(t *testing.T) {
			refs := Printed("les " + list + " de la loi n° 2010-05")
			if len(refs) != 1 || refs[0].Number != "2010-05" {
				t.Fatalf("%+v", refs)
			}
			got := refs[0].Articles
			if len(got) != want.count || got[1] != want.second || got[len(got)-1] != want.end {
				t.Errorf("%d articles: %.80q", len(got), got)
			}
		})
	}
}

func TestTextsOfArticles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Reference{
		"article 5 du présent code":                                    {Self: true},
		"article 5 de la présente loi":                                 {Self: true},
		"article 5 de ladite loi":                                      {Same: true},
		"article 5 dudit décret":                                       {Same: true},
		"article 5 de la loi susvisée":                                 {Same: true},
		"article 5 du même arrêté":                                     {Same: true},
		"article 5 de la Constitution":                                 {Type: law.Constitution, Title: "constitution"},
		"article 5 du décret-loi n° 7":                                 {Type: law.Loi, Number: "7"},
		"article 5 du décret n° 2010-05 du 31 février 2010":            {Type: law.Decret, Number: "2010-05"},
		"article 5 (nouveau) de la loi organique n° 2010-05":           {Type: law.Loi, Number: "2010-05"},
		"article 5\u00a0de\u00a0la\u00a0loi\u00a0N°\u00a02010\u201105": {Type: law.Loi, Number: "2010-05"},
		"article 5, et la loi n° 2010-05":                              {},
		"article 5 et suivants":                                        {},
	} {
		t.Run(text, func(t *testing.T) {
			refs := Printed("selon l’" + text)
			if len(refs) == 0 || len(refs[0].Articles) != 1 || refs[0].Articles[0] != "5" {
				t.Fatalf("%+v", refs)
			}
			got := refs[0]
			if got.Self != want.Self || got.Same != want.Same || got.Type != want.Type || got.Number != want.Number || got.Title != want.Title || !got.Date.IsZero() {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// Each line of the grammar is an expression.
func TestGrammar(t *testing.T) {
	t.Parallel()
	for name, compile := range grammar() {
		if compile() == nil {
			t.Error(name)
		}
	}
	for _, p := range productions() {
		if p.read == nil || p.printed && p.begins == nil {
			t.Errorf("%s: %+v", p.name, p)
		}
	}
}

func FuzzTyped(f *testing.F) {
	f.Add("C. trav., 36 al. 2 ; l’article 26-bis du code du travail béninois, articles 36-38 (code pénal), loi N 2023 07 du 14 mars 2023 portant Code de l'eau")
	f.Add("№ 2023-07 \xff « projet de constitution de Guinée 2025 » IDCC 3248, annexe II, L143 Moudawana")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range Typed(text) {
			if r.Start < 0 || r.End <= r.Start || r.End > len(text) {
				t.Fatalf("[%d,%d) in %q", r.Start, r.End, text)
			}
		}
	})
}

// A project of a law has the name of none.
func TestDrafts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"article 44 projet de constitution de Guinée 2025":       true,
		"l'avant-projet de nouveau code du travail":              true,
		"la proposition de code minier":                          true,
		"l'article 44 de la constitution de Guinée":              false,
		"le code du travail":                                     false,
		"un projet qui viole la constitution du Tchad":           false,
		"Le projet est fini. L'article 3 du code pénal dit quoi": false,
	} {
		refs := Typed(text)
		if len(refs) != 1 || refs[0].Draft != want {
			t.Errorf("%q: %+v", text, refs)
		}
	}
}
