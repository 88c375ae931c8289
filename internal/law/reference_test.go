package law_test

import (
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
)

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
