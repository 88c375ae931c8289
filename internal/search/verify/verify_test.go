package verify

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/officetext"
	"vigueur/internal/law"
	"vigueur/internal/law/quote"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestMain(m *testing.M) {
	pdftext.Main()
	officetext.Main()
	os.Exit(m.Run())
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func date(day string) time.Time {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return d
}

// textOf returns a text: its articles are numbered from 1.
func textOf(title, number, day, pays string, kind law.DocType, articles ...string) postgres.StoredText {
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: kind, Domain: "travail", OfficialNumber: number,
		Promulgated: date(day), EntersInForce: date(day), FirstPage: 3, LastPage: 3}, Countries: []string{pays}}
	for i, words := range articles {
		a := law.Article{ID: postgres.NewID(), Number: law.ArticleNumber(string(rune('1' + i))), Page: 3, Position: i, Text: words}
		t.Articles = append(t.Articles, a)
		t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Page: 3, Position: i, Text: words})
	}
	return t
}

// catalogue returns a database with seven texts.
func catalogue(t testing.TB) *postgres.DB {
	t.Helper()
	db := pgtest.New(t)
	labour := textOf("Loi n° 2023-07 du 14 mars 2023 portant code du travail", "2023-07", "2023-03-14", "bj", law.Code,
		"Le présent code s’applique aux salariés.", "Le préavis est de trois mois pour les cadres. Il est d’un mois pour les ouvriers.", "Le congé annuel est de trente jours ouvrables.")
	usury := textOf("Loi n° 2010-05 du 3 mai 2010 sur l’usure", "2010-05", "2010-05-03", "bj", law.Loi, "Le taux d’usure est fixé par arrêté du ministre des finances.")
	other := textOf("Loi n° 2010-05 du 9 juin 2010 sur la pêche", "2010-05", "2010-06-09", "sn", law.Loi, "La pêche est libre.")
	state := textOf("Loi n° 2012-08 du 2 mai 2012 sur les forêts", "2012-08", "2012-05-02", "bj", law.Loi, "La forêt est à tous.")
	state.Document.AsOf = new(date("2027-01-01"))
	later := textOf("Décret n° 2029-11 du 2 janvier 2029 sur les ports", "2029-11", "2029-01-02", "bj", law.Decret, "Les ports sont ouverts.")
	ending := textOf("Loi n° 2025-30 du 1er juin 2025 portant abrogation", "2025-30", "2025-06-01", "bj", law.Loi, "La loi n° 2010-05 du 3 mai 2010 est abrogée.")
	ending.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: ending.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2010-05", TargetDate: &usury.Document.Promulgated, Effective: date("2025-06-01")}}
	amending := textOf("Loi n° 2025-31 du 1er juillet 2025 modifiant le code du travail", "2025-31", "2025-07-01", "bj", law.Loi, "L’article 1er de la loi n° 2023-07 est modifié.")
	amending.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: amending.Articles[0].ID, Kind: law.Amends, TargetNumber: "2023-07",
		TargetArticles: []string{"1er"}, Effective: date("2025-07-01")}}
	add(t, db, amending, labour, usury, other, state, later, ending)
	return db
}

// added is how many files the tests have added.
var added atomic.Int64

// add adds texts to a catalogue, each in a file of its own.
func add(t testing.TB, db *postgres.DB, texts ...postgres.StoredText) {
	t.Helper()
	for _, text := range texts {
		n := added.Add(1)
		i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064x", n), Filename: "a.pdf", Size: 1}
		ok(t, pgtest.AddFile(t.Context(), db, i))
		started, err := db.StartIngestion(t.Context(), i.ID)
		ok(t, err)
		ok(t, db.SaveSegmentation(t.Context(), i.ID, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}))
	}
}

func checked(t testing.TB, db *postgres.DB, text string) Report {
	t.Helper()
	r, err := Check(t.Context(), db, Writing{Text: text, Day: date("2026-11-25"), Country: "bj", BaseURL: "https://droit.example"})
	ok(t, err)
	runes := []rune(r.Text)
	for _, f := range r.References {
		if f.Start > f.End || f.End > len(runes) || f.Told == "" {
			t.Errorf("%d to %d of %d: %q", f.Start, f.End, len(runes), f.Told)
		}
	}
	for _, q := range r.Quotations {
		if q.Start >= q.End || q.End > len(runes) || q.Told == "" || q.Reference != nil && *q.Reference >= len(r.References) {
			t.Errorf("%+v of %d", q, len(runes))
		}
	}
	return r
}

func TestReferences(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	for text, want := range map[string]struct {
		state    State
		name     string
		articles string // states of the articles
		told     string // part of the sentence
	}{
		"Vu l’article 2 du code du travail, attendu que":               {InForce, "l’article 2 du code du travail", "en_vigueur", "Le texte est en vigueur."},
		"Vu l’article 99 du code du travail, attendu que":              {Absent, "l’article 99 du code du travail", "absent", "L’article 99 n’existe pas"},
		"Vu les articles 1 et 2 de la loi n° 2023-07 du 14 mars 2023.": {Amended, "", "modifie en_vigueur", "est modifié depuis le"},
		"En vertu de la loi n° 2010-05 du 3 mai 2010, nul":             {Repealed, "loi n° 2010-05 du 3 mai 2010", "", "abrogé depuis le 1er juin 2025 par « Loi n° 2025-30"},
		"L’article 1er de la loi n° 2012-08 le dit":                    {InForce, "", "en_vigueur", "n’en a que la version consolidée au 1er janvier 2027 : l’état du texte au 25 novembre 2026 n’est pas connu."},
		"Le décret n° 2029-11 s’applique":                              {NotYet, "décret n° 2029-11", "", "n’entre en vigueur que le 2 janvier 2029"},
		"La loi n° 1999-99 du 1er mars 1999 le dit":                    {Absent, "", "", "Aucun texte du catalogue"},
		"Selon l’article 4 ci-dessous, le bailleur":                    {Own, "", "", "votre texte"},
		"Selon l’article 3 du présent contrat, le bailleur":            {Own, "", "", "votre texte"},
		"Selon l’article 3, le bailleur":                               {NoText, "", "", "ne dit pas"},
	} {
		r := checked(t, db, text)
		if len(r.References) != 1 {
			t.Errorf("%s: %+v", text, r.References)
			continue
		}
		f := r.References[0]
		var states []string
		for _, a := range f.Articles {
			states = append(states, string(a.State))
			if a.State == InForce && (a.ID == nil || a.Page != 3 || !strings.HasPrefix(a.URL, "https://droit.example/textes/")) {
				t.Errorf("%s: %+v", text, a)
			}
		}
		name := strings.TrimPrefix(f.Name, "l’")
		if f.State != want.state || want.name != "" && name != strings.TrimPrefix(want.name, "l’") || strings.Join(states, " ") != want.articles || !strings.Contains(f.Told, want.told) {
			t.Errorf("%s: %s, %q, %q, %q", text, f.State, f.Name, states, f.Told)
		}
		if got := string([]rune(r.Text)[f.Start:f.End]); got != f.Name {
			t.Errorf("%s: marked %q", text, got)
		}
	}
}

func TestAnArticleBelongsToTheTextNamedBefore(t *testing.T) {
	t.Parallel()
	r := checked(t, catalogue(t), "Le code du travail protège le salarié.\n\nL’article 3 lui donne des congés.")
	if len(r.References) != 2 || !r.References[1].Inherited || r.References[1].State != InForce || r.References[1].Articles[0].Number != "3" || r.References[0].Name != "code du travail" {
		t.Errorf("%+v", r.References)
	}
}

func TestALawOfTwoCountriesIsAmbiguous(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	r, err := Check(t.Context(), db, Writing{Text: "La loi n° 2010-05 le dit.", Day: date("2020-01-01")})
	ok(t, err)
	if len(r.References) != 1 || r.References[0].State != Ambiguous || len(r.References[0].Sources) != 2 {
		t.Errorf("%+v", r.References)
	}
	if r = checked(t, db, "La loi sénégalaise n° 2010-05 le dit."); len(r.References) != 1 || r.References[0].State != InForce || r.References[0].Sources[0].Countries[0] != "sn" {
		t.Errorf("%+v", r.References)
	}
}

func TestQuotations(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	const same, other, none = Verdict(quote.Identical), Verdict(quote.Different), Verdict(quote.Absent)
	for text, want := range map[string]struct {
		verdict Verdict
		article string
		told    string
	}{
		"L’article 2 du code du travail dispose : « Le préavis est de trois mois pour les cadres. »":                                  {same, "2", "a les mots"},
		"L’article 2 du code du travail dispose :\n\n« Le préavis est de deux mois pour les cadres. »":                                {other, "2", "diffère de l’article 2 en un endroit"},
		"« Le préavis est de trois\nmois pour les cadres » (art. 2 du code du travail).":                                              {same, "2", ""},
		"L’article 1er du code du travail s’applique. “Le préavis est de trois mois”, dispose l’article 2 du code du travail.":        {same, "2", ""},
		"L’article 2 du code du travail dispose : \"Le préavis est de trois mois (…) un mois pour les ouvriers.\"":                    {same, "2", ""},
		"L’article 3 du code du travail dispose : « Le préavis est de trois mois pour les cadres. »":                                  {same, "2", "à l’article 2, non à celui"},
		"L’article 3 du code du travail dispose : « Le préavis est de six mois pour les cadres. »":                                    {none, "", "ne sont pas"},
		"Le code du travail dit : « Le congé annuel est de trente jours ouvrables »":                                                  {same, "3", ""},
		"L’article 2 du code du travail dispose : « Les navires battent le pavillon de la République. »":                              {none, "", "ne sont pas"},
		"Il a dit : « Je ne viendrai pas demain. »":                                                                                   {Uncompared, "", "Rien ne dit"},
		"La loi n° 1999-99 du 1er mars 1999 dispose : « Je ne viendrai pas demain. »":                                                 {Uncompared, "", "n’a pas de quoi"},
		"L’article 1er de la loi n° 2010-05 du 3 mai 2010 dispose : « Le taux d’usure est fixé par arrêté du ministre des finances »": {same, "1er", ""},
	} {
		r := checked(t, db, text)
		if len(r.Quotations) != 1 {
			t.Errorf("%s: %+v", text, r.Quotations)
			continue
		}
		q := r.Quotations[0]
		if q.Verdict != want.verdict || q.Article != want.article && !(want.article == "1er" && q.Article == "1") || !strings.Contains(q.Told, want.told) {
			t.Errorf("%s: %s, %q, %q, %q", text, q.Verdict, q.Article, q.Told, q.Differences)
		}
	}
	if r := checked(t, db, "« la Société » et « le Client » sont les parties ; « ce qui n’est pas fermé"); len(r.Quotations) != 0 {
		t.Errorf("%+v", r.Quotations)
	}
}

// « Du même code » is the last code, « de la même loi » the last law, whatever was named between.
func TestTheSameCodeIsTheLastCode(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	for text, want := range map[string]string{
		"Le code du travail protège. La loi n° 2012-08 du 2 mai 2012 est appliquée. L’article 2 du même code dispose : « Le préavis est de trois mois pour les cadres. »": "2023-07",
		"L’article 1er de la loi n° 2012-08 est appliqué. Le code du travail protège. L’article 1er de la même loi le dit.":                                               "2012-08",
		"L’article 1er de la loi n° 2012-08 est appliqué. L’article 2 du code du travail protège. L’article 1er de ladite loi le dit.":                                    "2012-08",
		"Le code du travail protège. La loi n° 2012-08 du 2 mai 2012 est appliquée. L’article 2 dudit code le dit.":                                                       "2023-07",
		"La loi n° 2012-08 du 2 mai 2012 est appliquée. L’article 2 du même code le dit.":                                                                                 "",
	} {
		r := checked(t, db, text)
		last := r.References[len(r.References)-1]
		got := ""
		if len(last.Sources) == 1 {
			got = last.Sources[0].Number
		}
		if got != want || want == "" && last.State != NoText {
			t.Errorf("%s: %q, %s, want %q", text, got, last.State, want)
		}
		for _, q := range r.Quotations {
			if q.Verdict != Verdict(quote.Identical) {
				t.Errorf("%s: %+v", text, q)
			}
		}
	}
}

// Lawyers shorten the names of codes, before the article and behind it.
func TestCodesAreNamedInShort(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	add(t, db, textOf("Loi n° 2001-37 portant code de procédure civile", "2001-37", "2001-06-10", "bj", law.Code, "Toute demande en justice est formée par requête.", "Le juge statue."),
		textOf("Loi n° 2012-15 portant code de procédure pénale", "2012-15", "2013-03-18", "bj", law.Code, "L’action publique appartient à la société.", "Le procureur poursuit."),
		textOf("Code général des impôts", "", "2022-01-01", "bj", law.Code, "L’impôt est dû.", "Le taux est de dix pour cent."))
	for code, want := range map[string]string{"C. trav.": "2023-07", "C.trav.": "2023-07", "C. trav": "2023-07", "c. trav.": "2023-07", "Code trav.": "2023-07", "CPC": "2001-37", "C. proc. civ.": "2001-37", "C. pr. civ.": "2001-37",
		"C. proc. pén.": "2012-15", "CPP": "2012-15", "C. pr. pén.": "2012-15", "CGI": ""} {
		for _, form := range []string{"Vu l’art. 2 %s, attendu que", "Vu l’article 2 du %s, attendu que", "%s, art. 2 : rejet", "(%s, article 2)", "Selon %s art. 2, il le faut", "V. art. 2, %s ; rejet"} {
			text := fmt.Sprintf(form, code)
			r := checked(t, db, text)
			if len(r.References) != 1 || r.References[0].State != InForce || r.References[0].Sources[0].Number != want || len(r.References[0].Articles) != 1 || r.References[0].Articles[0].State != InForce {
				t.Errorf("%s: %+v", text, r.References)
			}
		}
	}
	for _, text := range []string{"M. C. Travers a dit que C. est là.", "La partie C. civile et commerciale"} {
		if r := checked(t, db, text); len(r.References) != 0 {
			t.Errorf("%s: %+v", text, r.References)
		}
	}
}

// A word that is broken at the end of a line is the same word, in quotations and in references.
func TestBrokenWordsAreWhole(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	for _, text := range []string{
		"L’arti-\ncle 2 du code du tra-\nvail dispose : « Le préa-\nvis est de trois mois pour les ca-\ndres. »",
		"L’article 2 de la loi n° 2023-\n07 du 14 mars 2023 dispose : « Le préavis est de trois mois pour les cadres. »",
		"L’article 2 du code du travail dispose :\n« Le préavis est\u00ad de trois mois pour les ca\u00ad\ndres. »",
	} {
		r := checked(t, db, text)
		if len(r.References) != 1 || r.References[0].State == Absent || len(r.References[0].Articles) != 1 || r.References[0].Articles[0].State != InForce {
			t.Errorf("%q: %+v", text, r.References)
		}
		if len(r.Quotations) != 1 || r.Quotations[0].Verdict != Verdict(quote.Identical) {
			t.Errorf("%q: %+v", text, r.Quotations)
		}
	}
}

// A name that several texts bear is tried in each of them, and the reference stays ambiguous.
func TestQuotationsOfAmbiguousTexts(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	for words, want := range map[string]Verdict{"La pêche est libre": Verdict(quote.Identical), "Le taux d’usure est fixé par arrêté du préfet des finances": Verdict(quote.Different),
		"Les navires battent le pavillon de la République": Verdict(quote.Absent)} {
		r, err := Check(t.Context(), db, Writing{Text: "L’article 1er de la loi n° 2010-05 dispose : « " + words + " »", Day: date("2020-01-01")})
		ok(t, err)
		if len(r.References) != 1 || r.References[0].State != Ambiguous || len(r.Quotations) != 1 || r.Quotations[0].Verdict != want || want != Verdict(quote.Absent) && r.Quotations[0].URL != "" {
			t.Errorf("%s: %+v", words, r)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	if _, err := Check(t.Context(), db, Writing{Text: strings.Repeat("a", MostCharacters+1), Day: date("2026-01-01")}); !errs.Is(err, errs.TooLarge) {
		t.Error(err)
	}
	r := checked(t, db, strings.Repeat("Vu la loi n° 2010-05 du 3 mai 2010. ", mostReferences+5))
	if len(r.References) != mostReferences || !r.More {
		t.Errorf("%d references, %t", len(r.References), r.More)
	}
	for _, hostile := range []string{"", "\xff\xfe\x00", strings.Repeat("«", 100_000), strings.Repeat("\" a b c ", 20_000), strings.Repeat("article 1 ", 30_000), strings.Repeat("n° 1-", 50_000)} {
		checked(t, db, hostile)
	}
}

func TestStatesHaveSentences(t *testing.T) {
	t.Parallel()
	for _, s := range []State{InForce, Amended, Repealed, NotYet, Absent, Ambiguous, Own, NoText} {
		f := found{Reference: Reference{State: s}, text: &known{source: Source{ID: uuid.New(), State: s}}}
		if f.tell() == "" {
			t.Error(s)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("L’article 2 du code du travail dispose : « Le préavis\n\n« est de trois » mois » (art. 3 ci-dessous)")
	f.Add("\"a b c\" “d e f„ « g h i")
	f.Fuzz(func(t *testing.T, text string) {
		text = clean(text)
		quoted, last := quotations(text), 0
		for _, q := range quoted {
			if q.start < last || q.end <= q.start || q.end > len(text) {
				t.Fatalf("%v of %d", quoted, len(text))
			}
			last = q.end
		}
		for _, s := range sentences(text, quoted) {
			last = 0
			for _, r := range references(s.words, true) {
				if r.Start < last || r.End < r.Start || r.End > len(s.words) {
					t.Fatalf("%q: %+v", s.words, r)
				}
				last = r.End
			}
		}
	})
}

// TestATitleBehindANumberIsOneReference checks that « portant code du travail » behind the number
// of that code is no reference of its own, which several texts might be meant by.
func TestATitleBehindANumberIsOneReference(t *testing.T) {
	t.Parallel()
	db := catalogue(t)
	add(t, db, textOf("Loi n° 2015-02 du 3 mars 2015 portant code du travail des marins", "2015-02", "2015-03-03", "bj", law.Code, "Le marin est salarié."))
	for text, want := range map[string][]string{
		"L’article 2 de la loi n° 2023-07 du 14 mars 2023 portant\nCode du travail protège.": {"article 2 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail"},
		"La loi n° 2010-05 du 3 mai 2010, et le code du travail.":                            {"loi n° 2010-05 du 3 mai 2010", "code du travail"},
	} {
		var got []string
		for _, r := range checked(t, db, text).References {
			got = append(got, r.Name)
		}
		if !slices.EqualFunc(got, want, strings.EqualFold) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
