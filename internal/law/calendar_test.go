package law_test

import (
	"testing"
	"time"

	"vigueur/internal/law"
)

// Days that gazettes print in both calendars, and how FindDating reads one alone.
func TestFindDating(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, day string
		how       law.DateReading
		words     string
	}{
		{"du 3 mai 2010 portant", "2010-05-03", law.AsPrinted, "3 mai 2010"},
		{"du 14 rejeb 1424 (11 septembre 2003) portant", "2003-09-11", law.AsPrinted, "11 septembre 2003"},
		{"du 12 Rabie Ethani 1437 correspondant au 22 janvier 2016", "2016-01-22", law.AsPrinted, "22 janvier 2016"},
		{"du Aouel Joumada Ethania 1438 correspondant au 28 février 2017", "2017-02-28", law.AsPrinted, "28 février 2017"},
		{"12 hija 1424, et à une loi du 3 février 2010", "2004-02-04", law.Converted, "12 hija 1424"},
		{"du mardi 12 hija 1424 portant", "2004-02-03", law.AsPrinted, "12 hija 1424"},
		{"du 21 safar 1378", "1958-09-06", law.Converted, "21 safar 1378"},
		{"DU 9 DOU AL HIJJA 1436", "2015-09-23", law.Converted, "9 DOU AL HIJJA 1436"},
		{"8 kaada 1433", "2012-09-24", law.Converted, "8 kaada 1433"},
		{"le 5 moharrem 1430.", "2009-01-02", law.Converted, "5 moharrem 1430"},
		{"DU 21 RAJAB 1435 CORRES PONDANT AU 21 MAI 2 014", "2014-05-21", law.AsPrinted, "21 MAI 2 014"},
		{"du 21 rajab 1435 correspondant au 21 mai 2 004", "2014-05-21", law.Converted, "21 rajab 1435"},
		{"du 31 safar 1378", "", 0, ""},
		{"du 5 rabii 1430", "", 0, ""},
		{"le 5 chaises 1430", "", 0, ""},
		{"du l2 décernbre 20l6", "2016-12-12", law.Repaired, "l2 décernbre 20l6"},
		{"du O4 août 2016", "2016-08-04", law.Repaired, "O4 août 2016"},
		{"du 25 juillet 20 16", "2016-07-25", law.AsPrinted, "25 juillet 20 16"},
		{"du 25 juillct 2 016", "2016-07-25", law.Repaired, "25 juillct 2 016"},
		{"du 25 juillet 20 I6", "2016-07-25", law.Repaired, "25 juillet 20 I6"},
		{"du 4 mais 2016", "", 0, ""},
		{"les 12 membres 2016", "", 0, ""},
		{"", "", 0, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			d, ok := law.FindDating(c.text)
			if ok != (c.day != "") || ok && (d.Day.Format(time.DateOnly) != c.day || d.How != c.how || c.text[d.Start:d.End] != c.words) {
				t.Errorf("%s, how %d, « %s »", d.Day.Format(time.DateOnly), d.How, c.text[d.Start:d.End])
			}
		})
	}
}

// Every transcription of the months that the house of gazettes and Algerian, Tunisian and
// Moroccan gazettes have.
func TestHijriMonthsAreKnown(t *testing.T) {
	t.Parallel()
	for i, names := range [][]string{
		{"Moharram", "moharrem", "Mouharram", "Muharram"},
		{"Safar", "safer"},
		{"Rabie El Aouel", "rabii I", "rabia I", "Rabi al Awwal", "rabi' I", "Rabie‑El‑Aouel"},
		{"Rabie Ethani", "rabii II", "rabia II", "Rabi Eth-Thani", "rabii ii"},
		{"Joumada El Oula", "joumada I", "djoumada I", "Djoumada El Oula", "Jumada al-Ula"},
		{"Joumada Ethania", "joumada II", "djoumada II", "Djoumada Ethania", "Joumada Ettania"},
		{"Rajab", "rejeb", "Redjeb", "Radjab"},
		{"Chaâbane", "chaabane", "Châabane", "chaaban"},
		{"Ramadhan", "ramadan", "Ramadhane"},
		{"Chaoual", "chaoual", "Choual", "Chawwal"},
		{"Dhou El Kaâda", "kaada", "Dou El Kaada", "Dhou El Qaâda", "Dhou El Kaada"},
		{"Dhou El Hidja", "hija", "Dou El Hijja", "Dhou El Hidjja", "hijja"},
	} {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				d, ok := law.FindDating("du 15 " + name + " 1420")
				start := time.Date(1999, 5, 1, 0, 0, 0, 0, time.UTC) // 15 Moharram 1420 is 1 May 1999
				want := start.AddDate(0, 0, (59*i+1)/2)
				if !ok || !d.Day.Equal(want) || d.How != law.Converted {
					t.Errorf("%v %v, want %s", d, ok, want.Format(time.DateOnly))
				}
			})
		}
	}
}

func TestRepublicanDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"loi du 22 frimaire an VII": "1798-12-12", "28 pluviôse an VIII": "1800-02-17", "25 ventôse an XI": "1803-03-16",
		"1er vendémiaire an 1": "1792-09-22", "30 fructidor an IV": "1796-09-16", "3 brumaire 2010": "", "3 brumaire an MM": "",
		"31 brumaire an VII": "", "3 brumaire an XV": "", "3 brumaire an": "",
		"Décret n° 5, an VII, du 3 mai 2010": "2010-05-03",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			day, _, _, ok := law.FindDate(text)
			if ok != (want != "") || ok && day.Format(time.DateOnly) != want {
				t.Errorf("%v, want %q", day, want)
			}
		})
	}
}

func TestAbbreviatedAndEnglishDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"DU 04 AOU 2016": "2016-08-04", "le 24 DEC 2018": "2018-12-24", "12 nov. 2019": "2019-11-12", "3 sept. 2010": "2010-09-03", "1er févr. 2011": "2011-02-01",
		"19 December 1990": "1990-12-19", "of December 19, 1990 to": "1990-12-19", "May 1st, 2010": "2010-05-01", "3rd August 1998": "1998-08-03", "the 2nd March 1999": "1999-03-02",
		"12mars 2010": "2010-03-12", "12 mars2010": "2010-03-12", "1° mars 2010": "2010-03-01", "1ᵉʳ mars 2010": "2010-03-01",
		"12dec 2010": "", "3 jui 2010": "", "March 45, 2010": "", "décembre 19, 1990": "", "3 Mayo 2010": "", "du 3 mar": "", "Marchand 3, 2010": "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			day, _, _, ok := law.FindDate(text)
			if ok != (want != "") || ok && day.Format(time.DateOnly) != want {
				t.Errorf("%v, want %q", day, want)
			}
		})
	}
}

func FuzzFindDating(f *testing.F) {
	f.Add("du mardi 12 hija 1424 portant")
	f.Add("l2 décernbre 20l6, 22 frimaire an VII")
	f.Fuzz(func(t *testing.T, text string) {
		if d, ok := law.FindDating(text); ok && (d.Start < 0 || d.End > len(text) || d.Start >= d.End || d.Day.IsZero()) {
			t.Fatalf("%+v in %q", d, text)
		}
	})
}
