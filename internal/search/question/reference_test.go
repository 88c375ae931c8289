package question

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"vigueur/internal/law"
)

// shown writes references as « articles @ type number/title/phrase/year/day ».
func shown(refs []Reference) string {
	var out []string
	for _, r := range refs {
		name := r.Number + r.Title
		switch {
		case name != "":
		case !r.Date.IsZero():
			name = r.Date.Format(time.DateOnly)
		case r.Year != 0:
			name = fmt.Sprint(r.Year)
		default:
			name = strings.TrimSpace(r.Phrase)
		}
		out = append(out, strings.Join(r.Articles, ",")+"@"+string(r.Type)+" "+name)
	}
	return strings.Join(out, " | ")
}

func TestTypedReferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Que dit l’article 26 de la loi n° 2023-07 ?":                                 "26@loi 2023-07",
		"article 26 de la loi 2023-07":                                                "26@loi 2023-07",
		"art 26 loi 2023/07":                                                          "26@loi 2023/07",
		"loi 2023-07, article 26":                                                     "26@loi 2023-07",
		"Loi numéro 2023-07 art. 26 bis":                                              "26 bis@loi 2023-07",
		"Dans la loi n° 5-2020, que dit l’article 3 ?":                                "3@loi 5-2020",
		"Que dit l’article 12 de la loi sénégalaise n° 2020-12 ?":                     "12@loi 2020-12",
		"le décret burkinabè 2000-190":                                                "@decret 2000-190",
		"Les articles 3, 5 et 7 de la loi 2024-15 et l’article 2 du décret n° 2000-1": "3,5,7@loi 2024-15 | 2@decret 2000-1",
		"art. 3 et art. 5 de la loi n° 2024-15":                                       "3@loi 2024-15 | 5@loi 2024-15",
		"Le n° 2023-07 est-il abrogé ?":                                               "@ 2023-07",
		"Que dit l’arrêté du 10 septembre 2004 ?":                                     "@arrete 2004-09-10",
		"La loi béninoise de 2024 contre l’usure":                                     "@loi 2024",
		"La loi de finances 2031":                                                     "@loi loi de finances 2031",
		"AUSCGIE, article 5":                                                          "5@ acte uniforme sociétés commerciales groupement intérêt économique",
		"L’article 26 de la Moudawana":                                                "26@ code de la famille",
		"Que dit l’article L. 1224-1 ?":                                               "L. 1224-1@ ",
		"L. 1224-1":                                                                   "L. 1224-1@ ",
		"Article 79 du code du travail":                                               "79@code code du travail",
		"le code béninois de procédure pénale":                                        "@code code de procédure pénale",
		"l’article 5 du code burkinabè du travail et celui du code sénégalais du travail": "5@code code du travail | @code code du travail",
		"le code du travail du Burkina Faso":                                              "@code code du travail du burkina faso",
		"le code secret de la porte":                                                      "",
		"Que prévoit l’acte uniforme sur l’arbitrage ?":                                   "@ acte uniforme sur l’arbitrage",
		"Nous sommes aussi d’accord, bonjour aus":                                         "",
		"La loi de la nature":                                                             "",
		"Quel était le préavis en 2015 ?":                                                 "",
		"Que disait la loi en 2015 ?":                                                     "",
		"Entre 10 et 15 jours de congé en 2015":                                           "",
		"Quel est le préavis ?":                                                           "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := shown(References(text)); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

func TestReferenceNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Que dit l’article 12 de la loi n° 1999-44 du 3 mai 1999 ?": "loi n° 1999-44 du 3 mai 1999",
		"loi 2023-07, article 26":                                   "loi 2023-07",
		"Que dit le 2023-07 ?":                                      "n° 2023-07",
		"AUA article 3":                                             "AUA",
		"L’article 9 de la Constitution":                            "Constitution",
	} {
		t.Run(text, func(t *testing.T) {
			refs := References(text)
			if len(refs) != 1 || refs[0].Name != want {
				t.Errorf("%q: %+v, want %q", text, refs, want)
			}
		})
	}
}

func TestFutureReferences(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]int{"loi n° 2031-05": 2031, "loi 05-2031": 2031, "loi de finances 2030": 2030, "loi du 3 mai 2027": 2027, "loi n° 2026-05": 0, "loi n° 65-99": 0} {
		t.Run(text, func(t *testing.T) {
			year, ahead := References(text)[0].Ahead(today)
			if ahead != (want != 0) || ahead && year != want {
				t.Errorf("%q: %d, %v", text, year, ahead)
			}
		})
	}
}

func TestReferencesByPointingBack(t *testing.T) {
	t.Parallel()
	previous := Conversation{Asked: []string{"Que dit l’article 26 de la loi n° 2010-05 ?"}, Answers: []string{"L’article 26 de la loi n° 2010-05 dispose : « … » [1]"}}
	for text, want := range map[string]string{
		"Et l’article suivant ?":               "27@loi 2010-05",
		"Que dit l’article précédent ?":        "25@loi 2010-05",
		"Cite-moi l’article":                   "26@loi 2010-05",
		"Quels délais prévoit ladite loi ?":    "@loi 2010-05",
		"Est-elle encore en vigueur ?":         "@loi 2010-05",
		"Cette loi a-t-elle été modifiée ?":    "@loi 2010-05",
		"Et l’article 5 est-il en vigueur ?":   "5@loi 2010-05",
		"Combien de jours dure le congé payé ": "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := shown(Read(text, previous).References); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
	if q := Read("Est-elle encore en vigueur ?", Conversation{}); q.Status != 0 || len(q.References) != 0 {
		t.Errorf("of nothing: %+v", q)
	}
}

// Reading any question ends, and its references are within its normalized text, in order.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "article 26 de la loi 2023-07", "art. 3 et art. 5 de la loi n° 2024-15 du 3 mai 2024", "AUSCGIE art 5", "Au 1er janvier 2020, en 2015 la loi du 3 mai 2010 était-elle en vigueur ?",
		"loi de 2024 contre l'usure, l'acte uniforme sur l'arbitrage est-il abrogé ?", "\xff\xfe loi n° \xc3 ", "L. 1224-1, R1-2", "ما هي مدة الإشعار؟", strings.Repeat("loi n° 2010-05 article 3 ", 40),
		"article 3 loi n° 201010-05 article -05 article 3 loi n° 2010-05 article 3", "\xb0loi n0", "ȺȺȺȺȺȺȺȺ peu te virer"} {
		f.Add(s, "Que dit l’article 26 de la loi n° 2010-05 ?")
	}
	f.Fuzz(func(t *testing.T, text, earlier string) {
		q := Read(text, Conversation{Asked: []string{earlier}, Answers: []string{text}})
		pos := 0
		for _, r := range q.References {
			if r.Pointed {
				continue
			}
			if r.Start < 0 || r.End > len(q.Text) || r.Start > r.End || r.Start < pos {
				t.Fatalf("%q: reference at [%d,%d) after %d", q.Text, r.Start, r.End, pos)
			}
			pos = r.Start
			for _, a := range r.Articles {
				if a == "" || law.ArticleKey(a) == "" {
					t.Fatalf("%q: article %q", text, a)
				}
			}
		}
		if q.Status != 0 && len(q.References) == 0 {
			t.Fatalf("%q asks for the status of nothing", text)
		}
		q.Substance()
	})
}

func TestRomanArticlesAndAnnexes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Que dit l’article IV de la loi n° 14-2025 ?":     "IV@loi 14-2025",
		"article III loi 14/2025":                         "III@loi 14/2025",
		"Que contient l’annexe 2 du décret n° 2000-190 ?": "Annexe 2@decret 2000-190",
		"l'annexe i de la loi":                            "",
		"l’article vi":                                    "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := shown(References(text)); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// Marks that nobody sees, such as those that a phone copies with a text, change nothing of what is read.
func TestMarksThatNobodySees(t *testing.T) {
	t.Parallel()
	for _, mark := range "\u00ad\u061c\u200b\u200e\u200f\u202a\u202c\u2060\u2066\u2069\ufe0f\ufeff" {
		for _, asked := range []string{"Que dit l’article| 36 du code du travail ?", "|Que dit l’article 36 de la loi n°|2023-07| ?", "l’article |26 bis| du code du travail"} {
			plain, marked := strings.ReplaceAll(asked, "|", ""), strings.ReplaceAll(asked, "|", string(mark))
			want, got := Read(plain, Conversation{}).References, Read(marked, Conversation{}).References
			if len(want) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("%q (%U): %+v, want %+v", marked, mark, got, want)
			}
		}
	}
}
