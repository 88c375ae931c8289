package law_test

import (
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law"
)

// All ways to write an article's number have the same key, and different numbers have
// different keys. Otherwise, an answer could cite the wrong article.
func TestArticleKeysTellNumbersApart(t *testing.T) {
	t.Parallel()
	classes := [][]string{
		{"1", "01", "1er", "1 er", "1ère", "premier", "première", "PREMIER", "unique", "Ier", "ler", "Article Ier", "1er (nouveau)", norm.NFD.String("première"), "1er\u200b"},
		{"1 bis", "1er bis", "1er\u00a0bis", "premier bis", "Article 1er bis", "1BIS"},
		{"1 ter", "1er ter"},
		{"1-1"}, {"11"}, {"2"}, {"10", "010"}, {"0", "00"},
		{"26", "Art. 26", "art.26", "arts. 26", "articles 26", "026", "26."}, {"26 bis", "26BIS", "26-bis", "26\u2011bis", "26 - bis", "26.bis", "26 (bis)"}, {"II bis", "II-bis", "II (bis)"}, {"26 nonies", "26 novies"}, {"26 decies"},
		{"6-2", "6 - 2", "6–2", "6\u20112", "06-02", "6-2 nouveau"}, {"62"},
		{"L. 12-1", "L12-1", "l.\u00a012\u20111", "Article L. 012-1"}, {"R. 12-1", "R.12-1"}, {"L. 121"}, {"12-1"},
		{"Annexe 1"}, {"II"}, {"III"}, {""}, {"5 A"},
	}
	of := map[string]string{}
	for _, class := range classes {
		key := law.ArticleKey(class[0])
		for _, number := range class {
			t.Run(number, func(t *testing.T) {
				if got := law.ArticleKey(number); got != key {
					t.Errorf("%q, and %q of %q", got, key, class[0])
				}
				if got := law.ArticleKey(law.ArticleNumber(number)); got != key {
					t.Errorf("written %q it has %q, and not %q", law.ArticleNumber(number), got, key)
				}
			})
		}
		if other, taken := of[key]; taken {
			t.Errorf("%q and %q share %q", other, class[0], key)
		}
		of[key] = class[0]
	}
}

func TestArticleNumbersArePrintedInOneWay(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"Article Ier": "1er", "1er\u200b": "1er", "26\u00adbis": "26 bis", "L.\u00a01224\u20111": "L. 1224-1", "1 – 2": "1-2", "Arts. 5": "5", "D 12": "D. 12",
		"5 (nouvelle rédaction)": "5", "26 UNDECIES": "26 undecies", "3ème": "3", "3 e": "3", "Annexe I": "Annexe I", "Article": "", "": "", " .,; ": "",
	} {
		t.Run(printed, func(t *testing.T) {
			got := law.ArticleNumber(printed)
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if again := law.ArticleNumber(got); again != got {
				t.Errorf("read again it is %q", again)
			}
		})
	}
}

func TestTextNumbersArePrintedInOneWay(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"2000-190/pres/pm": "2000-190/PRES/PM", " 2000 – 190 ": "2000-190", "2000_190": "2000-190", "2000\u2011190": "2000-190", "2000\u00ad-190": "2000-190",
		"2000\u200b-190": "2000-190", "65.99.": "65.99", "-2000-190/": "2000-190", "° 5": "5", "": "", "-": "", "62-of-91": "62-OF-91",
	} {
		t.Run(printed, func(t *testing.T) {
			if got := law.TextNumber(printed); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A range is expanded if its ends differ only in their last number. Otherwise only its ends
// are kept: a text could seem to repeal articles that it does not name.
// Articles belong to the text that follows directly, to the text itself, or to the text
// before.
func TestDatesAreThoseOfACalendar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"31 avril 2010": "", "29 février 1900": "", "29 février 2000": "2000-02-29", "0 mai 2010": "", "2010-13-01": "", "99/99/2010": "", "1/1/2010": "2010-01-01",
		"3 mai 1699": "", "3 mai 1700": "1700-05-03", "3 mai 2199": "2199-05-03", "3 mai 2200": "", "1er janvier 0001": "",
		"3 mai 10": "", "03/05/10": "", "3 mai 20100": "", "113 mai 2010": "", "a3 mai 2010": "", "2010-05-03-04": "", "2010-05-03T10:00": "2010-05-03",
		"3/5-2010": "", "03\u201105\u20112010": "2010-05-03", "03.05.2010": "2010-05-03", "2010/05/03": "", "2e mai 2010": "", "premiers mars 2010": "",
		"3\u00a0mai\u202f2010": "2010-05-03", "3\nmai\n2010": "2010-05-03", "3 mai, 2010": "2010-05-03", "Premier MAI 2010": "2010-05-01", "1 er mars 2010": "2010-03-01",
		"\u0663 mai 2010": "", "3": "", "3 ": "", "3 mai": "", "3 mai ": "", "ler": "", "1er": "", "p": "", "": "",
		"31 février 2010, 3 mai 2011": "2011-05-03", "3 septembrissime 2010": "",
	} {
		t.Run(text, func(t *testing.T) {
			day, start, end, ok := law.FindDate(text)
			got := ""
			if ok {
				got = day.Format(time.DateOnly)
			}
			if got != want || ok && law.WriteDate(day) == "" {
				t.Errorf("%q at [%d,%d), want %q", got, start, end, want)
			}
		})
	}
	for _, written := range []string{norm.NFD.String("3 février 2010"), norm.NFD.String("12 AOÛT 1998"), norm.NFD.String("3 décembre 2010")} {
		t.Run("decomposed "+written, func(t *testing.T) {
			if _, start, end, ok := law.FindDate("le " + written + ","); !ok || start != 3 || end != 3+len(written) {
				t.Errorf("[%d,%d), %v of %d bytes", start, end, ok, len(written))
			}
		})
	}
}

// FindDate reads what WriteDate writes, for each day of a leap year and the days around it.
func TestWrittenDatesAreReadAgain(t *testing.T) {
	t.Parallel()
	for day := time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC); day.Year() < 2001; day = day.AddDate(0, 0, 1) {
		if got, _, _, ok := law.FindDate("Fait le " + law.WriteDate(day) + "."); !ok || !got.Equal(day) {
			t.Fatalf("%q is read as %v", law.WriteDate(day), got)
		}
	}
	if got := law.WriteDate(time.Date(2025, 5, 1, 23, 0, 0, 0, time.UTC)); got != "1er mai 2025" {
		t.Error(got)
	}
	for i, name := range []string{"janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre", "octobre", "novembre", "decembre"} {
		t.Run(name, func(t *testing.T) {
			if law.MonthOf(name) != time.Month(i+1) {
				t.Errorf("%s is month %d", name, law.MonthOf(name))
			}
		})
	}
	if law.MonthOf("brumaire") != 0 {
		t.Error("brumaire is a month")
	}
}
